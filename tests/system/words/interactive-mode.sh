#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol and sacctmgr without a verb: commands from standard input, as administrators pipe them in.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1
cluster_up 'a controller and its node' n1
lines() { # COMMAND TEXT: as run, with text on standard input
        printf '%b' "$2" >in
        # shellcheck disable=SC2086
        out=$(timeout 20 $1 <in 2>err)
        rc=$?
        err=$(cat err)
}
up='Slurmctld\(primary\) at [^|]* is UP'

lines scontrol 'ping\nquit\nping\n'
tap_like "$rc|$out|$err" "^0\\|$up\\|\$" 'a line is done, quit is the end, and there is no prompt'
lines scontrol 'ping\n\n  ping'
tap_is "$rc|$(grep -c UP <<<"$out")|$err" '0|2|' 'so is the end of the input; an empty line is nothing'
lines scontrol ''
tap_is "$rc|$out|$err" '0||' 'no line is no error'
lines scontrol 'show job 99\nping\n'
tap_like "$rc|$err" '^0\|slurm_load_jobs error: Invalid job id' 'the exit code is that of the last line'
lines scontrol 'ping\nshow job 99\n\nexit\n'
tap_is "$rc" 1 '... that did something'
lines scontrol 'nonsense\nping more\nquit now\nping\n'
tap_is "$rc|$out|$err" '1||invalid keyword: nonsense
too many arguments for keyword:ping
too many arguments for keyword:quit' 'what is no command is said, and does not end it, but quit does'
lines scontrol 'update nodename=n1 state=drain reason="two words"\nshow node n1\n'
tap_like "$rc|$out" 'Reason=two words \[' 'quotes join words'
lines scontrol "update nodename=n1 state=resume comment='it is'\\nshow node n1\\n"
tap_like "$rc|$out" 'Comment=it is' 'of both kinds'
lines scontrol 'show node n1\noneliner\nshow node n1\n'
tap_is "$(grep -c ' State=.* CPUTot\|NodeName=n1.*State=' <<<"$out")" 1 'oneliner holds for the lines after it'
lines scontrol 'quiet\nshow job 99\nverbose\n!!\nshow job 99\n!!\n'
tap_is "$rc|$(grep -c 'Invalid job id' <<<"$err")" '1|2' 'so do quiet and verbose; !! is the line before'
lines scontrol '!!\n'
tap_is "$rc|$err" '1|no previous command' 'if there is one'
lines 'scontrol -Q' 'show job 99\n'
tap_is "$rc|$out|$err" '1||' '-Q holds for all lines'
lines 'scontrol -o' 'show partition main\nshow partition main\n'
tap_is "$(wc -l <<<"$out")" 2 'as other options do'
lines scontrol 'help\n'
tap_like "$rc|$out" 'Valid <COMMAND> values are:' 'help'
lines scontrol 'bogus\nping\n'
scontrol <in >both 2>&1
tap_like "$(paste -sd'|' both)" "^invalid keyword: bogus\\|$up\$" 'what is said stands in the order of the lines'
run scontrol <"$DIR"
tap_like "$rc|$err" '^1\|scontrol: error: standard input cannot be read: ' 'an input that cannot be read is an error'
python3 - scontrol >both <<'EOF'
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
got = b""
def until(text):
    global got
    while text not in got:
        got += os.read(fd, 4096)
until(b"scontrol: ")
os.write(fd, b"ping\n")
until(b"is UP\r\nscontrol: ")
os.write(fd, b"\x04")
print(got.count(b"scontrol: "), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
EOF
tap_like "$(cat both)" '^2 0$' 'on a terminal it asks for each line, until Control-D'

# ---- sacctmgr ----
lines sacctmgr 'add account science\nn\nadd account physics\ny\nshow account format=account%10 -n\n'
tap_like "$out" 'Would you like to commit' 'sacctmgr asks'
tap_is "$(sacctmgr -nP show account format=account | sort | paste -sd,)" 'physics,root' 'and finds the answer in the next line'
lines 'sacctmgr -i' 'add account chemistry description="two words"\nadd account\nshow account chemistry format=descr,account\nquit\n'
tap_like "$rc|$(tail -1 <<<"$out")" '^0\| *two words +chemistry' '-i holds for all lines; the exit code is that of the last'
lines 'sacctmgr -nP' 'show qos format=name\nnonsense'
tap_is "$rc|$out|$err" '1|normal|sacctmgr: error: invalid keyword: nonsense' 'what is no command is said'

cluster_sound
tap_ok $? 'no daemon has failed' || cluster_logs
tap_done
