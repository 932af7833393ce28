#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each long option that Slurm 22.05 and 25.05 document is carried out or refused by its name, never taken for a typing mistake.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
cd "$DIR" || exit 1
cluster_conf n1

# Nothing is done: the value is one that no option takes, or --help is the end of it.
known() { # COMMAND OPTION...
        local command=$1 option unknown= said
        shift
        for option; do
                said=$("$command" "--$option=x%y" --help 2>&1 >/dev/null </dev/null)
                case $said in *"unrecognized option"* | *"is ambiguous"*) unknown+=" --$option" ;; esac
        done
        tap_is "$unknown" '' "$command knows its options"
}
known sbatch account acctg-freq array batch bb bbf begin chdir cluster-constraint clusters \
        comment constraint container container-id contiguous core-spec cores-per-socket \
        cpus-per-gpu cpus-per-task deadline delay-boot dependency distribution error exclude \
        exclusive export export-file extra extra-node-info get-user-env gid gpu-bind gpu-freq \
        gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags help hint hold \
        ignore-pbs input job-name jobid kill-on-invalid-dep license licenses mail-type mail-user \
        mcs-label mem mem-per-cpu mem-per-gpu mincpus network nice no-kill no-requeue nodefile \
        nodelist nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket \
        ntasks-per-tres open-mode output overcommit oversubscribe parsable partition power \
        prefer priority profile propagate qos quiet reboot requeue reservation resv-ports \
        segment signal sockets-per-node spread-job stepmgr switches test-only thread-spec \
        threads-per-core time time-min tmp tres-bind tres-per-task uid usage use-min-nodes \
        verbose version wait wait-all-nodes wckey wrap
known srun accel-bind account acctg-freq async bb bbf bcast bcast-exclude begin chdir \
        cluster-constraint clusters comment compress constraint container container-id \
        contiguous core-spec cores-per-socket cpu-bind cpu-freq cpus-per-gpu cpus-per-task \
        deadline debugger-test delay-boot dependency disable-status distribution epilog error \
        exact exclude exclusive export external-launcher extra extra-node-info gid gpu-bind \
        gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags help het-group \
        hint hold immediate input interactive job-name jobid kill-on-bad-exit \
        kill-on-invalid-dep label licenses mail-type mail-user mcs-label mem mem-bind \
        mem-per-cpu mem-per-gpu mincpus mpi msg-timeout multi-prog network nice no-allocate \
        no-kill nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node \
        ntasks-per-socket ntasks-per-tres open-mode output overcommit overlap oversubscribe \
        partition power prefer preserve-env priority profile prolog propagate pty qos quiet \
        quit-on-interrupt reboot relative reservation resv-ports segment send-libs signal \
        slurmd-debug sockets-per-node spread-job stepmgr switches task-epilog task-prolog \
        test-only thread-spec threads threads-per-core time time-min tmp treewidth tres-bind \
        tres-per-task uid unbuffered usage use-min-nodes verbose version wait wckey whole x11
known salloc account acctg-freq bb bbf begin bell chdir cluster-constraint clusters comment \
        constraint container container-id contiguous core-spec cores-per-socket cpu-freq \
        cpus-per-gpu cpus-per-task deadline delay-boot dependency distribution exclude exclusive \
        extra extra-node-info get-user-env gid gpu-bind gpu-freq gpus gpus-per-node \
        gpus-per-socket gpus-per-task gres gres-flags help hint hold immediate job-name \
        kill-command kill-on-invalid-dep licenses mail-type mail-user mcs-label mem mem-bind \
        mem-per-cpu mem-per-gpu mincpus network nice no-bell no-kill no-shell nodefile nodelist \
        nodes ntasks ntasks-per-core ntasks-per-gpu ntasks-per-node ntasks-per-socket \
        ntasks-per-tres overcommit oversubscribe partition power prefer priority profile qos \
        quiet reboot reservation resv-ports segment signal sockets-per-node spread-job stepmgr \
        switches thread-spec threads-per-core time time-min tmp tres-bind tres-per-task uid \
        usage use-min-nodes verbose version wait-all-nodes wckey x11
known squeue account all array array-unique clusters expand-patterns federation Format format \
        help hide iterate job jobs json license licenses local long me name noconvert nodelist \
        noheader notme only-job-state partition priority qos reservation sibling sort start \
        states step steps usage user users verbose version yaml
known sinfo all clusters dead exact federation Format format future help hide iterate json \
        list-reasons local long noconvert Node nodes noheader partition reservation responding \
        sort states summarize usage verbose version yaml
known scontrol all cluster clusters details federation future help hide json local oneliner \
        quiet sibling uid verbose version yaml
known scancel account admin-comment batch clusters cron ctld full help hurry interactive jobname \
        me name nodelist partition qos quiet reservation sibling signal state usage user verbose \
        version wckey
known sacct accounts allclusters allocations allusers array associations batch-script brief \
        clusters completion constraints delimiter duplicate duplicates endtime env-vars \
        expand-patterns federation file flags format gid group help helpformat jobs json local \
        long name ncpus nnodes noconvert nodelist noheader parsable parsable2 partition qos \
        starttime timelimit-max timelimit-min truncate uid units usage use-local-uid user \
        verbose version wckeys whole-hetjob yaml
known sacctmgr associations help immediate json noheader oneliner parsable parsable2 quiet \
        readonly verbose version yaml
known sprio cluster clusters federation format help jobs local long noheader norm partition \
        sibling sort usage user users verbose version weights
known sshare accounts all cluster clusters format help helpformat json long noheader parsable \
        parsable2 partition usage Users users verbose version yaml
known sstat allsteps fields format help helpformat jobs noconvert noheader parsable parsable2 \
        pidformat usage verbose version
run sbatch --requeue=expedite --wrap true
tap_is "$rc|$(head -1 <<<"$err")" '255|sbatch: error: --requeue=expedite is not implemented; --requeue alone lets the job start again' 'sbatch --requeue=expedite is refused by name'
known sdiag all cluster help json reset sort-by-id sort-by-time sort-by-time2 usage version yaml
tap_done
