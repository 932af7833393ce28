#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The words of commands beside those of a real Slurm: the same command lines on two clusters of the same size; what both say must
# be the same but for what is named here.  Skipped where Slurm's packages are not installed.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/realslurm.sh
. "$(dirname "$0")/../realslurm.sh"
real_slurm_find
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"

host=$(hostname -s)
REAL_PORT=$((PORT + 1))
real_slurm_conf "NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((PORT + 2))-$((PORT + 3))] CPUs=4 RealMemory=1000" \
        'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP'
real_munge_start
tap_ok $? 'munged' || tap_done
at_exit _real_end "$DIR/real/run/ctld.pid" 20
SLURM_CONF=$DIR/real/slurm.conf "$REAL_CTLD" -c -f "$DIR/real/slurm.conf"
for n in n1 n2; do
        at_exit _real_end "$DIR/real/run/$n.pid" 20
        SLURM_CONF=$DIR/real/slurm.conf "$REAL_SLURMD" -N $n -f "$DIR/real/slurm.conf"
done
real_idle() { [ "$(real sinfo -h -o "%t %D" 2>/dev/null)" = "idle 2" ]; }
wait_for 30 real_idle
tap_ok $? "a cluster of $("$REAL_CTLD" -V)" || { sed 's/^/# /' "$DIR/real/log/ctld"; tap_done; }
cluster_conf n[1-2] "SlurmctldHost=$host(127.0.0.1)"
cluster_up 'one of Slumber' n1 n2

# What is left out on both sides: plug-ins that say that they are loaded, the name of the plug-in before a line of srun's, dates,
# the wait for resources (which Slumber often has at once), and the lines with which Slumber tells more of an error.
plain() {
        sed -E -e '/: (select|auth|hash|route|mpi|topology|accounting_storage|cred)\/[a-z_0-9]+: /d' -e '/launch_p_step_launch/d' \
                -e '/(queued and waiting for|has been allocated) resources$/d' -e '/^salloc: (Pending job allocation|Job allocation .* has been revoked)/d' \
                -e '/error: node [a-z]+ is not configured$/d' -e '/^sbatch: error: dependency "/d' \
                -e '/^Invalid time specification/d' -e 's/(Invalid --begin specification): .*/\1/' -e 's/^scancel: error: (Unknown job signal)/\1/' \
                -e 's|launch/slurm: _[a-z_]+: ||' -e 's/^(\/usr\/bin\/)?([a-z]+): /\2: /' \
                -e 's/20[0-9]{2}-[0-9-]+T[0-9:]{8}/TIME/g' -e 's/^Try "\/usr\/bin\//Try "/' "$1"
}
# beside NAME COMMAND...: both say the same on standard output and standard error, with the same exit code
beside() {
        local name=$1 ours theirs
        shift
        [ "$name" != verbose ] || wait_for 30 real_idle # so that both take the first node
        timeout 30 "$@" >ours.out 2>ours.err </dev/null
        echo "exit $?" >>ours.err
        SLURM_CONF=$DIR/real/slurm.conf timeout 30 "/usr/bin/$1" "${@:2}" >real.out 2>real.err </dev/null
        echo "exit $?" >>real.err
        ours=$(plain ours.out; plain ours.err) theirs=$(plain real.out; plain real.err)
        [ "$ours" = "$theirs" ]
        tap_ok $? "$name: $*" || diff <(echo "$theirs") <(echo "$ours") | sed 's/^/# /'
}

# ---- errors that programs look for ----
for words in 'squeue -j 99' 'squeue --job 99' 'squeue -j foo' 'squeue -t foo' 'squeue --steps foo' 'squeue --pri=1' 'squeue --bogus' \
        'squeue -O bogus' 'squeue -p zz' 'sinfo -p zz' 'sinfo -n zz' 'sinfo --bogus' 'scancel 99' 'scancel foo' 'scancel -v 99' \
        'scancel -s ZZ 1' 'scancel' 'scontrol show job 99' 'scontrol show node zz' 'scontrol show partition zz' \
        'scontrol show ReservationName=zz' 'scontrol show bogus' 'scontrol bogus' 'scontrol update jobid=99 nice=1' 'scontrol hold 99' \
        'scontrol show jobid 1 2' 'scontrol requeue 99' 'scontrol notify 99 x' 'scontrol wait_job 99' 'scontrol show hostnames n[1-3]' \
        'scontrol show hostlist n1,n2,n3' 'scontrol ping' 'scontrol update partitionname=zz state=up' 'scontrol update nodename=zz state=idle' \
        'srun -p zz true' 'srun -w zz true' 'srun --bogus true' 'srun -n foo true' 'srun -t foo true' 'srun' \
        'sbatch -p zz --wrap true' 'sbatch --bogus' 'sbatch /nonexistent' 'sbatch -t foo --wrap true' \
        'sbatch --mem=foo --wrap true' 'sbatch -d foo --wrap true' 'sbatch --begin=foo --wrap true' 'salloc -p zz true' \
        'srun --jobid=99 true' 'sbatch --mem=1T --wrap true'; do
        # shellcheck disable=SC2086
        beside words $words
done

# ---- what srun -v and its kin tell; both clusters are at the same job id ----
ours=$(sbatch --parsable -o /dev/null --wrap true) theirs=$(real sbatch --parsable -o /dev/null --wrap true)
while [ "$ours" -lt "$theirs" ]; do ours=$(sbatch --parsable -o /dev/null --wrap true); done
while [ "$theirs" -lt "$ours" ]; do theirs=$(real sbatch --parsable -o /dev/null --wrap true); done
tap_is "$ours" "$theirs" 'the next job has the same id on both'
wait_for 30 eval '[ -z "$(squeue -h)$(real squeue -h)" ]'
tap_ok $? 'no job is left'
beside verbose srun -v true
beside verbose srun -v sh -c 'echo out; exit 3'
beside verbose salloc -v true
beside verbose sbatch -v -o /dev/null --wrap true
beside verbose scontrol -v ping

# ---- options: each that Slurm's --help names is known, done or refused by name; headings are the same ----
for command in srun sbatch salloc squeue sinfo scancel scontrol sprio sshare sdiag sstat sacctmgr; do
        real $command --help >real.help 2>&1
        unknown=
        for option in $(grep -oE '(^|[ ,])--[a-zA-Z0-9][a-zA-Z0-9_-]*' real.help | tr -d ' ,' | sort -u); do
                case $option in --help | --usage | --version) continue ;; esac
                run timeout 10 $command "$option=" --help </dev/null
                [[ $err == *"unrecognized option"* || $err == *"is ambiguous"* ]] && unknown+=" $option"
        done
        tap_is "$unknown" '' "$command knows each option of Slurm's --help"
done
for command in srun sbatch salloc squeue sinfo scancel scontrol; do
        headings() { grep -E '^[A-Z][A-Za-z/ -]* options:|^    Valid <.*> values are:' | sed 's/ *(.*//; s/ *$//'; }
        tap_is "$($command --help | headings)" "$(real $command --help 2>&1 | headings)" "$command --help has Slurm's headings"
done
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
