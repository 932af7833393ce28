#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Hierarchical resources of resources.yaml: asked for with -L, shown by layer, kept over kill -9 and reconfigurations, reserved by layer.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-3]' SelectTypeParameters=CR_CPU AccountingStorageTRES=license/flat,license/power

layers() { # COUNT of flat, on all nodes
        cat >"$DIR/resources.yaml" <<END
---
- resource: flat
  mode: MODE_2
  layers:
    - nodes:			# all
        - "n[1-3]"
      count: $1
    - nodes: [ "n[1-2]" ]
      count: 2
- resource: natural
  mode: MODE_1
  layers:
    - nodes: [ "n[1-3]" ]
      count: -1
- resource: power
  mode: MODE_3
  variables: [ { name: full_node, value: 1000 } ]
  layers:
    - { nodes: [ "n[1-3]" ], count: 2000 }
    - { nodes: [ "n[1-2]" ], count: 1000 }
    - { nodes: [ "n3" ], count: 1000 }
END
}

layers 3
sed -i 's/MODE_2/MODE_9/' "$DIR/resources.yaml"
run "$CTLD" -D -f "$SLURM_CONF"
tap_like "$rc $err" "^1 .*$DIR/resources.yaml line 3 column 9: mode: \"MODE_9\" is not MODE_1, MODE_2 or MODE_3" 'a mistake refuses the start, with its place'
layers 3
cluster_up 'three nodes' n1 n2 n3

run scontrol show license flat
tap_is "$out" "LicenseName=flat
    Total=2 Used=0 Free=2 Reserved=0 Remote=no
    Nodes=n[1-2] Mode=2
LicenseName=flat
    Total=3 Used=0 Free=3 Reserved=0 Remote=no
    Nodes=n[1-3] Mode=2" 'scontrol shows each layer'
tap_is "$(scontrol -o show license natural)" \
        'LicenseName=natural Total=INFINITE Used=0 Free=INFINITE Reserved=0 Remote=no Nodes=n[1-3] Mode=1' 'and one without end'

layers_json() {
        scontrol --json show license | /usr/bin/python3 -c 'import json, sys
d = json.load(sys.stdin)
for l in d["licenses"][:3]:
        print(*(l.get(k, "-") for k in ("LicenseName", "Nodes", "Total", "Used", "Free", "Reserved", "Remote", "Mode")))'
}
tap_is "$(layers_json)" "flat n[1-2] 2 0 2 0 False 2
flat n[1-3] 3 0 3 0 False 2
natural n[1-3] -1 0 -1 0 False 1" 'as JSON, too'

run sbatch -L flat:4 --wrap true
tap_like "$rc $err" '^1 .*4 of flat requested, 3 can be had of it at most' 'more than there are is refused'
run sbatch -L 'flat(n[1-2]):1' --wrap true
tap_like "$rc $err" '^1 .*a layer is for reservations' 'so is a layer'
run sbatch -L power:half_node --wrap true
tap_like "$rc $err" '^1 .*half_node: a count or one of its variables was expected behind power' 'and a variable that is not there'

gate='until [ -e go ]; do sleep 0.1; done'
a=$(sbatch --parsable -N1 -w n1 -L flat:2,natural:7 --wrap "$gate")
wait_job 10 "$a" RUNNING
tap_like "$(scontrol show job "$a")" 'Licenses=flat:2,natural:7 .*LicensesAlloc=natural\(n\[1-3\]\):7,flat\(n\[1-3\]\):2,flat\(n\[1-2\]\):2|LicensesAlloc=flat\(n\[1-3\]\):2,flat\(n\[1-2\]\):2,natural\(n\[1-3\]\):7' 'scontrol shows what a job holds'
tap_is "$(squeue -h -j "$a" -O LicensesAlloc:80 | tr -d ' ')" 'flat(n[1-3]):2,flat(n[1-2]):2,natural(n[1-3]):7' 'squeue too'
tap_like "$(scontrol show job "$a")" 'TRES=.*license/flat=2' 'and what is counted of it'
b=$(sbatch --parsable -N1 -L flat:1 --wrap "$gate")
wait_job 10 "$b" RUNNING
tap_is "$(job_show "$b" %N)" n3 'a job goes where layers have enough'
c=$(sbatch --parsable -N2 -t 1 -L flat:1 --wrap true)
wait_for 5 eval "scontrol show job $c | grep -q Reason=Licenses"
tap_ok $? 'another waits'

ctld_kill9
layers 1
ctld_start
tap_is "$(scontrol -o show license flat | sed 's/LicenseName=flat //;s/Remote=no //')" "Total=2 Used=2 Free=0 Reserved=0 Nodes=n[1-2] Mode=2
Total=1 Used=3 Free=0 Reserved=0 Nodes=n[1-3] Mode=2" 'after a crash the jobs hold the same, of fewer'
layers 3
printf '%s\n' '  colour: red' >>"$DIR/resources.yaml"
run scontrol reconfigure
tap_like "$rc $err" '^1 .*resources.yaml line [0-9]+ column 3: colour is not a key of a resource' 'a mistake changes nothing'
layers 4
run scontrol reconfigure
tap_is "$rc $err" '0 ' 'a count may be changed'
run scontrol update JobId="$c" Licenses=flat:9
tap_like "$rc $err" '^1 .*9 of flat requested, 4 can be had' 'an update asks for what could be had'
run scontrol update JobId="$c" Licenses=flat:2
tap_is "$rc $(scontrol show job "$c" | grep -o 'Licenses=[^ ]*' | head -1)" '0 Licenses=flat:2' 'and changes what is asked for'
run sbatch --test-only -N1 -t 1 -L flat:1 --wrap true
tap_like "$rc $err" '^0 .*to start at .* on n3|^0 .*to start at' '--test-only knows them'

touch go
wait_job 20 "$a" COMPLETED
wait_job 20 "$c" COMPLETED
tap_ok $? 'what is given back is had by the next'
rm go
d=$(sbatch --parsable -N2 -L power:full_node --wrap "$gate")
wait_job 10 "$d" RUNNING
tap_like "$(job_show "$d" %N)" '^n\[[12],3\]$' 'MODE_3 takes nodes of two layers'
tap_is "$(scontrol -o show license power | grep -c 'Free=0')" 3 'and counts each node'
scancel "$d"
wait_job 10 "$d" CANCELLED
printf '%s\n' n1 n3 n3 >hosts
d=$(SLURM_HOSTFILE=$DIR/hosts sbatch --parsable -n3 -m arbitrary -L power:full_node --wrap "$gate")
wait_job 10 "$d" RUNNING
tap_is "$(job_show "$d" %N) $(scontrol -o show license power | grep -c 'Free=0')" 'n[1,3] 3' 'so it does with -m arbitrary'
scancel "$d"
wait_job 10 "$d" CANCELLED

run scontrol create reservation ReservationName=r StartTime=now Duration=10 Users=root Flags=ANY_NODES "Licenses=flat(n[1-3]):3,flat(n[2,1]):1"
tap_is "$rc $(scontrol show reservation r | grep -o 'Licenses=[^ ]*')" '0 Licenses=flat(n[1-3]):3,flat(n[1-2]):1' 'a reservation keeps layers'
tap_is "$(scontrol -o show license flat | grep -o 'Reserved=[0-9]*' | tr '\n' ' ')" 'Reserved=1 Reserved=3 ' 'which are shown as reserved'
e=$(sbatch --parsable -L flat:2 --wrap true)
f=$(sbatch --parsable --reservation r -L flat:2 -w n3 --wrap true)
wait_job 20 "$f" COMPLETED
tap_is "$(job_state "$e")" PENDING 'no other job has them'
scontrol delete ReservationName=r
wait_job 20 "$e" COMPLETED
tap_ok $? 'until it is gone'
tap_is "$(sacct -X -n -P -j "$a" -o Licenses,ReqTRES | grep -c 'flat:2,natural:7|.*license/flat=2')" 1 'sacct has what was asked for'
cluster_sound
tap_ok $? 'the logs are sound'
tap_done
