#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-sim --pictures: few nodes exactly, many as a raster, the same twice; and without gnuplot.
. "$(dirname "$0")/../lib.sh"
sim=$SLUMBER_BUILD/controller/slumber-sim

conf() { # NODES
        mkdir -p "$DIR/$1"
        cat >"$DIR/$1/slurm.conf" <<END
ClusterName=pictured
SlurmctldHost=nowhere
SlurmUser=nobody-of-this-name
StateSaveLocation=$DIR/state
SelectType=select/linear
SuspendProgram=/not/here/suspend
ResumeProgram=/not/here/resume
SuspendTime=100
SuspendTimeout=30
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-$1] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED
END
}
conf 8
conf 600
printf 'watts_on: 200\nwatts_idle: 100\nwatts_off: 10\n' >"$DIR/8/slumber.yaml"
cat >"$DIR/jobs.csv" <<END
job,submit,run,limit,nodes
first,0,1000,1200,4
"it's \`id\`",10,1000,1200,4
x,3000,500,600,8
END
run=("$sim" -q -t "$DIR/jobs.csv" --pictures)

mkdir "$DIR/bin"
PATH=$DIR/bin "${run[@]}" -f "$DIR/8/slurm.conf" --out "$DIR/none" >"$DIR/log" 2>&1
tap_like "$?: $(paste -sd' ' "$DIR/log")" \
        "^1: pictures.py: error: there is no gnuplot in PATH, which draws them \(package gnuplot-nox\) slumber-sim: error: --pictures: .* has failed" \
        "without gnuplot it says so"
[ ! -e "$DIR/none" ]
tap_ok $? "before anything is written"
"${run[@]}" -f "$DIR/8/slurm.conf" >"$DIR/log" 2>&1
tap_like "$(cat "$DIR/log")" '^slumber-sim: error: --pictures: where to\?  --out DIR' "a folder is needed"
printf '#!/bin/sh\n[ "$1" = --version ]\n' >"$DIR/bin/gnuplot"
chmod +x "$DIR/bin/gnuplot"
PATH=$DIR/bin:$PATH "${run[@]}" -f "$DIR/8/slurm.conf" --out "$DIR/failed" >"$DIR/log" 2>&1
tap_like "$(cat "$DIR/log")" "error: gnuplot has failed on $DIR/failed/nodes" "a gnuplot that fails is no success"
cp "$sim" "$DIR/bin/slumber-sim"
if [ -e /usr/share/slumber/pictures.py ]; then
        tap_ok 0 "without its script it says so # SKIP it is installed on this machine"
else
        PATH=$DIR/bin:$PATH slumber-sim -q -t "$DIR/jobs.csv" --pictures -f "$DIR/8/slurm.conf" --out "$DIR/none" >"$DIR/log" 2>&1
        tap_like "$?: $(cat "$DIR/log")" '^1: slumber-sim: error: --pictures: /.*/share/slumber/pictures.py, .* No such file' \
                "without its script it says so"
fi
rm -r "$DIR/bin"

if ! command -v gnuplot >/dev/null; then
        tap_ok 0 "pictures # SKIP there is no gnuplot"
        tap_done
        exit
fi

is_picture() { # FILE NAME
        case $1 in
        *.png) [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] ;;
        *.svg) python3 -c 'import sys, xml.dom.minidom as m; assert m.parse(sys.argv[1]).documentElement.tagName == "svg"' "$1" ;;
        esac
        tap_ok $? "$2"
}
for nodes in 8 600; do
        "${run[@]}" -f "$DIR/$nodes/slurm.conf" --out "$DIR/out$nodes" >"$DIR/log" 2>&1
        tap_is "$?: $(grep -c error "$DIR/log")" "0: 0" "$nodes nodes are drawn" || sed 's/^/# /' "$DIR/log"
        for file in nodes.png nodes.svg series.png series.svg; do
                is_picture "$DIR/out$nodes/$file" "$nodes nodes: $file"
        done
done
text=$(cat "$DIR/out8/nodes.svg")
tap_like "$text" '>n1<' "nodes have their names"
tap_like "$text" '>first<' "and jobs"
cat "$DIR"/out8/*.dat "$DIR"/out8/*.svg | grep -q '`id`'
tap_is "${PIPESTATUS[1]}" 1 "but not one of other letters than names have"
tap_like "$(cat "$DIR/out8/series.svg")" '>kW<' "watts are drawn where they are known"
grep -q '>0\.5<' "$DIR/out8/series.svg"
tap_is "$?" 1 "there are no halves of a few jobs and nodes"
grep -q '>kW<\|>W<' "$DIR/out600/series.svg"
tap_is "$?" 1 "and only there"
# n8 is busy in 10-1010 s and 3000 s on, idle before and after; then off, seen in the middle of a column
raster=$(python3 - "$DIR/out600" "$DIR/out600/series.csv" <<'END'
import csv, sys
raw = open(sys.argv[1] + '/cells.dat', 'rb').read()
rows = len(raw) // 2400
end = [float(r['end']) for r in csv.DictReader(open(sys.argv[1] + '/jobs.csv')) if r['job'] == 'x'][0]
def at(row, t):
    i = 2 * (row * 1200 + int(t / end * 1200))
    return tuple(raw[i:i + 2])
print(rows, at(0, 500) == at(0, 200), at(0, 500) == at(3, 500), at(299, 50)[0], at(299, 2000)[0], at(0, 3400) == at(3, 3400))
END
)
tap_is "$raster" "300 True False 0 4 True" "two nodes to a row: jobs, idle and off"

"${run[@]}" -f "$DIR/8/slurm.conf" --out "$DIR/again" >/dev/null 2>&1
diff -r "$DIR/out8" "$DIR/again" >"$DIR/log"
tap_ok $? "the same pictures twice, byte for byte" || sed 's/^/# /' "$DIR/log"
"${run[@]}" -f "$DIR/8/slurm.conf" --out "$DIR/two" --with SuspendTime=-1 --nodes 'n[2-3]' >/dev/null 2>&1
tap_like "$(cat "$DIR/two/2/nodes.svg")" 'SuspendTime=-1' "each case has its own"
tap_is "$(grep -c '>n[0-9]*<' "$DIR/two/1/nodes.svg")" 2 "of the nodes that were asked for"
tap_done
