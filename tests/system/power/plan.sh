#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol power plan: what it says comes true, to the second or two; --with is only tried; the controller goes on meanwhile.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

for p in suspend resume; do
        cat >"$DIR/$p" <<END
#!/bin/sh
echo "\$(date +%s) $p \$1" >>$DIR/programs
END
        chmod 755 "$DIR/$p"
done
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' "SuspendProgram=$DIR/suspend" \
        "ResumeProgram=$DIR/resume" SuspendTime=12 SuspendTimeout=5 ResumeTimeout=60 SuspendRate=0 ResumeRate=0 \
        SelectType=select/linear SelectTypeParameters= SuspendExcNodes=n3
echo 'NodeName=c1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD
PartitionName=both Nodes=n3,c1' >>"$SLURM_CONF"
chmod 755 "$DIR"
cd "$DIR" || exit 1
at_exit cluster_end
ctld_start
tap_ok $? 'a controller with power saving' || { cluster_logs; tap_done; }

# ---- two nodes will idle, one works for a few seconds, and one is asleep until then ----
a=$(sbatch --parsable -w n3 -t 10 --wrap 'exec sleep 100')
for n in n1 n2 n3; do agent_start $n; done
wait_job 20 "$a" RUNNING && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a job runs, two nodes are idle'
scontrol update jobid="$a" EndTime=now+12seconds
b=$(sbatch --parsable -p both -N2 -t 60 --wrap true)
run scontrol power plan
tap_is "$rc|$err" '0|' 'a plan for the next hour'
plan=$out
tap_like "$plan" "^[0-9:]{8} resume c1 \(for job $b\)$" 'it says when the sleeping node is woken, and for which job'
tap_like "$plan" '^[0-9:]{8} suspend n(1|2|\[1-2\]) \(idle 12 s\)$' 'and when the idle ones go'
tap_like "$plan" '^Always on: n3 \(runs jobs|^Always on: n3 \(SuspendExcNodes' 'and which nodes stay on'
tap_like "$plan" '^In all: 3 of 4 nodes on now' 'and how many there are'
run scontrol --json power plan 'n[1-2]' hours=2 --with SuspendTime=30,SuspendExcNodes=n1,n3,SuspendRate=60
tap_is "$rc|$(/usr/bin/python3 -c 'import json, sys
p = json.load(sys.stdin)["plan"]
print(p["end"] - p["start"], [(d["action"], d["nodes"], d["why"]) for d in p["decisions"]],
      [(w["nodes"], w["why"]) for w in p["always_on"]], p["totals"]["nodes"], p["unchanged"]["suspends"])' <<<"$out")" \
        "0|7200 [('suspend', 'n2', 'idle 30 s')] [('n1', 'SuspendExcNodes')] 2 2" \
        'other settings give another plan'
tap_is "$(scontrol show config | grep -c '^SuspendTime .*= 12 sec')" 1 'and stay a plan'

cat >compare.py <<'END'
import re, sys, time
def names(text):
    m = re.fullmatch(r'(\w)\[(.*)\]', text)
    if not m:
        return [text]
    return [m[1] + str(i) for r in m[2].split(',') for i in range(int(r.split('-')[0]), int(r.split('-')[-1]) + 1)]
planned, day = {}, time.strftime('%Y-%m-%d ')
for when, action, nodes in re.findall(r'^(\d\d:\d\d:\d\d)\S* (suspend|resume) (\S+) ', sys.argv[1], re.M):
    for n in names(nodes):
        planned.setdefault((action, n), time.mktime(time.strptime(day + when, '%Y-%m-%d %H:%M:%S')))
for line in open(sys.argv[2]):
    at, action, nodes = line.split()
    for n in names(nodes):
        late = (float(at) - planned.pop((action, n), 0) + 43200) % 86400 - 43200
        print(action, n, 'as planned' if -2 <= late <= 4 else 'late by %d s' % late)
END
happened() { /usr/bin/python3 compare.py "$plan" programs | sort; }
three() { [ "$(happened | wc -l)" = 3 ]; }
wait_for 60 three
tap_ok $? 'time passes' || cluster_logs
tap_is "$(happened)" 'resume c1 as planned
suspend n1 as planned
suspend n2 as planned' 'and what was planned has happened then'
scancel "$b"

# ---- rights, mistakes, and many at once ----
run scontrol power plan --with SuspendTim=5
tap_like "$rc|$err" '^1\|scontrol_power_plan error: .*"SuspendTim" is not a setting of power saving; expected one of SuspendTime, ' \
        'a key that is none is refused, with those that there are'
run scontrol power plan --with SuspendTime=soon
tap_like "$rc|$err" '^1\|.*SuspendTime: "soon" is not a number of seconds$' 'so is a value'
run scontrol power plan x9
tap_like "$rc|$err" '^1\|.*x9' 'and a node that is not there'
run scontrol power plan hours=0
tap_is "$rc|$err" '1|hours=0: a number from 1 to 168 is expected' 'and no time'
run scontrol power up n1 --with SuspendTime=5
tap_is "$rc|$err" '1|scontrol: error: --with goes with "power plan" only' 'only a plan has --with'
run scontrol power plan --with SuspendTime=INFINITE
tap_is "$rc" 0 'a plan without power saving is one too'
tap_like "$out" '^Power saving is off: no SuspendTime' 'that says why it is off'
for i in 1 2 3 4 5 6 7 8; do scontrol power plan hours=168 >"plan.$i" 2>&1 & pids="${pids:-} $!"; done
# shellcheck disable=SC2086
wait $pids
tap_is "$(grep -LE '^In all: |another plan is being made; try again when it is done$' plan.*)|$(grep -l '^In all: ' plan.* | head -1 | cut -c1-5)" \
        '|plan.' 'of several at once each is made or told to wait'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
        run stranger "$SLUMBER_BUILD/commands/scontrol" power plan
        tap_like "$rc|$err" '^1\|.*([Aa]ccess|permission)' 'plans are for operators'
fi
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
