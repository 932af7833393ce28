#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-sim: a job of two partitions, which is not first in the one that lets it preempt, preempts one with booting nodes.  They are kept
# for it: the victim does not take them again within the same instant, again and again.
. "$(dirname "$0")/../lib.sh"
sim=$SLUMBER_BUILD/controller/slumber-sim

cat >"$DIR/slurm.conf" <<'END'
ClusterName=several
SlurmctldHost=h
SlurmUser=root
StateSaveLocation=/tmp
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SuspendProgram=/s
ResumeProgram=/r
SuspendTime=600
ResumeTimeout=300
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-30] CPUs=8 RealMemory=16000 Features=small
NodeName=n[31-40] CPUs=16 RealMemory=64000 Features=big Weight=5
PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED
PartitionName=q Nodes=n[20-40] MaxTime=UNLIMITED PriorityTier=5
END
cat >"$DIR/jobs.csv" <<'END'
submit,run,limit,nodes,tasks,partition,features,nodelist,exclusive,user,mem
199531.559,43437,86400,1,2,q,big|small,,no,u3,
206831.658,81400,86400,3,3,"p,q",,,no,u2,
207700.602,58652,86400,8,16,p,,,no,u1,
209500.818,26006,28800,3,12,p,big|small,,yes,u0,100
213134.615,24294,28800,2,2,p,"[big*1&small*1]",,no,u3,
217594.085,11722,28800,5,20,q,,,no,u0,
217716.302,80424,86400,2,4,p,,,no,u0,
217782.529,23008,28800,1,2,q,,,no,u2,
218724.495,1011,7200,1,2,q,,,no,u0,3000
219559.861,10716,28800,3,12,p,,,no,u3,100
220275.581,24273,28800,2,2,"p,q",,,no,u3,100
220603.524,12729,14400,5,40,"p,q",,,no,u3,100
225618.861,3336,7200,1,4,"p,q",,,no,u2,
225621.284,3549,3600,2,8,p,,,no,u2,
225659.471,11890,28800,2,4,p,,n[30-31],no,u3,100
225705.052,3710,7200,1,4,p,big|small,,yes,u0,
226285.633,7233,28800,3,12,p,,,yes,u3,3000
227271.507,3527,3600,8,32,"p,q",big|small,,no,u1,3000
END

timeout 100 "$sim" -q -f "$DIR/slurm.conf" -t "$DIR/jobs.csv" >"$DIR/out" 2>"$DIR/err"
tap_is "$? $(cat "$DIR/err")" "0 " "it comes to an end"
tap_like "$(cat "$DIR/out")" "jobs that ran +$(($(wc -l <"$DIR/jobs.csv") - 1))$" "and all have run"
tap_done
