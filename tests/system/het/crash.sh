#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# kill -9 of the controller while heterogeneous jobs are submitted and while something is done to them: what was
# answered is there with all of its components, what was not is there as a whole or not at all.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf 'n[1-3]' KillWait=1 MinJobAge=600
cd "$DIR" || exit 1
cluster_up "three nodes are up" n1 n2 n3
cat >script <<'END_OF_JOB'
#!/bin/bash
echo >began.$SLURM_JOB_ID
until [ -e enough.$SLURM_JOB_ID ]; do sleep 0.02; done
END_OF_JOB
states() { squeue -h -t all -j "$1" -S i -o '%i %T'; }
states_are() { [ "$(states "$1")" = "$2" ]; }
again() { ctld_start && wait_for 20 test -n "$(sinfo -h -t idle,mix,alloc -o %N)"; }

# ---- submission ----
submit() { while [ ! -e stop ]; do sbatch --parsable -H -N1 -o /dev/null : -N1 : -N1 --wrap true >>answered 2>/dev/null || return; done; }
for round in 1 2 3; do
        rm -f stop
        before=$(cat answered 2>/dev/null | wc -l)
        submit &
        one=$!
        submit &
        two=$!
        wait_for 20 eval "[ \$(cat answered | wc -l) -ge $((before + 5)) ]"
        ctld_kill9
        : >stop
        again
        wait_for 20 gone $one && wait_for 20 gone $two
        tap_ok $? "round $round: killed while jobs are submitted"
done
squeue -h -t all -S i -o '%i %T %r' >known
missing=0 torn=0
while read -r id; do
        for k in 0 1 2; do grep -q "^$id+$k PENDING" known || missing=$((missing + 1)); done
done <answered
tap_is "$missing" 0 "all $(wc -l <answered) that were answered are there, each component"
while read -r id _; do
        [ "$(grep -c "^${id%+*}+" known)" = 3 ] || torn=$((torn + 1))
done <known
tap_is "$torn $(grep -vc ' PENDING JobHeld' known)" "0 0" "none is there in part"
tap_is "$(grep -c HetJobMissing log/ctld)" 0 "nothing is missed"
scancel -u "$(id -un)"
tap_is "$(squeue -h)" "" "all are cancelled"

# ---- what is done to one that runs ----
id=$(sbatch --parsable -o /dev/null -N1 : -N1 : -N1 script) && wait_for 20 test -e "began.$id"
tap_ok $? "one runs"
scancel "$id+1"
ctld_kill9
again
wait_for 20 states_are "$id" "$id+0 RUNNING
$id+1 CANCELLED
$id+2 RUNNING"
tap_ok $? "a component that was cancelled is, the others run on"
scontrol suspend "$id"
ctld_kill9
again
wait_for 20 states_are "$id" "$id+0 SUSPENDED
$id+1 CANCELLED
$id+2 SUSPENDED"
tap_ok $? "the others are suspended"
scontrol resume "$id" && rm "began.$id" && scontrol requeue "$id"
ctld_kill9
again
wait_for 20 test -e "began.$id"
wait_for 20 states_are "$id" "$id+0 RUNNING
$id+1 RUNNING
$id+2 RUNNING"
tap_ok $? "all start again after a requeue"
ctld_kill9
: >"enough.$id"
again
wait_for 20 states_are "$id" "$id+0 COMPLETED
$id+1 COMPLETED
$id+2 COMPLETED"
tap_ok $? "the script's end while there is no controller is the end of all"
cluster_sound
tap_ok $? "no daemon has complained"
tap_done
