#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacct: choice by size, limit, group, reason and wckey, units of memory, documents, fields that are not kept.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
over() { [ "$(sacct -nPX -j "$1" -o State)" = "$2" ]; }

one=$(sbatch --parsable -J one -n1 -t 5 --mem=100 --wckey=red --wrap 'srun true; exit 3')
two=$(sbatch --parsable -J two -N2 -n4 -t 20 --mem=512 --comment 'a "b"' --wrap 'srun true')
held=$(sbatch --parsable -H -J held -t UNLIMITED -o /dev/null --wrap true)
rest=$(sbatch --parsable -H -J rest --array=2-3,7 -o /dev/null --wrap true)
wait_for 30 over "$one" FAILED && wait_for 30 over "$two" COMPLETED
tap_ok $? 'jobs that are over'

# ---- choice ----
ids="$one,$two,$held"
names() { sacct -nPX -j "$ids" -o JobName "$@" | sort | paste -sd' '; }
tap_is "$(names -i 1)|$(names --nnodes 2)|$(names -i 1-2)|$(names -i 3-9)" 'one|two|one two|' 'by nodes'
tap_is "$(names -I 1)|$(names --ncpus=2-8)" 'one|two' 'by CPUs'
tap_is "$(names -k 5)|$(names -k 6 -K 30)|$(names -K 30 -k 6)|$(names -K 10)|$(names -k UNLIMITED)|$(names -k 5 -K UNLIMITED)" \
        'one|two|two|one|held|held one two' 'by time limit'
tap_is "$(names -R NonZeroExitCode)|$(names --reason JobHeldUser,NonZeroExitCode)" 'one|held one' 'by reason'
assoc=$(sacctmgr -nP show assoc where account=root user="$(id -un)" format=id)
tap_is "$(names -x "$assoc")|$(names --associations=4711,"$assoc")|$(names -x 4711)|$(sacct -nPX -j "$one" -o AssocID)" \
        "held one two|held one two||$assoc" 'by association'
file=$(sbatch --parsable -H -C '' -J files -L '' -o 'out/%x-%j.%a' -e /dev/null --wrap true)
tap_is "$(sacct -nPX -j "$file" -o StdIn,StdOut,StdErr,Licenses,QOSREQ)" "/dev/null|$DIR/out/%x-%j.%a|/dev/null||" 'files by their patterns'
asked() { sacct -nPX -j "$1" -o QOS,QOSREQ; }
named=$(sbatch --parsable -H -q normal -o /dev/null --wrap true)
tap_is "$(asked "$file")|$(asked "$named")" 'normal||normal|normal' 'QOSREQ is what was asked for'
scontrol update jobid="$file" qos=normal && scancel "$named"
cancelled() { [ "$(sacct -nPX -j "$1" -o State)" = "CANCELLED by $(id -u)" ]; }
wait_for 20 cancelled "$named"
tap_is "$?|$(asked "$file")|$(asked "$named")" '0|normal|normal|normal|normal' '... also by an update, and when it is over'
scancel "$file"
tap_is "$(sacct -nPX -j "$file" --expand-patterns -o StdOut)" "$DIR/out/files-$file.4294967294" '--expand-patterns'
scontrol update nodename=n1 availablefeatures=fast,big activefeatures=fast,big
fast=$(sbatch --parsable -J fast -H -C 'fast&big' -o /dev/null --wrap true)
tap_is "$(sacct -nPX -j "$fast,$one" -o JobName -C big,fast)|$(sacct -nPX -j "$fast" -o JobName --constraints=fast,small)" 'fast|' 'by features'
scancel "$fast"
tap_is "$(names -g "$(id -g)")|$(names --group "$(id -gn)")|$(names --gid 4242)" 'held one two|held one two|' 'by group'
tap_is "$(names -W red)|$(names --wckeys blue)" 'one|' 'by wckey'
refused() { # PATTERN WORDS...
        run sacct "${@:2}"
        tap_like "$rc|$out|$err" "^1\\|\\|sacct: error: $1" "refused: ${*:2}"
}
refused '.*"2-1" is neither a number' -i 2-1
refused '.*"x" is neither a number' -I x
refused '.*timelimit-max is less' -k 10 -K 5
refused '.*Invalid unit' --units=X
refused '.*Invalid flag: "SchedNone" is none of SchedSubmit' -F SchedNone
run sacct -c
tap_is "$rc|$out|$err" '1||sacct: error: Slurm job completion is disabled' '--completion'

# ---- what started them ----
srun -I -J now -n1 true
long=$(sbatch --parsable -J long -N1 --exclusive -t 30 -o /dev/null --wrap 'until [ -e filled ]; do sleep 0.05; done')
wait_job 20 "$long" RUNNING
both=$(sbatch --parsable -J both -N2 --exclusive -t 30 -o /dev/null --wrap true)
filler=$(sbatch --parsable -J filler -N1 -t 1 -o /dev/null --wrap true)
wait_for 30 over "$filler" COMPLETED && touch filled && wait_for 30 over "$both" COMPLETED
tap_is "$?|$(sacct -nPX -j "$long,$filler" -o JobName,Flags | paste -sd' ')|$(sacct -nPX --name now -o Flags)" \
        '0|long|SchedMain filler|SchedBackfill|SchedSubmit' 'Flags: what started a job'
ids="$long,$both,$filler"
tap_is "$(names -F SchedBackfill)|$(names --flags SchedMain,schedbackfill)|$(names -F SchedSubmit)" 'filler|both filler long|' '--flags'
ids="$one,$two,$held"

# ---- units ----
tap_is "$(sacct -nPX -j "$two" -o ReqMem,AllocTRES)|$(sacct -nPX -j "$two" -o ReqMem --units=K)|$(sacct -nPX -j "$two" -o ReqMem --units=G --noconvert)" \
        '1G|billing=4,cpu=4,mem=1G,node=2|1048576K|1G' '--units'
tap_is "$(sacct -nPX -j "$one" -o ReqMem,AllocTRES --units=G)|$(sacct -nPX -j "$two" -o ReqMem,AllocTRES --noconvert)" \
        '0.10G|billing=1,cpu=1,mem=0.10G,node=1|1024M|billing=4,cpu=4,mem=1024M,node=2' '... with a fraction, and --noconvert'
bytes=$(sacct -nP -j "$one.batch" -o MaxRSS --noconvert)
tap_is "$(sacct -nP -j "$one.batch" -o MaxRSS --units=M)" "$(awk -v b="$bytes" 'BEGIN { m = b / 1048576; printf m == int(m) ? "%dM" : "%.2fM", m }')" 'of what a step has used'

# ---- lines ----
tap_is "$(sacct -nPX -j "$rest" -o JobID,State --array | paste -sd' ')|$(sacct -nPX -j "${rest}_3" --array -o JobID)" \
        "${rest}_2|PENDING ${rest}_3|PENDING ${rest}_7|PENDING|${rest}_3" '--array: a line for each task that waits'
tap_is "$(sacct -nPX -j "${rest}_3" -o JobID)|$(sacct -nPX -j "${rest}_4" -o JobID)" "${rest}_[2-3,7]|" 'one of them by its number'
tap_is "$(sacct -nPX -j "$one" -o UID,User --use-local-uid)" "$(id -u)|$(id -un)" '--use-local-uid'
tap_is "$(sacct -nPX -j "$one" -o jobname,avecpufreq,qosraw,reservationid)|$(sacct -nP -j "$one.0" -o jobname,avecpufreq)" 'one||||true|' \
        'a field that is not kept is an empty column'
tap_like "$(sacct --helpformat | xargs)" 'ConsumedEnergy ConsumedEnergyRaw .* MaxPages MaxPagesNode .* PlannedCPU ' '--helpformat has them'
tap_is "$(sacct --helpformat | xargs -n1 | sort | uniq -d)" '' '... each of them once'
tap_is "$(sacct -P --format=all -j "$one" -n | head -1 | awk -F'|' '{ print NF }')" "$(sacct --helpformat | wc -w)" 'and so has all'

# ---- command lines ----
tap_is "$(sacct -nP -j "$one" -o SubmitLine)" "sbatch --parsable -J one -n1 -t 5 --mem=100 --wckey=red --wrap srun true; exit 3

srun true" 'SubmitLine of a job, its script and its step'
odd=$(sbatch --parsable -J odd -n1 --comment x -o /dev/null --wrap "# $(printf 'a\nb\tc \e[31m \302\233')
srun -n1 sh -c 'until [ -e go ]; do sleep 0.05; done'")
lines() { sacct -nP -j "$odd" -o SubmitLine | paste -sd'|'; }
told="sbatch --parsable -J odd -n1 --comment x -o /dev/null --wrap # a b c \\x1b[31m \\xc2\\x9b srun -n1 sh -c 'until [ -e go ]; do sleep 0.05; done'||srun -n1 sh -c until [ -e go ]; do sleep 0.05; done"
runs() { [ "$(lines)" = "$told" ]; }
wait_for 20 runs
tap_is "$(lines)" "$told" '... in one line, also while it runs'
ctld_kill9 && ctld_start
tap_is "$(lines)" "$told" '... and after a crash of the controller'
touch go && wait_for 30 over "$odd" COMPLETED
tap_is "$(lines)|$(sacct -nPX -j "$held" -o SubmitLine,McsLabel)" "$told|sbatch --parsable -H -J held -t UNLIMITED -o /dev/null --wrap true|" '... and when it is over'
srun -J mine -n1 true && salloc -J ours -n1 true 2>/dev/null
ours() { sacct -nPX --name mine,ours -o SubmitLine | paste -sd'|'; }
tap_is "$(ours)" 'srun -J mine -n1 true|salloc -J ours -n1 true' 'of srun and salloc'

# ---- documents ----
told() { # WORDS of sacct: what a program reads
        sacct --json "$@" >a.json && python3 - a.json <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d['errors'] == [] and 'slurm' in d['meta']
for j in d['jobs']:
    t = {x['type'] + x['name']: x['count'] for x in j['tres']['allocated']}
    print(j['job_id'], j['name'], j['state']['current'], j['exit_code']['status'], j['exit_code']['return_code']['number'], j['time']['limit']['number'],
          t.get('cpu'), t.get('mem'), j['array']['task'], [(s['step']['id'], s['nodes']['count'], s['state']) for s in j['steps']], sep='|')
END
}
tap_is "$(told -j "$one")" "$one|one|['FAILED']|['ERROR']|3|5|1|100||[('$one.batch', 1, ['FAILED']), ('$one.0', 1, ['COMPLETED'])]" '--json'
tap_is "$(told -X -j "$two,$rest")" "$two|two|['COMPLETED']|['SUCCESS']|0|20|4|1024||[]
$rest|rest|['PENDING']|['PENDING']|0|0|None|None|2-3,7|[]" '... of jobs alone, of an array that waits'
tap_is "$(told -j 999)" '' '... of none'
python3 -c 'import yaml' 2>/dev/null && {
        sacct -j "$ids" --json >a.json && sacct -j "$ids" --yaml >a.yaml
        python3 - <<'END'
import json, yaml
def still(x):
    if isinstance(x, dict):
        return {k: still(v) for k, v in x.items() if k not in ('last_update', 'planned')}
    return [still(v) for v in x] if isinstance(x, list) else x
a, b = json.load(open('a.json')), yaml.safe_load(open('a.yaml'))
assert len(a['jobs']) == 3 and still(a) == still(b)
END
        tap_ok $? '--yaml is the same'
}
cluster_end
cluster_sound
tap_ok $? 'the daemons had nothing to complain of'
tap_done
