# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/wait.sh - waiting for a condition with a deadline, never for a time

# wait_for SECONDS COMMAND...: until it succeeds; 1 after three times that long, which it says, as
# SECONDS are those of a machine with nothing else to do
wait_for() {
        local seconds=$(($1 * 3)) until
        until=$((${EPOCHREALTIME/./} + seconds * 1000000))
        shift
        until "$@" >/dev/null 2>&1; do
                if [ "${EPOCHREALTIME/./}" -ge "$until" ]; then
                        echo "# not so after $seconds s: $*" >&2
                        return 1
                fi
                sleep 0.02
        done
}
gone() { # PID: it has ended
        [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}
