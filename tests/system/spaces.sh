# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034 # cluster.sh uses CTLD and SLUMBERD
# tests/system/spaces.sh - nodes n1 to n8 in network namespaces of their own, the controller in
# another, all on one bridge: real TCP between them.  To be sourced behind cluster.sh.
#
#   spaces_up         makes them, or skips the test; they are removed at exit
#   spaces_conf [LINE...]   cluster_conf of eight nodes there, and daemons that start there
#   $SPACE            the controller's namespace; $SPACE-n1 is n1's
#
# Node n1 is 10.78.0.11, the controller 10.78.0.1.

SPACE=slumber-$$
spaces_remove() {
        local i
        for i in {1..8}; do ip netns del "$SPACE-n$i"; done
        ip netns del "$SPACE"
} 2>/dev/null

spaces_make() {
        local i
        ip netns add "$SPACE" && ip -n "$SPACE" link set lo up &&
                ip -n "$SPACE" link add br0 type bridge &&
                ip -n "$SPACE" addr add 10.78.0.1/24 dev br0 &&
                ip -n "$SPACE" link set br0 up || return
        for i in {1..8}; do
                ip netns add "$SPACE-n$i" &&
                        ip -n "$SPACE" link add "v$i" type veth peer name eth0 \
                                netns "$SPACE-n$i" &&
                        ip -n "$SPACE" link set "v$i" master br0 up &&
                        ip -n "$SPACE-n$i" addr add "10.78.0.$((10 + i))/24" dev eth0 &&
                        ip -n "$SPACE-n$i" link set eth0 up &&
                        ip -n "$SPACE-n$i" link set lo up || return
        done
}

spaces_up() {
        [ "$(id -u)" = 0 ] || tap_skip_all 'only root can make network namespaces'
        command -v ip >/dev/null || tap_skip_all 'no ip (iproute2)'
        at_exit spaces_remove
        at_exit cluster_end
        spaces_make 2>"$DIR/why" ||
                tap_skip_all "cannot make network namespaces: $(tail -1 "$DIR/why")"
}

spaces_conf() {
        cluster_conf 'n[1-8]' 'SlurmctldHost=localhost(10.78.0.1)' \
                'NodeName=n[1-8] NodeAddr=10.78.0.[11-18] CPUs=4 RealMemory=1000' "$@"
        printf '#!/bin/sh\nexec nsenter --net=/run/netns/%s "%s" "$@"\n' "$SPACE" "$CTLD" \
                >"$DIR/run/ctld"
        # a host name of its own, too: by that MPIs tell which tasks may share memory
        printf '#!/bin/sh\nexec nsenter --net=/run/netns/%s-$SLUMBERD_NODE unshare --uts sh -c %s "%s" "$@"\n' \
                "$SPACE" "'hostname \$SLUMBERD_NODE; exec \"\$0\" \"\$@\"'" "$SLUMBERD" \
                >"$DIR/run/slumberd"
        chmod +x "$DIR/run/ctld" "$DIR/run/slumberd"
        CTLD=$DIR/run/ctld SLUMBERD=$DIR/run/slumberd
}
