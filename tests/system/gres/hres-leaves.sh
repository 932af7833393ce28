#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Licenses and resources that leave the files while slumberctld is down: jobs that wait for them are held, those that run are charged for
# layers that have come.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' SelectTypeParameters=CR_CPU Licenses=lic:2

resources() { # RESOURCE... with layers
        printf '%s\n' "$@" >"$DIR/resources.yaml"
}
flat='- {resource: flat, mode: MODE_2, layers: [{nodes: ["n[1-2]"], count: 2}]}'
grown='- {resource: natural, mode: MODE_1, layers: [{nodes: ["n[1-2]"], count: 4}]}'
natural='- {resource: natural, mode: MODE_1, layers: [{nodes: ["n1"], count: 4}]}'
resources "$flat" "$natural"
cluster_up 'two nodes' n1 n2

gate='until [ -e go ]; do sleep 0.1; done'
a=$(sbatch --parsable -w n1 -L flat:2,natural:3 --wrap "$gate")
wait_job 10 "$a" RUNNING
b=$(sbatch --parsable -L flat --array=1-2 --wrap true)
c=$(sbatch --parsable -L lic --begin now+1hour --wrap true : -N1 | head -1)
d=$(sbatch --parsable -L lic --begin now+1hour --wrap true)

ctld_stop
resources "$grown"
sed -i '/^Licenses=/d' "$SLURM_CONF"
ctld_start
tap_ok $? 'slumberctld starts without what jobs ask for'
tap_like "$(job_show "${b}" '%T %r')" '^PENDING JobHeldAdmin, UnknownLicenses:flat$' 'an array that waits for a resource that is gone is held'
tap_is "$(job_show "$c" '%T %r' | sort -u)" 'PENDING JobHeldAdmin, UnknownLicenses:lic' 'all components of a heterogeneous job are'
tap_like "$(scontrol show job "$d" | tr '\n' ' ')" 'Priority=0 .*JobState=PENDING Reason=JobHeldAdmin,_UnknownLicenses:lic' 'scontrol shows that a job is held, and for which'
run scontrol release "$d"
tap_like "$rc $err" '^1 .*Invalid license specification' 'a release is refused while there is none'
run scontrol update JobId="$d" Licenses= StartTime=now
wait_job 20 "$d" COMPLETED
tap_ok $? 'an update that takes the license away lets the job start'
tap_is "$(job_state "$a")" RUNNING 'a job runs on without its resource'
tap_is "$(scontrol -o show license natural | grep -o 'Used=.*Nodes=[^ ]*')" 'Used=3 Free=1 Reserved=0 Remote=no Nodes=n[1-2]' 'and is charged for the layer that has got a node'
tap_like "$(scontrol show job "$a")" 'LicensesAlloc=[^ ]*natural\(n\[1-2\]\):3' 'which scontrol shows'

ctld_kill9
resources "$flat" "$grown"
printf '%s\n' Licenses=lic:2 >>"$SLURM_CONF"
ctld_start
wait_for 5 eval "job_show $b %r | grep -q Licenses"
tap_ok $? 'the array waits again when the resource is back'
tap_is "$(job_show "$c" %r | sort -u)" BeginTime 'the heterogeneous job for its time'
tap_is "$(scontrol -o show license | sed 's/^LicenseName=\([^ ]*\).*Used=\([0-9]*\).*/\1 \2/' | tr '\n' ' ')" 'flat 2 lic 0 natural 3 ' 'what runs holds the same'
touch go
wait_job 20 "$a" COMPLETED
wait_for 20 eval "[ \"\$(sacct -n -X -j $b -o State | sort | uniq -c | tr -s ' ')\" = ' 2 COMPLETED ' ]"
tap_ok $? 'the tasks of the array start'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
