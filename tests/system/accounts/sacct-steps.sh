#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# sacct: steps, what they have used, and that a kill -9 neither loses one nor writes it twice.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }
rows() { sacct -nP -j "$1" -o "$2" | paste -sd' '; }
states() { [ "$(rows "$1" state)" = "$2" ]; }
burn='i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'

cat >script <<EOS
#!/bin/bash
srun -J burn -n3 sh -c '$burn'
srun -n1 -N1 false
srun -J both -n2 -N2 sh -c 'until [ -e go ]; do sleep 0.02; done'
exit 3
EOS
a=$(sbatch --parsable -J three -N2 -n3 -t 10 --mem=100 script)
running() { [ "$(rows "$a" jobid,state)" = "$a|RUNNING $a.batch|RUNNING $a.0|COMPLETED $a.1|FAILED $a.2|RUNNING" ]; }
wait_for 30 running
tap_ok $? 'steps that run, and those that are over' || rows "$a" jobid,state
touch go
wait_job 20 "$a" FAILED && wait_for 20 states "$a" 'FAILED FAILED COMPLETED FAILED COMPLETED'
tap_is "$(sacct -j "$a" | sed 's/  *$//')" "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode
------------ ---------- ---------- ---------- ---------- ---------- --------
$(printf '%-12s %10s %10s %10s %10s %10s %8s\n' \
        "$a" three main "$(sacct -nPX -j "$a" -o account)" "$(sacct -nPX -j "$a" -o alloccpus)" FAILED 3:0 \
        "$a.batch" batch '' "$(sacct -nPX -j "$a" -o account)" "$(sacct -nP -j "$a.batch" -o alloccpus)" FAILED 3:0 \
        "$a.0" burn '' "$(sacct -nPX -j "$a" -o account)" 3 COMPLETED 0:0 \
        "$a.1" false '' "$(sacct -nPX -j "$a" -o account)" "$(sacct -nP -j "$a.1" -o alloccpus)" FAILED 1:0 \
        "$a.2" both '' "$(sacct -nPX -j "$a" -o account)" "$(sacct -nP -j "$a.2" -o alloccpus)" COMPLETED 0:0)" 'the whole list'
tap_is "$(rows "$a" nnodes,ntasks,nodelist,user,partition,timelimit | sed "s/$(id -un)/me/")" \
        "2||n[1-2]|me|main|00:10:00 1|1|n1||| 2|3|n[1-2]||| 1|1|n1||| 2|2|n[1-2]|||" 'what only a job has, and what only a step'
tap_is "$(sacct -nPX -j "$a" -o jobid,jobidraw)|$(sacct -nP -j "$a.1" -o jobid,jobidraw,exitcode)|$(sacct -nP -j "$a.batch" -o jobid)" \
        "$a|$a|$a.1|$a.1|1:0|$a.batch" '-X, one step, the script'
tap_is "$(sacct -nPb -j "$a" | wc -l)" 5 'brief'
seconds() { sed -E 's/^([0-9]+):([0-9]+)\.([0-9]+)$/\1 \2 \3/; s/^00:([0-9]+):([0-9]+)$/\1 \2 0/' | awk '{ print $1 * 60 + $2 + $3 / 1000 }'; }
used=$(sacct -nP -j "$a.0" -o totalcpu | seconds)
tap_ok "$(awk -v u="$used" 'BEGIN { print !(u > 0.05 && u < 200) }')" "TotalCPU of a step that burns: $used s"
all=$(sacct -nPX -j "$a" -o totalcpu | seconds)
tap_ok "$(awk -v a="$all" -v u="$used" 'BEGIN { print !(a >= u) }')" "of the job at least as much: $all s"
tap_like "$(sacct -nP -j "$a.0" -o usercpu,systemcpu,avecpu,maxrss,maxrssnode,averss)" '^[0-9:.]+\|[0-9:.]+\|00:[0-9:]+\|[0-9]+[KMG]?\|n[12]\|[0-9]+[KMG]?$' 'what is measured'
tap_like "$(sacct -nP -j "$a.0" -o MaxRSSTask,MinCPU,MinCPUNode,MinCPUTask,MaxPages,MaxPagesNode,MaxPagesTask,AvePages)" \
        '^[0-2]\|00:[0-9:]+\|n[12]\|[0-2]\|[0-9]+\|n[12]\|[0-2]\|[0-9]+$' '... of its tasks'
tap_is "$(sacct -nP -j "$a.2" -o MaxRSSNode,MaxRSSTask | sed 's/n1|0/same/; s/n2|1/same/')|$(sacct -nPX -j "$a" -o MaxRSSTask,MinCPU)" 'same||' \
        'the task is one of that node'
size='[0-9]+[KMG]?'
tres="cpu=00:[0-9:]+,fs/disk=$size,mem=$size,pages=[0-9]+(,vmem=$size)?"
tap_like "$(sacct -nP -j "$a.0" -o TRESUsageInTot,TRESUsageInAve,TRESUsageInMax,TRESUsageInMaxNode,TRESUsageInMin,TRESUsageOutTot)" \
        "^$tres\\|$tres\\|$tres\\|cpu=n[12],fs/disk=n[12],mem=n[12],pages=n[12](,vmem=n[12])?\\|$tres\\|fs/disk=[0-9]+[KMG]?\$" 'the same as TRES'
tap_like "$(sacct -nP -j "$a.0" -o TRESUsageInMaxTask,TRESUsageInMinTask,TRESUsageOutMaxNode,TRESUsageOutMaxTask)" \
        '^cpu=[0-2],fs/disk=[0-2],mem=[0-2],pages=[0-2](,vmem=[0-2])?\|cpu=[0-2],fs/disk=[0-2],mem=[0-2],pages=[0-2](,vmem=[0-2])?\|fs/disk=n[12]\|fs/disk=[0-2]$' 'and of which task'
tap_is "$(sacct -nP -j "$a.0" -o TRESUsageInMax | sed 's/.*,mem=//; s/,.*//')|$(sacct -nPX -j "$a" -o TRESUsageInTot,MinCPU)" \
        "$(sacct -nP -j "$a.0" -o maxrss)||" 'with the same memory; of steps'

# ---- which task it was ----
big=$(mktemp "$SLUMBER_BUILD/sacct-steps-XXXXXX") # on a disk, which the test's folder may not be
at_exit rm -f "$big"
cat >uneven <<EOS
case \$SLURM_PROCID in
1) $burn; $burn; $burn;;
2) dd if=/dev/zero of=$big bs=1M count=8 conv=fsync 2>/dev/null;;
esac
EOS
srun -J uneven -N2 -n3 -w 'n[1-2]' sh uneven
u=$(sacct -nPX --name=uneven -o jobid)
wait_for 20 states "$u" 'COMPLETED COMPLETED'
tap_like "$(sacct -nP -j "$u.0" -o TRESUsageInMaxTask,MinCPUTask,MinCPU)" '^cpu=1,.*\|[02]\|00:00:[0-9]+$' 'the task with most and least CPU time'
fields=MaxDiskWriteTask,MaxDiskWrite,MaxDiskWriteNode
[ "$(stat -f -c %T "$big")" = tmpfs ] || tap_like "$(sacct -nP -j "$u.0" -o "$fields")" '^2\|8[0-9]*[MK]?\|n[12]$' 'the task that wrote most'
# Task 1's child has a large address space, which it does not use.
cat >large <<'EOS'
[ "$SLURM_PROCID" = 0 ] && exec sleep 1
python3 -c 'import mmap, time; m = mmap.mmap(-1, 3 << 30); time.sleep(1)'; true
EOS
srun -J large -N2 -n2 -w 'n[1-2]' sh large
v=$(sacct -nPX --name=large -o jobid)
wait_for 20 states "$v" 'COMPLETED COMPLETED'
tap_like "$(sacct -nP -j "$v.0" -o MaxVMSize,MaxVMSizeNode,MaxVMSizeTask,AveVMSize --units=M)" \
        '^3[01][0-9][0-9](\.[0-9]+)?M\|n2\|1\|1[5-9][0-9][0-9](\.[0-9]+)?M$' 'the largest address space, of a child'
tap_like "$(sacct -nP -j "$v.0" -o TRESUsageInMaxTask)|$(sacct -nPX -j "$v" -o MaxVMSize,AveVMSize)" ',vmem=1\|\|$' \
        '... as TRES, and of a step only'
before=$(sacct -nP -j "$u.0" -o "$fields,TRESUsageInTot")
ctld_kill9
ctld_start
tap_is "$(sacct -nP -j "$u.0" -o "$fields,TRESUsageInTot")" "$before" 'and a controller that is started again knows it'
index=$(sacct -nPX -j "$a" -o DBIndex)
tap_is "$(rows "$a" DBIndex)" "$index $index $index $index $index" 'DBIndex, also of its steps'
tap_is "$(sacct -nPX --delimiter=:: -j "$a" -o jobid,jobname,state)|$(sacct -npX --delimiter , -j "$a" -o jobid,state)" "$a::three::FAILED|$a,FAILED," '--delimiter'
tap_is "$(sacct -lP -j "$a" | awk -F'|' '{ print NF }' | sort -u)|$(sacct -lP -j "$a" | head -1 | cut -d'|' -f1-5)" '54|JobID|JobIDRaw|JobName|Partition|MaxVMSize' '--long'

# ---- arrays, cancelled, out of time, sent back ----
b=$(sbatch --parsable --array=1-2 -J arr --wrap 'srun -n1 true')
wait_for 30 states "$b" 'COMPLETED COMPLETED COMPLETED COMPLETED COMPLETED COMPLETED'
tap_is "$(rows "$b" jobid,state)" "${b}_1|COMPLETED ${b}_1.batch|COMPLETED ${b}_1.0|COMPLETED ${b}_2|COMPLETED ${b}_2.batch|COMPLETED ${b}_2.0|COMPLETED" 'tasks of an array'
tap_is "$(sacct -nP -j "${b}_2" -o jobid | paste -sd' ')" "${b}_2 ${b}_2.batch ${b}_2.0" 'one of them'
c=$(sbatch --parsable --wrap 'srun -n1 sleep 600')
stepped() { [[ $(rows "$c" jobid,state) == *"$c.0|RUNNING"* ]]; }
wait_for 30 stepped && scancel "$c"
wait_for 30 states "$c" "CANCELLED by $(id -u) CANCELLED CANCELLED"
tap_ok $? 'what is cancelled with its job' || rows "$c" jobid,state
tap_is "$(sacct -nP -j "$c.batch" -o exitcode)" 0:15 'its exit code'
d=$(sbatch --parsable --requeue --wrap '[ -e again ] || { touch looked; exec sleep 600; }')
started() { [ -e looked ] && [ "$(sacct -nP -j "$d.batch" -o state)" = RUNNING ]; }
wait_for 30 started && touch again && scontrol requeue "$d" && wait_job 30 "$d" COMPLETED
wait_for 20 states "$d" 'COMPLETED COMPLETED'
both() { [ "$(sacct -nPD -j "$d" -o state | paste -sd' ')" = 'REQUEUED CANCELLED COMPLETED COMPLETED' ]; }
wait_for 20 both
tap_ok $? 'each run has its own' || sacct -nPD -j "$d" -o jobid,state
srun -J alone -n2 true
e=$(sacct -nPX --name=alone -o jobid)
wait_for 20 states "$e" 'COMPLETED COMPLETED'
tap_is "$(rows "$e" jobid,ntasks,state)" "$e||COMPLETED $e.0|2|COMPLETED" 'srun alone: no script'

# ---- kill -9 ----
for i in {1..12}; do sbatch -J crash -o /dev/null --wrap 'srun -n1 true' >/dev/null; done
for i in 1 2 3; do ctld_kill9; ctld_start; done
wait_nodes 30 'n[1-2]' idle
done_all() { [ "$(sacct -nPX --name=crash -o state | sort | uniq -c | tr -s ' ')" = ' 12 COMPLETED' ]; }
wait_for 60 done_all
tap_ok $? 'jobs while the controller is killed'
whole() { [ "$(sacct -nP --name=crash -o jobid | wc -l)" = 36 ]; }
wait_for 20 whole
tap_ok $? "each has its steps: $(sacct -nP --name=crash -o jobid | wc -l)"
ctld_stop
sql() { python3 -c "import sqlite3, sys; print(sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True).execute(sys.argv[2]).fetchone()[0])" "$DIR/state/accounting.db" "$1"; }
tap_is "$(sql 'SELECT count(*) FROM (SELECT 1 FROM step GROUP BY job_id, time_submit, restarts, step_id HAVING count(*) > 1)')" 0 'none stands twice'

# ---- nosteps ----
cluster_conf 'n[1-2]' SelectTypeParameters=CR_Core_Memory AccountingStorageEnforce=nosteps
before=$(sql 'SELECT count(*) FROM step')
ctld_start && wait_nodes 30 'n[1-2]' idle
f=$(sbatch --parsable --wrap true)
wait_job 20 "$f" COMPLETED && wait_for 20 states "$f" COMPLETED
ctld_stop
tap_is "$(sql 'SELECT count(*) FROM step')" "$before" 'AccountingStorageEnforce=nosteps'
cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
