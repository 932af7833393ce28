#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PowerDownOnIdle with real programs and agents: the guide's three cases in which a node falls idle.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1

# What the programs are asked for; the machine's part is played below.
for p in resume suspend; do
        printf '#!/bin/sh\necho "$1" >>"%s/%s.log"\n' "$DIR" $p >$p
        chmod 755 $p
done
chmod 755 "$DIR"
cluster_conf 'n[1-3]' 'NodeName=n[1-3] NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=CLOUD' SelectTypeParameters=CR_CPU \
        "SuspendProgram=$DIR/suspend" "ResumeProgram=$DIR/resume" SuspendTime=600 SuspendTimeout=1 ResumeTimeout=60 SuspendRate=0 \
        ResumeRate=0 'PartitionName=shared Nodes=n1 PowerDownOnIdle=YES'
cat >>"$SLURM_CONF" <<'END'
PartitionName=own Nodes=n2 PowerDownOnIdle=YES ExclusiveUser=YES
PartitionName=whole Nodes=n3 PowerDownOnIdle=YES OverSubscribe=EXCLUSIVE
END
ctld_start
tap_ok $? 'a controller' || { cluster_logs; tap_done; }

asked() { [ "$(grep -cx "$2" "$1.log" 2>/dev/null)" = "$3" ]; } # PROGRAM NODE TIMES
sub() { sbatch --parsable -n1 -o /dev/null "$@"; }
stays() { # OPTIONS: a job that ends when the file of its number is there
        sub "$@" --wrap "until [ -e $DIR/\$SLURM_JOB_ID.end ]; do sleep 0.02; done"
}
finish() { : >"$1.end" && wait_job 20 "$1" COMPLETED; }
boot() { agent_start "$1" -b; }
off() { # NODE TIMES: suspended for the so manieth time
        wait_for 20 asked suspend "$1" "$2" && agent_stop "$1"
}

a=$(stays -p shared)
b=$(stays -p shared)
wait_for 20 asked resume n1 1 && boot n1 && wait_job 20 "$a" RUNNING && wait_job 20 "$b" RUNNING
tap_is "$?|$(sinfo -h -N -n n1 -o %t)" '0|alloc!' 'a job gets the node: it is to go off'
c=$(stays -p shared)
finish "$a" && wait_job 20 "$c" RUNNING
tap_is "$?|$(wc -l 2>/dev/null <suspend.log)" '0|' 'not between jobs: another may come while one runs'
finish "$b" && finish "$c" && off n1 1
tap_ok $? 'case 1: when the last one has ended, without waiting for SuspendTime'

if [ "$(id -u)" = 0 ]; then
        a=$(stays -p own)
        wait_for 20 asked resume n2 1 && boot n2 && wait_job 20 "$a" RUNNING
        c=$(stays -p own)
        b=$(sub --uid=65534 -p own --wrap true)
        wait_job 20 "$c" RUNNING
        tap_is "$?|$(sinfo -h -N -n n2 -o %t)|$(job_state "$b")" '0|alloc!|PENDING' 'ExclusiveUser: the user has more jobs there, another user waits'
        finish "$a"
        tap_is "$?|$(job_state "$c") $(job_state "$b")|$(asked suspend n2 0 && echo on)" '0|RUNNING PENDING|on' 'it stays on while one of them runs'
        finish "$c" && off n2 1
        tap_like "$?|$(job_state "$b")" '^0\|(PENDING|CONFIGURING)$' 'case 2: it goes off before the other user has it'
        wait_for 20 asked resume n2 2 && boot n2 && wait_job 20 "$b" COMPLETED && off n2 2
        tap_ok $? '... for which it is woken, and off again'
else
        echo '# other users need root'
fi

a=$(stays -p whole)
wait_for 20 asked resume n3 1 && boot n3 && wait_job 20 "$a" RUNNING
b=$(sub -p whole --wrap true)
finish "$a" && off n3 1
tap_like "$?|$(job_state "$b")" '^0\|(PENDING|CONFIGURING)$' 'case 3: OverSubscribe=EXCLUSIVE: off between two jobs'
wait_for 20 asked resume n3 2 && boot n3 && wait_job 20 "$b" COMPLETED && off n3 2
tap_ok $? '... and on for the next, and off'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
