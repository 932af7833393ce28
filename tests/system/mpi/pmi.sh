#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# PMI-1.1 and PMI-2 as tasks speak them; what --mpi and MpiDefault offer; a task that speaks garbage
# ends its own step and nothing else.
# shellcheck disable=SC2016 # tasks expand these
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cluster_conf n1 KillWait=1
cd "$DIR" || exit 1
cluster_up 'one node' n1
pmi=$(dirname "$0")/../pmi.py
s() { run timeout 300 srun "$@" </dev/null; }

# ---- what is offered ----
show='env | grep -cE ^PMI_; echo "$PMI_RANK/$PMI_SIZE $PMI_JOBID"'
s -n2 -l sh -c "$show"
tap_is "$(sort <<<"$out")" $'0: 0/2 1.0\n0: 4\n1: 1/2 1.0\n1: 4' 'PMI is offered without --mpi'
s --mpi=pmi2 sh -c "$show"
tap_is "$rc $out" $'0 4\n0/1 2.0' 'by --mpi=pmi2'
PMI_FD=9 s --mpi=none sh -c "$show"
tap_is "$rc $out" $'0 0\n/ ' 'not by --mpi=none, nor is what another step has left'
SLURM_MPI_TYPE=none s sh -c "$show"
tap_is "$rc $out" $'0 0\n/ ' 'SLURM_MPI_TYPE'
s --mpi=bogus true
tap_is "$rc $err" "1 srun: error: Invalid MPI type 'bogus', --mpi=list for acceptable types" \
        'an unknown type is refused'
s bash -c 'ls /proc/self/fd | wc -l; [ "$PMI_FD" -lt 10 ]'
tap_is "$rc $out" '0 5' 'a task has one descriptor more, a low one'
echo "MpiDefault=none" >>slurm.conf; scontrol reconfigure
s sh -c "$show"
tap_is "$rc $out" $'0 0\n/ ' 'MpiDefault=none'
tap_like "$(scontrol show config)" 'MpiDefault +=* none' 'scontrol shows it'
s --mpi=pmi2 sh -c "$show"
tap_like "$rc $out" $'^0 4' 'which --mpi=pmi2 overrides'
sed -i '/MpiDefault/s/none/pmi2/' slurm.conf; scontrol reconfigure

# ---- PMI-1.1 ----
expected() { # RANK
        printf '%s\n' 'cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1' \
                'cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024' \
                'cmd=appnum rc=0 appnum=0' 'cmd=universe_size rc=0 size=3' \
                "cmd=my_kvsname rc=0 kvsname=$id" 'cmd=put_result rc=0 msg=success' \
                'cmd=barrier_out rc=0' \
                'cmd=get_result rc=0 msg=success value=v0' \
                'cmd=get_result rc=0 msg=success value=v1' \
                'cmd=get_result rc=0 msg=success value=v2' \
                'cmd=get_result rc=0 msg=success value=(vector,(0,1,3))' \
                'cmd=get_result rc=-1 msg=key_not_found value=unknown' \
                'cmd=put_result rc=-1 msg=too_long_or_too_many' \
                'cmd=put_result rc=-1 msg=too_long_or_too_many'
        [ "$1" != 0 ] || echo 'cmd=publish_result rc=0 msg=success'
        printf '%s\n' 'cmd=barrier_out rc=0' 'cmd=lookup_result rc=0 msg=success port=p' \
                'cmd=lookup_result rc=-1 msg=service_not_found' 'cmd=barrier_out rc=0'
        [ "$1" != 0 ] || echo 'cmd=unpublish_result rc=0 msg=success'
        printf '%s\n' 'cmd=spawn_result rc=-1 msg=no_spawn_in_a_step' 'cmd=finalize_ack rc=0'
}
s -n3 -o 'one.%t' sh -c 'echo $SLURM_JOB_ID.$SLURM_STEP_ID >id; "$0" one && "$0" one' "$pmi"
id=$(cat id)
for rank in 0 1 2; do
        tap_is "$(cat "one.$rank")" "$(expected "$rank"; expected "$rank")" \
                "task $rank of PMI-1.1, and a second program in it"
done

# ---- PMI-2 ----
s -n2 -o 'two.%t' sh -c 'echo $SLURM_JOB_ID.$SLURM_STEP_ID >id; "$0" two' "$pmi"
id=$(cat id)
for rank in 0 1; do
        tap_is "$(cat "two.$rank")" "$(printf '%s\n' 'cmd=response_to_init rc=0 pmi_version=2 pmi_subversion=0' \
                "cmd=fullinit-response;rc=0;pmi-version=2;pmi-subversion=0;rank=$rank;size=2;appnum=0;debugged=FALSE;pmiverbose=FALSE;" \
                "cmd=job-getid-response;thrid=7;rc=0;jobid=$id;" 'cmd=kvs-put-response;rc=0;'
                if [ "$rank" = 0 ]; then
                        printf '%s\n' 'cmd=kvs-fence-response;thrid=3;rc=0;' 'cmd=info-putnodeattr-response;rc=0;'
                else
                        printf '%s\n' 'cmd=kvs-fence-response;rc=0;' 'cmd=info-getnodeattr-response;thrid=9;rc=0;found=TRUE;value=x;;y;'
                fi
                printf '%s\n' 'cmd=kvs-get-response;rc=0;found=TRUE;value=a;;b=0;' \
                        'cmd=kvs-get-response;rc=0;found=TRUE;value=a;;b=1;' \
                        'cmd=kvs-get-response;rc=0;found=FALSE;value=;' \
                        'cmd=info-getjobattr-response;rc=0;found=TRUE;value=(vector,(0,1,2));' \
                        'cmd=info-getjobattr-response;rc=0;found=TRUE;value=2;' \
                        'cmd=name-lookup-response;rc=-1;errmsg=no such name;' \
                        'cmd=spawn-response;rc=-1;errmsg=not possible in a step;' \
                        'cmd=finalize-response;rc=0;')" "task $rank of PMI-2"
done

# ---- abort ----
init='cmd=init pmi_version=1 pmi_subversion=1'
printf '%s\n' "$init" 'cmd=abort exitcode=7' >abort
cat >one-aborts <<'END'
#!/bin/sh
[ "$SLURM_PROCID" = 1 ] || exec sleep 1000
exec "$1" raw abort
END
chmod 755 one-aborts
s -n3 ./one-aborts "$pmi"
tap_is "$rc" 7 'a task that aborts ends the step with its exit code'
tap_like "$err" 'slurmstepd: error: task 1 has aborted the step with exit code 7' '... and that is said'
tap_like "$err" 'srun: error: n1: task 1: Exited with exit code 7' '... by srun, too'
tap_like "$err" 'srun: error: n1: tasks? 0.*: Killed' '... which names the others'
s -n1 sh -c 'cp abort abort0; sed -i s/=7/=256/ abort0; "$0" raw abort0' "$pmi"
tap_is "$rc" 1 'an abort is never a success'

# ---- garbage ----
srun -n1 sh -c 'touch other; while [ ! -e stop ]; do sleep 0.1; done' &
other=$!
wait_for 20 test -e other
garbage() { # NAME TEXT FORMAT
        printf %b "$3" >garbage
        s --overcommit -n2 sh -c '[ $SLURM_PROCID = 0 ] || exec sleep 1000; exec "$0" raw garbage' "$pmi"
        tap_like "$rc $(grep -m1 slurmstepd <<<"$err")" "^1 slurmstepd: error: task 0: PMI: $2: the step is ended" "$1"
}
garbage 'words that are no command' '"hello" is no command to begin with' 'cmd=hello\n'
garbage 'no words' 'its message is no command' 'hello world\n'
garbage 'a byte 0' 'its message is no command' 'cmd=\0\n'
garbage 'an unknown command' '"get_everything" is no command' "$init"'\ncmd=get_everything\n'
garbage 'no length' 'its message has no length' 'cmd=init pmi_version=2\nabcdef'
garbage 'a length that is too large' 'its message is longer than any may be' 'cmd=init pmi_version=2\n999999'
garbage 'a barrier within a barrier' 'it has entered a barrier twice' "$init"'\ncmd=barrier_in\ncmd=barrier_in\n'
s -n1 "$pmi" big 2147483648
tap_like "$rc $(grep -m1 slurmstepd <<<"$err")" '^1 .*its message is longer than any may be' 'a line of 2 GB'
s -n1 "$pmi" flood
tap_is "$rc $out" '0 waits' 'a flood of requests whose answers are not read has to wait'
s -n1 "$pmi" full
tap_is "$rc $out" '0 full' 'there is an end of keys'
s -n2 sh -c 'eval "exec $PMI_FD>&-"; echo closed'
tap_is "$rc $out" $'0 closed\nclosed' 'a socket that is closed harms nothing'
tap_ok "$(kill -0 "$other"; echo $?)" 'another step has run all the while'
touch stop
wait "$other"
tap_ok $? '... and ends well'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
