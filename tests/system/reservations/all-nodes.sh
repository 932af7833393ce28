#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A reservation of all nodes has those that slurm.conf gains, and one that was given an end keeps it over a crash too.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"

reserved() { # NAME KEY
    scontrol show reservation "$1" | grep -oE "(^| )$2=[^ ]*" | tr -d ' '
}

at_exit cluster_end
cluster_conf 'n[1-2]'
cd "$DIR" || exit 1
cluster_up 'two nodes are idle' n1 n2
reserve ReservationName=all StartTime=2035-01-01T10:00 Duration=60 Users="$(id -un)" Nodes=ALL
reserve ReservationName=part StartTime=2035-02-01T10:00 EndTime=2035-02-01T12:00 Users="$(id -un)" Nodes=ALL PartitionName=main
reserve ReservationName=two StartTime=2035-03-01T10:00 Duration=60 Users="$(id -un)" Nodes='n[1-2]'
tap_is "$(reserved all Flags) $(reserved part Flags) $(reserved two Flags)" \
    'Flags=SPEC_NODES,ALL_NODES Flags=SPEC_NODES,PART_NODES Flags=SPEC_NODES' 'Nodes=ALL shows as what it follows'
ctld_kill9
ctld_start
run scontrol update ReservationName=all StartTime=2035-01-01T11:00
run scontrol update ReservationName=part StartTime=2035-02-01T11:00
tap_is "$(reserved all EndTime) $(reserved part EndTime)" 'EndTime=2035-01-01T12:00:00 EndTime=2035-02-01T12:00:00' \
    'another start: a Duration stays, and so does an end'
sed -i 's/n\[1-2\]/n[1-3]/' "$SLURM_CONF"
run scontrol reconfigure
wait_for 10 eval '[ "$(reserved all Nodes)" = "Nodes=n[1-3]" ]'
tap_is "$?|$(reserved part Nodes) $(reserved two Nodes)" '0|Nodes=n[1-3] Nodes=n[1-2]' 'a new node is in those of all'
cluster_sound
tap_ok $? 'no daemon has said anything that only a bug says'
tap_done
