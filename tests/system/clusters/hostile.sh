#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whoever has the key of another cluster may ask what slumber.yaml allows it, as the users whom it names, and nothing else.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/clusters.sh
. "$(dirname "$0")/../clusters.sh"
[ -x /usr/bin/python3 ] || tap_skip_all 'no python3'
command -v openssl >/dev/null || tap_skip_all 'no openssl'
cd "$DIR" || exit 1
clusters_conf
clusters_up 'two clusters'
job=$(beta sbatch --parsable --output=/dev/null --wrap 'sleep 1000')
beta wait_job 20 "$job" RUNNING
tap_ok $? 'a job of root runs in beta'
says() { # CASE WANTED NAME: AS (alpha) with KEY (shared)
        tap_is "$(timeout 60 /usr/bin/python3 "$SLUMBER_SOURCE/tests/system/hostile.py" "${AS:-alpha}" "$BETA_PORT" "$ALPHA/${KEY:-shared}" "$1" "$job" 2>&1 | tail -1)" "$2" "$3"
}
denied='error 13' # SLUMBER_ACCESS_DENIED
says guest-ping 'body 35' 'a user of both asks'
says ping 'body 35' 'the controller itself asks whether this one is there'
says guest-register "$denied" 'it is no node'
says guest-registers "$denied" '... also in the name of a user'
says guest-launch "$denied" 'it launches nothing'
says guest-cancels "$denied" 'as root it cancels nothing'
says guest-as-other "results 13" "as a user it cancels no other's job"
says guest-number "$denied" 'a number is no name'
says guest-long-name "$denied" 'nor is one of 5 MB'
says guest-node "$denied" 'it changes no node'
says guest-relays "$denied" 'it has nothing relayed'
says garbage closed 'garbage ends the connection'
says huge closed 'so does a frame beyond the limit'
AS=gamma says guest-ping closed 'the key is of that cluster alone'
AS=beta says guest-ping closed '... and not of this one'
AS=tls says ping closed 'it is not the cluster key'
says guest-many '5000 answers' 'many requests are answered'
tap_is "$(beta job_state "$job")|$(beta sinfo -h -o %T)" 'RUNNING|mixed' 'the job runs, the node is up'
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do # of which each stays until it has said something
        timeout 60 /usr/bin/python3 "$SLUMBER_SOURCE/tests/system/hostile.py" alpha "$BETA_PORT" "$ALPHA/shared" half-length >/dev/null 2>&1 &
done
run squeue -M beta -h -o %i
tap_is "$rc|$out" "0|$job" 'connections that say nothing keep no other out'
asks() { # CASE WANTED NAME: a user of alpha
        tap_is "$(timeout 60 /usr/bin/python3 "$SLUMBER_SOURCE/tests/system/hostile.py" unix "$SLUMBER_SOCKET" "$1" 4000000 2>&1 | tail -1)" "$2" "$3"
}
asks padded-users 'error 31' 'what is padded is refused by slumberd' # SLUMBER_TOO_BIG
asks far-padded 'error 31' '... also what beta is asked'
asks far-waits 'error 25' 'what has no answer is not asked' # SLUMBER_NOT_SUPPORTED
grep -hE 'connection is lost|beyond the size limit' "$DIR/log/"* "$BETA/log/"*
tap_is "$(sinfo -h -o %T)|$(squeue -M beta -h -o %i)" "idle|$job" 'and no connection has ended'
cluster_sound && beta cluster_sound
tap_ok $? 'the logs are sound'
tap_done
