#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a slumberd says to another one that cannot be true of a step there is dropped, and logged once; strangers are not let in.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
command -v openssl >/dev/null || tap_skip_all 'no openssl'

at_exit cluster_end
cluster_conf 'n[1-2]'
cluster_up 'controller and two nodes' n1 n2
touch "$DIR/wait"
srun -N2 sh -c "echo begun; while [ -e '$DIR/wait' ]; do sleep 0.02; done" >"$DIR/out" 2>&1 &
run=$!
wait_for 20 eval "[ \$(grep -c begun '$DIR/out') = 2 ]"
tap_ok $? 'a step of two nodes runs'
job=$(squeue -h -o %i)

says() { # CASE JOB WANTED NAME
        tap_is "$(timeout 60 /usr/bin/python3 "$SLUMBER_SOURCE/tests/system/hostile.py" tls "$(cat "$DIR/spool.n1/port")" "$DIR/${KEY:-key}" "$1" "$2" 2>&1 | tail -1)" "$3" "$4"
}
dropped() { grep -c 'is dropped, and more of it' "$DIR/log/n1"; }
says node-message 999999 'body 1010' 'a message of an unknown step comes back'
tap_is "$(dropped)" 0 '... and is not logged: its launch could be on its way'
says node-outside "$job" silent 'three from a node that the step does not have: nothing is answered'
tap_is "$(dropped)|$(grep -c "it does not show the token of step 0 of job $job" "$DIR/log/n1")" '1|1' '... and one is logged'
says node-elsewhere "$job" silent 'one for another node of the step'
says node-itself "$job" silent 'one from the node itself'
says ping "$job" silent 'a request'
tap_is "$(dropped)" 4 'each of these connections is logged once'
says node-large "$job" closed 'one beyond the limit ends the connection'
says garbage "$job" closed 'garbage does'
head -c 32 /dev/urandom >"$DIR/wrong" && chmod 600 "$DIR/wrong"
KEY=wrong says ping "$job" closed 'another key opens nothing'
wait_for 10 grep -q 'to the port for other slumberds was refused: .*another cluster key' "$DIR/log/n1"
tap_ok $? '... and the log says why'

rm "$DIR/wait"
wait $run
tap_is "$?" 0 'the step that all this was aimed at ends well'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
