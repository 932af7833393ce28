#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Abbreviations and other spellings of options, fields and entities that Slurm's commands take.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

cluster_conf n1 'AccountingStorageType=accounting_storage/slurmdbd'
cluster_up 'a cluster' n1
id=$(sbatch --parsable -J spelled -o /dev/null --tasks-per-node=2 --wrap 'srun --cpu_bind=none sleep 600')
tap_ok $? '--tasks-per-node is --ntasks-per-node'
tap_is "$(squeue -h -j "$id" -O numtasks | tr -d ' ')" 2 '... with its meaning'
wait_for 20 eval '[ "$(squeue -h -s -o %i)" ]'
tap_ok $? '--cpu_bind is --cpu-bind'

for words in "--jo $id" "--jo=$id" "--job $id" "--jobs $id" "--job=$id" '--part=main' '--part main' '--partitions=main' \
        '--account=root' '--accounts=root' '--node=n1' '--use root'; do
        # shellcheck disable=SC2086
        run squeue -h -o %i $words
        tap_is "$rc|$out|$err" "0|$id|" "squeue $words"
done
for words in "--ste $id.0" "--step $id.0" "--steps $id.0" "-s $id.0" "--steps=$id.0"; do
        # shellcheck disable=SC2086
        run squeue -h -o %i $words
        tap_is "$rc|$out|$err" "0|$id.0|" "squeue $words"
done
run squeue --jobs "$id" "$id"
tap_like "$rc|$out|$err" "^1\|\|squeue: error: Unrecognized option: $id" 'a second word is refused'
run squeue --no
tap_like "$rc|$err" "^1\|squeue: option '--no' is ambiguous" 'an abbreviation of several options is refused'

for words in "jobid $id" "jobid -dd $id" "jobid=$id" "JobId=$id" "job=$id" "jobs $id"; do
        # shellcheck disable=SC2086
        run scontrol show $words
        tap_is "$rc|${out%% *}|$err" "0|JobId=$id|" "scontrol show $words"
done
for words in 'partitionname=main' 'PartitionName main' 'par=main'; do
        # shellcheck disable=SC2086
        run scontrol show $words
        tap_is "$rc|${out%%$'\n'*}|$err" '0|PartitionName=main|' "scontrol show $words"
done
for words in 'node n1 state drain reason y' 'node n1 state=drain' 'part main state up' 'reservation X nodes n1' 'stepid 1.0 timelimit 3'; do
        # shellcheck disable=SC2086
        run scontrol update $words
        tap_is "$rc|$out${err%%:*}" '1|Update of this parameter is not supported' "scontrol update $words"
done
run env -u SLURM_JOB_NODELIST SLURM_NODELIST='n[3,1]' scontrol show hostnames
tap_is "$rc|$(paste -sd, <<<"$out")" '0|n3,n1' 'scontrol show hostnames of SLURM_NODELIST'
for word in -Q --quiet; do
        run srun --overlap --jobid="$id" -n1 $word sh -c 'kill -KILL $$'
        tap_like "$rc|$err" '^137\|srun: error: n1: task 0: Killed$' "srun $word says no more than what has failed"
done
for words in 'ReservationName=X' 'reservation X'; do
        # shellcheck disable=SC2086
        run scontrol show $words
        tap_is "$rc|$out$err" '1|Reservation X not found' "scontrol show $words"
done

run squeue --only-job-state
tap_is "$rc|$(tr -s ' ' <<<"$out")" "0| JOBID STATE
 $id RUNNING" 'squeue --only-job-state'
run squeue --only-job-state -h -O JobID:.1,StateCompact:.2
tap_is "$rc|$out" "0|$id R" '... with fields of its own'
run squeue --only-job-state -o '%i %u'
tap_like "$rc|$out|$err" '^1\|\|squeue: error: --only-job-state shows .* not UserName' '... and no others'
for words in 'idle+~drain 0' 'mixed+~drain 1' '~down 1' 'mix&cloud 0'; do
        tap_is "$(sinfo -h -N -t "${words% *}" | grep -c n1)" "${words#* }" "sinfo -t ${words% *}"
done
tap_is "$(sinfo -h -N -t all -o %n) $(sinfo -h -N -o %n)" "$(sinfo -h -N -o %n) $(sinfo -h -N -t ALL -o %n)" 'sinfo -t all is each of them'

for words in "job $id comment=a" "jobid $id comment=b" "comment=c JobId $id" "job=$id comment=d"; do
        # shellcheck disable=SC2086
        run scontrol update $words
        tap_is "$rc|$(scontrol show job "$id" | sed -n 's/^ *Comment=\(.\).*/\1/p')|$err" "0|$(sed 's/.*comment=\(.\).*/\1/' <<<"$words")|" \
                "scontrol update $words"
done

run scontrol show job 0
tap_is "$rc|${out%% *}|$err" "0|JobId=$id|" 'scontrol show job 0 shows all jobs'

# ---- keys that are shortened, or stand before their value ----
waiting=$(sbatch --parsable -H -J waiting -t 5 --time-min=2 --ntasks-per-core=1 --ntasks-per-socket=2 --switches=1@10:00 -o /dev/null --wrap true)
for words in 'timel=7|TimeLimit=00:07:00' 'timelimit 8|TimeLimit=00:08:00' 'nice timelimit 9|TimeLimit=00:09:00' \
        'd=afterok:1|Dependency=afterok:1' 'ad=note|AdminComment=note' \
        'minmemoryn 100M|MinMemoryNode=100M'; do
        # shellcheck disable=SC2086
        run scontrol update job="$waiting" ${words%|*}
        tap_like "$rc|$(scontrol -o show job "$waiting" | tr ' ' '\n' | grep -c "^${words#*|}")|$err" '^0\|1\|' "scontrol update job ${words%|*}"
done
run scontrol update job="$waiting" mintmp=1500M
tap_like "$rc|$err" '^1\|.*Temporary disk specification can not be satisfied' 'MinTmpDiskNode with a unit: no node has as much'
run scontrol update job="$waiting" mintmp=1500X
tap_like "$rc|$err" '^1\|.*Invalid MinTmpDiskNode value: 1500X' '... and one that is no unit'
run scontrol update job="$waiting" foo 9
tap_like "$rc|$err" '^1\|Update of this parameter is not supported: foo=9' 'a word that is no key, with a value'
for words in 'maxt=30:00|MaxTime=00:30:00' 'h=yes|Hidden=YES' 'mi=1|MinNodes=1' 'prioritytier=5|PriorityTier=5' 'pri=6|PriorityTier=6' \
        'st=drain|State=DRAIN' 'st=up|State=UP'; do
        run scontrol update partition=main "${words%|*}"
        tap_is "$rc|$(scontrol -o show partition main | tr ' ' '\n' | grep -c "^${words#*|}\$")|$err" '0|1|' "scontrol update partition ${words%|*}"
done
run scontrol update partition=main zz=1
tap_like "$rc|$err" '^1\|.*zz' 'a key that no partition has'

tap_is "$(squeue -h -j "$waiting" -O MinTime:9,NTPerCore:4,NTPerSocket:4,ReqSwitch:4,Wait4Switch:9,cpuspertask:4,share:4 | tr -s ' ')" \
        '2:00 1 2 1 5:00 1 OK ' 'squeue -O has what the job asks for'
tap_is "$(squeue -h -j "$waiting" -O tres,gres | tr -s ' ')" "$(squeue -h -j "$waiting" -O tres-alloc,tres-per-node | tr -s ' ')" 'squeue -O tres,gres'
scontrol create partitionname=other nodes=n1 prioritytier=3 >/dev/null
several=$(sbatch --parsable -H -p other,main -o /dev/null --wrap true)
tap_is "$(squeue -h -P -j "$several" -o %P | sort | paste -sd' ') $(squeue -h -j "$several" -o %P)" 'main other other,main' \
        'squeue -P has a row for each partition of a pending job'
tap_is "$(squeue -h -P -p main -j "$several" -o %P)" main '... of those that --partition names'
run scontrol show hostnames n3,n1,n1,n2
tap_is "$(paste -sd' ' <<<"$out")" 'n3 n1 n1 n2' 'scontrol show hostnames keeps order and repeated names'
tap_is "$(scontrol show hostlist n3,n1,n1,n2) $(scontrol show hostlistsorted n3,n1,n1,n2)" 'n[3,1,1-2] n[1-3]' '... as show hostlist does'
scancel "$waiting" "$several"

scancel "$id"
wait_job 20 "$id" CANCELLED
for words in '--format=job,jobn,st' '--fields=job,jobn,st' '-o JOB,JOBN,ST'; do
        # shellcheck disable=SC2086
        run sacct -X -P -j "$id" $words
        tap_is "$rc|${out%%$'\n'*}|$err" '0|JobID|JobName|Start|' "sacct $words: the first field that begins so"
done
run sacct -X -n --format=zz
tap_like "$rc|$err" '^1\|sacct: error: .*"zz"' 'a field that none begins with is refused'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
