# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/lib.sh - what every system test sources: TAP, waiting, a folder and numbers of its own.
#
# Given by meson: SLUMBER_BUILD (build folder), SLUMBER_SOURCE (checkout).
# Set here: DIR (fresh folder, removed when all went well), TEST (power/plan for power/plan.sh), PORT (first of 10 free
# TCP/UDP ports), NET (loopback network 127.NET.x.y).  Tests that run at the same time on this machine have different
# ones, whichever user and checkout runs them.
set -u
# What nohup or a shell's background ignores a shell cannot hear again; commands of the tests are to.
[ "${TAP_SIGNALS:-}" = default ] || TAP_SIGNALS=default exec env -u BASH_ENV -u ENV --default-signal bash "$0" "$@"
export LC_ALL=C
: "${SLUMBER_SOURCE:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}" "${SLUMBER_BUILD:?is not set}"

TEST=$(basename "$(dirname "$0")")/$(basename "$0" .sh)
DIR=$(mktemp -d "${TMPDIR:-/tmp}/slumber-${TEST##*/}-XXXXXX")
# Shells of the tests run no start-up file of the person who tests: neither in HOME, nor where getent says that a login
# is, which sbatch --export=NONE asks.
export HOME=$DIR/home SHELL=/bin/bash
mkdir -p "$HOME" "$DIR/own-bin"
printf '%s\n' '#!/bin/sh' "case \$1,\$2 in passwd,$(id -u) | passwd,$(id -un)) echo '$(id -un):x:$(id -u):$(id -g)::$HOME:$SHELL' ;;" \
        "*) PATH=\${PATH#*$DIR/own-bin:} exec getent \"\$@\" ;; esac" >"$DIR/own-bin/getent"
chmod +x "$DIR/own-bin/getent"
PATH=$DIR/own-bin:$PATH
TAP_COUNT=0 TAP_FAILED=0
UNSOUND=$DIR/unsound # what is found when all is over (cluster_end): the test fails
CLEANUP=()

# shellcheck source=tests/system/wait.sh
. "$(dirname "${BASH_SOURCE[0]}")/wait.sh"

# A slot is ten ports and a network.  Its lock is held by a descriptor that the test's daemons inherit: it is free again
# when the last of them has ended.  Opened to read only: another user's file in a sticky folder may not be written.
SLOTS=200
_take_slot() { # sets SLOT; each test looks from a number of its own on, which follows from its name
        local folder=/tmp/slumber-test-slots k fd first
        first=$(cksum <<<"$TEST") first=${first%% *}
        (umask 0; mkdir -p -m 1777 "$folder") 2>/dev/null
        for ((k = 0; k < SLOTS; k++)); do
                SLOT=$(((first + k) % SLOTS))
                [ -e "$folder/$SLOT" ] || (umask 0; : >"$folder/$SLOT") 2>/dev/null
                exec {fd}<"$folder/$SLOT" || exit 1
                flock -n "$fd" && return
                exec {fd}<&-
        done
        echo "Bail out! all $SLOTS slots of $folder are taken"
        exit 1
}
_take_slot
PORT=$((28000 + SLOT * 10))
NET=$((40 + SLOT))

# at_exit COMMAND...: the last one given runs first
at_exit() {
        CLEANUP=("$(printf '%q ' "$@")" "${CLEANUP[@]}")
}
_end() {
        local command
        trap '' TERM INT # told twice to end, it still cleans up once
        for command in "${CLEANUP[@]}"; do eval "$command" >&2; done
        [ ! -s "$UNSOUND" ] || { TAP_FAILED=1 && sed 's/^/# /' "$UNSOUND"; }
        if [ "$TAP_FAILED" = 0 ]; then rm -rf "$DIR"; else echo "# files are kept in $DIR"; fi
        [ ! -s "$UNSOUND" ] || exit 1
}
trap _end EXIT
trap 'exit 1' TERM INT

tap_skip_all() {
        echo "1..0 # SKIP $*"
        exit 0 # to meson a TAP test that skips and exits with 77 is one that failed
}
# stranger PROGRAM [ARG...]: as a plain user that may not reach the checkout: a copy of PROGRAM is run
stranger() {
        mkdir -p "$DIR/copies" && chmod 755 "$DIR" "$DIR/copies" && cp -L "$1" "$DIR/copies/" || return
        setpriv --reuid=65534 --regid=65534 --clear-groups "$DIR/copies/${1##*/}" "${@:2}"
}
# tap_ok STATUS NAME: 0 is success, as in: COMMAND; tap_ok $? "it works".  A name is one line, whatever was pasted into it.
tap_ok() {
        TAP_COUNT=$((TAP_COUNT + 1))
        if [ "$1" = 0 ]; then
                echo "ok $TAP_COUNT - ${2//$'\n'/ }"
        else
                echo "not ok $TAP_COUNT - ${2//$'\n'/ }"
                TAP_FAILED=$((TAP_FAILED + 1))
        fi
        return "$1"
}
# tap_is GOT WANTED NAME
tap_is() {
        [ "$1" = "$2" ]
        tap_ok $? "$3" && return
        printf '%s\n' "got: $1" "wanted: $2" | sed 's/^/# /'
}
# tap_like TEXT EXTENDED-REGEX NAME
tap_like() {
        grep -qE -- "$2" <<<"$1"
        tap_ok $? "$3" && return
        printf '%s\n' "got: $1" "wanted: $2" | sed 's/^/# /'
}
tap_done() {
        echo "1..$TAP_COUNT"
        [ "$TAP_FAILED" = 0 ]
        exit
}
run() { # COMMAND...: sets out, err, rc
        out=$("$@" 2>"$DIR/err")
        rc=$?
        err=$(cat "$DIR/err")
}
