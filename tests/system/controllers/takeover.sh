#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two controllers on PostgreSQL: a backup waits, takes over from a killed, a stopped and a willing primary, and jobs neither
# notice nor get lost.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
. "$(dirname "$0")/../controllers.sh"

at_exit cluster_end
mkdir -p "$DIR"
for which in on off; do
        printf '#!/bin/sh\necho "%s ${SLURM_CONF%%%%/slurm.conf}" >>%s\n' $which "$DIR/roles" >"$DIR/$which"
        chmod 755 "$DIR/$which"
done
controllers_conf 'n[1-2]' 2 "SlurmctldPrimaryOnProg=$DIR/on" "SlurmctldPrimaryOffProg=$DIR/off"
cd "$DIR" || exit 1

controller_start c1 && controller_start c2
tap_ok $? 'two controllers start'
agent_start n1 && agent_start n2 && wait_nodes 20 'n[1-2]' idle
tap_ok $? 'two nodes are idle'
wait_for 5 eval '[ "$(scontrol ping | grep -c "is UP")" = 2 ]'
run scontrol ping
tap_is "$out" "Slurmctld(primary) at c1 is UP
Slurmctld(backup) at c2 is UP" 'scontrol ping has a line for each'

run scontrol show config
tap_is "$(grep -o 'SlurmctldHost.*' <<<"$out" | tr -s ' ')" 'SlurmctldHost[0] = c1(127.0.0.1)
SlurmctldHost[1] = c2(127.0.0.2)' 'scontrol show config has both'

# ---- the primary is killed ----
id=$(sbatch --parsable -w n1 -o /dev/null --wrap "until [ -e $DIR/enough ]; do sleep 0.1; done; exit 7")
wait_job 10 "$id" RUNNING
waiting=$(sbatch --parsable -H -w n2 -o /dev/null --wrap true)
controller_kill9 c1
begin=$(date +%s%N)
wait_for 20 eval 'after=$(sbatch --parsable -w n2 -o /dev/null --wrap true 2>/dev/null)'
tap_ok $? 'a job is accepted after the primary was killed'
echo "# after $((($(date +%s%N) - begin) / 1000000)) ms"
tap_is "$(primary)" c2 'c2 is primary'
tap_is "$(job_show "$id" '%T %N')" 'RUNNING n1' 'the job runs'
tap_is "$(job_show "$waiting" '%r')" JobHeldUser 'the held job is known'
wait_job 20 "$after" COMPLETED
tap_ok $? 'the new job runs on n2'
touch enough && wait_job 20 "$id" FAILED
run scontrol show job "$id"
tap_like "$out" 'Restarts=0 .*ExitCode=7:0|ExitCode=7:0' 'the end of the old one arrives'
run scontrol ping
tap_is "$out" "Slurmctld(primary) at c1 is DOWN
Slurmctld(backup) at c2 is UP" 'c1 is DOWN'

# ---- it comes back, as a backup; takeover gives it the lead ----
controller_start c1 -c
tap_ok $? 'c1 starts again, with an option that forgets all jobs'
wait_for 5 eval 'scontrol ping | grep -q "at c1 is UP"'
tap_is "$(primary)" c2 'as a backup'
begin=$(date +%s%N)
run scontrol takeover 0
tap_is "$rc$err" 0 'scontrol takeover 0'
wait_for 10 primary_is c1
tap_ok $? 'c1 is primary'
echo "# after $((($(date +%s%N) - begin) / 1000000)) ms"
wait_for 5 eval '[ "$(scontrol ping | grep -c "is UP")" = 2 ]'
tap_ok $? 'c2 waits as a backup'
tap_is "$(job_show "$waiting" '%r')" JobHeldUser 'the option of its start is ignored'
run scontrol takeover 5
tap_is "$rc|$err" '1|slurm_takeover error: invalid backup controller index (5)' 'takeover by a line that is not there'
run scontrol takeover 0
tap_is "$rc|$err" '1|slurm_takeover error: c1 is the primary already' 'takeover by the primary'

# ---- a stopped primary ----
kill -STOP "$(cat run/c1.pid)"
begin=$(date +%s%N)
wait_for 20 eval '[ "$(primary)" = c2 ]'
tap_ok $? 'c2 takes over from a stopped primary'
echo "# after $((($(date +%s%N) - begin) / 1000000)) ms"
wait_for 20 eval 'stopped=$(sbatch --parsable -o /dev/null --wrap true 2>/dev/null)'
tap_ok $? 'a job is accepted'
echo "# after $((($(date +%s%N) - begin) / 1000000)) ms"
kill -CONT "$(cat run/c1.pid)"
wait_for 10 grep -q 'c1 is no longer primary' log/c1
tap_ok $? 'c1 notices when it goes on'
wait_for 10 eval '[ "$(scontrol ping | grep -c "is UP")" = 2 ]'
tap_ok $? '... and waits as a backup'
wait_job 20 "$stopped" COMPLETED
tap_ok $? 'the job has run'

tap_is "$(sed "s|$DIR/||" roles | paste -sd, -)" 'on c1,on c2,off c2,on c1,on c2,off c1' \
        'programs were run at each change but of the killed one'

# ---- a host that no line names ----
run "$CTLD" -D -N c9 -f "$DIR/c1/slurm.conf"
tap_like "$rc|$err" '^1\|.*no SlurmctldHost line names c9' 'a controller without a line is refused'
controller_stop c1
controller_stop c2
sed -i '/^store:/d' c2/slumber.yaml
run "$CTLD" -D -N c2 -f "$DIR/c2/slurm.conf"
tap_like "$rc|$err" '^1\|.*c2 is a backup controller, which needs a store in PostgreSQL' 'a backup with files of its own is refused'
tap_done
