#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A state that is older than it was is not gone on from without a word: its log was removed, or an older copy was put back.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000'
held() { sbatch --parsable -H -n1 --wrap true; }
last_log() { # REGEX NAME
        tap_like "$(tail -n 3 "$DIR/log/ctld")" "$1" "$2"
}
refused() { # REGEX NAME: a start, and the second one as well
        ctld_start
        tap_is "$?|$CTLD_RC" '1|1' "refused: $2"
        last_log "$1.*slumberctld --accept-state" 'with what it means and what to do'
        ctld_start
        tap_is "$?|$CTLD_RC" '1|1' 'and again'
}
put_back() { # FOLDER NAME...: of the databases, as they are, without their logs
        local name
        for name in "${@:2}"; do rm -f "state/$name"{,-wal,-shm} && cp "$1/$name" state/ || return; done
}
ctld_start
tap_ok $? 'a new state' || { cluster_logs; tap_done; }

# ---- kill -9 is none of it ----
bad=0
for i in {1..20}; do
        # shellcheck disable=SC2034
        for k in 1 2; do last=$(held) || bad=$((bad + 1)); done
        held >/dev/null 2>&1 & # on its way
        ctld_kill9
        wait $!
        ctld_start || { bad=$((bad + 1)); break; }
done
tap_is "$bad" 0 '20 kills while jobs are submitted: each start goes on' || cluster_logs
tap_is "$(job_state "$last")" PENDING 'with all that was acknowledged'
ctld_stop && ctld_start
tap_ok $? 'so after a stop'

# ---- the log is gone ----
last=$(held)
ctld_kill9
! cmp -s -n 32 state/slumber.db-wal /dev/zero
tap_ok $? 'there is a log'
rm state/slumber.db-wal
refused "slumber.db is older than it was, or new .it counts [0-9]+ writes, the file generation beside it [0-9]+.: an older copy was put back, or slumber.db-wal is gone" \
        'a state without its log'
ctld_start --accept-state
tap_ok $? '--accept-state goes on'
next=$(held)
[ "$next" -gt "$last" ]
tap_ok $? "no job id is given again ($next after $last)"
ctld_kill9
ctld_start
tap_ok $? 'later starts need it no more'

# ---- no accounts, of which nothing was written that somebody waited for ----
ctld_stop && mkdir away && mv state/accounting.db* away
refused 'accounting.db is older than it was, or new' 'no accounts beside a state'
rm -f state/accounting.db* && cp away/* state/
ctld_start
tap_ok $? 'put back, they are what they were'

# ---- a copy within one run ----
run sacctmgr -i add qos sooner
run scontrol write state copy
tap_is "$rc|$err" '0|' 'a copy'
last=$(held)
ctld_kill9
put_back copy slumber.db
refused 'slumber.db is older' 'an older state, of the same run'
ctld_start --accept-state
tap_ok $? 'it is accepted'
next=$(held)
[ "$next" -gt "$last" ]
tap_ok $? "no job id is given again ($next after $last)"

# ---- the accounts ----
run sacctmgr -i add qos later
tap_is "$rc" 0 'the accounts change'
ctld_stop
put_back copy accounting.db
refused 'accounting.db is older' 'older accounts'
ctld_start --accept-state
tap_is "$?|$(sacctmgr -nP show qos later format=name)" '0|' 'they are accepted'
ctld_stop && rm -f state/accounting.db*
refused 'accounting.db is older than it was, or new' 'no accounts'
ctld_start --accept-state && ctld_stop
tap_ok $? 'new ones are accepted'

# ---- all databases away; the small file away or damaged ----
rm -f state/slumber.db*
refused 'slumber.db is older than it was, or new' 'no state'
ctld_start --accept-state
next2=$(held)
[ "$next2" -gt "$next" ]
tap_ok $? "no job id is given again ($next2 after $next)"
ctld_stop && mv state/generation .
refused "$DIR/state/generation is missing" 'databases that were put into an empty folder'
echo x >state/generation
refused "$DIR/state/generation is damaged" 'a damaged file'
cp generation state/
ctld_start
tap_ok $? 'the newest files are put back: all is well'

# ---- -c forgets ----
ctld_kill9 && rm -f state/slumber.db-wal
ctld_start -c
tap_is "$?|$(squeue -h | wc -l)" '0|0' '-c forgets a state of any age'
tap_is "$(held)" 1 'and begins with the first id'
ctld_kill9 && ctld_start
tap_ok $? 'the next start goes on from there'

# ---- the whole folder is an older one: agents know it ----
agent_again() { agent_kill9 n1; agent_start n1; } # it would wait for some seconds after it was refused
whole_back() { rm -rf state && cp -a "$1" state; }
running() { wait_job 20 "$1" RUNNING; }
agent_start n1
wait_nodes 20 n1 idle
ctld_stop && cp -a state older && ctld_start
old=$(sbatch --parsable -n1 -o /dev/null --wrap 'until [ -e go ]; do sleep 0.05; done') && running "$old"
tap_ok $? 'a job runs that a copy of the folder does not know'
last=$(sbatch --parsable -J kept -n1 -o /dev/null --wrap true)
wait_job 20 "$last" COMPLETED && wait_for 20 eval '[ "$(sacct -nXPj "$last" -o jobname,state)" = "kept|COMPLETED" ]'
tap_ok $? 'another one is over'
ctld_kill9 && cp state/accounting.db* older/ && whole_back older
ctld_start
tap_ok $? 'the copy is started'
wait_for 20 grep -q 'Nothing is scheduled any more' log/ctld
why="the state in $DIR/state is older than it was: node n1 knows generation [0-9]+ of it and JobId=$last, and it has generation [0-9]+ and JobId=[0-9]+; put the newest files back, or go on above these with slumberctld --accept-state"
tap_like "$(grep 'Nothing is scheduled any more' log/ctld)" "$why" 'the node that knows more is named, and what to do'
stands_still() { # NAME
        local before
        before=$(squeue -h -o '%i %T')
        run sbatch -n1 --wrap true
        tap_like "$rc|$err" "^1\|.*$why" "$1: jobs are refused"
        run scontrol update NodeName=n1 State=DRAIN Reason=x
        tap_like "$rc|$err" "^1\|.*$why" 'and changes'
        wait_for 20 grep -q 'does not accept node n1: the state in' log/n1
        tap_is "$?|$(squeue -h -o '%i %T')" "0|$before" 'and the agent; nothing moves'
}
stands_still 'it stands still'
ctld_kill9 && agent_kill9 n1
ctld_start
wait_for 20 grep -q 'Nothing is scheduled: the state in' log/ctld
tap_ok $? 'another start without the agent says it, too'
: >log/n1
agent_start n1
stands_still 'it still does'
ctld_stop && ctld_start --accept-state && agent_again && wait_nodes 20 n1 'idle|mixed'
tap_ok $? '--accept-state goes on'
wait_for 20 grep -q "Node n1 runs JobId=$old, which has no place there: ending it" log/ctld
tap_ok $? 'the job that nobody knows is ended, and the log says so'
next=$(sbatch --parsable -n1 -o /dev/null --wrap true) && wait_job 20 "$next" COMPLETED && [ "$next" -gt "$last" ]
tap_ok $? "no job id is given again ($next after $last)"
tap_is "$(sacct -nXPj "$last" -o jobname,state)" 'kept|COMPLETED' 'and the accounts have those that have it'
for i in {1..5}; do
        ctld_kill9
        agent_kill9 n1
        ctld_start && agent_start n1 && wait_nodes 20 n1 idle || break
        held >/dev/null
done
tap_is "$i|$(grep -c 'Nothing is scheduled' log/ctld)" '5|2' 'kill -9 of both is none of it'

# ---- a copy of which more starts are missing, without jobs ----
ctld_stop && cp -a state older2 && ctld_start && wait_nodes 20 n1 idle && ctld_stop && whole_back older2 && : >log/ctld
ctld_start
wait_for 20 grep -q 'Nothing is scheduled any more' log/ctld
tap_ok $? 'a copy that lacks a start only'
ctld_stop && : >log/ctld
ctld_start -c && agent_again && wait_nodes 20 n1 idle
tap_is "$?|$(held)" '0|1' '-c forgets that, too'

# ---- a new state ----
ctld_stop && rm -rf state && mkdir -m 700 state && ctld_start && wait_nodes 20 n1 idle
tap_is "$?|$(held)|$(grep -c 'Nothing is scheduled' log/ctld)" '0|1|0' 'an empty folder begins anew'

# ---- what root of a node makes up ----
wait_for 20 grep -q . spool.n1/state_seen && agent_stop n1
read -r state generation start given proof <spool.n1/state_seen
printf '%s %020d %s %s %s\n' "$state" 999999 "$start" "$given" "$proof" >spool.n1/state_seen
agent_start n1 && wait_nodes 20 n1 idle
tap_is "$?|$(grep -c 'Nothing is scheduled' log/ctld)" '0|0' 'a generation that was made up stops nothing'
tap_like "$(cat log/ctld)" 'Node n1 says what it knows of the state without a proof: that counts as nothing' '... and is in the log'
tap_is "$(cut -d' ' -f2 spool.n1/state_seen)" "$generation" '... and the node is told the right one again'
cluster_end
tap_done
