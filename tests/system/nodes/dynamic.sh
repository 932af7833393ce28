#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Dynamic nodes: slumberd -Z joins and is in the partitions that take it, survives kill -9 of the controller and a reconfiguration,
# leaves and is deleted; MaxNodeCount, names and what is not taken are refused by name; scontrol create makes CLOUD nodes that
# ResumeProgram starts.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1 PartitionName= MaxNodeCount=4 SlurmdTimeout=300 SuspendTime=3600 SuspendExcNodes=n1 SuspendTimeout=1 ResumeTimeout=60 \
        ResumeProgram="$DIR/resume" SuspendProgram="$DIR/suspend"
cat >>"$DIR/slurm.conf" <<END
NodeSet=fast Feature=f1
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
PartitionName=quick Nodes=fast
PartitionName=old Nodes=n1
END
# The nodes' machines: slumberd for each name, by its pid file.
cat >"$DIR/resume" <<END
#!/bin/bash
echo "\$1" >>$DIR/resumed
for n in \$($DIR/bin/scontrol show hostnames "\$1"); do
        mkdir -p $DIR/spool.\$n
        SLUMBERD_NODE=\$n setsid $SLUMBERD -D -f $DIR/slurm.conf \$(cat $DIR/how) -N \$n -b --conf CPUs=2 --socket $DIR/\$n.sock >>$DIR/log/\$n 2>&1 </dev/null &
        echo \$! >$DIR/run/\$n.pid
done
END
cat >"$DIR/suspend" <<END
#!/bin/bash
echo "\$1" >>$DIR/suspended
for n in \$($DIR/bin/scontrol show hostnames "\$1"); do
        kill \$(cat $DIR/run/\$n.pid)
done
END
chmod +x "$DIR/resume" "$DIR/suspend"
cluster_up 'a cluster with room for dynamic nodes' n1
cd "$DIR" || exit 1

node() { scontrol -o show node "$1"; }
partitions() { node "$1" | grep -o 'Partitions=[^ ]*'; }
said() { grep -q "$2" "log/$1"; }
ran_on() { # NODE: a job on it has ended well
        run sbatch --parsable -o /dev/null -w "$1" --wrap true
        wait_job 20 "$out" COMPLETED
}

# ---- joining ----
agent_start d1 -Z --conf 'CPUs=2 RealMemory=500 Feature=f1,big Weight=7'
wait_nodes 20 d1 idle
tap_ok $? 'slumberd -Z joins' || cluster_logs
tap_like "$(node d1)" 'NodeName=d1 .*CPUTot=2 .*AvailableFeatures=f1,big .*RealMemory=500 .*State=IDLE\+DYNAMIC_NORM .*Weight=7' 'it is as --conf says'
tap_is "$(partitions d1)" Partitions=main,quick 'it is in the partitions with ALL and with its feature'
tap_like "$(node d1)" 'NodeAddr=127.0.0.1' 'its address is where it comes from'
agent_start d2 -Z --conf 'CPUs=1 RealMemory=500'
wait_nodes 20 d2 idle
tap_is "$(partitions d2)" Partitions=main 'another one without the feature is not in the set'
ran_on d1
tap_ok $? 'a job runs there'
tap_is "$(scontrol show config | sed -n 's/^MaxNodeCount *= //p')" 4 'MaxNodeCount is shown'

# ---- what is refused ----
agent_start d3 -Z --conf 'CPUs=1 RealMemory=500'
wait_nodes 20 d3 idle
agent_start d4 -Z --conf 'CPUs=1'
wait_for 20 said d4 'node d4 cannot join: there are 4 nodes, and MaxNodeCount is 4'
tap_ok $? 'more than MaxNodeCount is refused by name' || cluster_logs
wait_for 40 eval '[ "$(grep -c "cannot join" log/d4)" -ge 3 ]'
mapfile -t at < <(sed -n 's/^\([^ ]*\) .*cannot join.*/\1/p' log/d4 | head -3)
pause() { echo $((($(date -d "${at[$2]}" +%s%N) - $(date -d "${at[$1]}" +%s%N)) / 1000000)); }
[ "${#at[@]}" = 3 ] && [ "$(pause 0 1)" -ge 1900 ] && [ "$(pause 1 2)" -ge 3900 ]
tap_ok $? '... with pauses that grow' || sed 's/^/# /' log/d4
agent_stop d4
not_started() { # TEXT NAME ARGUMENT...
        local text=$1 name=$2
        shift 2
        run "$SLUMBERD" -D -f "$SLURM_CONF" -N "$name" -Z --socket "$DIR/$name.sock" "$@"
        tap_like "$rc|$err" "^1\|.*$text" "$text"
}
not_started 'has a node n1, and -Z is for nodes that it does not name' n1
not_started 'cannot be the name of a node' 'd[1-2]'
not_started 'NodeName is not taken here' d9 --conf 'NodeName=d9 CPUs=1'
not_started 'State is not taken here' d9 --conf 'State=CLOUD'
not_started 'no such key' d9 --conf 'Colour=red'
sed "s|^NodeName=n1|NodeName=x1|; s|Nodes=n1|Nodes=x1|; s|^SlurmdSpoolDir=.*|SlurmdSpoolDir=$DIR/other/spool|" slurm.conf | (mkdir other; cat >other/slurm.conf)
cp slumber.yaml other/slumber.yaml
SLUMBERD_NODE=n1 "$SLUMBERD" -D -f other/slurm.conf -N n1 -Z --socket "$DIR/other.sock" >>log/other 2>&1 </dev/null &
echo $! >run/other.pid
wait_for 20 said other 'node n1 cannot join: slurm.conf names it'
tap_ok $? 'a node of slurm.conf is not taken over'
agent_stop other
wait_nodes 5 n1 idle
tap_like "$(node n1)" 'State=IDLE ' '... and stays what it is'
agent_start g1 -Z --conf 'CPUs=1 Gres=gpu:2'
run scontrol delete nodename=d3
tap_is "$rc|$err" '0|' 'a dynamic node is deleted'
wait_for 20 said g1 'gpu is not in GresTypes'
tap_ok $? 'a Gres that GresTypes does not have is refused' || cluster_logs
agent_stop g1
agent_start g2 -Z --conf 'CPUs=2 RestrictedCoresPerGPU=1'
wait_for 20 said g2 'node g2 cannot join: --conf: RestrictedCoresPerGPU is not implemented'
tap_ok $? 'a key that guards is refused by name' || cluster_logs
agent_stop g2
wait_for 20 gone "$(cat run/d3.pid)"
tap_ok $? 'the slumberd of a node that was deleted ends'
run scontrol show node d3
tap_like "$rc|$out$err" '^1\|.*d3 not found' '... and the node is not there'

# ---- deleting what is in use ----
refused() { # NODE TEXT
        run scontrol delete nodename="$1"
        tap_like "$rc|$(paste -sd' ' <<<"$err")" "^1\|.*$2" "delete of $1: $2"
}
run sbatch --parsable -o /dev/null -w d1 --wrap 'until [ -e enough ]; do sleep 0.05; done'
job=$out
wait_job 20 "$job" RUNNING
refused d1 "node d1 has job $job"
refused n1 'node n1 is configured in slurm.conf'
refused d9 'd9 is not configured'
run scontrol create reservation=r1 nodes=d2 users=root starttime=now+1hour duration=10
refused d2 'node d2 is in reservation r1'
run scontrol delete reservation=r1
run scontrol update partitionname=old nodes=n1,d2
refused d2 'node d2 is named in Nodes of partition old'
run scontrol update partitionname=main state=DRAIN

# ---- the controller is killed, and reads its files again ----
ctld_kill9
ctld_start
wait_nodes 30 d1 mixed && wait_nodes 20 d2 idle
tap_ok $? 'after kill -9 the dynamic nodes are there' || cluster_logs
tap_like "$(node d1)" 'AvailableFeatures=f1,big .*State=[A-Z]*\+DYNAMIC_NORM .*Weight=7' 'as they were'
tap_is "$(partitions d1)" Partitions=main,quick '... in their partitions'
tap_is "$(job_state "$job")" RUNNING 'the job on one of them runs on'
run scontrol update partitionname=main state=DRAIN
run scontrol update partitionname=main maxtime=77
agent_start d3 -Z --conf 'CPUs=1'
wait_nodes 20 d3 idle
tap_like "$(scontrol -o show partition main)" 'State=DRAIN' 'a node that joins leaves partitions as scontrol has made them'
tap_is "$(partitions d3)" Partitions=main '... and is in them'
run scontrol reconfigure
tap_is "$rc|$err" '0|' 'the configuration is read again'
tap_is "$(partitions d1) $(partitions d2)" 'Partitions=main,quick Partitions=main' 'and the dynamic nodes are where they were'
touch enough
wait_job 20 "$job" COMPLETED
tap_ok $? 'the job ends well'

# ---- leaving ----
agent_stop d1
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=2/' slurm.conf
scontrol reconfigure
wait_nodes 20 d1 'down\*'
tap_ok $? 'a node without its slumberd is DOWN after SlurmdTimeout' || node d1
sed -i 's/^SlurmdTimeout=.*/SlurmdTimeout=300/' slurm.conf
scontrol reconfigure
run scontrol delete nodename=d[1-2]
tap_is "$rc|$err" '0|' 'it and another one are deleted'
ctld_kill9
ctld_start
wait_nodes 20 n1,d3 idle
run sinfo -h -N -o %N
tap_is "$(sort -u <<<"$out" | paste -sd,)" d3,n1 'after kill -9 they are still gone'
agent_start d1 -Z --conf 'CPUs=1'
wait_nodes 20 d1 idle
tap_is "$(partitions d1)" Partitions=main 'a node of a deleted name joins as a new one'
run scontrol delete nodename=d1,d3
tap_is "$rc|$err" '0|' 'both are deleted'

# ---- scontrol create ----
create_refused() { # TEXT WORD...
        local text=$1
        shift
        run scontrol create "$@"
        tap_like "$rc|$(paste -sd' ' <<<"$err")" "^1\|.*$text" "create $*: $text"
}
create_refused 'CLOUD or FUTURE was expected' nodename=c1 cpus=2
create_refused 'CLOUD or FUTURE was expected' nodename=c1 state=DOWN
create_refused 'node n1 exists already' nodename=n1 state=CLOUD
create_refused 'MaxNodeCount is 4' nodename=c[1-9] state=CLOUD
create_refused 'no such key' nodename=c1 state=CLOUD colour=red
create_refused 'Reason is not taken here' nodename=c1 state=CLOUD reason=why
create_refused 'fast is the name of a NodeSet' nodename=fast state=CLOUD
echo -Z >how
run scontrol create nodename=c[1-2] cpus=2 realmemory=100 feature=f1 state=CLOUD suspendtime=1
tap_is "$rc|$err" '0|' 'CLOUD nodes are created'
tap_like "$(node c1)" 'State=IDLE\+CLOUD\+DYNAMIC_NORM\+POWERED_DOWN .*Partitions=main,quick' 'they are powered down, in their partitions'
ctld_kill9
ctld_start
wait_nodes 20 n1 idle
run sbatch --parsable -o /dev/null -w c1 --wrap true
wait_job 40 "$out" COMPLETED
tap_ok $? 'ResumeProgram starts slumberd -Z for one' || cluster_logs
echo >how
run sbatch --parsable -o /dev/null -p quick -w c2 --wrap true
wait_job 40 "$out" COMPLETED
tap_ok $? '... and slumberd -N for another' || cluster_logs
wait_nodes 40 c[1-2] 'idle~'
tap_ok $? 'they sleep after their own SuspendTime' || sinfo
tap_is "$(grep 'd[0-9]' suspended)" '' 'those with the SuspendTime of the cluster do not'
run scontrol delete nodename=c1
tap_is "$rc|$err" '0|' 'one that sleeps is deleted'
cluster_sound
tap_ok $? 'no daemon has complained of a bug'
tap_done
