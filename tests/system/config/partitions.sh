#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Access to partitions, and what an admin or user changes while the controller runs, in Slurm's words.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
chmod 755 "$DIR"
mine=$(id -gn)
cluster_conf 'n[1-2]'
cat >>"$DIR/slurm.conf" <<END
PartitionName=grp Nodes=ALL AllowGroups=nosuchgroup
PartitionName=mine Nodes=ALL AllowGroups=other,$mine
PartitionName=acc Nodes=ALL AllowAccounts=good,fine
PartitionName=deny Nodes=ALL DenyAccounts=bad
PartitionName=alloc Nodes=ALL AllocNodes=n[7-9]
PartitionName=here Nodes=ALL AllocNodes=n9,$(hostname -s)
PartitionName=mcpu Nodes=ALL MaxCPUsPerNode=2
PartitionName=minn Nodes=ALL MinNodes=2
PartitionName=noroot Nodes=ALL DisableRootJobs=YES
PartitionName=ronly Nodes=ALL RootOnly=YES
PartitionName=drain Nodes=ALL State=DRAIN
PartitionName=lln Nodes=ALL LLN=YES
END
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'a cluster with many partitions' || { cluster_logs; tap_done; }
tap_is "$(grep -E 'AllowGroups|AllowAccounts|DenyAccounts|AllocNodes|MaxCPUsPerNode|LLN' "$DIR/log/ctld")" '' 'no limit is said to be unused'

refuses() { # TEXT ARGUMENT...
        local text=$1
        shift
        run "$@" --wrap true
        tap_is "$rc|$err" "1|sbatch: error: Batch job submission failed: $text" "${*#*/bin/}"
}
takes() {
        run "$@" --parsable -o /dev/null --wrap true
        tap_is "$rc|$err" '0|' "${*#*/bin/}"
}
takes sbatch -p mine
takes sbatch -p here
refuses 'Access/permission denied' sbatch -p alloc
refuses 'Invalid account or account/partition combination specified' sbatch -p acc
refuses 'Invalid account or account/partition combination specified' sbatch -p acc -A bad
takes sbatch -p acc -A FINE
refuses 'Invalid account or account/partition combination specified' sbatch -p deny -A Bad
takes sbatch -p deny -A good
refuses 'Requested node configuration is not available' sbatch -p mcpu -c3
refuses 'Requested node configuration is not available' sbatch -p mcpu --exclusive
refuses 'Required partition not available (inactive or drain)' sbatch -p drain
if [ "$(id -u)" = 0 ]; then
        takes sbatch -p grp
        takes sbatch -p ronly
        refuses 'Invalid user id' sbatch -p noroot
        as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
        if "${as[@]}" test -x "$SLUMBER_BUILD/commands/slumber"; then
                user() { "${as[@]}" sbatch -D / "$@"; }
                refuses "User's group not permitted to use this partition" user -p grp
                refuses 'Access/permission denied' user -p ronly
                run scontrol update partitionname=grp "AllowGroups=x,$(getent group 65534 | cut -d: -f1)"
                takes user -H -p grp
                job=$out
                run "${as[@]}" scontrol update jobid="$job" partition=ronly
                tap_like "$rc|$err" '^1\|.*Requested partition configuration not available now' 'a user moves no job where it may not be'
                run "${as[@]}" scontrol update jobid="$job" timelimit=30
                tap_is "$rc|$err|$(job_show "$job" %l)" '0||30:00' 'the limit of a job that waits is its user'"'s"
        fi
else
        refuses "User's group not permitted to use this partition" sbatch -p grp
        refuses 'Access/permission denied' sbatch -p ronly
fi

# ---- where ----
wait_for 20 no_jobs -t R,CG
hold() { sbatch -Q --parsable -o /dev/null "$@" --wrap 'exec sleep 1000'; }
a=$(hold -p mcpu -w n1 -n2) && b=$(hold -p mcpu -w n1 -n1) && c=$(hold -p main -w n1 -n2)
wait_job 20 "$a" RUNNING && wait_job 20 "$c" RUNNING
tap_is "$(job_show "$b" '%T %r')" 'PENDING Resources' 'MaxCPUsPerNode counts the jobs of its partition only'
d=$(hold -p lln)
wait_job 20 "$d" RUNNING
tap_is "$(job_show "$d" %N)" n2 'LLN takes the node with the most idle CPUs'
scancel "$a" "$b" "$c" "$d"
m=$(hold -p minn)
wait_job 20 "$m" RUNNING
tap_is "$(job_show "$m" %D)" 2 'MinNodes is what a job gets that does not say'
scancel "$m"
m=$(hold -p minn -N1)
wait_for 20 eval '[ "$(job_show $m %r)" = PartitionNodeLimit ]'
tap_ok $? '... and what keeps one waiting that says less'

# ---- scontrol update partition ----
part() { scontrol -o show partition "$1" | tr ' ' '\n' | grep "^$2=" ; }
changes() { # KEY VALUE [SHOWN]
        run scontrol update partitionname=main "$1=$2"
        tap_is "$rc|$err|$(part main "$1")" "0||$1=${3:-$2}" "update partition $1=$2"
}
changes AllowGroups a,b
changes AllowGroups ALL
changes AllowAccounts y
changes AllowAccounts ALL
changes DenyAccounts x
changes AllocNodes 'n[1-2]'
changes AllocNodes all ALL
changes MaxCPUsPerNode 3
changes MaxCPUsPerNode UNLIMITED
changes LLN YES
changes LLN no NO
changes RootOnly YES
changes RootOnly NO
changes DisableRootJobs YES
changes DisableRootJobs NO
changes DefMemPerNode 50
changes DefMemPerCPU 5
changes DefMemPerNode UNLIMITED
changes MaxMemPerCPU 90
changes MaxMemPerNode UNLIMITED
changes JobDefaults DefCpuPerGPU=2,DefMemPerGPU=300
changes JobDefaults '' '(null)'
run scontrol update partitionname=main JobDefaults=DefCpuPerGPU=x
tap_like "$rc|$err" '^1\|.*JobDefaults=DefCpuPerGPU=x: DefCpuPerGPU=N and DefMemPerGPU=MB were expected' 'a wrong default is named'
run scontrol update partitionname=main MaxTime=5 DefaultTime=10
tap_like "$rc|$err" '^1\|.*DefaultTime=10 is more than MaxTime' 'a default time beyond the limit is refused'
run scontrol update partitionname=main DefaultTime=NONE
tap_like "$rc|$err" '^1\|.*"NONE" is not a time' 'none is not a time, as in Slurm'
run scontrol update partitionname=main MaxTime=UNLIMITED DefaultTime=10
tap_is "$rc|$err|$(part main DefaultTime)" '0||DefaultTime=00:10:00' 'one within the limit is taken'
run scontrol update partitionname=lln Default=YES
tap_is "$(part lln Default) $(part main Default)" 'Default=YES Default=NO' 'one default at a time'
run scontrol update partitionname=main MaxCPUsPerNode=x
tap_like "$rc|$err" '^1\|.*MaxCPUsPerNode=x: a number of CPUs or UNLIMITED was expected' 'a wrong value is named'
run scontrol update partitionname=main AllocNodes='n[1-'
tap_like "$rc|$err" '^1\|.*n\[1-' 'a wrong list is named'

# ---- scontrol update job ----
j=$(sbatch -Q --parsable -H -p main -t 10 -o /dev/null --wrap true)
job() { # WORD [SHOWN]: what show job says afterwards
        run scontrol update jobid="$j" "$1"
        tap_like "$rc|$err|$(scontrol show job "$j")" "^(0\|\||.* )${2:-$1}( |\$)" "update job $1"
}
job TimeLimit+=5 TimeLimit=00:15:00
job TimeLimit-=3 TimeLimit=00:12:00
job TimeLimit=+1:00:00 TimeLimit=01:12:00
job NumNodes=2 'NumNodes=2(-2)?'
job NumNodes=1-2
job ReqNodeList=n1
job ReqNodeList= 'ReqNodeList=\(null\)'
job ExcNodeList=n2
job Account=z
wrong() { # WORD TEXT
        run scontrol update jobid="$j" "$1"
        tap_like "$rc|$err" "^1\|.*$2" "update job $1: ${err#*: }"
}
wrong TimeLimit-=2-0 'TimeLimit=-2-0: the present limit is less than that'
wrong NumNodes=9 'Node count specification invalid'
wrong Features=nosuch 'Invalid feature specification'
wrong ReqNodeList=zz 'node zz is not configured'
wrong ReqNodeList=n2 'Invalid node name specified'
wrong Dependency=nonsense:1 '"nonsense" is none of after, '
tap_like "$(scontrol show job "$j")" 'ReqNodeList=\(null\) ExcNodeList=n2' 'what was refused is not there'

# ---- nodes, configuration ----
scontrol update nodename=n2 state=down reason=broken && run scontrol update nodename=n2 state=idle
tap_is "$rc|$(scontrol show node n2 | grep Reason)" '0|' 'state=idle takes the reason away'
tap_is "$(scontrol show config | sed -n 's/^BOOT_TIME *= //p' | cut -c1-10)" "$(date -u -d "@$(stat -c %Y "/proc/$(cat "$DIR/run/ctld.pid")")" +%F)" \
        'BOOT_TIME is when it started'
tap_is "$(scontrol show config | sed -n 's/^SLURM_CONF *= //p')" "$DIR/slurm.conf" 'SLURM_CONF is the file'
cp "$DIR/slurm.conf" "$DIR/good.conf"
keeps() { # SED-EXPRESSION TEXT
        sed -e "$1" "$DIR/good.conf" >"$DIR/slurm.conf"
        run scontrol reconfigure
        tap_like "$rc|$err" "^1\|.*$2" "reconfigure, $1: ${err#*: }"
        tap_is "$(sinfo -h -p main -o %D) $(scontrol show config | sed -n 's/^KillWait *= //p')" '2 2 sec' '... the old one stays in force'
}
here=$DIR/slurm.conf
keeps '$aFooo=1' "$here line 26: Fooo: slurm.conf has no such key"
keeps '$aNodeName=n2' "$here line 26: NodeName: node n2 is named twice"
keeps 's/^KillWait=2/KillWait=x/' "$here line 11: KillWait: \"x\" is not a number of seconds"
keeps 's/^ClusterName=.*/ClusterName=b/' "$here: ClusterName can only be changed by a restart"
keeps 's/^SlurmctldPort=.*/SlurmctldPort=1/' "$here: SlurmctldPort can only be changed by a restart"
keeps 's/^SelectType=.*/SelectType=select\/linear/;/^SelectTypeP/d' "$here: SelectType can only be changed by a restart"
keeps 's/^StateSave.*/StateSaveLocation=\/tmp/' "$here: StateSaveLocation can only be changed by a restart"
cp "$DIR/slumber.yaml" "$DIR/yaml.good"
sed -i 's/^key_file: .*/&2/' "$DIR/slumber.yaml"
keeps '' "$here: key_file of slumber.yaml can only be changed by a restart"
mv "$DIR/yaml.good" "$DIR/slumber.yaml"
keeps '/^PartitionName=minn/d' 'partition minn has job'
keeps '$aResumeProgram=/none' 'ResumeProgram: /none: No such file or directory'
mv "$DIR/slurm.conf" "$DIR/away.conf"
run scontrol reconfigure
tap_like "$rc|$err" "^1\|.*$here: No such file or directory" 'no file'
sed 's/^NodeName=n\[1-2\]/NodeName=n[1-3]/' "$DIR/good.conf" >"$DIR/slurm.conf"
run scontrol reconfigure
tap_is "$rc|$err|$(sinfo -h -p main -o %D | paste -sd+ | bc 2>/dev/null || sinfo -h -N -p main | wc -l)" '0||3' 'a node more'
agent_start n3
wait_nodes 20 n3 idle
tap_ok $? '... registers'
agent_stop n3
cp "$DIR/good.conf" "$DIR/slurm.conf"
run scontrol reconfigure
tap_is "$rc|$err|$(sinfo -h -N -p main | wc -l)" '0||2' '... and is gone again'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
