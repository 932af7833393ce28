#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A step's eight nodes, each in a network namespace of its own, exchange data over real TCP; a link that is down for a while loses nothing.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/exchange.sh
. "$(dirname "$0")/../exchange.sh"

# shellcheck source=tests/system/spaces.sh
. "$(dirname "$0")/../spaces.sh"

spaces_up
spaces_conf
ctld_start && for i in {1..8}; do exchange_agent n$i; done && wait_nodes 20 'n[1-8]' idle
tap_ok $? 'controller and eight nodes with a network' || { cluster_logs; tap_done; }
tap_is "$(sort -u "$DIR"/spool.n*/port)" 6818 'each listens at SlurmdPort'
tap_is "$(grep -h 'reach this one at port' "$DIR"/log/n*)" '' '... and says nothing about it'

exchange_begin 8
goes_on 'all of eight nodes exchange data'
agent_kill9 n5
exchange_agent n5
goes_on 'slumberd of n5 is killed: they go on'
ip -n $SPACE link set v3 down
waits() { nsenter "--net=/run/netns/$SPACE-n2" ss -Htn state established dst 10.78.0.13 | awk '$2 > 0' | grep -q .; }
wait_for 20 waits
tap_ok $? 'n3 has no network: what its neighbour sends waits'
ip -n "$SPACE" link set v3 up
goes_on 'it has it again: they go on'
exchange_stop
tap_is "$(cat "$DIR"/log/n* | grep -c 'is dropped, and more of it')" 0 'nothing was dropped'

cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
