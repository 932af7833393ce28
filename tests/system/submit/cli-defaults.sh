#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# CliFilterPlugins=user_defaults and syslog, alone and beside lua, in their order: ~/.slurm/defaults and what others say; a line
# of the system's log for each submission.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n1' 'CliFilterPlugins=cli_filter/user_defaults'
cd "$DIR" || exit 1
mkdir -p home/.slurm && export HOME=$DIR/home
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a controller and a node' || { cluster_logs; tap_done; }
submit() { run sbatch --parsable -H --wrap true "$@"; }
shown() { scontrol show job "$out" | tr ' ' '\n' | grep "^$1="; }
plugins() { # LIST: in force
        sed -i "s|^CliFilterPlugins=.*|CliFilterPlugins=$1|" slurm.conf && scontrol reconfigure
        _told() { [ "$(readlink sock.cli_filter)" = "$2" ]; }
        wait_for 20 _told "$@"
}
submit
tap_is "$rc|$err" '0|' 'without a file all is as usual'
printf '%s\n' '# mine' 'comment = by default' 'sbatch:time=7' 'srun:time=8' '*:slumber:job-name=here' 'sbatch:elsewhere:job-name=there' \
        'mpi=none' 'requeue=' >home/.slurm/defaults
submit
tap_is "$rc|$err|$(shown Comment) $(shown TimeLimit) $(shown JobName)" '0||Comment=by TimeLimit=00:07:00 JobName=here' \
        'it is read: of its lines those for this command and this cluster'
SBATCH_TIMELIMIT=5 submit -J mine
tap_is "$rc|$(shown TimeLimit) $(shown JobName)" '0|TimeLimit=00:05:00 JobName=mine' 'the environment and the command line win over it'
run salloc -Q -n1 bash -c 'srun -v true; scontrol -o show job $SLURM_JOB_ID'
tap_like "$out" 'JobName=here .*TimeLimit=365-|JobName=here .*TimeLimit=UNLIMITED' 'salloc has it'
tap_is "$(grep -c '^srun: time' <<<"$err")" 0 'a srun in an allocation has not'
run srun -v true
tap_like "$err" 'srun: time *: 00:08:00' '... another one has'
for wrong in 'nosuch=1|no command has option --nosuch' 'sbatch:mpi=none|this command has no option --mpi' 'time=soon|Invalid --time specification' \
        'squeue:time=1|"squeue" is no command'; do
        printf '\n%s\n' "${wrong%%|*}" >home/.slurm/defaults
        submit
        tap_is "$rc|$out|$(grep -cF "cli_filter/user_defaults: $HOME/.slurm/defaults line 2: ${wrong#*|}" <<<"$err")" '1||1' \
                "${wrong%%|*} is refused, with file and line" || echo "# $err"
done
rm home/.slurm/defaults && mkfifo home/.slurm/defaults
submit
tap_like "$rc|$err" '^1\|.*not a regular file' 'a pipe is not read'
rm home/.slurm/defaults
if [ "$(id -u)" = 0 ]; then
        echo comment=others >home/.slurm/defaults && chown 65534 home/.slurm/defaults
        submit
        tap_like "$rc|$err" '^1\|.*belongs to another user' "nor is another user's"
        rm home/.slurm/defaults
fi

# ---- beside lua: what comes later wins ----
cat >cli_filter.lua <<'E_LUA'
function slurm_cli_setup_defaults(options, early) options["comment"] = "of lua"; return slurm.SUCCESS end
function slurm_cli_pre_submit(options, offset) return slurm.SUCCESS end
function slurm_cli_post_submit(offset, job, step) slurm.log_info("job %d", job); return slurm.SUCCESS end
E_LUA
chmod 644 cli_filter.lua
echo comment=own >home/.slurm/defaults
plugins lua,user_defaults "lua,user_defaults:slumber:$DIR/cli_filter.lua"
tap_ok $? 'lua, then user_defaults'
submit
tap_is "$rc|$err|$(shown Comment)" "0|sbatch: lua: job $out|Comment=own" "the user's file wins"
plugins user_defaults,cli_filter/lua "user_defaults,lua:slumber:$DIR/cli_filter.lua"
submit
tap_is "$rc|$(shown Comment)" '0|Comment=of' 'the other way round the script does'

# ---- syslog ----
plugins syslog,user_defaults 'syslog,user_defaults:slumber:'
tap_ok $? 'syslog, then user_defaults'
submit
tap_is "$rc|$err" '0|' 'whether there is a log or not, the job is submitted'
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
        mkdir dev && for d in null zero urandom tty; do cp -a "/dev/$d" dev/; done
        python3 - "$DIR/dev/log" >log.out 2>log.err <<'E_PY' &
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
while True:
    print(s.recv(1 << 20).decode(), flush=True)
E_PY
        reader=$!
        at_exit kill "$reader"
        wait_for 20 test -S dev/log
        in_dev() { run unshare -m bash -c 'mount --bind dev /dev && exec "$@"' - "$@"; }
        lines() { [ "$(wc -l <log.out)" -ge "$1" ]; }
        in_dev sbatch --parsable -H -t 5 -J 'a "name"' --wrap 'x y'
        wait_for 20 lines 1
        tap_is "$rc|$err|$(sed -E 's/^<14>[A-Z][a-z]{2} [ 0-9][0-9] [0-9:]{8} sbatch\[[0-9]+\]: //' log.out)" \
                "0||{\"type\":\"sbatch\",\"job_id\":$out,\"options\":{\"hold\":\"set\",\"time\":\"00:05:00\",\"comment\":\"own\",\"job-name\":\"a \\u0022name\\u0022\",\"parsable\":\"set\",\"wrap\":\"x y\"},\"argv\":[]}" \
                'a submission is a line of JSON in the system log'
        python3 -c 'import json,sys; [json.loads(l.split("]: ", 1)[1]) for l in sys.stdin]' <log.out
        tap_ok $? '... that a program reads'
        in_dev srun -n1 echo hello
        wait_for 20 lines 2
        tap_like "$rc|$out|$(tail -n 1 log.out)" '^0\|hello\|.* srun\[.*"type":"srun","job_id":[0-9]+,"step_id":0,.*"argv":\["echo","hello"\]\}$' \
                'as is a step, with its operands'
        in_dev salloc -Q -n1 true
        wait_for 20 lines 3
        tap_like "$(tail -n 1 log.out)" '"type":"salloc"' 'and an allocation'
        kill -STOP "$reader"
        for _ in {1..40}; do in_dev sbatch --parsable -H --wrap true; [ "$rc" = 0 ] || break; done
        tap_is "$rc" 0 'a system log that stands still holds up nobody'
        kill -CONT "$reader"
fi
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
