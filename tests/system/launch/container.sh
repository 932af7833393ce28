#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --container: tasks in OCI bundles by crun, as oci.conf says.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
command -v crun >/dev/null || tap_skip_all 'no crun'
[ "$(id -u)" = 0 ] || tap_skip_all 'only root makes mount namespaces for users'
cluster_conf 'n1' KillWait=1
cd "$DIR" || exit 1
chmod 755 "$DIR"
mkdir -m 1777 runtime out

# a bundle of this host's files: a shell, some programs and their libraries
image=bundle/rootfs
mkdir -p $image/{bin,proc,dev,sys,tmp,run,work}
for program in bash true sh cat ls id sleep env tr grep; do
        path=$(type -P "$program")
        cp -L "$path" "$image/bin/$program"
        ldd "$path" | grep -oE '/[^ ]+' | while read -r lib; do
                mkdir -p "$image$(dirname "$lib")" && cp -L "$lib" "$image$lib"
        done
done
echo 'of the image' >$image/os-release
cat >bundle/config.json <<'END'
{ "ociVersion": "1.0.0",
  "process": { "user": { "uid": 0, "gid": 0 }, "cwd": "/work", "args": ["false"],
               "env": ["PATH=/bin", "OF_BUNDLE=1", "BOTH=bundle"], "noNewPrivileges": true },
  "root": { "path": "rootfs" }, "hostname": "box",
  "mounts": [ { "destination": "/proc", "type": "proc", "source": "proc" },
              { "destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"] } ],
  "hooks": { "prestart": [ { "path": "/bin/false" } ] },
  "linux": { "namespaces": [ { "type": "pid" }, { "type": "ipc" }, { "type": "uts" }, { "type": "mount" } ] } }
END
chown -R 65534:65534 bundle
setpriv --reuid=65534 --regid=65534 --clear-groups unshare --user --map-root-user --mount true 2>/dev/null ||
        tap_skip_all 'users have no user namespaces'

crun="crun --cgroup-manager=disabled --root=$DIR/runtime/%U"
conf() { # LINE...: oci.conf with these
        {
                printf '%s\n' 'EnvExclude="^SECRET="' 'DisableHooks=prestart' \
                        "RunTimeRun=\"$crun run --bundle %b %n.%j.%s.%t\"" \
                        "RunTimeQuery=\"$crun state %n.%j.%s.%t\"" \
                        "RunTimeKill=\"$crun kill -a %n.%j.%s.%t KILL\"" \
                        "RunTimeDelete=\"$crun delete --force %n.%j.%s.%t\""
                printf '%s\n' "$@"
        } >oci.conf
}
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node' || { cluster_logs; tap_done; }
s() { run timeout 60 srun --uid=65534 --gid=65534 "$@" </dev/null; }
c() { s --container="$DIR/bundle" "$@"; }
left() { find "$DIR"/runtime/*/ "$DIR"/spool.n1/steps -name '*n1.*' -o -name 'container.*' 2>/dev/null; }
nothing_left() { [ -z "$(left)" ]; }

c true
tap_like "$rc $err" '^1 .*--container: there is no oci.conf beside slurm.conf' 'without oci.conf it is refused'
run sbatch --container=bundle --wrap=true
tap_like "$rc $err" '^1 .*--container: there is no oci.conf beside slurm.conf' '... for batch jobs, too'
conf 'ContainerPath=/x'
run scontrol reconfigure
tap_like "$rc $err" '^1 .*oci.conf line 7: ContainerPath: it cannot be had here: ' 'a key that is not there yet is refused by file and line'
conf 'RunTimeQuery="crun %z"'
run scontrol reconfigure
tap_like "$rc $err" '^1 .*oci.conf line 7: RunTimeQuery: "%z" is not a pattern' 'so is a pattern that is none'
conf
scontrol reconfigure
tap_ok $? 'oci.conf is read'

ready() { s --container="$DIR/bundle" true && [ "$rc" = 0 ]; }
wait_for 10 ready
tap_is "$rc $err" '0 ' 'a task runs in the bundle'
c cat /os-release
tap_is "$rc $out$err" '0 of the image' 'it sees the image'
c sh -c 'id -u; cat /proc/self/uid_map | tr -s " "; pwd; exit 7'
tap_like "$rc $out" $'^7 0\n 0 65534 1\n/work$' 'its user is root of a user namespace of its own; its exit code'
BOTH=step SECRET=1 MINE=1 c sh -c 'echo $OF_BUNDLE $BOTH $MINE [$SECRET] $SLURM_PROCID $SLURM_CONTAINER'
tap_is "$out" "1 step 1 [] 0 $DIR/bundle" 'environment of bundle and step, without EnvExclude'
c -D /tmp sh -c pwd
tap_is "$out" /tmp '--chdir is meant in the container'
run timeout 60 srun --uid=65534 --gid=65534 --container="$DIR/bundle" -n3 -l sh -c 'cat; echo out; echo "it'"'"'s" >&2' <<<'in put'
tap_is "$rc $(sort <<<"$out" | paste -sd,) $(sort <<<"$err" | paste -sd,)" \
        "0 0: in put,0: out,1: in put,1: out,2: in put,2: out 0: it's,1: it's,2: it's" 'streams of three tasks'
wait_for 10 nothing_left
tap_ok $? 'nothing is left of them' || left | sed 's/^/# /'

printf '#!/bin/sh\ncat /os-release; echo "$0 $1"; touch /dev/x && ls -d '"$DIR"'\n' >job
run sbatch --uid=65534 --gid=65534 -W -o "$DIR/out/batch" --container=bundle job word
tap_is "$(cat out/batch 2>&1 | head -2 | paste -sd,)" 'of the image,/run/slurm/slurm_script word' 'a batch script runs in it'
run env SBATCH_CONTAINER=bundle sbatch --uid=65534 --gid=65534 -W -o "$DIR/out/batch2" --wrap='exit 3'
tap_is "$rc" 3 '... by SBATCH_CONTAINER, and so is its exit code'
printf '#!/bin/sh\n#SBATCH --container=%s/bundle\nexit 4\n' "$DIR" >job
run sbatch --uid=65534 --gid=65534 -W -o /dev/null job
tap_is "$rc" 4 '... and by a line of its own'

# frozen and cancelled
sbatch --uid=65534 --gid=65534 --parsable -o "$DIR/out/long" --container=bundle --wrap='echo begun; cat /proc/self/cgroup; while :; do sleep 0.1; done' >id
job=$(cat id)
wait_for 20 grep -q begun out/long
tap_ok $? 'a script that goes on' || cluster_logs
tap_is "$(squeue -h -j "$job" -O Container:200 | tr -d ' ')|$(scontrol show job "$job" | grep Container= | tr -d ' ')" \
        "$DIR/bundle|Container=$DIR/bundle" 'squeue and scontrol show its bundle'
tap_is "$(squeue -h -s -j "$job" -O Container:200 | tr -d ' ')|$(scontrol show step "$job" | grep Container= | tr -d ' ')|$(sacct -nP -j "$job" -o Container | paste -sd,)" \
        "$DIR/bundle|Container=$DIR/bundle|$DIR/bundle,$DIR/bundle" '... as they do of its step, and sacct of both'
wait_for 10 grep -q "/job$job-0/batch" out/long
tap_ok $? 'its processes are in the group of its step' || sed 's/^/# /' out/long
scontrol suspend "$job" && wait_job 20 "$job" SUSPENDED
tap_ok $? 'it is suspended'
scontrol resume "$job" && wait_job 20 "$job" RUNNING
tap_ok $? '... and goes on'
scancel "$job" && wait_job 20 "$job" CANCELLED
tap_ok $? 'it is cancelled'
ended() { [ "$(sacct -nP -j "$job" -o State,Container | grep -c "^CANCELLED.*|$DIR/bundle\$")" = 2 ]; }
wait_for 10 ended
tap_ok $? '... and sacct knows of its container' || sacct -nP -j "$job" -o State,Container
wait_for 20 nothing_left
tap_ok $? '... and nothing is left of it' || left | sed 's/^/# /'

# slumberd and the step daemon are killed
sbatch --uid=65534 --gid=65534 --parsable -o "$DIR/out/kill" --container=bundle --wrap='echo begun; sleep 600' >id
job=$(cat id)
wait_for 20 grep -q begun out/kill
_end_pid KILL n1
agent_start n1 && wait_nodes 20 n1 'allocated|mixed'
scancel "$job" && wait_job 20 "$job" CANCELLED && wait_for 20 nothing_left
tap_ok $? 'a container outlives slumberd, and nothing is left of it when it has been cancelled' || left | sed 's/^/# /'

sbatch --uid=65534 --gid=65534 --no-requeue --parsable -o "$DIR/out/lost" --container=bundle --wrap='echo begun; sleep 600' >id
job=$(cat id)
wait_for 20 grep -q begun out/lost
spooled() { find "$DIR"/spool.n1/steps -name 'container.*'; }
tap_like "$(spooled)" "/$job.0.batch/container.0\$" 'what its runtime gets is in the spool'
task=$(SLUMBER_SOCKET=$DIR/n1.sock scontrol listpids "$job.batch" | awk 'NR == 2 { print $1 }')
daemon=$(ps -o ppid= -p "${task:-none}" | tr -d ' ')
tap_is "$(cat "/proc/$daemon/comm")" slumberstepd 'its step daemon'
[ -z "$daemon" ] || kill -9 "$daemon"
wait_for 20 eval '[ -z "$(squeue -h -j "$job" 2>/dev/null)" ] && [ -z "$(spooled)" ]'
tap_ok $? 'its step daemon is killed: nothing of it stays in the spool' || spooled | sed 's/^/# /'
wait_for 20 nothing_left
tap_ok $? '... and nothing in the runtime'"'"'s folder' || left | sed 's/^/# /'

# bad bundles
for row in 'none|none: No such file or directory' 'empty|empty/config.json: No such file or directory' \
        'broken|broken/config.json: it ends too early' 'large|large/config.json is larger than 1 MiB' \
        'list|list/config.json: it is not an object' 'rootless|rootless/config.json: root.path is missing' \
        'fifo|fifo/config.json is not a file' 'closed|closed/config.json: Permission denied'; do
        name=${row%%|*}
        case $name in
        none) ;;
        *) mkdir "$name" ;;
        esac
        case $name in
        broken) head -c 200 bundle/config.json >broken/config.json ;;
        large) head -c 1048577 /dev/zero | tr '\0' ' ' >large/config.json ;;
        list) echo '[1]' >list/config.json ;;
        rootless) echo '{"process": {}}' >rootless/config.json ;;
        fifo) mkfifo fifo/config.json ;;
        closed) cp bundle/config.json closed && chmod 600 closed/config.json ;;
        esac
        s --container="$name" true
        tap_like "$rc $err" "^1 slurmstepd: error: container: $DIR/${row#*|}" "a bundle is bad: $name"
done
c --mpi=pmix true
tap_like "$rc $err" '^1 .*--mpi=pmix does not reach into a --container' '--mpi=pmix is refused by name'
# shellcheck disable=SC2016
pmi='printf "cmd=init pmi_version=1 pmi_subversion=1\n" >&"$PMI_FD"; read -r answer <&"$PMI_FD"; echo "$PMI_RANK of $PMI_SIZE: $answer"
        printf "cmd=finalize\n" >&"$PMI_FD"; read -r answer <&"$PMI_FD"'
for mpi in '' --mpi=pmi2; do
        c $mpi -n2 bash -c "$pmi"
        tap_is "$rc $(sort <<<"$out")|$err" '0 0 of 2: cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1
1 of 2: cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1|' "PMI reaches into a container${mpi:+ with $mpi}"
done

# RunTimeCreate and RunTimeStart
conf
sed -i "s|^RunTimeRun=.*|RunTimeCreate=\"touch $DIR/runtime/created; $crun create --bundle %b %n.%j.%s.%t\"\nRunTimeStart=\"$crun start %n.%j.%s.%t\"|" oci.conf
scontrol reconfigure
tap_ok $? 'oci.conf has RunTimeCreate and RunTimeStart'
created() { c true && [ "$rc" = 0 ] && [ -e runtime/created ]; }
wait_for 10 created
c sh -c 'cat /os-release; cat; echo "it'"'"'s" >&2; exit 7'
tap_like "$rc $out $err" "^7 of the image it's" 'its streams and exit code'
run timeout 60 srun --uid=65534 --gid=65534 --container="$DIR/bundle" -n2 -l cat <<<'in put'
tap_is "$rc $(sort <<<"$out" | paste -sd,) $err" '0 0: in put,1: in put ' 'input of two tasks'
c --mpi=pmi2 -n2 bash -c "$pmi"
tap_is "$rc $(sort <<<"$out" | cut -d: -f1 | paste -sd,)" '0 0 of 2,1 of 2' 'PMI reaches it, too'
sbatch --uid=65534 --gid=65534 --parsable -o "$DIR/out/traps" --container=bundle --wrap='trap "echo told; exit 3" USR1; echo begun; while :; do sleep 0.1; done' >id
job=$(cat id)
wait_for 20 grep -q begun out/traps && scancel -b -s USR1 "$job" && wait_job 20 "$job" FAILED
tap_is "$(cat out/traps)|$(job_show "$job" %r)" $'begun\ntold|NonZeroExitCode' 'a signal reaches it'
sbatch --uid=65534 --gid=65534 --parsable -o "$DIR/out/create" --container=bundle --wrap='echo begun; sleep 600' >id
job=$(cat id)
wait_for 20 grep -q begun out/create && scancel "$job" && wait_job 20 "$job" CANCELLED && wait_for 20 nothing_left
tap_ok $? 'one that is cancelled leaves nothing' || left | sed 's/^/# /'
sed -i 's|^RunTimeQuery=.*|RunTimeQuery="echo no state"|' oci.conf && scontrol reconfigure
unknown() { c true && [[ $err == *RunTimeQuery:* ]]; }
wait_for 10 unknown
tap_like "$rc $err" '^1 slurmstepd: error: container: RunTimeQuery: byte [0-9]+: ' 'a query that tells no state ends the task'

# bad runtimes
bad() { # LINE: oci.conf with it, once the node has it
        conf "$1" && scontrol reconfigure
}
bad 'RunTimeRun="/nonexistent/runtime %b"'
fails() { c true && [ "$rc" = "$1" ]; }
wait_for 10 fails 127
tap_like "$rc $err" '^127 .*/nonexistent/runtime: not found' 'a runtime that is missing'
bad 'RunTimeRun="echo no luck >&2; exit 5"'
wait_for 10 fails 5
tap_like "$rc $err" '^5 no luck' 'a runtime that fails'
bad 'RunTimeQuery="sleep 100"'
hangs() { c true && [[ $err == *'take too long'* ]]; }
wait_for 30 hangs
tap_like "$err" 'slurmstepd: error: container: RunTimeKill and RunTimeDelete take too long' 'a runtime that hangs at the end'
conf 'RunTimeRun="sh -c %@"' 'RunTimeQuery=false' 'IgnoreFileConfigJson=true'
scontrol reconfigure
plain() { s --container=empty 'echo "[$SLURM_CONTAINER]"' && [ "$rc" = 0 ]; }
wait_for 10 plain
tap_is "$out" "[$DIR/empty]" 'a runtime that takes the command, and no config.json'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
