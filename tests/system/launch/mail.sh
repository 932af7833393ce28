#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --mail-type and --mail-user: MailProg hears of jobs in Slurm's words, and one that hangs delays no other.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"
cd "$DIR" || exit 1
cat >mailprog <<END
#!/bin/sh
umask 0
id -un >"$DIR/box/user"
env >"$DIR/box/env.\$SLURM_JOB_ID.\$SLURM_JOB_MAIL_TYPE"
printf '%s|' "\$@" >"$DIR/box/tmp.\$\$" && echo >>"$DIR/box/tmp.\$\$" && mv "$DIR/box/tmp.\$\$" "$DIR/box/mail.\$\$"
case \$2 in *hang*) exec sleep 1000 ;; esac
END
mkdir -m 1777 box
chmod 755 mailprog
for bad in /none/mail mail; do
        cluster_conf n1 MailProg=$bad
        ctld_start && ctld_stop
        tap_like "$(cat "$DIR/log/ctld")" "warning: MailProg: .*$bad.*: no mail will be sent" "MailProg=$bad: the log says so at the start"
        rm -f "$DIR/log/ctld"
done
cluster_conf n1 MailProg="$DIR/mailprog"
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a node' || { cluster_logs; tap_done; }
mails() { cat box/mail.* 2>/dev/null | grep -E -- "$1"; }
mailed() { # PATTERN NAME [SECONDS]
        pattern=$1
        wait_for "${3:-20}" eval 'mails "$pattern" >found'
        tap_ok $? "$2: $(tail -1 found)" || cat box/mail.*
}
ours() { sbatch -Q --parsable -o /dev/null "$@"; }

# This job's limit is a minute, the least that there is: it runs while the other mails are looked at.
t=$(ours -t 1 --mail-type=TIME_LIMIT,TIME_LIMIT_50,TIME_LIMIT_80,TIME_LIMIT_90 -J limit --wrap 'exec sleep 1000')
tap_like "$(scontrol show job "$t")" ' MailType=TIME_LIMIT_50,TIME_LIMIT_80,TIME_LIMIT_90,TIME_LIMIT' \
        'show job has parts of the time limit'
a=$(ours --mail-type=ALL --mail-user=me@example.org -J good --wrap true)
mailed "^-s\|Slurm Job_id=$a Name=good Began, Queued time 00:00:[0-9]{2}\|me@example.org\|$" 'a job begins'
mailed "^-s\|Slurm Job_id=$a Name=good Ended, Run time 00:00:[0-9]{2}, COMPLETED, ExitCode 0\|me@example.org\|$" '... and ends'
variables() { # JOB TYPE NAME=VALUE...: MailProg has had them
        local file=box/env.$1.$2 pair missing=
        for pair in "${@:3}"; do grep -qxE -- "SLURM_$pair" "$file" || missing+=" $pair"; done
        tap_is "$missing" '' "MailProg has the variables of a job that has $2" || sed 's/^/# /' "$file"
}
common=("CLUSTER_NAME=slumber" "JOB_ID=$a" "JOBID=$a" JOB_NAME=good "JOB_USER=$(id -un)" "JOB_UID=$(id -u)" "JOB_GROUP=$(id -gn)"
        "JOB_GID=$(id -g)" 'JOB_ACCOUNT=.+' JOB_PARTITION=main JOB_NODELIST=n1 JOB_NUM_NODES=1 JOB_RESTART_COUNT=0
        "JOB_WORK_DIR=$DIR" JOB_STDIN=/dev/null JOB_STDOUT=/dev/null)
variables "$a" Began "${common[@]}" JOB_MAIL_TYPE=Began JOB_STATE=RUNNING 'JOB_QUEUED_TIME=00:00:..' 'JOB_CPUS_PER_NODE=[0-9]+'
variables "$a" Ended "${common[@]}" JOB_MAIL_TYPE=Ended JOB_STATE=COMPLETED 'JOB_RUN_TIME=00:00:..' JOB_EXIT_CODE=0 \
        JOB_EXIT_CODE2=0:0 JOB_EXIT_CODE_MAX=0 JOB_DERIVED_EC=0
tap_like "$(scontrol show job "$a")" '   MailUser=me@example.org MailType=INVALID_DEPEND,BEGIN,END,FAIL,REQUEUE,STAGE_OUT' 'show job has it'
b=$(ours --mail-type=fail,begin -J "b a'd; \$(x)" --wrap 'exit 3')
mailed "^-s\|Slurm Job_id=$b Name=b a'd; \\$\(x\) Failed, Run time 00:00:[0-9]{2}, FAILED, ExitCode 3\|$(id -un)\|$" 'a failure, to its user; the name is not looked into'
variables "$b" Failed JOB_MAIL_TYPE=Failed JOB_STATE=FAILED JOB_EXIT_CODE=768 JOB_EXIT_CODE2=3:0 JOB_EXIT_CODE_MAX=3
c=$(ours --mail-type=END -J end --wrap 'exit 2')
mailed "Job_id=$c Name=end Ended, Run time .*, FAILED, ExitCode 2\|" 'END alone reports a failure so'
d=$(ours --mail-type=FAIL -J quiet --wrap true)
e=$(ours --mail-type=END -J cut --wrap 'exec sleep 1000')
wait_job 20 "$e" RUNNING && scancel "$e"
mailed "Job_id=$e Name=cut Ended, Run time 00:00:[0-9]{2}, CANCELLED, ExitCode 0\|" 'cancelled'
r=$(ours --mail-type=REQUEUE -J again --wrap 'exec sleep 1000')
wait_job 20 "$r" RUNNING && scontrol requeue "$r"
mailed "Job_id=$r Name=again Requeued, Run time 00:00:[0-9]{2}\|" 'requeued'
scancel "$r"
f=$(ours --mail-type=BEGIN,END -J arr -a 1-3 --wrap 'exit $((SLURM_ARRAY_TASK_ID - 1))')
mailed "Slurm Array Summary Job_id=${f}_\* \($f\) Name=arr Ended, Mixed, ExitCode \[0-2\]\|" 'an array is one'
mailed "Array Summary Job_id=${f}_.* Began" '... at its beginning too'
mailed "Array Summary Job_id=${f}_\* \($f\) Name=arr Began\|" '... in Slurm'"'"'s words'
last=$(grep -lx "SLURM_ARRAY_JOB_ID=$f" box/env.*.Ended | sed 's/.*env\.\([0-9]*\).*/\1/')
variables "$last" Ended "ARRAY_JOB_ID=$f" ARRAY_TASK_COUNT=3 ARRAY_TASK_MIN=1 ARRAY_TASK_MAX=3 ARRAY_TASK_STEP=1 'ARRAY_TASK_ID=[1-3]' \
        JOB_EXIT_CODE_MIN=0 JOB_EXIT_CODE_MAX=2
tap_is "$(mails "Array Summary Job_id=${f}_.* Began" | wc -l) $(mails "Job_id=${f}_" | wc -l)" '1 2' 'and that is all'
g=$(ours --mail-type=END,ARRAY_TASKS -J each -a 4,5 --wrap true)
mailed "Slurm Array Task Job_id=${g}_4 \([0-9]+\) Name=each Ended, Run time .*, COMPLETED, ExitCode 0\|" 'or each of its tasks'
mailed "Slurm Array Task Job_id=${g}_5 \([0-9]+\) Name=each Ended" '... all of them'
tap_is "$(mails "Job_id=$d ")" '' 'of a job that did not fail FAIL says nothing'
for i in 1 2 3; do ours --mail-type=END -J "hang$i" --wrap true >/dev/null; done
h=$(ours --mail-type=END -J after --wrap true)
mailed 'Name=hang3 ' 'programs that hang'
mailed "Job_id=$h Name=after Ended" '... do not hold up the next'
for bad in -oX '|id >file' /tmp/file +box '"a b"@c' a,; do
        run sbatch --mail-type=END --mail-user="$bad" --wrap true
        tap_like "$rc $err" '^1 .*--mail-user=.*NAME or NAME@DOMAIN was expected' "$bad is no address"
done
run sbatch --mail-type=TIME_LIMIT_70 --wrap true
tap_like "$rc $err" '^[1-9].*Invalid --mail-type specification' 'another word is refused'
n=$(ours --mail-type=INVALID_DEPEND -J never -d "afterok:$b" --wrap true)
mailed "^-s\|Slurm Job_id=$n Name=never Invalid dependency\|" 'a dependency that can never be met'
scancel "$n"
for part in 50% 80% 90%; do
        mailed "^-s\|Slurm Job_id=$t Name=limit Reached $part of time limit, Run time 00:00:[0-9]{2}\|" \
                "$part of the time limit" 60
done
mailed "^-s\|Slurm Job_id=$t Name=limit Reached time limit, Run time 00:0[01]:[0-9]{2}\|" 'the whole time limit'
variables "$t" 'Reached time limit' 'JOB_MAIL_TYPE=Reached time limit' JOB_STATE=TIMEOUT 'JOB_RUN_TIME=00:0[01]:..'
run env SLURM_CONF="$DIR/slurm.conf" scontrol show config
tap_like "$out" "MailProg +=  ?$DIR/mailprog" 'show config has MailProg'
w=$(ours --mail-type=END -J kept -H --wrap true)
ctld_kill9
ctld_start && scontrol release "$w"
mailed "Job_id=$w Name=kept Ended" 'a wish outlives the controller'
[ "$(id -u)" != 0 ] || tap_is "$(cat box/user)" nobody 'MailProg has no rights of the controller'
mv mailprog mail.mailutils && ln -sf mail.mailutils mailprog
echo MailDomain=example.org >>slurm.conf
scontrol reconfigure
x=$(ours --mail-type=END -J domain --wrap true)
mailed "^-s\|Slurm Job_id=$x Name=domain Ended.*\|--\|$(id -un)@example.org\|$" 'MailDomain is behind the user, and -- before, where MailProg is known to take it'
y=$(ours -H --wrap true)
update_refused "$y" 'NAME or NAME@DOMAIN was expected' MailUser='|id >file'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
