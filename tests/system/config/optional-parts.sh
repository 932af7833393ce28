#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The optional parts, all at once and all with something under way: the daemons stop, start again, take a configuration without them
# and one with them, and stop, without a fault of memory (a sanitizer's build says so).
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
on=(PrologFlags=Contain,X11 JobSubmitPlugins=lua,require_timelimit CliFilterPlugins=lua,syslog PrologSlurmctld="$DIR/hang"
        EpilogSlurmctld="$DIR/hang" Prolog=/bin/true Epilog=/bin/true HealthCheckProgram=/bin/true HealthCheckInterval=1 MailProg="$DIR/hang"
        SuspendProgram=/bin/true ResumeProgram=/bin/true SuspendTime=100 ResumeTimeout=100 SuspendTimeout=100 SuspendExcNodes='n[1-2]'
        AccountingStorageEnforce=limits,qos AccountingStorageTRES=license/flat PriorityType=priority/multifactor PriorityWeightAge=10
        MCSPlugin=mcs/user PrivateData=jobs TopologyPlugin=topology/tree TaskPlugin=task/affinity,task/cgroup
        SlurmctldParameters=enable_stepmgr,allow_user_triggers PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG
        SchedulerTimeSlice=5 GresTypes=gpu Licenses=lic:4 PlugStackConfig="$DIR/plugstack.conf" NodeFeaturesPlugins=node_features/helpers
        RebootProgram=/bin/true)
# PreemptType of a running controller stays
off=(PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG)
nodes=('NodeName=n[1-2] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 Feature=f1,f2' 'NodeName=c[1-2] CPUs=2 State=CLOUD')
parts=('PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP' 'PartitionName=high Nodes=ALL PriorityTier=9 State=UP')
printf '#!/bin/bash\nexec sleep 1000\n' >hang
printf '#!/bin/sh\n[ $# = 0 ] && echo f1\nexit 0\n' >helper
printf '#!/bin/sh\ncase $1 in status) echo on ;; watts) echo 7 ;; esac\n' >tool
printf '%s\n' 'function slurm_job_submit(d) while d.comment == "wait" do end return slurm.SUCCESS end' \
        'function slurm_job_modify() return slurm.SUCCESS end' >job_submit.lua
printf '%s\n' 'function slurm_cli_setup_defaults() return slurm.SUCCESS end' 'function slurm_cli_pre_submit() return slurm.SUCCESS end' \
        'function slurm_cli_post_submit() return slurm.SUCCESS end' >cli_filter.lua
chmod 755 hang helper tool && : >plugstack.conf
(umask 077 && head -c 48 /dev/urandom >shared)
# A cluster that takes connections and says nothing.
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", '$((PORT + 5))')); open("silent", "w").close(); time.sleep(1000)' &
silent=$!
at_exit kill $silent
wait_for 10 test -e silent
with_parts() {
        cluster_conf 'n[1-2]' "${nodes[@]}" "${parts[@]}" "${on[@]}"
        printf '%s\n' 'clusters:' '  beta:' '    hosts: 127.0.0.1' "    port: $((PORT + 5))" "    key_file: $DIR/shared" '    there: [show]' \
                '    here: [show]' >>slumber.yaml
        printf '%s\n' 'SwitchName=s1 Nodes=n[1-2]' 'SwitchName=s2 Nodes=c[1-2]' 'SwitchName=top Switches=s[1-2]' >topology.conf
        printf '%s\n' '- resource: flat' '  mode: MODE_2' '  layers:' '    - { nodes: [ "n[1-2]" ], count: 3 }' >resources.yaml
        printf '%s\n' "NodeName=n[1-2] Feature=f1,f2 Helper=$DIR/helper" MutuallyExclusive=f1,f2 >helpers.conf
        printf '%s\n' 'ConstrainCores=no' >cgroup.conf
        printf '%s\n' "defaults: {driver: program, program: $DIR/tool}" 'nodes:' '  - {nodes: "n[1-2],c[1-2]"}' >power.yaml
}
without_parts() {
        cluster_conf 'n[1-2]' "${nodes[@]}" "${parts[@]}" "${off[@]}"
        rm -f topology.conf resources.yaml helpers.conf cgroup.conf power.yaml
}
# Requests and programs that none of the stops below finds at their end.
under_way() {
        sbatch -Q -t 5 -o /dev/null --mail-type=BEGIN,END -J mail --wrap 'exec sleep 1000'
        sbatch -Q -t 5 -o /dev/null -L flat:1,lic:1 -w n2 --stepmgr --wrap 'exec sleep 1000'
        sbatch -Q -t 5 -o /dev/null -w c1 --wrap true
        sbatch -Q -t 5 -o /dev/null --begin=now+1day -N2 : -N1 --wrap true
        sbatch -Q -t 5 -o /dev/null -a 1-9%2 -p high --wrap 'exec sleep 1000'
        srun -Q -t 5 -w n1 sleep 1000 &
        salloc -Q -t 5 -N2 --exclusive --begin=now+1hour true &
        sbatch -Q -t 5 --comment=wait --wrap true &
        squeue -M beta &
        scontrol power audit &
        scontrol power plan &
        strigger --set --reconfig --flags=perm -p "$DIR/hang"
        strigger --set --primary_slurmctld_restarted -p "$DIR/hang"
        scontrol create reservation reservationname=r starttime=now duration=60 users=root nodes=n2 flags=overlap,ignore_jobs
        sacctmgr -i add account a
} >/dev/null 2>&1
asked() { # the silent cluster, and the rules
        ss -Htn state established "( dport = :$((PORT + 5)) )" | grep -q . && pgrep -P "$(cat run/ctld.pid)" >/dev/null
}
stop() { # NAME
        local node
        for node in ctld n1 n2; do _end_pid TERM "$node"; done
        ! cluster_sound | grep . && [ ! -s "$UNSOUND" ]
        tap_ok $? "$1"
}

with_parts
cluster_up 'the parts are there' n1 n2
under_way
wait_for 20 asked
tap_ok $? 'and under way'
scontrol reconfigure
tap_ok $? 'a reconfiguration with them'
stop 'all stop'
ctld_start && agent_start n1 && agent_start n2 && wait_for 30 eval '! sinfo -h -N -o %T -n n1,n2 | grep -qE "unk|down|\*"'
tap_ok $? 'all start again'
under_way
without_parts
run scontrol reconfigure
tap_is "$rc|$err" '0|' 'a reconfiguration without them'
with_parts
run scontrol reconfigure
tap_is "$rc|$err" '0|' 'one that brings them back'
under_way
stop 'all stop again'
without_parts
ctld_start && agent_start n1 && agent_start n2 && wait_for 30 eval '! sinfo -h -N -o %T -n n1,n2 | grep -qE "unk|down|\*"'
tap_ok $? 'all start without them, with the jobs that had them'
with_parts
ctld_stop
ctld_start
tap_ok $? 'and with them'
stop 'all stop at the end'
tap_done
