#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# priority/multifactor as users see it: sprio, sshare, the order of the queue; usage over a kill -9 of the controller.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'needs root: the tables have its name and shares'
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-4]' 'NodeName=n[1-4] NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000' SelectTypeParameters=CR_CPU_Memory \
        PriorityType=priority/multifactor PriorityWeightAge=1000 PriorityWeightJobSize=10000 PriorityWeightPartition=2000 \
        PriorityWeightQOS=300 PriorityWeightFairshare=500 PriorityWeightTRES=CPU=1000,Mem=2000 PriorityMaxAge=1-0
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

# The nodes are not there: all jobs wait.  The figures are Slurm's for the same configuration and jobs, but for the fair share.
sub() { sbatch --parsable -o /dev/null -t 10 "$@" --wrap true; }
for a in '-N1 -n1' '-N2 -n4' '-n3 --mem=1000' '-N1 --nice=100' '-N3 -c2 --mem-per-cpu=100' '-H -N1'; do
        # shellcheck disable=SC2086
        sub $a >>ids
done
weights=$(sprio -w)
tap_is "$weights" '          JOBID PARTITION   PRIORITY       SITE        AGE  FAIRSHARE    JOBSIZE  PARTITION        QOS                 TRES
        Weights                               1       1000        500      10000       2000        300    CPU=1000,Mem=2000' 'sprio -w'
tap_is "$(sprio -h -o '%i %r %J %P %T')" '1 main 1406 2000 cpu=31,mem=500
2 main 3125 2000 cpu=125,mem=1000
3 main 1719 2000 cpu=94,mem=125
4 main 1406 2000 cpu=31,mem=500
5 main 4688 2000 cpu=188,mem=75' 'the factors of those that are not held'
tap_is "$(sprio -h -n -j 2 -o '%i %j %p %t')" '2 0.3125000 1.0000000 cpu=0.12,mem=0.50' 'without their weights'
run sprio -j 999
tap_is "$rc|$out|$err" '0|Unable to find jobs matching user/id(s) specified|' 'of a job that is not there'
tap_is "$(sprio -h -j 999,2 -o %i)" 2 'of those of several that are'
tap_like "$(sprio -l -j 4 | tail -1)" '^              4 main          root +[0-9]+          0          0          0 +[0-9]+       1406       2000 +0         100       cpu=31,mem=500$' \
        'sprio -l'
tap_is "$(squeue -h -t PD -S -p -o %i | tr '\n' ' ')" '5 2 1 3 4 6 ' 'the queue is in their order'
tap_is "$(sprio -h -S -Y -o %i | tr '\n' ' ')$(sprio -h -u nobody)$(sprio -h -p nope)" '5 2 1 3 4 ' 'sorted, selected'
scontrol update jobid=1 nice=-1000
tap_is "$(squeue -h -t PD -S -p -o %i | head -3 | tr '\n' ' ')" '5 2 1 ' 'another --nice'
was=$(squeue -h -j 1 -o %Q)
tap_is "$(($(squeue -h -j 3 -o %Q) + 1000))" "$was" '... counts as it is'
scontrol update jobid=1 priority=9999999
tap_is "$(squeue -h -t PD -S -p -o %i | head -1)" 1 'a priority that an operator sets stands'
tap_like "$(scontrol show config)" $'PriorityDecayHalfLife   = 7-00:00:00\nPriorityCalcPeriod      = 00:05:00\nPriorityFavorSmall      = No\nPriorityFlags           = \(null\)\nPriorityMaxAge          = 1-00:00:00\nPriorityUsageResetPeriod = NONE\nPriorityType            = priority/multifactor\nPriorityWeightAge       = 1000\n' \
        'scontrol show config'

# ---- deadline ----
run sbatch --deadline now-1hour --wrap true
tap_is "$rc|$err" '1|sbatch: error: Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)' 'a deadline that has passed is refused'
run sbatch --deadline nonsense --wrap true
tap_like "$rc|$err" '^255\|sbatch: error: Invalid --deadline specification: ' 'and what is no time'
late=$(sbatch --parsable --deadline now+5minutes -t 10 --wrap true)
wait_job 10 "$late" DEADLINE
tap_like "$(scontrol show job "$late" | tr '\n' ' ')" 'JobState=DEADLINE Reason=DeadLine .*TimeLimit=00:10:00.* Deadline=20' 'a job that cannot end by its deadline'
late=$(sbatch --parsable --deadline now+1hour -t 10 --wrap true)
tap_like "$(scontrol show job "$late" | tr '\n' ' ') $(squeue -h -j "$late" -O Deadline)" 'JobState=PENDING.* Deadline=20.* 20' 'one that can waits'
scontrol update "jobid=$late" deadline=now+9minutes
wait_job 10 "$late" DEADLINE
tap_ok $? 'until its deadline comes nearer'

# ---- shares ----
tap_is "$(sshare | sed 's/ *$//')" 'Account                    User  RawShares  NormShares    RawUsage  EffectvUsage  FairShare
-------------------- ---------- ---------- ----------- ----------- ------------- ----------
root                                          0.000000           0      1.000000
 root                      root          1    1.000000           0      0.000000   1.000000' 'sshare'
agent_start n1 && wait_nodes 20 n1 idle
scancel 1 2 3 4 5 6
job=$(sbatch --parsable -A root -N1 -n8 --wrap 'until [ -e go ]; do sleep 0.02; done')
wait_job 20 "$job" RUNNING
usage() { sshare -P -n -U -o RawUsage; }
some_usage() { [ "$(usage)" -gt 0 ]; }
runs() { [ "$(squeue -h -j "$job" -o %M)" != 0:00 ]; }
wait_for 20 runs
touch go
wait_job 20 "$job" COMPLETED
some_usage
tap_ok $? 'what has run is usage'
before=$(usage)
ctld_kill9
ctld_start
tap_is "$(usage)" "$before" 'which survives kill -9 of the controller, and is not counted twice'
wide=$(sub -N5 -n5 : -N1)
one=$((wide + 1))
tap_is "$(sprio -h -j "$wide" -o %i | paste -sd' ')|$(sprio -h -j "$wide+1" -o %i)|$(sprio -h -j "$one" -o %i)|$(sprio -h -j "$wide+0" -o %i)" \
        "$wide+0 $wide+1|$wide+1|$wide+1|$wide+0" 'all components of a job, or one'
tap_is "$(sprio -j "$job+$((one - job)),$one+0,$wide+2")" 'Unable to find jobs matching user/id(s) specified' 'not one of another job'
run sprio -j "$wide+"
tap_is "$rc|$err" "1|sprio: error: Invalid job id: $wide+" 'a plus without a number'
scancel "$wide"
run sprio extra
tap_is "$rc|$err" '1|sprio: error: Unrecognized option: extra' 'a word too many'
run sshare -o nothing
tap_is "$rc|$err" '1|sshare: error: Unknown field "nothing"' 'a field that is not there'
ctld_stop
sed -i 's/^PriorityType=.*/PriorityType=priority\/basic/' slurm.conf
ctld_start
run sprio
tap_is "$rc|$err" "1|You are not running a supported priority plugin
(priority/basic).
Only 'priority/multifactor' is supported." 'with priority/basic there is nothing to show'
cluster_sound
tap_ok $? 'no daemon complains'
tap_done
