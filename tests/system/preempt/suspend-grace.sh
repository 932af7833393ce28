#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PreemptParameters=suspend_grace_time: a suspended job gets SIGTSTP, works on for so long, stands still, and is told by
# SIGCONT when it goes on; the job that gets its place waits.  By cgroup and by signals.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
command -v perl >/dev/null || tap_skip_all 'no perl'

at_exit cluster_end
cluster_conf 'n[1-2]' PreemptType=preempt/partition_prio PreemptMode=SUSPEND,GANG PartitionName= SelectType=select/linear \
        SelectTypeParameters= PreemptParameters=suspend_grace_time=4 'PartitionName=DEFAULT OverSubscribe=FORCE:1 Nodes=n[1-2]' \
        'PartitionName=low PriorityTier=1 Default=YES' 'PartitionName=high PriorityTier=2'
cd "$DIR" || exit 1

# Ticks, and writes down what it is told.
cat >tick.pl <<'END_OF_JOB'
use Time::HiRes qw(time sleep);
my $id = "$ENV{SLURM_JOB_ID}.$ENV{SLURMD_NODENAME}";
sub told { my $w = shift; open(my $f, '>>', "told.$id"); printf $f "$w %.6f\n", time; close $f; }
$SIG{TSTP} = sub { told('stop') }; $SIG{CONT} = sub { told('go') };
open(my $f, '>>', "ticks.$id") or die; $f->autoflush(1);
until (-e "enough.$ENV{SLURM_JOB_ID}") { printf $f "%.6f\n", time; sleep 0.01; }
END_OF_JOB
printf '#!/bin/bash\nsrun perl tick.pl\n' >tick.sh
words() { cut -d' ' -f1 "told.$1" 2>/dev/null | paste -sd' '; }
told() { [ "$(words "$1")" = "$2" ]; }
ticks_on() { local n; n=$(wc -l <"ticks.$1") && wait_for 10 eval "[ \$(wc -l <ticks.$1) -gt $((n + 3)) ]"; }
stands_still() { # ID OTHER: no tick of ID while OTHER makes thirty
        local before n
        before=$(wc -l <"ticks.$1") n=$(wc -l <"ticks.$2")
        wait_for 10 eval "[ \$(wc -l <ticks.$2) -gt $((n + 30)) ]" && [ "$(wc -l <"ticks.$1")" = "$before" ]
}

story() { # KIND: how the agents stop processes
        local v p s
        agent_start n1 && agent_start n2 && wait_nodes 30 'n[1-2]' idle
        tap_ok $? "$1: two nodes are idle"
        v=$(sbatch --parsable -N2 tick.sh)
        wait_for 20 test -s ticks.$v.n1 -a -s ticks.$v.n2
        p=$(sbatch --parsable -p high -N1 -w n1 tick.sh)
        wait_for 10 told $v.n1 stop && wait_for 10 told $v.n2 stop
        tap_ok $? "$1: the victim is told, on both of its nodes"
        tap_is "$(squeue -h -S i -j $v,$p -o %t | paste -sd' ')" 'S CF' "$1: it is S, and the preemptor waits"
        ticks_on $v.n1 && ticks_on $v.n2
        tap_ok $? "$1: it works on meanwhile"
        wait_for 10 test -s ticks.$p.n1
        awk -v a="$(awk '{ print $2 }' told.$v.n1)" -v b="$(head -1 ticks.$p.n1)" 'BEGIN { exit !(b - a > 3) }'
        tap_ok $? "$1: the preemptor starts when the grace is over"
        s=$(head -1 ticks.$p.n1)
        tap_is "$(awk -v s="$s" '$1 > s' ticks.$v.n1 ticks.$v.n2 | wc -l)" 0 "$1: and they never run at one time"
        stands_still $v.n2 $p.n1
        tap_ok $? "$1: it stands still on both of its nodes"
        touch enough.$p && wait_for 10 told $v.n1 'stop go' && wait_for 10 told $v.n2 'stop go'
        tap_ok $? "$1: when the preemptor has ended it is told that it goes on"
        ticks_on $v.n1 && ticks_on $v.n2
        tap_ok $? "$1: and it does"

        # ---- scontrol suspend; resumed within the grace it has never stood still ----
        scontrol suspend $v && wait_for 10 told $v.n2 'stop go stop' && scontrol resume $v && wait_for 10 told $v.n2 'stop go stop go'
        tap_ok $? "$1: resumed before the grace was over"
        ticks_on $v.n1 && ticks_on $v.n2
        tap_is "$? $(job_state $v)" '0 RUNNING' "$1: it goes on"
        # ---- cancelled within the grace ----
        scontrol suspend $v && wait_for 10 told $v.n1 'stop go stop go stop' && scancel $v && wait_job 10 $v CANCELLED
        tap_ok $? "$1: cancelled before it was over"
        wait_nodes 20 'n[1-2]' idle
        tap_ok $? "$1: the nodes are idle"
}

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
tap_like "$(scontrol show config | grep PreemptParameters)" 'suspend_grace_time=4' 'scontrol show config has it'
story auto
agent_stop n1 && agent_stop n2
echo 'cgroup: none' >>slumber.yaml
story signals

# ---- without it no signal is sent ----
sed -i /PreemptParameters/d slurm.conf && scontrol reconfigure
v=$(sbatch --parsable -N1 -w n1 tick.sh) && wait_for 20 test -s ticks.$v.n1
p=$(sbatch --parsable -p high -N1 -w n1 tick.sh) && wait_for 20 test -s ticks.$p.n1 && stands_still $v.n1 $p.n1
touch enough.$p
wait_job 10 $p COMPLETED && ticks_on $v.n1
tap_is "$? $(grep -c stop told.$v.n1 2>/dev/null)" '0 0' 'without suspend_grace_time no SIGTSTP is sent'
touch enough.$v && wait_job 10 $v COMPLETED
tap_ok $? 'the end'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
