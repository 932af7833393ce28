#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# squeue and sinfo show other clusters, as both configurations agree: a cluster that is killed, frozen, has another key
# or does not know the user is told of and holds nothing up.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/clusters.sh
. "$(dirname "$0")/../clusters.sh"
cd "$DIR" || exit 1
clusters_conf
clusters_up 'two clusters'

# ---- both ----
job=$(beta sbatch --parsable --job-name=there --wrap 'sleep 1000')
own=$(sbatch --parsable --job-name=here --wrap 'sleep 1000')
wait_job 20 "$own" RUNNING && beta wait_job 20 "$job" RUNNING
tap_ok $? 'a job runs in each'
run squeue -M beta -h -o '%i %j %T'
tap_is "$rc|$out" "0|$job there RUNNING" 'squeue -M shows the other one'
run squeue -M alpha,beta -h -o '%j'
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|here there' 'squeue -M shows both, in order'
run squeue -M all -o '%j'
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|CLUSTER: alpha NAME here  CLUSTER: beta NAME there' 'all is this one first, with heads'
run squeue -l -M alpha,beta
tap_is "$rc|$(sed -E '1s/^[A-Z][a-z]{2} .*[0-9]{4}$/DATE/; s/^ +JOBID.*/JOBS/; s/^ +[0-9].*/JOB/' <<<"$out" | paste -sd,)" \
        '0|DATE,CLUSTER: alpha,JOBS,JOB,,CLUSTER: beta,JOBS,JOB' 'with -l the date is above all of them'
run sinfo -l -M alpha,beta
tap_is "$rc|$(grep -c '^[A-Z][a-z][a-z] .* [0-9][0-9][0-9][0-9]$' <<<"$out")" '0|1' '... in sinfo, too'
run squeue -M all -h -O cluster:8,name:8
tap_is "$(sed 's/ *$//' <<<"$out" | paste -sd,)" 'alpha   here,beta    there' 'the field Cluster has the name'
run sshare -M all
tap_like "$rc|$(paste -sd'|' <<<"$err$out")" 'CLUSTER: alpha.*CLUSTER: beta' 'sshare shows both'
run env SLURM_CLUSTERS=beta sinfo -o '%N %T'
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|CLUSTER: beta NODELIST STATE b1 mixed' 'SLURM_CLUSTERS says so, too'
run env SLUMBER_SOCKET="$DIR/a1.sock" squeue -M alpha,beta -h -o '%j'
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|here there' '... also by way of a slumberd'
run squeue -M beta,nope -h -o %j
tap_like "$rc|$out|$err" "^0\|.*there\|squeue: error: No cluster 'nope' known by database" 'an unknown cluster is told by name, the other one is shown'
run squeue -M nope
tap_like "$rc|$err" "^1\|squeue: error: No cluster 'nope' known by database" '... and refused where it is the only one'
for command in 'srun true' 'salloc true' 'strigger --get'; do
        read -ra words <<<"$command"
        run "${words[0]}" -M beta "${words[@]:1}"
        [ "$rc" != 0 ] && [[ $err == *"works in this cluster, alpha, alone"* ]]
        tap_ok $? "$command refuses another cluster by name"
done

# ---- users ----
run stranger "$DIR/bin/squeue" -M beta -h -o %i
tap_is "$rc|$out" "0|$job" 'a user of both is shown jobs'
chmod 711 "$DIR" && run setpriv --reuid=54321 --regid=54321 --clear-groups "$DIR/copies/squeue" -M beta
tap_like "$rc|$err" '^1\|.*user nobody has uid 65534 in cluster beta, and uid 54321 in cluster alpha' \
        'a user that has no name is refused'
run squeue -M alpha,beta -h -o '%j'
tap_is "$rc|$(paste -sd' ' <<<"$out")" '0|here there' 'root is shown what any user is'
_beta_says() { # HERE KEY...: to a running controller
        sed -i '/^clusters/,$d' "$BETA/slumber.yaml"
        _site alpha "$PORT" "here: $1" "${@:2}" >>"$BETA/slumber.yaml"
        beta scontrol reconfigure
}
_beta_says '[submit]'
run squeue -M beta
tap_like "$rc|$err" '^1\|.*cluster beta does not let users of cluster alpha show' 'what it does not allow is refused'
_beta_says '[show]' 'users: [nobody]'
run squeue -M beta
tap_like "$rc|$err" '^1\|.*cluster beta does not let root of cluster alpha in' 'a user that it does not name is refused'
run stranger "$DIR/bin/squeue" -M beta -h -o %i
tap_is "$rc|$out" "0|$job" '... and one that it names is not'
_beta_says '[show]' 'users: []'
run stranger "$DIR/bin/squeue" -M beta -h -o %i
tap_like "$rc|$err" '^1\|.*cluster beta does not let nobody of cluster alpha in' 'with a list that names none no user is let in'
echo PrivateData=jobs >>"$BETA/slurm.conf"
_beta_says '[show]'
run squeue -M beta -h -o %i
tap_is "$rc|$out" '0|' 'root of another cluster is nobody special'
_beta_says '[show]' 'operators: [root]'
run squeue -M beta -h -o %i
tap_is "$rc|$out" "0|$job" '... unless it is one of its operators'

# ---- a cluster that does not answer ----
pid=$(beta _pid ctld)
kill -STOP "$pid"
begin=$(date +%s)
run squeue -M alpha,beta -h -o %j
tap_like "$rc|$out|$err" '^1\|here\|.*Cluster beta does not answer: it has said nothing in time' 'a frozen one is told of, and the own one shown'
run squeue -M beta,alpha -h -o %j
tap_like "$rc|$out|$err" '^1\|here\|.*Cluster beta does not answer: it has said nothing in time' '... and the next command does not wait'
took=$(($(date +%s) - begin))
[ $took -lt 15 ]
tap_ok $? "both together have waited for it once ($took s)"
kill -CONT "$pid"
wait_for 20 eval 'squeue -M beta -h -o %i | grep -q .'
tap_ok $? 'it goes on when it does'
beta ctld_kill9
run squeue -M alpha,beta -h -o %j
tap_like "$rc|$out|$err" '^1\|here\|.*Cluster beta does not answer' 'one that was killed is told of'
beta ctld_start
wait_for 20 eval 'squeue -M beta -h -o %i | grep -q .'
tap_ok $? '... and shown when it is there again'

# ---- keys ----
head -c 48 /dev/urandom >"$ALPHA/shared2" && chmod 600 "$ALPHA/shared2"
sed -i "s|$ALPHA/shared|$ALPHA/shared2|" "$BETA/slumber.yaml"
beta scontrol reconfigure
run squeue -M beta
tap_like "$rc|$err" '^1\|.*Cluster beta does not answer' 'one with another key is told of'
grep -q 'refused: TLS handshake failed: it has another cluster key' "$BETA/log/ctld"
tap_ok $? '... and has refused the connection'
chmod 644 "$ALPHA/shared"
scontrol reconfigure
run squeue -M beta
tap_like "$rc|$err" '^1\|.*Cluster beta does not answer: its key is not used' 'a key that others may read is not used'
grep -q 'Cluster beta is not asked, and not let in: .*shared has mode 0644' "$DIR/log/ctld"
tap_ok $? '... and named in the log'
cat "$(sed -n 's/^key_file: *//p' "$DIR/slumber.yaml" | head -1)" >"$ALPHA/shared" && chmod 600 "$ALPHA/shared"
scontrol reconfigure
run squeue -M beta
tap_like "$rc|$err" '^1\|.*Cluster beta does not answer: its key is not used' 'nor is a copy of the own key'
grep -q "shared is this cluster's own" "$DIR/log/ctld"
tap_ok $? '... for what it is'

# ---- at once ----
# Both take a connection and say nothing; is the first one's still there when the second one's comes?
cat >"$DIR/both.py" <<'EOF'
import socket, sys
servers = [socket.create_server(("127.0.0.1", int(port))) for port in sys.argv[1:]]
print("ready", flush=True)
held = []
for s in servers:
    s.settimeout(60)
    c, _ = s.accept()
    held.append(c)
held[0].setblocking(False)
try:
    while True:
        if not held[0].recv(65536):
            print("gone", flush=True)
            break
except BlockingIOError:
    print("both", flush=True)
held[1].settimeout(60)
while held[1].recv(65536):
    pass
EOF
if [ -x /usr/bin/python3 ]; then
        ports=($((PORT + 8)) $((PORT + 9)) $((PORT + 8)) $((PORT + 9)))
        for i in 0 1 2 3; do
                head -c 48 /dev/urandom >"$ALPHA/quiet$i" && chmod 600 "$ALPHA/quiet$i"
                printf '  quiet%s: { hosts: 127.0.0.1, port: %s, key_file: %s, there: [show, cancel] }\n' "$i" "${ports[i]}" "$ALPHA/quiet$i" >>"$DIR/slumber.yaml"
        done
        scontrol reconfigure
        both_take() {
                rm -f "$DIR/both" # what the one before has said
                /usr/bin/python3 "$DIR/both.py" "${ports[@]:0:2}" >"$DIR/both" 2>&1 &
                both=$!
                wait_for 10 grep -q ready "$DIR/both"
        }
        at_exit eval 'kill "$both" 2>/dev/null'
        both_take
        run squeue -M quiet0,quiet1,alpha -h -o %j
        tap_like "$rc|$out|$(tr "\n" " " <<<"$err")" '^1\|here\|.*quiet0 does not answer.*quiet1 does not answer' 'two that do not answer are told of, in their order'
        wait_for 10 grep -qE 'both|gone' "$DIR/both"
        tap_is "$(tail -1 "$DIR/both")" both '... and were asked at once'
        wait_for 10 gone "$both"
        both_take
        run scancel -M quiet2,quiet3 999999
        tap_like "$rc|$(tr "\n" " " <<<"$err")" '^1\|.*quiet2 does not answer.*quiet3 does not answer' 'scancel tells of both'
        wait_for 10 grep -qE 'both|gone' "$DIR/both"
        tap_is "$(tail -1 "$DIR/both")" both '... and has not waited for one after the other'
else
        tap_ok 0 'two that do not answer are told of, in their order # SKIP no python3'
        tap_ok 0 '... and were asked at once # SKIP no python3'
        tap_ok 0 'scancel tells of both # SKIP no python3'
        tap_ok 0 '... and has not waited for one after the other # SKIP no python3'
fi
full_disk() { sacct -M alpha,beta 2>&1 >/dev/full; } # no word of it may be lost in silence
run full_disk
tap_is "$rc" 1 'what could not be written fails sacct'
cluster_sound && beta cluster_sound
tap_ok $? 'the logs are sound'
tap_done
