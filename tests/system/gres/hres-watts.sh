#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The example of resources.yaml(5), as the manual page has it: no mix of jobs draws more watts than the racks and the room have.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
page=$(dirname "$0")/../../../man/resources.yaml.5

example() { # FILE of the page
        sed -n "/^\.\\\\\" file $1\$/,/^\.fi\$/p" "$page" | grep -v '^\.' | sed 's/\\-/-/g'
}
yaml=()
while read -r line; do yaml+=("yaml $line"); done < <(example slumber.yaml)
cluster_conf 'node[01-08]' JobSubmitPlugins=lua SelectType=select/linear SelectTypeParameters= "${yaml[@]}"
example resources.yaml >resources.yaml
example job_submit.lua >job_submit.lua
chmod 644 job_submit.lua
tap_is "${#yaml[@]} $(wc -l <resources.yaml) $(grep -c 'slurm_job' job_submit.lua)" '2 13 2' 'the page has three files'
cluster_up 'eight nodes' node0{1..8}

gate='until [ -e go ]; do sleep 0.1; done'
for how in '-N1' '-N1 -L power:1' '-N2' '-N1' '-N3' '-N1 --array=0-3'; do
        # shellcheck disable=SC2086
        sbatch $how -t 5 -o /dev/null --wrap "$gate" >/dev/null
done
running() { [ "$(squeue -h -r -t R -o %D | awk '{ n += $1 } END { print n + 0 }')" = "$1" ]; }
wait_for 20 running 4
tap_ok $? 'four of eight nodes have jobs'
tap_is "$(scontrol show energy | grep -o '^Total=ALL.*CurrentWatts=[0-9]*' | grep -o '[0-9]*$')" 3280 'which draw what is left to them'
racks() { # how many nodes of each have jobs
        squeue -h -t R -o %N | xargs -n 1 scontrol show hostnames | awk '{ n[$0 > "node04"]++ } END { print n[0] + 0, n[1] + 0 }'
}
tap_like "$(racks)" '^(1 3|2 2|3 1)$' 'no more than three in a rack'
tap_is "$(squeue -h -r -t PD -o %r | sort -u)" Licenses 'the others wait for watts'
tap_is "$(squeue -h -r -o %W | sort -u)" power:full_node 'each job asks for them, whatever its user says'
run sbatch -N1 --wrap true : -N1 --wrap true
tap_like "$rc $err" '^1 .*1: license request allowed only on leader job' 'a heterogeneous job is refused'
h=$(sbatch -H --parsable -N1 -o /dev/null --wrap true)
scontrol update JobId="$h" Licenses=
tap_is "$(squeue -h -j "$h" -o %W)" power:full_node 'an update does not take them away'
scontrol release "$h"

ctld_kill9
ctld_start
tap_ok $? 'a crash'
touch go
most=0
while squeue -h | grep -q .; do
        watts=$(scontrol show energy | grep -o '^Total=ALL.*CurrentWatts=[0-9]*' | grep -o '[0-9]*$')
        [ "$watts" -gt "$most" ] && most=$watts
        [ "$SECONDS" -gt 150 ] && break
done
tap_like "$(squeue -h | wc -l) $most" '^0 ([0-9]{3}|[12][0-9]{3}|3[01][0-9]{2}|32[0-7][0-9]|3280)$' 'all have run, within the watts of the room'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
