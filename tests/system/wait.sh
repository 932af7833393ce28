# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/wait.sh - waiting for a condition with a deadline, never for a time

# wait_for SECONDS COMMAND...: until it succeeds; 1 after three times that long, which it says, as
# SECONDS are those of a machine with nothing else to do.  A command of a sanitizer's build takes
# long, of a processor that other tests want, too: it is asked for a quarter of the time at most.
wait_for() {
        local end=$((${EPOCHREALTIME/./} + $1 * 3000000)) seconds=$(($1 * 3)) asked pause
        shift
        while asked=${EPOCHREALTIME/./} && ! "$@" >/dev/null 2>&1; do
                pause=${EPOCHREALTIME/./}
                if [ "$pause" -ge $end ]; then
                        echo "# not so after $seconds s: $*" >&2
                        return 1
                fi
                pause=$(((pause - asked) * 3))
                pause=$((pause < 20000 ? 20000 : pause > 500000 ? 500000 : pause))
                sleep "0.$(printf %06d "$pause")"
        done
}
gone() { # PID: it has ended
        [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}
