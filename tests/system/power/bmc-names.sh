#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# BMCs by name: a name that does not exist is a mistake of power.yaml, which no second attempt mends; a name service that is away
# is none, and its nodes are to be tried again.
. "$(dirname "$0")/../lib.sh"
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || tap_skip_all 'only root can give a program another name service'

power=$SLUMBER_BUILD/power/slumber-power
cd "$DIR" || exit 1
(umask 077 && echo right >password)
cat >power.yaml <<END
defaults: {user: admin, password_file: password, deadline: 2s, poll: 50ms, lock_file: $DIR/lock}
nodes:
  - {nodes: i1, bmc: "bmc-%n"}
  - {nodes: r1, driver: redfish, bmc: "bmc-%n"}
  - {nodes: w1, driver: wake-on-lan, mac: "02:00:5e:10:00:01", check: "%n-host:22", broadcast: "127.$NET.0.1:9"}
  - {nodes: w2, driver: wake-on-lan, mac: "02:00:5e:10:00:02", broadcast: "everywhere:9"}
END
echo 'nameserver 127.0.0.1' >resolv.conf # where no server answers in a network of its own
echo 'options timeout:1 attempts:1' >>resolv.conf
with_names() { # WORDS of nsswitch.conf, COMMAND...
        echo "hosts: $1" >nsswitch.conf
        unshare -m -n sh -c 'mount --bind nsswitch.conf /etc/nsswitch.conf && mount --bind resolv.conf /etc/resolv.conf && exec "$@"' sh "${@:2}"
}
outcomes() { # node=error, of all nodes
        exec 7>outcome
        SLUMBER_RESULT_FD=7 with_names "$1" "$power" on i1,r1,w1,w2 -c power.yaml >out 2>err
        exec 7>&-
        sed 's/{"node":"\([^"]*\)".*"error":"\([^"]*\)".*/\1=\2/' outcome | sort | tr '\n' ' '
}
tap_is "$(outcomes files)" 'i1=bad-config r1=bad-config w1=bad-config w2=bad-config ' 'a name that does not exist is a mistake'
tap_is "$(outcomes dns)" 'i1=common r1=common w1=common w2=common ' 'a name service that does not answer is none'
tap_is "$(grep -c 'cannot be resolved' err)" 4 'and what is wrong is said of each node'
tap_done
