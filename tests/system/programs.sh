# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/programs.sh - a cluster with power-saving programs that log what they do, and wait if they are told to, and nodes without BMCs
#
# Sourced after cluster.sh.
#   program_conf NODES [LINE...]   as cluster_conf, for CLOUD nodes; SuspendProgram waits, ResumeProgram does not.  The test goes on in
#                                  DIR, and has ended all that was started at its exit
#   program NAME WORD [WORD]       makes the program DIR/NAME: it says "NODES WORD" in DIR/calls; with a second one it then waits for the
#                                  file DIR/go and says that too.  Its process is DIR/NAME.pid
#   release                        makes DIR/go
#   said PATTERN                   the controller's log has it
#   clock_ticks                    until the second is over: boot times count by whole seconds
release() { : >"$DIR/go"; }
said() { grep -q "$1" "$DIR/log/ctld"; }
clock_ticks() {
        local now; now=$(date +%s)
        wait_for 5 eval '[ "$(date +%s)" -gt '"$now"' ]'
}
program() {
        cat >"$DIR/$1.new" <<END
#!/bin/sh
echo \$\$ >"$DIR/$1.pid"
echo "\$1 $2" >>"$DIR/calls"
END
        [ $# = 2 ] || cat >>"$DIR/$1.new" <<END
until [ -e "$DIR/go" ]; do sleep 0.05; done
echo "\$1 $3" >>"$DIR/calls"
END
        chmod 755 "$DIR/$1.new" && mv "$DIR/$1.new" "$DIR/$1"
}
program_conf() {
        local nodes=$1
        shift
        at_exit cluster_end
        at_exit release
        cd "$DIR" || exit 1
        program suspend off 'is off'
        program resume on
        cluster_conf "$nodes" "NodeName=$nodes NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD" SelectTypeParameters=CR_CPU \
                "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 "$@"
}
