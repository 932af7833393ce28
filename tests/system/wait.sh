# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/wait.sh - waiting for a condition with a deadline, never for a time

# wait_for SECONDS COMMAND...: until it succeeds; 1 after three times that long, which it says, as
# SECONDS are those of a machine with nothing else to do.  The longer it has waited, the less often
# it asks: a command of a sanitizer's build takes 20 ms of a processor that other tests want, too.
wait_for() {
        local seconds=$(($1 * 3)) began=${EPOCHREALTIME/./} waited pause
        shift
        until "$@" >/dev/null 2>&1; do
                waited=$((${EPOCHREALTIME/./} - began))
                if [ "$waited" -ge $((seconds * 1000000)) ]; then
                        echo "# not so after $seconds s: $*" >&2
                        return 1
                fi
                pause=$((waited / 16))
                pause=$((pause < 20000 ? 20000 : pause > 100000 ? 100000 : pause))
                sleep "0.$(printf %06d "$pause")"
        done
}
gone() { # PID: it has ended
        [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}
