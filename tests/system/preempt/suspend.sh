#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Preemption by suspending: the example "two partitions, five nodes" of the preemption guide, and scontrol suspend.
# Each job writes the time into a file every 10 ms: it stands still, or it does not.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
command -v perl >/dev/null || tap_skip_all 'no perl'

at_exit cluster_end
cluster_conf 'n[12-16]' SelectType=select/linear SelectTypeParameters= PreemptType=preempt/partition_prio \
        PreemptMode=SUSPEND,GANG PartitionName= 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[12-16]' \
        'PartitionName=active PriorityTier=1 Default=YES' 'PartitionName=hipri PriorityTier=2'
cd "$DIR" || exit 1

# runit.pl ticks until a file says enough; argument "deaf": it ignores what can be ignored
cat >runit.pl <<'END_OF_JOB'
#!/usr/bin/perl
use Time::HiRes qw(time sleep);
$SIG{$_} = 'IGNORE' for (@ARGV ? qw(TSTP TTIN TTOU INT HUP) : ());
my $id = $ENV{SLURM_JOB_ID};
open(my $f, '>>', "ticks.$id") or die; $f->autoflush(1);
until (-e "enough.$id") { printf $f "%.6f\n", time; sleep 0.01; }
END_OF_JOB
chmod +x runit.pl

ticks() { wc -l <"ticks.$1"; }
ticks_on() { # ID...: each ticks again
        local id n
        for id; do
                n=$(ticks "$id") && wait_for 10 eval "[ \$(ticks $id) -gt $((n + 2)) ]" || return 1
        done
}
stands_still() { # ID OTHER: no tick of ID while OTHER makes thirty; OTHER "": while 300 ms pass
        local before n
        before=$(ticks "$1")
        if [ "$2" ]; then n=$(ticks "$2") && wait_for 20 eval "[ \$(ticks $2) -gt $((n + 30)) ]"; else sleep 0.3; fi
        [ "$(ticks "$1")" = "$before" ]
}
between() { # FILE FROM TO: ticks between two times
        awk -v from="$2" -v to="$3" '$1 > from && $1 < to' "$1" | wc -l
}
table() { squeue -Si | sed -E 's/ [0-9:]+:[0-9]{2} / TIME /; s/ +/ /g; s/^ //; s/(root|'"$(id -un)"')/user/'; }

story() { # KIND: how the agents stop processes
        local a first p tier
        for a in 12 13 14 15 16; do agent_start n$a; done
        wait_nodes 30 'n[12-16]' idle
        tap_ok $? "$1: five nodes are idle"
        tap_is "$(sinfo)" 'PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
active*      up   infinite      5   idle n[12-16]
hipri        up   infinite      5   idle n[12-16]' "$1: sinfo as in the guide"

        first=$(sbatch --parsable -N1 ./runit.pl)
        a=($first)
        sbatch -Q -N1 ./runit.pl && a+=($((first + 1)))
        sbatch -Q -N1 ./runit.pl deaf && a+=($((first + 2)))
        sbatch -Q -N1 ./runit.pl && a+=($((first + 3)))
        sbatch -Q -N1 ./runit.pl && a+=($((first + 4)))
        wait_for 20 test -s ticks.${a[0]} -a -s ticks.${a[1]} -a -s ticks.${a[2]} -a -s ticks.${a[3]} -a -s ticks.${a[4]}
        tap_is "$(table)" "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)
${a[0]} active runit.pl user R TIME 1 n12
${a[1]} active runit.pl user R TIME 1 n13
${a[2]} active runit.pl user R TIME 1 n14
${a[3]} active runit.pl user R TIME 1 n15
${a[4]} active runit.pl user R TIME 1 n16" "$1: five jobs run on five nodes"

        p=$((first + 5))
        run sbatch -N3 -p hipri ./runit.pl
        wait_for 20 test -s ticks.$p
        tap_is "$(table)" "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)
${a[0]} active runit.pl user S TIME 1 n12
${a[1]} active runit.pl user S TIME 1 n13
${a[2]} active runit.pl user S TIME 1 n14
${a[3]} active runit.pl user R TIME 1 n15
${a[4]} active runit.pl user R TIME 1 n16
$p hipri runit.pl user R TIME 3 n[12-14]" "$1: the hipri job suspends three of them"
        stands_still ${a[0]} $p && stands_still ${a[1]} $p
        tap_ok $? "$1: counters of suspended jobs stand still"
        stands_still ${a[2]} $p
        tap_ok $? "$1: so does that of a task which ignores SIGTSTP"
        ticks_on ${a[3]} ${a[4]}
        tap_ok $? "$1: the others go on"
        tap_is "$(sinfo -h -p hipri -o '%t %D %N')" 'alloc 5 n[12-16]' "$1: all nodes are allocated"

        touch enough.$p && ticks_on "${a[@]}"
        tap_ok $? "$1: when it ends they go on"
        wait_job 10 $p COMPLETED
        tap_is "$(table | cut -d' ' -f1,5 | tail -n +2 | tr '\n' ' ')" "${a[0]} R ${a[1]} R ${a[2]} R ${a[3]} R ${a[4]} R " \
                "$1: squeue shows them running"
        tier=$(for n in 0 1 2; do between ticks.${a[$n]} "$(head -1 ticks.$p)" "$(tail -1 ticks.$p)"; done | paste -sd' ')
        tap_is "$tier" '0 0 0' "$1: they never ran at one time"

        # ---- scontrol suspend, resume ----
        if [ "$(id -u)" = 0 ]; then
                chmod 755 "$DIR"
                run setpriv --reuid=65534 --regid=65534 --clear-groups scontrol suspend ${a[3]}
                tap_like "$rc $err" '^1 .*(Access/permission denied)' "$1: another user may not suspend it"
                scontrol suspend ${a[3]} && wait_job 10 ${a[3]} SUSPENDED && wait_for 10 stands_still ${a[3]} ${a[4]}
                tap_ok $? "$1: scontrol suspend"
                scontrol resume ${a[3]} && wait_job 10 ${a[3]} RUNNING && ticks_on ${a[3]}
                tap_ok $? "$1: scontrol resume"
        fi
        # ---- the end of a suspended job ----
        p=$(sbatch --parsable -N1 -w n12 -p hipri ./runit.pl) && wait_for 20 test -s ticks.$p
        wait_job 5 ${a[0]} SUSPENDED && scancel ${a[0]} && wait_job 20 ${a[0]} CANCELLED
        tap_ok $? "$1: a suspended job is cancelled"
        tap_is "$(job_state $p)" RUNNING "$1: the job in its place goes on"
        scancel "${a[@]}" $p 2>/dev/null
        wait_nodes 30 'n[12-16]' idle
        tap_ok $? "$1: the nodes are free again"
}

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
story auto
for a in 12 13 14 15 16; do agent_stop n$a; done
tap_like "$(grep -h 'Jobs are in\|No cgroup' log/n12 | tail -1)" . "stopped by: $(grep -ho 'cgroup/v.\|No cgroup' log/n12 | tail -1)"
if [ "$(id -u)" = 0 ] && ! grep -q 'Jobs are in cgroup/v1' log/n12 && grep -q ' cgroup .*freezer' /proc/mounts; then
        echo 'cgroup: v1' >>slumber.yaml
        story v1
        for a in 12 13 14 15 16; do agent_stop n$a; done
        tap_like "$(grep -ho 'cgroup/v.' log/n12 | tail -1)" v1 'v1: stopped by the v1 freezer'
        sed -i '/^cgroup:/d' slumber.yaml
fi
echo 'cgroup: none' >>slumber.yaml
story signals
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
