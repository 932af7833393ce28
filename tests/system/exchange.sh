# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/exchange.sh - steps whose daemons exchange data without end (exchange_stepd.c), for launch/exchange*.sh
#
#   exchange_agent NODE           agent_start with that step daemon
#   exchange_begin NODES [SIZE]   srun in the background: sets RUN (pid), OUT (its output)
#   round_of NUMBER               exchanges that node NUMBER of the step has done
#   goes_on NAME                  all nodes do more exchanges within 20 s
#   exchange_stop                 ends them; all nodes say that it was right, srun's exit code is 0

EXCHANGE_STEPD=$SLUMBER_BUILD/tests/system/exchange-stepd

exchange_agent() { agent_start "$1" --stepd "$EXCHANGE_STEPD"; }
exchange_begin() {
        NODES=$1 X=$DIR/exchange
        rm -rf "$X"
        mkdir "$X"
        OUT=$DIR/srun.out
        EXCHANGE_DIR=$X EXCHANGE_SIZE=${2:-1000} srun -N"$1" --ntasks-per-node=1 \
                sh -c 'until [ -e "$EXCHANGE_DIR/$SLURM_NODEID.end" ]; do sleep 0.02; done; cat "$EXCHANGE_DIR/$SLURM_NODEID.end"' >"$OUT" 2>&1 &
        RUN=$!
}
round_of() { cat "$X/$1.round" 2>/dev/null || echo 0; }
_further() { # ROUND...: each node has done more
        local i=0 was
        for was; do
                [ "$(round_of $i)" -gt "$((was + 5))" ] || return 1
                i=$((i + 1))
        done
}
goes_on() { # NAME
        local i was=()
        for ((i = 0; i < NODES; i++)); do was+=("$(round_of $i)"); done
        wait_for 20 _further "${was[@]}"
        tap_ok $? "$1"
}
exchange_stop() {
        touch "$X/stop"
        wait_for 30 gone $RUN
        tap_ok $? 'the step ends'
        wait $RUN
        tap_is "$?|$(grep -v '^srun: ' "$OUT" | sort | uniq -c | xargs)" "0|$NODES ok" 'every node had all parts and messages once'
}
