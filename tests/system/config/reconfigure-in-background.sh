#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A reconfiguration reads its files beside the loop: while slumber-power's look at power.yaml lasts, all others are served.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
conf() { # SUSPENDTIME
        cluster_conf n1 'NodeName=n1 NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000' SelectTypeParameters=CR_CPU "SuspendTime=$1"
}
conf 600
(umask 077 && echo secret >password)
power_yaml() { # KEY: of the address
        echo "nodes: [{nodes: n1, $1: 127.0.0.1, user: admin, password_file: password}]" >power.yaml
}
power_yaml bmc
# The controller finds slumber-power beside itself: this one looks when it is allowed to.
mkdir programs && cp "$CTLD" programs/slumberctld && CTLD=$DIR/programs/slumberctld
cat >programs/slumber-power <<END
#!/bin/sh
echo >>"$DIR/looks"
until [ -e "$DIR/go" ]; do sleep 0.05; done
exec "$SLUMBER_BUILD/power/slumber-power" "\$@"
END
chmod 755 programs/slumber-power
looks() { [ "$(wc -l <looks)" -ge "$1" ]; }
suspend_time() { scontrol show config | sed -n 's/^SuspendTime *= //p'; }
: >go
cluster_up 'a controller and a node' n1
before=$(wc -l <looks)
rm go

conf 700
scontrol reconfigure >first 2>&1 & first=$!
wait_for 20 looks $((before + 1))
tap_ok $? 'the look at power.yaml lasts'
tap_is "$(timeout 5 sinfo -h -o '%N %t')" 'n1 idle' 'sinfo is answered meanwhile'
tap_is "$(timeout 5 srun -n1 echo runs)" runs 'and jobs run'
tap_is "$(suspend_time)" '600 sec' 'the old configuration is in force'
conf 800
scontrol reconfigure >second 2>&1 & second=$!
kill -HUP "$(cat run/ctld.pid)"
gone $first
tap_is $? 1 'the command that asked for it waits'
: >go
wait $first
tap_is "$?|$(cat first)" '0|' 'and is answered when it is in force'
wait $second
tap_is "$?|$(cat second)|$(suspend_time)" '0||800 sec' 'one that has changed a file since has that read, too'

# ---- refused, and the end ----
rm go
power_yaml bmcc
size=$(wc -l <looks)
scontrol reconfigure >third 2>&1 & third=$!
wait_for 20 looks $((size + 1))
: >go
wait $third
tap_like "$? $(cat third)" 'bmcc' 'what is wrong with power.yaml is told'
rm go
size=$(wc -l <looks)
scontrol reconfigure >fourth 2>&1 & fourth=$!
wait_for 20 looks $((size + 1))
kill "$(cat run/ctld.pid)"
wait_for 8 gone "$(cat run/ctld.pid)"
tap_ok $? 'a controller that is to stop does not wait for it'
: >go
wait $fourth
cluster_sound
tap_ok $? 'no daemon has complained of itself'
[ $TAP_FAILED = 0 ] || cluster_logs
tap_done
