#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Malformed, oversized and forged messages on both doors of the controller and on an agent's socket; other users' jobs;
# hostile names, environments and scripts.  What is wrong is refused, and the cluster serves the next one as before.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'

at_exit cluster_end
cluster_conf 'n[1-2]'
cd "$DIR" || exit 1
chmod 755 "$DIR"
cp "$(dirname "$0")/../hostile.py" . 2>/dev/null || cp "$SLUMBER_SOURCE/tests/system/hostile.py" .
ctld_start && agent_start n1 && wait_nodes 20 n1 idle
tap_ok $? 'a controller and a node' || { cluster_logs; tap_done; }
pid=$(cat run/ctld.pid) agent=$(cat run/n1.pid)
other=() # another user, if we can be one
[ "$(id -u)" != 0 ] || other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
job=$(sbatch --parsable -H -J mine --wrap true)

says() { # SOCKET CASE WANTED
        tap_is "$("${other[@]}" timeout 200 /usr/bin/python3 hostile.py unix "$DIR/$1" "$2" "$job" 2>&1 | tail -1)" "$3" "$1: $2: $3"
}
for door in sock n1.sock; do
        for c in garbage http zero huge promise half-length half-frame version nested; do says $door $c closed; done
        for c in no-body unknown-body answer launch bomb; do says $door $c 'error 25'; done
        says $door no-spec 'error 32'
        says $door no-script 'error 32'
        says $door long-name 'error 31'
        says $door odd-name 'error 32'
        says $door long-bind 'error 31'
        says $door odd-bind 'error 32'
        says $door big-script 'error 31'
        says $door many '5000 answers'
        says $door ping 'body 35'
        if [ "$(id -u)" = 0 ]; then
                says $door as-root-cancel 'results 13'
                says $door as-root-hold 'results 13'
                says $door as-root-node 'error 13'
        fi
done
says sock register 'error 25'
tap_is "$(job_show "$job" '%j %T')" 'mine PENDING' 'the job that all this was aimed at is as before'
tap_is "$(sinfo -h -n n1 -o %T)" idle 'and so is the node'

# ---- the TLS port ----
if command -v openssl >/dev/null; then
        tls() { timeout 200 /usr/bin/python3 hostile.py tls "$PORT" "$1" "$2" "$job" 2>&1 | tail -1; }
        for c in garbage zero huge; do tap_is "$(tls key $c)" closed "TLS: $c: closed"; done
        tap_is "$(tls key as-root-cancel) $(job_state "$job")" 'silent PENDING' 'a peer that has the key and has not registered may ask for nothing'
        tap_like "$(tls key register)" '^(body 70|closed)' 'an incomplete registration is answered'
        tap_is "$(sinfo -h -n n1 -o %T)" idle 'and takes the node from no agent'
        head -c 32 /dev/urandom >wrong.key && chmod 600 wrong.key
        tap_is "$(tls wrong.key ping)" closed 'another key opens nothing'
fi
exec 9<>"/dev/tcp/127.0.0.1/$PORT" && echo 'not TLS at all, but long enough to be read' >&9
wait_for 10 grep -q 'refused: TLS handshake failed' log/ctld
tap_ok $? 'a peer that does not speak TLS is refused'
exec 9>&-
for ((i = 0; i < 60; i++)); do
        exec 9<>"/dev/tcp/127.0.0.1/$PORT" && echo 'not TLS at all, but long enough to be read' >&9
        exec 9>&-
done
wait_for 40 eval 'sinfo && scontrol update nodename=n1 comment=x && grep -qE "[0-9]+ more lines like this: Connection from 127.0.0.1 refused" log/ctld'
tap_ok $? 'a flood of them is folded and counted'
[ "$(grep -c 'TLS handshake failed' log/ctld)" -le 40 ]
tap_ok $? '... and fills no log'
head -c 32 /dev/urandom >"$DIR/other.key" && chmod 600 other.key && agent_start n2 --key "$DIR/other.key"
wait_for 10 grep -q 'it has another cluster key' log/ctld
tap_ok $? 'an agent with another key is refused with the reason'
agent_stop n2

# ---- another user's job ----
if [ "$(id -u)" = 0 ]; then
        as_other() { run "${other[@]}" "$@"; }
        as_other scancel "$job"
        tap_like "$rc $err" '^1 .*Access/permission denied' 'scancel of another user'
        as_other scontrol hold "$job"
        tap_like "$rc $err" '^1 .*Access/permission denied' 'scontrol hold of another user'
        as_other scontrol release "$job"
        tap_like "$rc $err" '^1 .*Access/permission denied' 'scontrol release of another user'
        as_other scontrol update JobId="$job" TimeLimit=1
        tap_like "$rc $err" '^1 .*Access/permission denied' 'scontrol update of another user'
        as_other scontrol requeue "$job"
        tap_like "$rc $err" '^1 .*Access/permission denied' 'scontrol requeue of another user'
        as_other scontrol update NodeName=n1 State=DOWN Reason=x
        tap_like "$rc $err" '^1 .*([Aa]ccess/permission denied)' 'a user puts no node down'
        as_other scontrol reconfigure
        tap_like "$rc $err" '^1 .*([Aa]ccess/permission denied)' 'nor reconfigures'
        tap_is "$(job_show "$job" '%j %T %l')" 'mine PENDING UNLIMITED' 'the job is as before'
fi

# ---- names, environments, scripts ----
run sbatch -J $'two\nlines' --wrap true
tap_like "$rc $err" '^1 .*control character' 'a name with a newline is refused'
run sbatch -J $'a\e[31mb' --wrap true
tap_is "$rc" 1 'so is one with an escape'
for text in $'a\xc2\x9b2J' $'a\x9b2J' $'a\xe2\x80\xaetxt.exe'; do
        run sbatch -J "$text" --wrap true
        tap_like "$rc $err" '^1 .*control character' "and one with $(printf '%q' "$text")"
        run scontrol update NodeName=n1 Reason="$text" State=DRAIN
        tap_like "$rc $err" '^1 .*control character' '... as a reason of a node'
done
run sbatch -W -o name.out --wrap 'srun -J "$(printf "a\033[2J")" true'
tap_like "$rc $(cat name.out)" '^1 .*control character' 'a step'"'"'s name with an escape is refused'
run sbatch --comment $'x\n   JobState=COMPLETED' --wrap true
tap_is "$rc" 1 'and a comment that plays scontrol'
run scontrol update JobId="$job" JobName=$'x\ny'
tap_is "$rc $(job_show "$job" %j)" '1 mine' 'scontrol does not bring it in either'
id=$(sbatch --parsable -J '%s%n;$(touch x)`id`|&"' -o '%j.out' --wrap 'echo "$SLURM_JOB_NAME"')
wait_job 20 "$id" COMPLETED
tap_is "$(job_show "$id" %j)|$(cat "$id.out")|$(ls x 2>&1)" \
        '%s%n;$(touch x)`id`|&"|%s%n;$(touch x)`id`|&"|ls: cannot access '"'x': No such file or directory" 'a name is only a name'
id=$(sbatch --parsable -J "../../x.$$" -o 'out-%x' --wrap true) && wait_job 20 "$id" 'COMPLETED|FAILED'
tap_is "$(ls ../../x.$$ 2>/dev/null)" '' 'a name with slashes writes nowhere else'
id=$(env $'EVIL=a\nLD_PRELOAD=/x' 'BASH_FUNC_f%%=() { :; }; touch broken' 'SLURM_JOB_ID=999' sbatch --parsable -o %j.out --wrap 'echo $SLURM_JOB_ID "$EVIL"')
wait_job 20 "$id" COMPLETED
tap_is "$(cat "$id.out")|$(ls broken 2>&1 | grep -c cannot)" "$id a
LD_PRELOAD=/x|1" 'an environment stays what it is, SLURM_ variables are ours'
big=$(printf '%0100000d' 0)
id=$(for n in 1 2 3 4 5 6 7 8; do export "BIG$n=$big"; done; sbatch --parsable -o %j.out --wrap 'echo ${#BIG8}') && wait_job 20 "$id" COMPLETED
tap_is "$(cat "$id.out")" 100000 'a large environment arrives'
{ echo '#!/bin/sh' && head -c 5000000 /dev/zero | tr '\0' '#'; } >huge
run sbatch huge
tap_is "$rc|$out" '1|' "a huge script is refused: $err"
printf '#!/bin/sh\necho \0' >zero && run sbatch zero
tap_is "$rc|$out" '1|' "so is one with a zero byte: $err"

mkfifo full && exec 9<>full
id=$(sbatch --parsable -e full --wrap 'yes >&2')
wait_for 20 eval '! timeout 0.1 dd if=/dev/zero of=full bs=4096 count=1 2>/dev/null'
scancel "$id"
wait_for 20 eval '[ "$(job_show "$id" "%T %A")" = "CANCELLED $id" ]'
tap_ok $? 'a FIFO without a reader does not delay a job'
exec 9<&-
id=$(sbatch --parsable --wrap true) && wait_job 20 "$id" COMPLETED
tap_ok $? 'the cluster runs jobs as before'
tap_is "$(cat run/ctld.pid run/n1.pid | paste -sd' ')|$(_pid ctld) $(_pid n1)" "$pid $agent|$pid $agent" 'the daemons are those of the beginning'
cluster_sound
tap_ok $? 'and have not complained of themselves'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
