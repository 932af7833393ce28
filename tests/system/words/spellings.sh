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
