#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Started as root with another SlurmUser, the controller is that user: its files, its programs, its groups, its rights.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

[ "$(id -u)" = 0 ] || tap_skip_all 'only root can start it as another user'
user=nobody uid=$(id -u nobody) gid=$(id -g nobody)
setpriv --reuid="$uid" --clear-groups test -x "$CTLD" || tap_skip_all "user $user cannot reach $CTLD"

at_exit cluster_end
chmod 755 "$DIR"
cluster_conf n1 SlurmUser=$user SuspendTime=1000 "SuspendProgram=$DIR/prog" "ResumeProgram=$DIR/prog" \
        "yaml socket: $DIR/run/sub/sock"
sed -i -e '/^NodeName=/aNodeName=c1 NodeAddr=127.0.0.1 CPUs=1 RealMemory=1000 State=CLOUD' "$DIR/slurm.conf"
sed -i '/^socket: .*sock$/{/sub/!d}' "$DIR/slumber.yaml"
export SLUMBER_SOCKET=$DIR/run/sub/sock
cat >"$DIR/prog" <<END
#!/bin/sh
{ id -u; id -g; id -G; readlink /proc/\$PPID/exe; head -c 20 "\$SLURM_RESUME_FILE"; } >$DIR/out/\$1 2>&1
mv $DIR/out/\$1 $DIR/out/done
END
chmod 755 "$DIR/prog" && mkdir "$DIR/out" && chown $user "$DIR/out"
refused() { # REGEX NAME
        run timeout 20 "$CTLD" -D -f "$SLURM_CONF"
        tap_is "$rc $(wc -l <"$DIR/err")" '1 1' "$2: exit code 1, one line"
        tap_like "$err" "error: $1\$" "$2: ${err#*error: }"
}

# ---- what is not that user's ----
chmod 700 "$DIR/state"
refused "cannot write in the state folder $DIR/state as user $user: Permission denied" "root's state folder"
tap_is "$(ls -A "$DIR/state")" '' '... and nothing was made in it'
chown daemon "$DIR/state"
refused "the state folder $DIR/state belongs to user daemon, expected SlurmUser $user" "a third user's state folder"
rmdir "$DIR/state"
refused "cannot make the state folder $DIR/state as user $user: .*" 'no state folder'
sed -i 's/^SlurmUser=.*/SlurmUser=4294967000/' "$DIR/slurm.conf"
refused 'SlurmUser: there is no user with number 4294967000 on this host' 'a number without an account'
sed -i 's/^SlurmUser=.*/SlurmUser=daemon/' "$DIR/slurm.conf"
chmod 644 "$DIR/slurm.conf" "$DIR/slumber.yaml"
run setpriv --reuid="$uid" --regid="$gid" --clear-groups "$CTLD" -D -f "$SLURM_CONF"
tap_like "$rc|$err" "^1\|.*user $user cannot start it: SlurmUser in $DIR/slurm.conf is daemon.*" 'another user than SlurmUser'
sed -i "s/^SlurmUser=.*/SlurmUser=$user/" "$DIR/slurm.conf"

# ---- what is ----
install -d -m 700 -o $user "$DIR/state"
rm -rf "$DIR/run/sub"
ctld_start
tap_ok $? 'it starts' || { cluster_logs; tap_done; }
status() { awk -v k="$1:" '$1 == k { $1 = ""; print substr($0, 2) }' "/proc/$(cat "$DIR/run/ctld.pid")/status"; }
tap_is "$(status Uid)|$(status Gid)" "$uid $uid $uid $uid|$gid $gid $gid $gid" 'it is SlurmUser in all respects'
tap_is "$(status Groups | xargs)" "$(id -G $user)" '... with the groups of that user'
tap_is "$(status CapEff)|$(status CapPrm)" '0000000000000000|0000000000000000' '... and no rights besides'
tap_is "$(stat -c %U "$DIR/state/slumber.db" "$DIR/state/credential.key" "$DIR/run/sub" "$SLUMBER_SOCKET" | sort -u)" $user \
        'its files, its socket and the folder of that are its own'
tap_is "$(stat -c '%U %a' "$DIR/key")" 'root 600' 'the key it reads is for root only'
agent_start n1
wait_nodes 20 n1 idle
tap_ok $? 'an agent that has the same key registers'
run sbatch --parsable -w n1 -o "$DIR/job" --wrap 'id -u'
wait_job 20 "$out" COMPLETED
tap_is "$(cat "$DIR/job")" 0 "root's job is root's"
run setpriv --reuid="$uid" --regid="$gid" --clear-groups env SLUMBER_SOCKET="$SLUMBER_SOCKET" "$DIR/bin/sbatch" --parsable --stepmgr -w n1 \
        -D "$DIR/out" -o debug --wrap 'srun -n1 --slurmd-debug=info true'
wait_job 20 "$out" COMPLETED
tap_like "$?|$(xargs <"$DIR/out/debug")" '^0\|.*slurmstepd-n1: starting 1 tasks' 'SlurmUser may say --slurmd-debug, also where its node makes the steps'
run scontrol power up c1
tap_is "$rc" 0 'root is an operator still'
wait_for 20 test -s "$DIR/out/done"
tap_is "$(sed -n 1,3p "$DIR/out/done" | xargs)" "$uid $gid $(id -G $user)" 'ResumeProgram runs as SlurmUser'
tap_is "$(sed -n 4p "$DIR/out/done")" "$(readlink -f "$CTLD")" '... and can look at the controller below /proc'
tap_like "$(sed -n '5,$p' "$DIR/out/done")" '^\{' '... and reads its resume file'
run setpriv --reuid="$uid" --regid="$gid" --clear-groups env SLUMBER_SOCKET="$SLUMBER_SOCKET" "$DIR/bin/scontrol" update nodename=n1 state=drain reason=x
tap_is "$rc|$err" '0|' 'SlurmUser is an operator'
ctld_stop
ctld_start
tap_ok $? 'it starts again with what it left'
ctld_stop

sed -i 's/^SlurmUser=.*/SlurmUser=root/' "$DIR/slurm.conf"
chown -R root "$DIR/state"
rm -rf "$DIR/run/sub"
ctld_start
tap_is "$(status Uid | xargs)" '0 0 0 0' 'SlurmUser=root stays root'
tap_is "$(stat -c '%U %a' "$DIR/run/sub")" 'root 755' "... and makes the socket's folder too"
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
