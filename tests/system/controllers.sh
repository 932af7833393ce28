# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Several controllers on one PostgreSQL server, on addresses of loopback.  Sourced after cluster.sh.
#
#   controllers_conf NODES COUNT [LINE...]   as cluster_conf, with controllers c1, c2... at 127.0.0.1, 127.0.0.2...; each has a
#                                  folder DIR/cN with its slurm.conf, its state and its socket.  Commands use n1's slumberd
#   controller_start NAME [ARGUMENT...]   returns when it is primary or waits as a backup
#   controller_kill9 NAME, controller_stop NAME
#   primary                        the name of the controller that became primary last
#   primary_is NAME                it is the primary, and a command is answered
#   store_sql SQL                  what the server answers
# A test that sources this file runs beside a server of its own (tests/unit/with-postgresql).

if [ -z "${SLUMBER_TEST_STORE-}" ]; then
        export SLUMBER_TEST_SEED=${SEED-}
        exec "$SLUMBER_SOURCE/tests/unit/with-postgresql" bash "$0" "$@"
fi

controllers_conf() {
        local nodes=$1 count=$2 i hosts=()
        shift 2
        for ((i = 1; i <= count; i++)); do hosts+=("SlurmctldHost=c$i(127.0.0.$i)"); done
        cluster_conf "$nodes" 'SlurmctldHost=' "$@"
        local conf=$SLURM_CONF
        printf '%s\n' "${hosts[@]}" >>"$conf"
        for ((i = 1; i <= count; i++)); do
                mkdir -p "$DIR/c$i"
                sed "s|^StateSaveLocation=.*|StateSaveLocation=$DIR/c$i/state|" "$conf" >"$DIR/c$i/slurm.conf"
                sed "s|^socket:.*|socket: $DIR/c$i/sock|" "$DIR/slumber.yaml" >"$DIR/c$i/slumber.yaml"
                mkdir -p "$DIR/c$i/state"
                : >"$DIR/log/c$i"
        done
        export SLUMBER_SOCKET=$DIR/n1.sock
}

_controller_settled() { # PID NAME SIZE
        gone "$1" || tail -c "+$(($3 + 1))" "$DIR/log/$2" | grep -qE ' started: cluster | waits as a backup'
}
controller_start() {
        local pid size
        size=$(stat -c %s "$DIR/log/$1")
        SLURM_CONF=$DIR/slurm.conf "$CTLD" -D -N "$1" -f "$DIR/$1/slurm.conf" "${@:2}" >>"$DIR/log/$1" 2>&1 </dev/null &
        pid=$!
        echo $pid >"$DIR/run/$1.pid"
        wait_for 30 _controller_settled $pid "$1" "$size" && ! gone $pid
}
controller_kill9() { _end_pid KILL "$1"; }
controller_stop() { _end_pid TERM "$1"; }
store_sql() { psql -XAtq "$SLUMBER_TEST_STORE" -c "$1"; }
primary() { store_sql "SELECT split_part(holder, ' ', 3) FROM slumber.about"; }
primary_is() { [ "$(primary)" = "$1" ] && squeue -h >/dev/null 2>&1; }
