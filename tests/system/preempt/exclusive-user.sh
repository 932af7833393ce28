#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes for one user at a time, with two users (S14): a user's jobs there are not stopped for another user's job of a higher tier, which waits and
# starts when the last of them has gone.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'only root can be two users'

at_exit cluster_end
cluster_conf n1 PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= 'PartitionName=DEFAULT Nodes=ALL' \
        'PartitionName=own PriorityTier=1 ExclusiveUser=YES Default=YES' 'PartitionName=high PriorityTier=9' 'PartitionName=low PriorityTier=1'
cd "$DIR" || exit 1
mkdir copies out && chmod 755 "$DIR" copies && chmod 777 out
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster' || { cluster_logs; tap_done; }

cat >copies/wait.sh <<'END_OF_JOB'
#!/bin/bash
#SBATCH --output=/dev/null
id -u >"out/uid.$SLURM_JOB_ID"
until [ -e "out/enough.$SLURM_JOB_ID" ]; do sleep 0.02; done
END_OF_JOB
theirs() { stranger "$DIR/bin/sbatch" --parsable "$@" "$DIR/copies/wait.sh"; }
ours() { sbatch --parsable "$@" copies/wait.sh; }
started() { [ -s "out/uid.$1" ]; }
where() { squeue -h -j "$1" -o '%T %r'; }

first=$(theirs -n1) && wait_for 20 started "$first"
tap_is "$(cat "out/uid.$first")" 65534 "another user's job runs"
second=$(theirs -n1) && wait_for 20 started "$second"
tap_ok $? 'a second one of the same user beside it'
own=$(ours -n1) high=$(ours -p high -n1)
waits() { [[ "$(where "$own") $(where "$high")" = 'PENDING '*' reserved for jobs in higher priority partitions PENDING Resources' ]]; }
wait_for 20 waits
tap_ok $? 'ours waits for the node, and one of a higher tier too (S14)' || where "$own,$high" | sed 's/^/# /'
tap_is "$(where "$first") $(where "$second")" 'RUNNING None RUNNING None' 'no job is stopped for it'
touch "out/enough.$first" && wait_job 20 "$first" COMPLETED
tap_is "$(where "$high")" 'PENDING Resources' 'one job of that user is left: it waits on'
touch "out/enough.$second" && wait_for 20 started "$high"
tap_is "$(cat "out/uid.$high")" 0 'the last one has gone: it starts'
touch "out/enough.$high" && wait_for 20 started "$own"
tap_ok $? 'then ours of the same partition'
third=$(theirs -n1 -p low)
held() { [ "$(where "$1")" = 'PENDING Resources' ]; }
wait_for 20 held "$third"
tap_is "$(where "$third")" 'PENDING Resources' 'now the other user waits, though its partition shares'
touch "out/enough.$own" && wait_for 20 started "$third"
tap_ok $? '... until we are gone'
fourth=$(ours -p low -n1 --exclusive=user)
fifth=$(ours -p low -n1 -t 1) && wait_for 20 started "$fifth"
tap_is "$? $(where "$fourth")" '0 PENDING Resources' '--exclusive=user does not go beside another, a job without it does'
touch "out/enough.$third" && wait_for 20 started "$fourth"
tap_ok $? '... but beside our own'
touch "out/enough.$fourth" "out/enough.$fifth"
wait_job 20 "$fourth" COMPLETED && wait_job 20 "$fifth" COMPLETED
tap_ok $? 'all end'
tap_done
