#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Time slices with real processes: jobs that have the same cores take turns and never run at one time (S5), scontrol suspend takes
# one out (S16), and controller and agent are killed in the middle of a change of places.
# Each job writes the time into a file every 5 ms on each of its nodes: it stands still, or it does not.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
command -v perl >/dev/null || tap_skip_all 'no perl'

at_exit cluster_end
cluster_conf 'n[1-4]' PreemptMode=GANG SchedulerTimeSlice=8 PartitionName= \
        'PartitionName=pair Nodes=n[1-3] OverSubscribe=FORCE:2 Default=YES' 'PartitionName=hand Nodes=n4 OverSubscribe=FORCE:3'
cd "$DIR" || exit 1
cat >tick.pl <<'END_OF_JOB'
use Time::HiRes qw(time sleep);
my ($id, $node) = @ENV{qw(SLURM_JOB_ID SLURMD_NODENAME)};
open(my $f, '>>', "ticks.$id.$node") or die; $f->autoflush(1);
until (-e "enough.$id") { printf $f "%.6f $id\n", time; sleep 0.005; }
END_OF_JOB
printf '#!/bin/bash\nexec srun perl tick.pl\n' >tick.sh

ctld_start || { cluster_logs; tap_ok 1 'the controller starts'; tap_done; }
for n in 1 2 3 4; do agent_start n$n; done
wait_nodes 30 'n[1-4]' idle
tap_ok $? 'four nodes are idle' || { cluster_logs; tap_done; }

ticks() { cat ticks."$1".* 2>/dev/null | wc -l; }
goes_on() { # ID: it ticks again, on all nodes where it has
        local f n
        for f in ticks."$1".*; do
                [ -e "$f" ] || return 1
                n=$(wc -l <"$f") && wait_for "${2:-10}" eval "[ \$(wc -l <$f) -gt $((n + 3)) ]" || return 1
        done
}
stands_still() { # ID OTHER: no tick of ID while OTHER makes thirty
        local before n
        before=$(ticks "$1") n=$(ticks "$2")
        wait_for 10 eval "[ \$(ticks $2) -gt $((n + 30)) ]" && [ "$(ticks "$1")" = "$before" ]
}
stands_still_on() { # ID NODE OTHER: on one of its nodes it does, on the other it does not
        local n m
        n=$(wc -l <ticks."$1.$2") m=$(wc -l <ticks."$1.$3")
        wait_for 5 eval "[ \$(wc -l <ticks.$1.$3) -gt $((m + 20)) ]" && [ "$(wc -l <ticks."$1.$2")" = "$n" ]
}
states() { squeue -h -S i -j "$1" -o %t | paste -sd' '; }
# How often the running job changes; jobs that run at the same time alternate with each tick.
changes() { sort -n ticks.*."$1" | awk '$2 != last { n++; last = $2 } END { print n - 1 }'; }
slices() { grep -cE "The time slice of JobId=($1) is over" log/ctld; }
one_row() { # A B: one of them runs and the other stands still
        local s
        s=$(states "$1,$2")
        case $s in
        'R S') goes_on "$1" 2 && stands_still "$2" "$1" ;;
        'S R') goes_on "$2" 2 && stands_still "$1" "$2" ;;
        *) return 1 ;;
        esac
}

# ---- S5: two jobs on one node, two on two; S16: of three one is taken out ----
a=$(sbatch --parsable -w n1 -n4 tick.sh) && b=$(sbatch --parsable -w n1 -n4 tick.sh)
c=$(sbatch --parsable -w n[2-3] -N2 -n8 tick.sh) && d=$(sbatch --parsable -w n[2-3] -N2 -n8 tick.sh)
x=$(sbatch --parsable -p hand -n4 tick.sh) && y=$(sbatch --parsable -p hand -n4 tick.sh) && z=$(sbatch --parsable -p hand -n4 tick.sh)
wait_for 10 test -s ticks.$a.n1 -a -s ticks.$c.n2 -a -s ticks.$c.n3 -a -s ticks.$x.n4
tap_is "$(squeue -h -S i -o '%t %M %N' | sed 's/^R .* /R /' | paste -sd,)" 'R n1,S 0:00 n1,R n[2-3],S 0:00 n[2-3],R n4,S 0:00 n4,S 0:00 n4' \
        'the first of each run, the others wait from the start'
tap_like "$(squeue -h -j $b -o %r)" "^StoppedFor:$a" 'squeue names the preemptor'
scontrol suspend $x && wait_for 10 test -s ticks.$y.n4
tap_ok $? 'suspended by hand, the first makes room for the second at once'
tap_like "$(scontrol show job $x | xargs)" 'Priority=0 .*JobState=SUSPENDED' '... it is SUSPENDED, with Priority=0'
held=$(ticks $x)

# ---- the end of the first slice, while the agents of n1 and n3 do not answer: of c's nodes one has frozen, the other has not,
#      and none has been thawed; then the controller and n1's agent are killed ----
deaf="$(cat run/n1.pid) $(cat run/n3.pid)"
kill -STOP $deaf
wait_for 30 eval '[ "$(states $a,$b,$c,$d)" = "S S S S" ]'
tap_ok $? 'a slice is over and agents do not answer: no job goes on yet'
wait_for 20 stands_still_on $c n2 n3
tap_ok $? 'one node has stopped its part, the other has not heard of it'
tap_is "$(ls ticks.$b.* ticks.$d.* 2>/dev/null)" '' '... and the others have not begun'
ctld_kill9
{ kill -KILL ${deaf% *}; wait ${deaf% *}; } 2>/dev/null
kill -CONT ${deaf#* }
goes_on $a
tap_ok $? 'the job of the agent that was killed has never stopped'
ctld_start && agent_start n1
tap_ok $? 'a new controller, and a new agent'
wait_for 20 one_row $c $d
tap_ok $? 'one of the two runs on both nodes, the other stands still on both'
wait_for 10 one_row $a $b
tap_ok $? '... and so do the two jobs of the killed agent'

# ---- slices go on ----
tap_is "$(ticks $x) $(states $x)" "$held S" 'the one that was suspended by hand had no turn'
scontrol resume $x
tap_is "$? $(states $x)" '0 S' 'resumed, it waits for its turn'
touch ticks.$b.n1 ticks.$d.n2 ticks.$d.n3 ticks.$z.n4 # where they have begun by now
for j in $a $b $c $d $x $y $z; do for f in ticks.$j.*; do wc -l <"$f" >"before.$f"; done; done
all_went_on() {
        local f
        for f in before.ticks.*; do [ "$(wc -l <"${f#before.}")" -gt $(($(cat "$f") + 20)) ] || return; done
}
wait_for 90 all_went_on
tap_is "$? $(ls before.ticks.* | wc -l)" '0 9' 'none is lost: each has turns, on all of its nodes'

# ---- the end ----
for j in $a $b $c $d $x $y $z; do touch enough.$j; done
for j in $a $b $c $d $x $y $z; do wait_job 30 $j COMPLETED || break; done
tap_is "$(for j in $a $b $c $d $x $y $z; do job_state $j; done | sort | uniq -c | xargs)" '7 COMPLETED' 'all end well'
for n in 1 2 3 4; do
        tap_ok "$(($(changes n$n) > $(slices "[0-9]+") + 3))" "n$n: jobs changed places $(changes n$n) times, and never ran at one time"
done
tap_ok "$(($(changes n4) < 3))" 'several times'
wait_nodes 20 'n[1-4]' idle
tap_ok $? 'the nodes are free again'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
