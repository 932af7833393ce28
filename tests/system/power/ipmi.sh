#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A cluster that sleeps, with real BMCs on UDP: jobs wake nodes, idle nodes go off and are read back; what happens when a
# node never registers, a BMC is gone, lies, or has another password; and a ResumeProgram written for Slurm.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
command -v ipmi_sim >/dev/null || tap_skip_all 'ipmi_sim is not installed (package openipmi)'
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

bmcfarm=$SLUMBER_SOURCE/tests/tools/bmcfarm
farm=$DIR/farm
power=$SLUMBER_BUILD/power/slumber-power
cluster_conf 'n[1-5]' 'NodeName=n[1-5] NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000 State=CLOUD' SelectType=select/linear \
        SelectTypeParameters= SuspendTime=4 SuspendTimeout=4 ResumeTimeout=60 SuspendRate=0 ResumeRate=0 \
        "SuspendProgram=$power" "ResumeProgram=$power" "yaml console_dir: $farm/console" \
        'yaml boot_retries: 0'
cd "$DIR" || exit 1
export SIMNODE=$SLUMBER_BUILD/tests/tools/simnode
at_exit cluster_end
at_exit "$bmcfarm" stop "$farm"
"$bmcfarm" start "$farm" 5 --net "$NET" --port 6230 --set session=2s --set retransmit=700ms --set deadline=8s -- \
        "$SLUMBERD" -D -b -f "$SLURM_CONF" -N %n --socket "$DIR/%n.sock" -L "$DIR/log/%n"
tap_ok $? 'five BMCs' || tap_done
ln -s farm/power.yaml farm/password .
ctld_start
tap_ok $? 'a controller with power saving' || { cluster_logs; tap_done; }
state() { sinfo -h -N -n "$1" -o %t | head -1; }
is() { [[ $(state "$1") =~ ^($2)$ ]]; }
tap_is "$(sinfo -h -o '%t %D %N')" 'idle~ 5 n[1-5]' 'all nodes begin off'

# ---- wake, work, sleep ----
a=$(sbatch --parsable -N2 -w 'n[1-2]' --wrap 'touch began; until [ -e enough ]; do sleep 0.05; done')
wait_for 10 is n1 'alloc#'
tap_ok $? "a job wakes its nodes: $(sinfo -h -n 'n[1-2]' -o %t)"
wait_job 20 "$a" RUNNING && wait_for 20 test -e began
tap_is "$? $(state n1) $(state n2) $(state n3)" '0 alloc alloc idle~' 'they boot, register, and it runs; the others sleep on'
tap_is "$("$power" status 'n[1-5]')" $'n[1-2]: on\nn[3-5]: off' 'their BMCs say so'
bmc() { scontrol -o show power "$1" | grep -o 'BmcPower=[a-z]*'; }
tap_is "$(bmc n1)" 'BmcPower=on' 'and so does show power: what slumber-power has read back is a reading'
touch enough && wait_job 20 "$a" COMPLETED
wait_for 20 eval '[ "$("$power" status "n[1-2]")" = "n[1-2]: off" ]'
tap_ok $? 'idle nodes are switched off, says their BMC'
wait_for 20 is n1 'idle~' && wait_for 20 is n2 'idle~'
tap_is "$? $(bmc n1) $(bmc n2)" '0 BmcPower=off BmcPower=off' 'and are idle~ again'
tap_like "$(cut -d' ' -f3 farm/n1/events | tr '\n' ' ')" '^on command told-off off $' 'one power-on, one power-off'

# ---- what goes wrong ----
"$bmcfarm" fault "$farm" n3 --boot-delay 600000
"$bmcfarm" stick "$farm" n4 off
"$bmcfarm" kill-bmc "$farm" n5
lost() { # NODE
        wait_for 60 is "$1" 'down~|down%|down[$]'
        tap_ok $? "$1 does not come up: $(state "$1")"
}
c=$(sbatch --parsable -w n4 --requeue --wrap true)
d=$(sbatch --parsable -w n5 --requeue --wrap true)
lost n4 && lost n5
# ResumeTimeout alone notices what is on and says nothing; nodes that are to come up have long enough.
sed -i 's/^ResumeTimeout=.*/ResumeTimeout=10/' slurm.conf && scontrol reconfigure
b=$(sbatch --parsable -w n3 --requeue --wrap true)
lost n3
sed -i 's/^ResumeTimeout=.*/ResumeTimeout=60/' slurm.conf && scontrol reconfigure
reason() { scontrol show node "$1" | sed -n 's/^ *Reason=//p'; }
tap_like "$(reason n3)" 'ResumeTimeout reached.*console at 20[-0-9T:]*: .*([Ff]irmware|FIRMWARE)' "n3's Reason has what its console said: $(reason n3 | cut -c1-120)"
tap_like "$(reason n4) $(reason n5)" '^no-power: .* no-power: ' "the others what slumber-power says: $(reason n4), $(reason n5)"
tap_is "$(job_state "$b") $(job_state "$c") $(job_state "$d")" 'PENDING PENDING PENDING' 'their jobs are in the queue again'
tap_like "$(job_show "$b" %R)" 'ReqNodeNotAvail|Resources|BeginTime' 'with a reason'
scancel "$b" "$c" "$d"
e=$(sbatch --parsable -w n1 --wrap true) && wait_job 30 "$e" COMPLETED
tap_ok $? 'nodes without fault serve on'

# the fault is gone, the administrator says so
"$bmcfarm" start-bmc "$farm" n5
wait_for 10 is n5 'down~'
scontrol update NodeName=n5 State=RESUME
wait_for 20 is n5 'idle~' && f=$(sbatch --parsable -w n5 --wrap true) && wait_job 30 "$f" COMPLETED
tap_ok $? "a BMC that came back wakes its node ($(state n5))"

# ---- another password ----
wait_for 60 is n1 'idle~' # what is refused while it goes off is tried again after a minute
mv farm/password farm/right && (umask 077 && echo wrong >farm/password)
g=$(sbatch --parsable -w n2 --requeue --wrap true)
wait_for 40 eval '[[ $(job_show "$g" %R) = *"password refused"* ]]'
tap_like "$? $(state n2)" '^0 idle~$' "with a wrong password no node comes up, or goes DOWN for it: $(job_show "$g" %R)"
tap_like "$(grep 'ResumeProgram for n2' log/ctld | tail -1)" 'exit status 2' 'the log of the controller has the failure'
run "$power" on n2
tap_like "$rc $err" "^2 slumber-power: error: n2: password refused by BMC 127.$NET.0.2:6230" 'and slumber-power says why'
mv -f farm/right farm/password
wait_job 60 "$g" COMPLETED
tap_ok $? 'with the right one waking goes on by itself'

# ---- a ResumeProgram written for Slurm ----
ctld_stop
cat >resume.sh <<END_OF_PROGRAM
#!/bin/bash
env | grep -vE '^(_|PWD|SHLVL)=' | cut -d= -f1 | sort | paste -sd' ' >$DIR/environment
cp "\$SLURM_RESUME_FILE" $DIR/resume.json
pwd >$DIR/folder
echo "\$@" >$DIR/arguments.tmp && mv $DIR/arguments.tmp $DIR/arguments
exec $power "\$@"
END_OF_PROGRAM
chmod 755 resume.sh
sed -i "s|^ResumeProgram=.*|ResumeProgram=$DIR/resume.sh|" slurm.conf
ctld_start && wait_for 30 is n1 'idle~'
h=$(sbatch --parsable -w n1 --exclusive --wrap true) && wait_for 20 test -s arguments
tap_is "$(cat arguments)" n1 'it gets the nodes as its argument'
tap_is "$(cat folder)" "$DIR/state" 'it begins in StateSaveLocation, where SlurmctldLogFile names no folder'
tap_is "$(cat environment)" 'SLUMBER_DEADLINE SLUMBER_RESULT_FD SLURM_CONF SLURM_RESUME_FILE' "its environment is Slurm's, SLUMBER_RESULT_FD and SLUMBER_DEADLINE"
tap_is "$(/usr/bin/python3 -c 'import json, sys
f = json.load(open(sys.argv[1]))
print(sorted(f), [sorted(j) for j in f["jobs"]], f["all_nodes_resume"], [(j["job_id"], j["nodes_alloc"], j["nodes_resume"], j["partition"]) for j in f["jobs"]])' resume.json)" \
        "['all_nodes_resume', 'jobs'] [['extra', 'features', 'job_id', 'nodes_alloc', 'nodes_resume', 'oversubscribe', 'partition', 'reservation']] n1 [($h, 'n1', 'n1', 'main')]" \
        'SLURM_RESUME_FILE has the keys of Slurm'
wait_job 30 "$h" COMPLETED
tap_ok $? 'and the job runs'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
