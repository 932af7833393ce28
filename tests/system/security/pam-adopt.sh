#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# pam_slumber_adopt: logins by a real sshd, in a mount namespace that has a pam.d, a passwd and a syslog of its own.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
module=$SLUMBER_BUILD/pam/pam_slumber_adopt.so
[ "$(id -u)" = 0 ] || tap_skip_all 'needs root'
[ -e "$module" ] || tap_skip_all 'built without libpam'
for program in /usr/sbin/sshd pamtester ssh; do
        command -v "$program" >/dev/null || tap_skip_all "there is no $program"
done
at_exit cluster_end
cluster_conf n1 PrologFlags=Contain
cd "$DIR" || exit 1
chmod 755 "$DIR"
cluster_up 'a node' n1
grep -q 'Jobs are in cgroup/v' log/n1 || { tap_ok 0 'no cgroups here: # SKIP'; tap_done; }

# ---- a machine of its own, as far as PAM sees it ----
mkdir pam.d etc
pam() { # OPTIONS [LINE]: the last account lines, LINE before the module's
        printf '%s\naccount required %s socket=%s/n1.sock %s\n' "${2-account required pam_permit.so}" "$module" "$DIR" "${1-}" >pam.d/new
        printf 'session required pam_permit.so\nsession required %s socket=%s/n1.sock %s\n' "$module" "$DIR" "${1-}" >>pam.d/new
        mv pam.d/new pam.d/sshd
}
pam
printf 'auth required pam_permit.so\naccount required pam_permit.so\nsession required pam_permit.so\n' >pam.d/other
sed -e 's#^nobody:.*#nobody:x:65534:65534:nobody:/:/bin/sh#' -e "s#^root:.*#root:x:0:0:root:$HOME:/bin/sh#" /etc/passwd >etc/passwd
ssh-keygen -q -t ed25519 -N '' -f host.key && ssh-keygen -q -t ed25519 -N '' -f user.key || exit 1
cp user.key nobody.key && chown 65534 nobody.key && chmod 600 nobody.key
cp user.key.pub keys && chmod 644 keys
printf '%s\n' "Port $((PORT + 1))" 'ListenAddress 127.0.0.1' "HostKey $DIR/host.key" 'UsePAM yes' 'KbdInteractiveAuthentication yes' "AuthorizedKeysFile $DIR/keys" \
        'StrictModes no' 'PermitRootLogin yes' "PidFile $DIR/run/sshd.pid" 'LogLevel ERROR' >sshd_config
cat >syslog.py <<'END'
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind('/dev/log')
out = open(sys.argv[1], 'ab', 0)
print('ready', flush=True)
while True:
    out.write(s.recv(65536).rstrip(b'\0\n') + b'\n')
END
cat >machine.sh <<END
set -e
cd $DIR
mount --bind pam.d /etc/pam.d
mount --bind etc/passwd /etc/passwd
mount -t tmpfs tmpfs /run
mkdir /run/sshd
mkdir -p dev
mount -t tmpfs tmpfs dev
for f in null zero random urandom tty; do touch dev/\$f; mount --bind /dev/\$f dev/\$f; done
mkdir dev/pts dev/shm
mount --bind /dev/pts dev/pts
ln -s pts/ptmx dev/ptmx
mount --move dev /dev 2>/dev/null || mount --rbind dev /dev
python3 syslog.py syslog >up &
echo \$! >run/syslog.pid
until [ -s up ]; do sleep 0.02; done
echo \$\$ >run/machine.pid
exec /usr/sbin/sshd -D -e -f sshd_config
END
unshare -m sh machine.sh >log/sshd 2>&1 &
machine_end() { kill "$(cat "$DIR/run/syslog.pid")" "$(cat "$DIR/run/machine.pid")" 2>/dev/null; }
at_exit machine_end
wait_for 20 eval 'test -s run/machine.pid && (exec 3<>/dev/tcp/127.0.0.1/$((PORT + 1))) 2>/dev/null' || { cat log/sshd; tap_ok 1 'sshd starts'; tap_done; }
inside() { nsenter -m -t "$(cat run/machine.pid)" --wd=/ "$@"; }
options="-F none -i $DIR/user.key -p $((PORT + 1)) -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=INFO -o BatchMode=yes"
login() { run timeout 30 ssh $options nobody@127.0.0.1 "$@" </dev/null; }
as() { inside setpriv --reuid=65534 --regid=65534 --clear-groups env PATH="$PATH" SLURM_CONF="$SLURM_CONF" SLUMBER_SOCKET="$DIR/n1.sock" "$@"; }
batch() { as sbatch --parsable -D / -o /dev/null --wrap "until [ -e $DIR/go.\$SLURM_JOB_ID ]; do sleep 0.05; done"; }
said() { # the last line before one of its own, which the log has after all that came before
        local mark="mark-$BASHPID-"
        inside logger "$mark" && wait_for 20 grep -q "$mark" syslog
        grep -B 1 "$mark" syslog | sed -n '1s/^<[0-9]*>.\{15\} //p'
}
where='sed -n "s#.*/\(job[0-9]*-[0-9]*/[a-z]*\)\$#\1#p" /proc/self/cgroup | sort -u'

# ---- without a job ----
login true
tap_like "$rc $err" 'Access denied by pam_slumber_adopt: you have no active jobs on this node' 'no job: no login'
tap_ok "$([ "$rc" != 0 ]; echo $?)" '... it fails'
tap_like "$(said)" 'pam_slumber_adopt\(sshd:account\): user nobody: you have no active jobs on this node; denied' '... with a line in the log'
run timeout 30 ssh $options root@127.0.0.1 "$where" </dev/null
tap_is "$rc|$out" '0|' 'root passes by'

# ---- in the job ----
job=$(batch) && wait_job 20 "$job" RUNNING
login "$where"
tap_is "$rc|$out" "0|job$job-0/extern" 'with one job: in its extern step'
run timeout 30 ssh ${options/BatchMode=yes/BatchMode=no} -o PreferredAuthentications=keyboard-interactive nobody@127.0.0.1 "$where" </dev/null
tap_is "$rc|$out" "0|job$job-0/extern" '... also with keyboard-interactive authentication'
sed -i '/^session.*pam_slumber_adopt/d' pam.d/sshd
run timeout 30 ssh ${options/BatchMode=yes/BatchMode=no} -o PreferredAuthentications=keyboard-interactive nobody@127.0.0.1 "$where" </dev/null
tap_is "$rc|$out" "0|job$job-0/extern" '... which needs no session line'
pam

# ---- the controller stands still, and takes nothing more ----
{ echo '#!/bin/sh'; head -c 3900000 /dev/zero | tr '\0' '#'; } >large
listpids() { as timeout 1 scontrol listpids "$job" >/dev/null 2>&1; }
listpids
tap_ok $? 'a user asks slumberd itself'
kill -STOP "$(cat run/ctld.pid)"
large=()
for ((k = 0; k < 12; k++)); do
        as sbatch --parsable --hold -D / -o /dev/null "$DIR/large" >>large.ids 2>/dev/null &
        large+=($!)
done
wait_for 10 eval '! listpids'
tap_ok $? '... who is not heard while it cannot pass on more'
login "$where"
tap_is "$rc|$out" "0|job$job-0/extern" '... but a session is let in'
kill -CONT "$(cat run/ctld.pid)"
wait "${large[@]}"
as scancel $(cat large.ids)

timeout 120 ssh $options nobody@127.0.0.1 'echo $$; exec sleep 600' </dev/null >session 2>/dev/null &
client=$!
wait_for 20 test -s session
pid=$(cat session)
tap_is "$(SLUMBER_SOCKET=$DIR/n1.sock scontrol listpids "$job.extern" | awk -v p="$pid" '$1 == p { print $2, $3 }')" "$job extern" 'scontrol listpids has the session'
scontrol suspend "$job" && wait_job 20 "$job" SUSPENDED
frozen() { local f; f=$(sed -n 's/^0:://p' "/proc/$pid/cgroup"); f=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)$f; grep -q 'frozen 1' "$f/cgroup.events" 2>/dev/null || grep -q '^State:.D' "/proc/$pid/status"; }
tap_ok "$(wait_for 20 frozen; echo $?)" 'it is frozen with the job'
login true
tap_like "$rc $(said)" "^[1-9][0-9]* .*user nobody: job $job is suspended; denied" 'no session is moved into a suspended job'
scontrol resume "$job" && wait_job 20 "$job" RUNNING
tap_ok "$(kill -0 "$pid"; echo $?)" '... and thawed'

# ---- which job ----
second=$(batch) && wait_job 20 "$second" RUNNING
login "$where"
tap_is "$rc|$out" "0|job$second-0/extern" 'with two jobs: in the newest'
cat >from.sh <<END
exec ssh ${options/user.key/nobody.key} nobody@127.0.0.1 '$where'
END
out=$(as srun --jobid="$job" --overlap sh "$DIR/from.sh" 2>err)
tap_is "$out" "job$job-0/extern" '... unless it comes from a step of another one'
scontrol suspend "$second" && wait_job 20 "$second" SUSPENDED
login "$where"
tap_is "$rc|$out" "0|job$job-0/extern" '... or the newest is suspended'
scontrol resume "$second" && wait_job 20 "$second" RUNNING
agent_stop n1 && agent_start n1 && wait_for 20 eval '[ -n "$(SLUMBER_SOCKET=$DIR/n1.sock scontrol listpids $second.extern 2>/dev/null)" ]'
login "$where"
tap_is "$rc|$out" "0|job$second-0/extern" '... which it still is when slumberd was started anew'
pam action_unknown=deny
login true
tap_like "$err" 'pam_slumber_adopt: which of your jobs the connection is from is not known' 'action_unknown=deny'
out=$(as srun --jobid="$job" --overlap sh "$DIR/from.sh" 2>err)
tap_is "$out" "job$job-0/extern" '... where it is known'
pam action_unknown=allow
login "$where"
tap_is "$rc|$out" '0|' 'action_unknown=allow: in no job'
pam

# ---- its end ----
touch "go.$job"
wait_job 20 "$job" COMPLETED
wait "$client"
tap_ok "$(wait_for 20 eval '! kill -0 $pid 2>/dev/null'; echo $?)" 'the session ends with its job'

# ---- bad input, and what is missing: nobody gets in ----
pam action_nojobs=ignore
login true
tap_like "$rc $(said)" '^[1-9][0-9]* .*pam_slumber_adopt\(sshd:account\): there is no option "action_nojobs=ignore"; denied' 'an unknown option'
pam action_no_jobs=newest
login true
tap_like "$rc $(said)" '^[1-9][0-9]* .*option "action_no_jobs=newest": one of deny, ignore was expected; denied' 'a value of another option'
pam nodename=n7
login true
tap_like "$rc $(said)" '^[1-9][0-9]* .*slumberd is of node n1, and nodename=n7; denied' 'another node'
pam
run inside timeout 20 pamtester sshd no-such-user acct_mgmt
tap_like "$rc $(said)" '^[1-9][0-9]* .*there is no user no-such-user; denied' 'a name that does not exist'
run as timeout 20 pamtester sshd nobody acct_mgmt
tap_like "$rc $err$out" "^[1-9].*root's processes alone may ask for this" 'a plain user cannot ask slumberd for it'
run inside timeout 20 pamtester login nobody acct_mgmt
tap_is "$rc" 0 'other services are not its own'
touch "go.$second"
wait_job 20 "$second" COMPLETED
pam action_no_jobs=ignore ''
login true
tap_is "$rc" 255 'action_no_jobs=ignore: another module is needed to let it in'
pam action_no_jobs=ignore
login "$where"
tap_is "$rc|$out" '0|' '... which does'
cat >relay.py <<'END'
# Serves a socket as nobody, passes all on to slumberd as root: that moves this process and says so.
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
os.seteuid(65534)
s.bind(sys.argv[1])
s.listen()
os.seteuid(0)
print('ready', flush=True)
while True:
    c = s.accept()[0]
    agent = socket.socket(socket.AF_UNIX)
    agent.connect(sys.argv[2])
    agent.sendall(c.recv(65536))
    try:
        c.sendall(agent.recv(65536))
    except BrokenPipeError:
        pass
END
mkdir -m 777 others && third=$(batch) && wait_job 20 "$third" RUNNING
python3 relay.py others/sock n1.sock >others/up &
relay=$!
wait_for 20 test -s others/up
pam "socket=$DIR/others/sock"
login "$where"
tap_like "$rc $(said)" "^[1-9][0-9]* .*$DIR/others/sock is served by user 65534, not by root's slumberd; denied" \
        'a socket that another user serves'
kill "$relay"
touch "go.$third"
wait_job 20 "$third" COMPLETED
pam
agent_stop n1
login true
tap_like "$rc $(said)" "^[1-9][0-9]* .*user nobody: .*$DIR/n1.sock: .*; denied" 'no slumberd: no login'
pam action_generic_failure=allow
login true
tap_is "$rc" 0 '... unless it is told so'
agent_start n1 && wait_nodes 20 n1 idle

# ---- by the usual sockets, beside slumberctld ----
pam
sed -i 's# socket=[^ ]*##' pam.d/sshd
inside sh -c "mkdir /run/slumber && ln -s $DIR/sock /run/slumber/slumber.sock && ln -s $DIR/n1.sock /run/slumber/slumberd.sock"
fifth=$(batch) && wait_job 20 "$fifth" RUNNING
login "$where"
tap_is "$rc|$out" "0|job$fifth-0/extern" 'without socket= slumberd is found beside slumberctld'
touch "go.$fifth"
wait_job 20 "$fifth" COMPLETED

# ---- a job with --x11: whatever its DISPLAY is ----
if command -v xauth >/dev/null; then
        pam
        sed -i 's/^PrologFlags=.*/PrologFlags=X11/' slurm.conf
        ctld_stop && ctld_start && wait_nodes 20 n1 idle
        mkdir x11
        xauth -q -f x11/authority source - <<<"add localhost:77 . $(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')" 2>/dev/null
        chown -R 65534 x11
        as env DISPLAY=localhost:77 XAUTHORITY="$DIR/x11/authority" srun --x11 -D / \
                sh -c "echo \$DISPLAY \$XAUTHORITY; until [ -e $DIR/go.x11 ]; do sleep 0.05; done" >x11.out 2>x11.err </dev/null &
        fourth=$!
        wait_for 20 grep -q Xauthority x11.out
        login 'echo $DISPLAY $XAUTHORITY; xauth -q list | wc -l'
        tap_is "$rc|$out" "0|$(cat x11.out)"$'\n1' 'a session of a job with --x11 has its DISPLAY' || sed 's/^/# /' x11.err
        pam disable_x11=1
        login 'echo $DISPLAY'
        tap_is "$rc|$out" '0|' 'disable_x11=1'
        touch go.x11
        wait $fourth
else
        echo '# DISPLAY is not tried: there is no xauth'
fi
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
