#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# pam_slumber_adopt: a session whose connection comes from another node goes into the job that it comes from there.  sshd is a server
# that hands its connection to pamtester.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/spaces.sh
. "$(dirname "$0")/../spaces.sh"
module=$SLUMBER_BUILD/pam/pam_slumber_adopt.so
[ -e "$module" ] || tap_skip_all 'built without libpam'
command -v pamtester >/dev/null || tap_skip_all 'there is no pamtester'
spaces_up
spaces_conf PrologFlags=Contain
cd "$DIR" || exit 1
chmod 755 "$DIR"
ctld_start && for node in n1 n2 n3; do agent_start $node; done && wait_nodes 20 'n[1-3]' idle
tap_ok $? 'three nodes with a network' || { cluster_logs; tap_done; }
grep -q 'Jobs are in cgroup/v' log/n1 || { tap_ok 0 'no cgroups here: # SKIP'; tap_done; }

mkdir pam.d
printf 'account required pam_permit.so\naccount required %s socket=%s/n1.sock\n' "$module" "$DIR" >pam.d/sshd
printf 'account required pam_permit.so\n' >pam.d/other
cat >server.py <<'END'
import os, socket
s = socket.socket()
s.bind(('10.78.0.11', 7000))
s.listen()
print('ready', flush=True)
while True:
    c = s.accept()[0]
    pid = os.fork()
    if pid == 0:
        os.set_inheritable(c.fileno(), True)
        os.execvp('pamtester', ['pamtester', 'sshd', 'nobody', 'acct_mgmt'])
    os.waitpid(pid, 0)
    c.close()
END
unshare -m sh -c "mount --bind $DIR/pam.d /etc/pam.d && exec nsenter --net=/run/netns/$SPACE-n1 python3 $DIR/server.py" >up 2>log/server &
server=$!
at_exit kill $server
wait_for 20 test -s up
cat >session.py <<'END'
import socket
socket.create_connection(('10.78.0.11', 7000)).recv(1)
END
as() { setpriv --reuid=65534 --regid=65534 --clear-groups env SLUMBER_SOCKET="$DIR/n1.sock" "$@"; }
batch() { as sbatch --parsable -D / -o /dev/null "$@" --wrap "until [ -e $DIR/go ]; do sleep 0.05; done"; }
from() { as srun --jobid="$1" --overlap -N1 -n1 -w "$2" -D / timeout 20 python3 "$DIR/session.py"; } # JOB NODE
outside() { nsenter --net="/run/netns/$1" setpriv --reuid=65534 --regid=65534 --clear-groups env "${@:2}" python3 session.py; } # SPACE [VARIABLE]
went_to() { sed -n 's/.* of user 65534 is in the extern step of job \([0-9]*\).*/\1/p' log/n1 | tail -n 1; }
first=$(batch -w 'n[1-2]' -N2) && second=$(batch -w 'n[1-3]' -N3) && wait_job 20 "$first" RUNNING && wait_job 20 "$second" RUNNING

from "$first" n2
tap_is "$(went_to)" "$first" 'from a step on another node: into its job, which is not the newest'
from "$second" n2
tap_is "$(went_to)" "$second" '... of the other job there'
from "$first" n1
tap_is "$(went_to)" "$first" 'from the node itself'
outside "$SPACE-n3"
tap_is "$(went_to)" "$second" 'from no job on a node: into the newest'
from "$first" n2
outside "$SPACE"
tap_is "$(went_to)" "$second" 'from a host that is no node: likewise'
from "$first" n2
kill -STOP "$(cat run/ctld.pid)"
outside "$SPACE-n2" SLURM_JOB_ID="$first"
tap_is "$(went_to)" "$second" 'the controller stands still: it is not waited for longer than two seconds'
kill -CONT "$(cat run/ctld.pid)"
touch go
wait_nodes 20 'n[1-3]' idle
tap_ok "$(cluster_sound; echo $?)" 'no daemon has complained'
tap_done
