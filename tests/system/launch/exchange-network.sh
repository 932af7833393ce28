#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A step's eight nodes, each in a network namespace of its own, exchange data over real TCP; a link that is down for a while loses nothing.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/exchange.sh
. "$(dirname "$0")/../exchange.sh"

[ "$(id -u)" = 0 ] || tap_skip_all 'only root can make network namespaces'
command -v ip >/dev/null || tap_skip_all 'no ip (iproute2)'
SPACE=slumber-$$
remove_spaces() {
        local i
        for i in {1..8}; do ip netns del $SPACE-n$i; done
        ip netns del $SPACE
} 2>/dev/null
make_spaces() {
        local i
        ip netns add $SPACE && ip -n $SPACE link set lo up && ip -n $SPACE link add br0 type bridge &&
                ip -n $SPACE addr add 10.78.0.1/24 dev br0 && ip -n $SPACE link set br0 up || return
        for i in {1..8}; do
                ip netns add $SPACE-n$i && ip -n $SPACE link add v$i type veth peer name eth0 netns $SPACE-n$i &&
                        ip -n $SPACE link set v$i master br0 up && ip -n $SPACE-n$i addr add 10.78.0.$((10 + i))/24 dev eth0 &&
                        ip -n $SPACE-n$i link set eth0 up && ip -n $SPACE-n$i link set lo up || return
        done
}
at_exit remove_spaces
at_exit cluster_end
make_spaces 2>"$DIR/why" || tap_skip_all "cannot make network namespaces: $(tail -1 "$DIR/why")"

cluster_conf 'n[1-8]' 'SlurmctldHost=localhost(10.78.0.1)' 'NodeName=n[1-8] NodeAddr=10.78.0.[11-18] CPUs=4 RealMemory=1000'
printf '#!/bin/sh\nexec nsenter --net=/run/netns/%s "%s" "$@"\n' $SPACE "$CTLD" >"$DIR/run/ctld"
printf '#!/bin/sh\nexec nsenter --net=/run/netns/%s-$SLUMBERD_NODE "%s" "$@"\n' $SPACE "$SLUMBERD" >"$DIR/run/slumberd"
chmod +x "$DIR/run/ctld" "$DIR/run/slumberd"
CTLD=$DIR/run/ctld SLUMBERD=$DIR/run/slumberd
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
