# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/cluster.sh - a whole cluster on one machine: one controller and any number of agents
#
# Sourced after lib.sh by system tests, after wait.sh by others (demo, benchmarks), which then set
#   DIR    a folder of their own, its path shorter than 80 bytes (there are sockets in it)
#   PORT   a free TCP port for the controller
# Given by the caller's environment: SLUMBER_BUILD (build folder).
#
#   cluster_conf NODES [LINE...]   writes DIR/slurm.conf, slumber.yaml and key, exports what commands need
#                                  (SLURM_CONF, SLUMBER_SOCKET, PATH) and makes state and log folders.  NODES is a host
#                                  list; a LINE replaces the default line of the same key, or is added; KEY= only
#                                  takes the default away; "yaml KEY: VALUE" goes to slumber.yaml
#   ctld_start [ARGUMENT...]       returns when it answers; 1: it ended (its exit code is in CTLD_RC)
#   ctld_stop, ctld_kill9          return when it has ended
#   agent_start NODE [ARGUMENT...] returns when the process runs; wait_nodes waits for the registration
#                                  Both starts wait first until the last one of that name has ended, which may have been
#                                  told so by others: it has the state folder, the socket, the spool folder
#   agent_stop NODE, agent_kill9 NODE
#   stepd_pids NODE                process ids of the step daemons that live
#   wait_nodes SECONDS NODES STATE     until sinfo calls all of these STATE ("idle")
#   wait_job SECONDS ID STATE          until the job is in STATE ("RUNNING"; several as "A|B")
#   job_show ID FORMAT, job_state ID   what squeue -t all says, finished jobs too ("" if it is not known)
#   no_jobs [OPTION...]                squeue with these options answers that there are none
#   cluster_up NAME NODE...        controller and agents, these nodes idle: a test's first line, NAME; or the logs, and its end
#   stuck_folder                   DIR/stuck, a file system that "fsfreeze -f" makes stick (state D); skips the test where none can be;
#                                  cluster_end is done at exit
#   fed_folder                     DIR/fed, a file system whose server gives 512 kB of DIR/fed/f each second: DIR/read_fed is a program
#                                  with one system call of two minutes, which does not freeze before the end of the server, FED; skips
#                                  the test where none can be; cluster_end is done at exit
#   fed_is_read                    until read_fed is in that system call
#   reserve KEY=VALUE...           run scontrol create reservation
#   cluster_end                    ends everything that was started here; safe to call twice.  A daemon that dies meanwhile, or says
#                                  what only a bug says, fails the test
#   cluster_logs                   the logs' last lines, as TAP comments
#   cluster_sound                  no daemon has said anything that only a bug says
#
# Everything is ended by process id: daemons by DIR/run/NAME.pid; step daemons are known by SLURM_CONF in
# their environment; their descendants end with them.  Any user may run it; what differs for root is in the jobs, not here.

: "${CTLD:=$SLUMBER_BUILD/controller/slumberctld}" "${SLUMBERD:=$SLUMBER_BUILD/agent/slumberd}"
CTLD_RC=

# ---- configuration ----
cluster_conf() {
        local nodes=$1 line key defaults
        shift
        mkdir -p "$DIR/bin" "$DIR/run" "$DIR/state" "$DIR/log"
        defaults="ClusterName=slumber
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$PORT
SlurmUser=$(id -un)
StateSaveLocation=$DIR/state
SlurmdSpoolDir=$DIR/spool.%n
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
NodeName=$nodes NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
        for line; do
                key=${line%%=*}
                case $line in yaml\ *) continue ;; esac
                defaults=$(grep -v "^$key=" <<<"$defaults")
        done
        for line; do
                case $line in yaml\ * | *=) continue ;; esac
                defaults+=$'\n'$line
        done
        printf '%s\n' "$defaults" >"$DIR/slurm.conf"
        printf '%s\n' "key_file: $DIR/key" "socket: $DIR/sock" >"$DIR/slumber.yaml"
        for line; do
                case $line in yaml\ *) printf '%s\n' "${line#yaml }" >>"$DIR/slumber.yaml" ;; esac
        done
        grep -q ^veto_logind "$DIR/slumber.yaml" || echo 'veto_logind: no' >>"$DIR/slumber.yaml"
        [ -z "${SLUMBER_TEST_STORE-}" ] || echo "store: $SLUMBER_TEST_STORE" >>"$DIR/slumber.yaml"
        [ -e "$DIR/key" ] || (umask 077 && head -c 32 /dev/urandom >"$DIR/key")
        for key in squeue sinfo scontrol sacct sacctmgr sprio sshare sdiag sstat strigger sattach sbcast; do
                ln -sf "$SLUMBER_BUILD/commands/slumber" "$DIR/bin/$key"
        done
        for key in sbatch srun salloc scancel; do
                ln -sf "$SLUMBER_BUILD/commands/${SLUMBER_QUICK:-slumber}" "$DIR/bin/$key"
        done
        export SLURM_CONF=$DIR/slurm.conf SLUMBER_SOCKET=$DIR/sock
        case :$PATH: in *":$DIR/bin:"*) ;; *) PATH=$DIR/bin:$PATH ;; esac
}

# ---- daemons ----
# Numbers come round: that of a daemon that ended by itself may be another test's by now.
_ours() { # PID: our child (also before it is the daemon), or it has our environment
        grep -q "^PPid:[[:space:]]*$$\$" "/proc/$1/status" || grep -qzxF "SLURM_CONF=$SLURM_CONF" "/proc/$1/environ"
} 2>/dev/null
_pid() { # NAME: its process, if it is alive and ours
        local pid
        pid=$(cat "$DIR/run/$1.pid" 2>/dev/null) && ! gone "$pid" && _ours "$pid" && echo "$pid"
}
# The shell's own word on a child that was killed is dropped.
_end_pid() { # SIGNAL NAME
        local pid rc
        pid=$(_pid "$2") || return 0
        {
                kill "-$1" "$pid"
                wait_for 20 gone "$pid" || kill -KILL "$pid"
                wait "$pid"
                rc=$?
        } 2>/dev/null
        rm -f "$DIR/run/$2.pid"
        case $rc in 132 | 134 | 135 | 136 | 139) echo "$2 has died of signal $((rc - 128))" >>"$UNSOUND" ;; esac
}
_await_end() { # NAME: of one that something else has told to end, or killed
        local pid
        pid=$(_pid "$1") || return 0
        wait_for 30 gone "$pid" || echo "# $1, process $pid, does not end"
}
_ctld_settled() { # PID SIZE: it answers, or it has ended
        gone "$1" || tail -c "+$(($2 + 1))" "$DIR/log/ctld" | grep -q ' started: cluster '
}
ctld_start() {
        local pid size
        _await_end ctld
        size=$(stat -c %s "$DIR/log/ctld" 2>/dev/null || echo 0)
        "$CTLD" -D -f "$SLURM_CONF" "$@" >>"$DIR/log/ctld" 2>&1 </dev/null &
        pid=$!
        echo $pid >"$DIR/run/ctld.pid"
        CTLD_RC=
        wait_for 30 _ctld_settled $pid "$size" && ! gone $pid && return
        gone $pid && { wait $pid 2>/dev/null; CTLD_RC=$?; }
        return 1
}
ctld_stop() { _end_pid TERM ctld; }
ctld_kill9() { _end_pid KILL ctld; }

# Its own socket: users of a node reach the controller through its agent.
agent_start() {
        local node=$1
        shift
        _await_end "$node"
        SLUMBERD_NODE=$node "$SLUMBERD" -D -f "$SLURM_CONF" -N "$node" --socket "$DIR/$node.sock" "$@" >>"$DIR/log/$node" 2>&1 </dev/null &
        echo $! >"$DIR/run/$node.pid"
}
agent_stop() { _end_pid TERM "$1"; }
agent_kill9() { _end_pid KILL "$1"; }

# ---- step daemons: they have the environment of their slumberd ----
_stepds() { # LINE...: step daemons with all of these in their environment
        local p line
        for p in $(pgrep -x slumberstepd); do
                for line; do
                        grep -qzxF "$line" "/proc/$p/environ" 2>/dev/null || continue 2
                done
                gone "$p" || echo "$p"
        done
}
stepd_pids() { _stepds "SLURM_CONF=$DIR/slurm.conf" "SLUMBERD_NODE=$1"; }
descendants() { # PID...: and these themselves
        local p
        for p; do
                echo "$p"
                # shellcheck disable=SC2046
                descendants $(cat "/proc/$p/task"/*/children 2>/dev/null)
        done
}
_end_steps() { # a process that forks meanwhile is found in the next round
        local pids
        while pids=$(_stepds "SLURM_CONF=$DIR/slurm.conf") && [ -n "$pids" ]; do
                # shellcheck disable=SC2046,SC2086
                kill -KILL $(descendants $pids) 2>/dev/null
                sleep 0.01
        done
}
_forget_groups() { # the cgroups that the agents' logs name
        local folder
        sed -n 's|.*Jobs are in cgroup/.* below \(/.*\)$|\1|p' "$DIR"/log/* 2>/dev/null | sort -u | while read -r folder; do
                [ -d "$folder" ] || continue
                [ ! -e "$folder/cgroup.kill" ] || echo 1 >"$folder/cgroup.kill"
                wait_for 5 eval "! find '$folder' -depth -type d -exec rmdir {} + 2>&1 | grep ."
        done
}

cluster_end() {
        local f
        for f in "$DIR"/run/*.pid; do
                [ -e "$f" ] && _end_pid TERM "$(basename "$f" .pid)"
        done
        _end_steps
        _end_commands
        _forget_groups
        cluster_sound >>"$UNSOUND" # also of what the end itself does
}
# A srun that waits for the controller to come back waits for ever now, with the pipes of the test.
_end_commands() {
        local pid
        for pid in $(jobs -rp); do kill -KILL "$pid" 2>/dev/null; done
}
cluster_up() { # NAME NODE...
        local name=$1 node
        shift
        ctld_start && for node; do agent_start "$node"; done && wait_nodes 20 "$(IFS=, && echo "$*")" idle
        tap_ok $? "$name" || { cluster_logs; tap_done; }
}
stuck_folder() {
        [ "$(id -u)" = 0 ] || tap_skip_all 'only root can freeze a file system'
        command -v mkfs.ext4 >/dev/null && command -v fsfreeze >/dev/null || tap_skip_all 'no mkfs.ext4 or fsfreeze'
        mkdir "$DIR/stuck" && truncate -s 16M "$DIR/image" && mkfs.ext4 -q -F "$DIR/image" &&
                mount -o loop "$DIR/image" "$DIR/stuck" 2>"$DIR/why" || tap_skip_all "cannot mount a file system of its own: $(tail -1 "$DIR/why")"
        at_exit umount -l "$DIR/stuck"
        at_exit cluster_end
        at_exit eval "fsfreeze -u '$DIR/stuck' 2>/dev/null; true"
}
fed_folder() {
        [ "$(id -u)" = 0 ] || tap_skip_all 'only root mounts in a private space'
        [ -c /dev/fuse ] || tap_skip_all 'no /dev/fuse'
        command -v bindfs >/dev/null || tap_skip_all 'no bindfs'
        mkdir "$DIR/fed" "$DIR/fed.source" && truncate -s 64M "$DIR/fed.source/f"
        local first=() # on a busy machine, too, half a second must not pass without a piece of the file
        chrt -f 1 true 2>/dev/null && first=(chrt -f 1)
        "${first[@]}" bindfs -f -o max_read=8192 --read-rate=512k "$DIR/fed.source" "$DIR/fed" 2>"$DIR/why" & FED=$!
        at_exit eval "kill -KILL $FED 2>/dev/null; umount -l '$DIR/fed' 2>/dev/null; true"
        at_exit cluster_end
        wait_for 10 test -e "$DIR/fed/f" || tap_skip_all "cannot mount a file system of its own: $(tail -1 "$DIR/why")"
        # 64 MB, so that one system call takes two minutes; dd is a while at its buffer before that.
        printf '#!/bin/sh\necho $$ >"%s"\nexec dd if="%s" of=/dev/null bs=64M count=1 iflag=fullblock\n' "$DIR/reader" "$DIR/fed/f" >"$DIR/read_fed"
        chmod +x "$DIR/read_fed"
}
_fed_pieces() { awk '/^voluntary_ctxt_switches/ { print $2 }' "/proc/$(cat "$DIR/reader")/status"; }
fed_is_read() { wait_for 20 test -s "$DIR/reader" && wait_for 20 eval '[ "$(_fed_pieces)" -gt 20 ]'; }
reserve() { run scontrol create reservation "$@"; }
update_refused() { # JOB TEXT KEY=VALUE...: and all of the job is as it was
        local job=$1 text=$2 was
        shift 2
        was=$(scontrol -o show job "$job")
        run scontrol update jobid="$job" "$@"
        tap_like "$rc|$(paste -sd' ' <<<"$err")" "^1\|.*$text" "$*: ${err##*: }"
        tap_is "$(scontrol -o show job "$job")" "$was" '... and it is as it was'
}
cluster_logs() {
        local f
        for f in "$DIR"/log/*; do
                [ -e "$f" ] && tail -n 40 "$f" | sed "s|^|# ${f##*/}: |"
        done
}
cluster_sound() {
        [ -d "$DIR/log" ] || return 0
        ! grep -aE 'Sanitizer|runtime error:|[Aa]ssertion' "$DIR"/log/* | sed 's/^/# /' | grep .
}

# ---- conditions ----
job_show() { squeue -h -t all -j "$1" -o "$2" 2>/dev/null; }
job_state() { job_show "$1" %T; }
no_jobs() { # [OPTION...]: squeue answers, and has none; not so while nobody answers
        local jobs
        jobs=$(squeue -h "$@") && [ -z "$jobs" ]
}
_job_is() { [[ $(job_state "$1") =~ ^($2)$ ]]; }
wait_job() { wait_for "$1" _job_is "$2" "$3"; }
_nodes_are() { # each is in one of the states
        local states
        states=$(sinfo -h -N -n "$1" -o %T) && [ -n "$states" ] && ! grep -qvxE -- "$2" <<<"$states"
}
wait_nodes() { wait_for "$1" _nodes_are "$2" "$3"; }
