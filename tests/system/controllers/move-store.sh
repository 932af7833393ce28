#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumberctld --move-store: from SQLite to PostgreSQL and back; jobs, scripts, accounts and history are the same on all three.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
. "$(dirname "$0")/../controllers.sh"
store=$SLUMBER_TEST_STORE
unset SLUMBER_TEST_STORE

at_exit cluster_end
cluster_conf 'n1' 'AccountingStorageEnforce=associations'
cd "$DIR" || exit 1
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a cluster with SQLite'
sacctmgr -i add account science Description='natural sciences' >/dev/null &&
        sacctmgr -i add user root Account=science GrpTRES=cpu=7 >/dev/null &&
        sacctmgr -i add qos urgent Priority=9 >/dev/null
tap_ok $? 'accounts'
{ echo '#!/bin/sh'; printf '# a line\n%0.s' {1..200}; echo 'exit 3'; } >script
for k in 1 2 3; do
        ended=$(sbatch --parsable -A science -J "job $k" -o /dev/null script)
        wait_job 20 "$ended" FAILED
done
array=$(sbatch --parsable -H -A science --array=1-30%3 -o /dev/null script)
held=$(sbatch --parsable -H -A science -J 'held ü' --comment 'kept' -o /dev/null script)

account_of() { # NAME: all that users see, into NAME
        {
                squeue -h -t all -o '%i %T %j %a %k %r' | sort
                scontrol show job "$held" | grep -vE 'EligibleTime|AccrueTime'
                scontrol write batch_script "$held" -
                sacct -a -n -P -S now-1hour -o jobid,jobname,account,state,exitcode,submit,start,end,elapsedraw
                sacctmgr -n -P show assoc
                sacctmgr -n -P show qos
        } >"$1" 2>&1
}
failed_jobs() { sacct -a -X -n -P -S now-1hour -o state | grep -c FAILED; }
wait_for 10 eval '[ "$(failed_jobs)" = 3 ]'
account_of before
tap_is "$(grep -c '|FAILED|3:0|' before) $(grep -c '^# a line' before) $(grep -c science before)" "6 200 $(grep -c science before)" \
        'jobs, scripts and accounts to be compared'
move() { run "$CTLD" -f "$SLURM_CONF" --move-store "$@"; }

move "sqlite:$DIR/state" "$store"
tap_like "$rc|$err" '^1\|.*another' 'a store in use is refused'
ctld_stop
move "sqlite:$DIR/state"
tap_like "$rc|$err" '^1\|.*expected two stores' 'without a second store'
move "sqlite:$DIR/state" oracle:x
tap_like "$rc|$err" '^1\|.*"oracle:x" is not a store, expected sqlite:/FOLDER or postgresql://' 'a store of another kind'
move "sqlite:$DIR/state" "postgresql:///nowhere?host=$SLUMBER_TEST_SERVER&user=slumber"
tap_like "$rc|$err" '^1\|.*"nowhere" does not exist' 'a database that is not there'
move "sqlite:$DIR/state" "$store"
tap_like "$rc|$out" '^0\|Moved [1-9][0-9]* jobs and [1-9][0-9]* other rows of the state, [1-9][0-9]* rows of the accounts: no difference' \
        'to PostgreSQL'
move "sqlite:$DIR/state" "$store"
tap_like "$rc|$err" '^1\|.*expected an empty one' 'not onto what is there'

cp slumber.yaml slumber.yaml.sqlite
echo "store: $store" >>slumber.yaml
ctld_start && wait_nodes 20 n1 idle
tap_ok $? 'it starts with PostgreSQL'
account_of after
tap_is "$(diff before after)" '' 'all is as before'
sacctmgr -i add account arts >/dev/null && id=$(sbatch --parsable -A science -o /dev/null script) && wait_job 20 "$id" FAILED
tap_ok $? 'and goes on'
scancel "${array}_7"
wait_for 10 eval '[ "$(failed_jobs)" = 4 ]'
account_of before
ctld_stop

move "$store" "sqlite:$DIR/back"
tap_like "$rc|$out" '^0\|Moved .*: no difference' 'back to SQLite'
sed "s|^StateSaveLocation=.*|StateSaveLocation=$DIR/back|" slurm.conf >slurm.conf.new && mv slurm.conf.new slurm.conf
cp slumber.yaml.sqlite slumber.yaml
ctld_start && wait_nodes 20 n1 idle
tap_ok $? 'it starts from there'
account_of after
tap_is "$(diff before after)" '' 'all is as before'
sacctmgr -i add user nobody Account=arts >/dev/null
tap_ok $? 'and goes on'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
