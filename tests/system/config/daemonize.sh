#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Daemons that were started without -D: the shell that started them by ssh, or in $(...), is not kept waiting by their log, and finds them by
# their pid files.
if [ "$(id -u)" = 0 ] && [ -z "${OWN_RUN:-}" ] && unshare -m mount -t tmpfs none /run 2>/dev/null; then
        exec env OWN_RUN=1 unshare -m bash "$0" "$@"
fi
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ "${OWN_RUN:-}" ] || tap_skip_all 'no folder /run of its own can be made'
mount -t tmpfs none /run && mkdir -p /run/systemd/journal || exit 1

at_exit cluster_end
cluster_conf n1
cd "$DIR" || exit 1
cat >journal.py <<'END'
import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind('/run/systemd/journal/socket')
while True:
    with open('journal', 'ab') as f:
        f.write(s.recv(65536) + b'--\n')
END
python3 journal.py &
at_exit kill $!
wait_for 20 test -S /run/systemd/journal/socket

# started PROGRAM OPTION...: waits as ssh does, until no process has its output any more
started() {
        run timeout 30 bash -c 'said=$("$@" 2>&1); r=$?; printf "%s\n" "$said"; exit $r' - "$@" </dev/null
}
daemon() { pgrep -f "^$1 -f $SLURM_CONF"; }
ctld() { daemon "$CTLD"; }
slumberd() { daemon "$SLUMBERD"; }
end_daemons() { kill -KILL $(ctld) $(slumberd) 2>/dev/null; }
ends() { # SIGNAL PID...: and has ended: pgrep loses sight of a process before it has let go of its files
        local pid
        kill "-$1" "${@:2}" && for pid in "${@:2}"; do wait_for 20 gone "$pid" || return; done
}
at_exit end_daemons

started "$CTLD" -f "$SLURM_CONF"
tap_is "$rc|$(grep -c ' started: ' <<<"$out")" '0|1' 'slumberctld lets go of what its log went to when it is ready'
setting_of() { sed -n "s|^$1=||p" slurm.conf; }
tap_is "$(readlink "/proc/$(ctld)/cwd")" "$(realpath "$(setting_of StateSaveLocation)")" '... and of the folder that it was started in'
started "$SLUMBERD" -f "$SLURM_CONF" -N n1 --socket "$DIR/n1.sock"
tap_is "$rc" 0 'so does slumberd'
wait_nodes 20 n1 idle
tap_ok $? 'both work'
said() { grep -qx "$1" journal; }
wait_for 20 said 'MESSAGE=Node n1 registered .*'
tap_ok $? 'from then on the log is in the journal' || cat journal
ends TERM "$(slumberd)" && wait_for 20 said 'MESSAGE=slumberd ends; jobs go on'
tap_ok $? '... to the end' || cat journal
ends TERM "$(ctld)"
tap_is "$?|$(grep -cx 'SYSLOG_IDENTIFIER=slumberctld' journal | sed 's/[1-9][0-9]*/some/')" '0|some' '... of both'

run "$CTLD" -f "$SLURM_CONF" # to a file of run's
wait_for 20 eval 'scontrol ping | grep -q UP' && ends TERM "$(ctld)" && grep -q Stopping err
tap_ok $? 'a file on stderr has been meant'

# ---- started without standard streams ----
streams() { for fd in 0 1 2; do readlink "/proc/$1/fd/$fd"; done | paste -sd' '; } # PID
null='/dev/null /dev/null /dev/null'
"$CTLD" -D -f "$SLURM_CONF" <&- >&- 2>&- &
foreground=$!
"$SLUMBERD" -D -f "$SLURM_CONF" -N n1 --socket "$DIR/n1.sock" <&- >&- 2>&- &
foreground="$foreground $!"
wait_nodes 20 n1 idle
tap_is "$?|$(for pid in $foreground; do streams "$pid"; done | paste -sd,)" "0|$null,$null" 'daemons that have no standard streams open /dev/null'
tap_is "$(srun -n1 echo here)" here '... and work'
# shellcheck disable=SC2086
ends TERM $foreground
run bash -c '"$0" "$@" <&- >&- 2>&-' "$CTLD" -f "$SLURM_CONF"
tap_like "$rc|$(streams "$(ctld)")" '^0\|/dev/null /dev/null (/dev/null|socket:.*)$' '... also in the background'
ends TERM "$(ctld)"

# ---- with log files ----
cluster_conf n1 "SlurmctldLogFile=$DIR/ctld.log" "SlurmdLogFile=$DIR/%n.log" "SlurmctldPidFile=$DIR/ctld.pid" "SlurmdPidFile=$DIR/%n.pid"
started "$CTLD" -f "$SLURM_CONF"
tap_is "$rc|$out|$(grep -c ' started: ' ctld.log)" '0||1' 'with a log file slumberctld has nothing to say'
started "$SLUMBERD" -f "$SLURM_CONF" -N n1 --socket "$DIR/n1.sock"
tap_is "$rc|$out|$(grep -c ' started for ' n1.log)" '0||1' 'nor has slumberd'
wait_nodes 20 n1 idle
run srun -n1 hostname
tap_is "$rc|$err" '0|' 'and jobs run'
started "$CTLD" -f "$SLURM_CONF"
tap_like "$rc|$out" '1\|.*another controller, process [0-9]+ uses the state folder' 'a second one is refused'

# ---- their numbers ----
tap_is "$(cat ctld.pid) $(cat n1.pid)" "$(ctld) $(slumberd)" 'the pid files have the numbers of those that run, for all the second one has tried'
cat >after.py <<'END'
# after.py WHAT LOCK [DOOR PORT]: waits until the file WHAT is gone ("-": until LOCK is free); says whether then LOCK, DOOR and PORT are free
import fcntl, os, socket, struct, sys
lock = os.open(sys.argv[2], os.O_RDWR)
def free():
    return struct.unpack('hhqqi', fcntl.fcntl(lock, fcntl.F_GETLK, struct.pack('hhqqi', fcntl.F_WRLCK, 0, 0, 0, 0)))[0] == fcntl.F_UNLCK
def open_port(port):
    with socket.socket() as s:
        return s.connect_ex(('127.0.0.1', int(port))) == 0
print('ready', flush=True)
while not free() if sys.argv[1] == '-' else os.path.exists(sys.argv[1]):
    pass
print(free(), *([not os.path.exists(sys.argv[3]), not open_port(sys.argv[4])] if len(sys.argv) > 4 else []))
END
watch() { # FILE ARGUMENT...: its words go to FILE
        timeout 60 python3 after.py "${@:2}" >"$1" 2>&1 &
        watching+=($!)
        wait_for 20 grep -q ready "$1"
}
watching=()
watch w.ctld ctld.pid state/slumber.lock && watch w.doors - state/slumber.lock sock "$PORT" && watch w.n1 n1.pid spool.n1/lock
ends TERM "$(cat n1.pid)" "$(cat ctld.pid)"
tap_is "$? $(ls ./*.pid 2>&1)" "0 ls: cannot access './*.pid': No such file or directory" 'by these they are ended, and the files go with them'
wait "${watching[@]}"
tap_is "$(tail -qn 1 w.ctld w.n1 w.doors | paste -sd,)" 'True,True,True True True' \
        'last of all: a script that waits for them may start the next ones, with folders and sockets free'
started "$CTLD" -f "$SLURM_CONF" -L away.log
mv away.log away.old && kill -USR2 "$(ctld)" && wait_for 20 test -e away.log
tap_ok $? 'a log is opened anew where it was, from another folder'
ends TERM "$(ctld)"
echo 1 >ctld.pid
started "$CTLD" -f "$SLURM_CONF"
tap_is "$(cat ctld.pid)" "$(ctld)" 'a number that was left over is replaced'
ends KILL "$(ctld)"
setting() { sed -i "s|^$1=.*|$1=$2|" slurm.conf; }
setting SlurmctldPidFile /proc/none/pid && started "$CTLD" -f "$SLURM_CONF"
tap_like "$rc|$(grep PidFile ctld.log)" '^0\|.*warning: SlurmctldPidFile: cannot write /proc/none/pid: No such file or directory' \
        'where none can be written the daemon runs without'
ends KILL "$(ctld)"
mkdir own run2 && chmod 755 . && chown nobody own && (umask 022; cp key own/key) && chmod 600 own/key && chown nobody own/key
setting SlurmUser nobody && setting StateSaveLocation "$DIR/own" && setting SlurmctldPidFile "$DIR/run2/pid" && setting SlurmctldLogFile "$DIR/own/log"
printf '%s\n' "key_file: $DIR/own/key" "socket: $DIR/own/sock" >slumber.yaml
started "$CTLD" -f "$SLURM_CONF"
pid=$(ctld)
tap_is "$rc|$out|$(cat run2/pid)|$(stat -c %U "/proc/${pid:-1}")" "0||$pid|nobody" 'SlurmUser has one in a folder of root'
ends TERM "$pid"
tap_is "$? $(stat -c %s run2/pid)" '0 0' '... which is left empty'
tap_done
