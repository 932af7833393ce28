#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol power plan with a heterogeneous job that waits: the nodes of all of its components are woken together, when the plan says,
# and sleep together after its limit.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
at_exit cluster_end
cd "$DIR" || exit 1
printf '#!/bin/sh\ncat "$SLURM_RESUME_FILE" >"%s/file"; echo "$(date +%%s) $1" >>"%s/woken"\n' "$DIR" "$DIR" >resume
chmod 755 resume "$DIR"
cluster_conf 'n1,c[1-4]' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' SuspendProgram=/bin/true "ResumeProgram=$DIR/resume" \
        SuspendTime=300 SuspendTimeout=5 ResumeTimeout=60 SuspendRate=0 ResumeRate=0
echo 'NodeName=c[1-4] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' >>"$SLURM_CONF"
sed -i 's/^\(PartitionName=main .*\)Nodes=[^ ]*/\1Nodes=ALL/' "$SLURM_CONF"
cluster_up 'a node with power, four that sleep' n1

a=$(sbatch --parsable -w n1 --exclusive -t 10 --wrap 'exec sleep 1000')
wait_job 20 "$a" RUNNING && scontrol update jobid="$a" EndTime=now+30seconds
tap_ok $? 'a job has n1 for 30 seconds more'
h=$(sbatch --parsable -t 30 -w n1 -N1 --exclusive : -w 'c[1-2]' -N2 : -w c3 -N1 -t 20 --wrap 'exec sleep 1000')

cat >show.py <<'END'
import json, sys
p = json.load(open("plan"))["plan"]
first = p["decisions"][0]["from"]
for d in p["decisions"]: print(d["action"], d["nodes"], d["why"], d["from"] - first, sep="|")
if len(sys.argv) > 1:
    late = int(sys.argv[1]) - first
    print("as planned" if -2 <= late <= 15 else "late by %d s" % late)
END
plan() { scontrol --json power plan hours=2 >plan && /usr/bin/python3 show.py "$@"; }
# 60 s of boot, 20 or 30 minutes, 300 s of rest
run plan
tap_is "$rc|$out" "0|resume|c[1-2]|for job $h+1|0
resume|c3|for job $h+2|0
suspend|c3|idle 300 s|1560
suspend|n1,c[1-2]|idle 300 s|2160" 'the nodes of all components are woken at one time, and each sleeps after its own limit'
first=$(/usr/bin/python3 -c 'import json; print(json.load(open("plan"))["plan"]["decisions"][0]["from"])')
start=$(squeue --start -h -j "$h" -o %S | sort -u)
tap_is "$(($(date -d "$start" +%s) - first))" 60 'a boot before the time that squeue --start tells of all of them'
run scontrol power plan hours=2 --with ResumeTimeout=600
tap_like "$rc|$out" '^0\|' 'settings may be tried with it'
wait_for 30 test -s woken
tap_is "$(cut -d' ' -f2 woken)|$(/usr/bin/python3 show.py "$(cut -d' ' -f1 woken)" | tail -n 1)" 'c[1-3]|as planned' 'so it happens, in one call'
tap_is "$(/usr/bin/python3 -c 'import json
for j in json.load(open("file"))["jobs"]: print(j["job_id"], j["nodes_resume"])')" "$((h + 1)) c[1-2]
$((h + 2)) c3" 'SLURM_RESUME_FILE has each component that wakes nodes as a job of its own'
run plan
tap_is "$rc|$(cut -d'|' -f1-3 <<<"$out")" '0|suspend|c3|idle 300 s
suspend|n1,c[1-2]|idle 300 s' 'a plan while they boot has the rest'
tap_is "$(squeue -h -j "$h" -o %t | sort | uniq -c | sed 's/^ *//')" '3 CF' 'and all of them wait for the slowest'
scancel "$h"
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
