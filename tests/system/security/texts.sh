#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Texts of users that reach programs with more rights: each row of SECURITY.md's list has a test, and those of this one are tried
# here, with a name that a shell, a mail program or a parser of JSON would obey.
# shellcheck disable=SC2317,SC2001 # functions are called by their rows' names
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
[ "$(id -u)" = 0 ] || tap_skip_all 'needs root'
at_exit cluster_end
cd "$DIR" || exit 1
chmod 755 "$DIR"
mkdir -m 1777 got
# Notes its arguments and environment, each ended by a zero byte; is hooked in by the name of its row.
for program in MailProg PrologSlurmctld EpilogSlurmctld Prolog Epilog ResumeProgram HealthCheckProgram strigger; do
        cat >$program <<END
#!/bin/bash
umask 0
{ printf '%s\\0' "\$@"; echo; cat "/proc/\$\$/environ"; echo; cat; [ ! -e "\$SLURM_RESUME_FILE" ] || cat "\$SLURM_RESUME_FILE"; } >$DIR/got/$program.new 2>&1
mv $DIR/got/$program.new $DIR/got/$program
END
        chmod 755 $program
done
evil=$'\'"; touch pwned; $(touch pwned) `touch pwned` |touch pwned\\ {"a":1}, %s -- -X'
printf '%s\n' 'function slurm_job_submit(d) slurm.log_info("name is %s", d.name); return slurm.SUCCESS end' \
        'function slurm_job_modify() return slurm.SUCCESS end' >job_submit.lua
cluster_conf 'n1' 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000' 'NodeName=c1 CPUs=1 State=CLOUD' MailProg="$DIR/MailProg" \
        PrologSlurmctld="$DIR/PrologSlurmctld" EpilogSlurmctld="$DIR/EpilogSlurmctld" Prolog="$DIR/Prolog" Epilog="$DIR/Epilog" \
        ResumeProgram="$DIR/ResumeProgram" SuspendProgram=/bin/true SuspendTime=600 ResumeTimeout=600 SuspendExcNodes=n1 \
        HealthCheckProgram="$DIR/HealthCheckProgram" HealthCheckInterval=1 JobSubmitPlugins=lua
cluster_up 'a cluster with programs of the site' n1
words=(-J "$evil" --comment "$evil" --extra "$evil" -o /dev/null)
id=$(sbatch --parsable "${words[@]}" --mail-type=END -w n1 -H --wrap true)
strigger --set --fini --jobid="$id" --program="$DIR/strigger"
sbatch -Q "${words[@]}" -w c1 --wrap true
scontrol release "$id"
wait_job 20 "$id" COMPLETED
tap_ok $? 'a job with such a name runs'
has() { # PROGRAM REGEX: in what it was given, which it has been by now
        wait_for 40 test -e "got/$1" && tr '\0' '\n' <"got/$1" | grep -qE -- "$2"
}
whole="$(sed 's/[][\\.*^$+?(){}|]/\\&/g' <<<"$evil")"
_MailProg() { has MailProg "Name=$whole Ended" && has MailProg '^root$'; }
_PrologSlurmctld() { has PrologSlurmctld "^SLURM_JOB_NAME=$whole\$" && has EpilogSlurmctld "^SLURM_JOB_NAME=$whole\$"; }
_Prolog() { has Prolog "^SLURM_JOB_ID=$id\$" && has Epilog "^SLURM_JOB_ID=$id\$"; }
_SuspendProgram() { # argument, environment, JSON
        has ResumeProgram '^c1$' && sed -n '/^{/,$p' got/ResumeProgram | tr -d '\0' |
                python3 -c 'import json, sys; d = json.load(sys.stdin); assert d["all_nodes_resume"] == "c1", d'
}
_strigger() { has strigger "^$id\$" && ! has strigger 'touch pwned'; }
_job_submit.lua() { grep -qF "name is $evil" log/ctld; }
_HealthCheckProgram() { has HealthCheckProgram . && ! has HealthCheckProgram 'touch pwned'; }

rows=$(sed -n '/^## Texts that reach programs/,/^## What is not/s/^| \([^|]*[^ |]\) *|.*| \([a-z]*\/[a-z0-9-]*\) |$/\2 \1/p' "$SLUMBER_SOURCE/SECURITY.md")
tap_like "$(wc -l <<<"$rows")" '^1[0-9]$' 'SECURITY.md has the list'
while read -r test row; do
        first=${row%%[, ]*}
        case $row in programs\ of\ strigger) first=strigger ;; esac
        if [ "$test" = security/texts ]; then
                "_$first"
                tap_ok $? "$row: a text is a text" || tr '\0' '\n' <"got/$first" | sed 's/^/# /'
        else
                [ -e "$SLUMBER_SOURCE/tests/system/$test.sh" ]
                tap_ok $? "$row: $test is its test"
        fi
done <<<"$rows"
find . -name pwned | grep .
tap_ok $((! $?)) 'nothing of it has been run'
tap_done
