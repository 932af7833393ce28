#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/bench/compare measures two release builds in turns, and refuses what cannot be compared.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
compare=$SLUMBER_SOURCE/tests/bench/compare
cd "$DIR" || exit 1

out=$("$compare" "$SLUMBER_BUILD" 2>&1)
tap_is "$?|${out##*compare: error: }" '2|expected two builds, or --commit and one build' 'one build is not enough'
out=$("$compare" "$SLUMBER_BUILD" "$SLUMBER_BUILD" speed 2>&1)
tap_like "$out" 'no section "speed": there are submit, throughput' 'a section that is not known is refused'
out=$("$compare" "$DIR" "$DIR" 2>&1)
tap_like "$out" "$DIR is no build: meson setup" 'a folder that is no build is refused'

if [ "$(meson introspect --buildoptions "$SLUMBER_BUILD" | python3 -c '
import json, sys
print({o["name"]: o["value"] for o in json.load(sys.stdin)}["buildtype"])')" != release ]; then
        out=$("$compare" "$SLUMBER_BUILD" "$SLUMBER_BUILD" submit 2>&1)
        tap_is "$?|$out" "1|compare: $SLUMBER_BUILD is no release build: meson setup --buildtype=release" 'figures of other than release builds say nothing'
        tap_done
        exit
fi

out=$("$compare" "$SLUMBER_BUILD" "$SLUMBER_BUILD" submit arrays --quick --json values 2>log)
tap_is "$?" 0 'two release builds are compared'
tap_like "$out" "^A: $SLUMBER_BUILD
B: $SLUMBER_BUILD
sbatch --wrap true, one after another, accepted
 +[0-9.]+ jobs/s +[0-9.]+ jobs/s   [0-9.]+x \([0-9.]+ to [0-9.]+, 2 turns\)" 'a row has both medians, their ratio and its spread'
tap_like "$out" "the machine's limit: fork, setsid, mkdir of a cgroup, sh, wait, rmdir by 8 processes" 'the machine is measured beside them'
tap_is "$(sed -nE 's/^  ([AB]): sbatch --wrap true, one after another, accepted.*/\1/p' log | paste -sd' ')" 'A B B A' 'in turns, each time in the other order'
tap_is "$(python3 -c '
import json
rows = json.load(open("values"))
print({len(row["values"][name]) for row in rows.values() for name in "AB" if row["values"]})')" '{1, 2}' 'each value is in the file'
tap_done
