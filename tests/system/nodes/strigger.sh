#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# strigger: what is refused, what is shown; programs run once, with their argument, also when the controller is killed; which
# user may set, see and remove them.  Events of nodes are gathered for 15 s, so it takes longer than that.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
chmod 755 "$DIR"; cd "$DIR" || exit 1
cluster_conf 'n[1-2]'
cluster_up 'a cluster' n1 n2
me=$(id -un)

# What it was called with; it ends when it is told to, so that a kill meets it while it runs.
cat >note <<END
#!/bin/bash
echo "\$* \$(id -u) \$PATH \$USER \$SLURM_CONF" >>"$DIR/notes"
[ "\$1" != slow ] || until [ -e "$DIR/go" ]; do sleep 0.05; done
END
chmod 755 note; : >notes; chmod 666 notes
noted() { # TEXT: once at least
        grep -qF "$1" notes
}
header='TRIG_ID RES_TYPE   RES_ID TYPE                                OFFSET USER     FLAGS PROGRAM'

run strigger
tap_is "$rc|$err" '1|strigger: error: You must use exactly one of the following options: --set, --get or --clear' 'nothing asked for'
run strigger --set --down
tap_is "$rc|$err" '1|strigger: error: You must specify a --program value' 'no program'
run strigger --set --down -p true
tap_is "$rc|$err" '1|strigger: error: The --program value must start with "/"' 'a relative program'
run strigger --set --down -p "$DIR/none"
tap_is "$rc|$err" '1|strigger: error: Invalid --program value, file not found' 'a program that is missing'
run strigger --set --fini -p "$DIR/note"
tap_is "$rc|$err" '1|strigger: error: You must specify a --jobid value' 'an event of no job'
run strigger --set --fini -j 99 -p "$DIR/note"
tap_is "$rc|$err" '1|slurm_set_trigger: Invalid job id specified' 'an unknown job'
run strigger --set --down -nn9 -p "$DIR/note"
tap_is "$rc|$err" '1|strigger: error: node n9 is not configured
slurm_set_trigger: Invalid node name specified' 'an unknown node'
run strigger --set --down -p "$DIR/note" --flags=foo
tap_is "$rc|$err" '1|strigger: error: Invalid flags foo' 'an unknown flag'
run strigger --clear -j1 --down
tap_like "$rc|$err" '^1\|.*--clear removes all triggers' 'an event to clear'
run strigger --get -p /x
tap_like "$rc|$err" '^1\|.*--program and --offset have no meaning without --set' 'a program to show'
run strigger --set -i1 --down -p "$DIR/note"
tap_like "$rc|$err" '^1\|.*--id and --user have no meaning with --set' 'a number to set'
run strigger --set --primary_slurmdbd_failure -p "$DIR/note"
tap_like "$rc|$err" '^1\|.*this event never happens: slumberctld keeps the accounts itself' 'an event that never happens'
run strigger --get
tap_is "$rc|$out|$err" '0||' 'no triggers, no heading'
run strigger --clear --id=5
tap_is "$rc|$err" '1|slurm_clear_trigger: No such process' 'a trigger that is not there'
run strigger --clear --id=5 -Q
tap_is "$rc|$err" '0|' '... quietly'

run strigger --set --down --drained -p "$DIR/note down now"
tap_is "$rc|$err" '0|' 'a trigger is set'
run strigger --set --down --drained -p "$DIR/note down now"
tap_is "$rc|$err" '1|slurm_set_trigger: Duplicate event trigger' 'the same again'
run strigger --set --up -nn[1-2] -o -30 --flags=perm -p "$DIR/note up"
tap_is "$rc|$err" '0|' 'a permanent one'
run strigger --set -a -p "$DIR/note failed"
run strigger --get
tap_is "$rc|$out" "0|$header
      1 node            * down,drained                             0 $(printf %-8s "$me")       $DIR/note down now
      2 node       n[1-2] up                                     -30 $(printf %-8s "$me") PERM  $DIR/note up
      3 slurmctld       * primary_slurmctld_failure                0 $(printf %-8s "$me")       $DIR/note failed" 'all are shown'
run strigger --get -N --up
tap_like "$rc|$out" '^0\|      2 node       n\[1-2\] up ' 'those of an event'

# A job: at its end, before its time limit; the program runs once though the controller is killed while it runs.
id=$(sbatch --parsable -t 10 -o /dev/null --wrap 'until [ -e end ]; do sleep 0.05; done')
wait_job 20 "$id" RUNNING
strigger --set -j "$id" --time -o -599 -p "$DIR/note limit"
strigger --set -j "$id" --fini -p "$DIR/note slow fini"
wait_for 20 noted "limit $id"
tap_ok $? 'time, 599 s before the limit'
touch end
wait_for 20 noted "slow fini $id"
tap_ok $? 'fini'
tap_is "$(grep '^slow fini' notes)" "slow fini $id $(id -u) /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $me $SLURM_CONF" \
        'its arguments, user and environment'
scontrol update nodename=n1 state=drain reason=x
scontrol update nodename=n2 state=down reason=x
scontrol update nodename=n2 state=resume
ctld_kill9
ctld_start
tap_ok $? 'the controller is killed and starts again'
wait_for 30 noted 'down now n[1-2]'
tap_ok $? 'events before the kill are told of, together'
wait_for 30 noted 'up n2'
tap_ok $? 'and the other'
wait_for 30 noted 'failed primary_slurmctld_failure'
tap_ok $? 'and the kill itself'
touch go
run strigger --get -N
tap_is "$rc|${out%% n*}|$(wc -l <<<"$out")" '0|      2|1' 'the permanent one is left'
no_marks() { ! compgen -G "$DIR/state/trigger.*" >/dev/null; }
wait_for 20 no_marks
tap_ok $? 'nothing is left of programs that are over'
tap_is "$(cut -d' ' -f1 notes | sort | uniq -c | tr -s ' \n' ' ')" ' 1 down 1 failed 1 limit 1 slow 1 up ' 'each ran once'

if [ "$(id -u)" = 0 ]; then
        nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
        run nobody strigger --set --down -p "$DIR/note"
        tap_is "$rc|$err" '1|slurm_set_trigger: Access/permission denied' 'a user may not set one'
        run nobody strigger --get
        tap_is "$rc|$out" '0|' 'nor see that of another'
        run nobody strigger --clear --id=2
        tap_is "$rc|$err" '1|slurm_clear_trigger: No such process' 'nor remove it'
        echo 'SlurmctldParameters=allow_user_triggers' >>slurm.conf
        scontrol reconfigure
        run nobody strigger --set -j "$id" --fini -p "$DIR/note"
        tap_is "$rc|$err" '1|slurm_set_trigger: Access/permission denied' "allow_user_triggers: not of another user's job"
        own=$(cd / && nobody sbatch --parsable -o /dev/null --wrap true)
        run nobody strigger --set -j "$own" --fini -p "$DIR/note own"
        tap_is "$rc|$err" '0|' 'of an own one'
        wait_for 20 noted "own $own 65534 "
        tap_ok $? 'it runs as that user'
        for i in {1..100}; do nobody strigger --set --drained -o "$i" -p "$DIR/note"; done
        run nobody strigger --set --drained -p "$DIR/note"
        tap_like "$rc|$err" '^1\|.*you have 100 triggers already' 'a user has a hundred'
        run strigger --set --drained -p "$DIR/note"
        tap_is "$rc|$err" '0|' '... and root more'
        nobody strigger --clear --user=65534
        echo 'PrivateData=jobs,nodes' >>slurm.conf
        scontrol reconfigure
        run nobody strigger --set --down -p "$DIR/note"
        tap_is "$rc|$err" '1|strigger: error: PrivateData hides the nodes, so also what happens to them
slurm_set_trigger: Access/permission denied' 'PrivateData=nodes: no events of nodes'
        run nobody strigger --set -j "$id" --fini -p "$DIR/note"
        tap_is "$rc|$err" '1|slurm_set_trigger: Invalid job id specified' "PrivateData=jobs: another user's job is unknown"
fi
sed -i '/^SlurmctldParameters=/d' slurm.conf
echo 'SlurmctldParameters=disable_triggers' >>slurm.conf
scontrol reconfigure
run strigger --set --drained -p "$DIR/note"
tap_is "$rc|$err" '1|slurm_set_trigger: Requested operation is presently disabled' 'disable_triggers: nobody sets one'
run strigger --clear --user="$me"
tap_is "$rc|$(strigger --get)" '0|' 'all are removed'

tap_done
