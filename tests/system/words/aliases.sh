#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scontrol show aliases: the nodes that one host is.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
cluster_conf 'n[1-2]' "NodeName=n[1-2] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000
NodeName=n3 NodeAddr=127.0.0.1 CPUs=4 RealMemory=1000"
ctld_start
tap_ok $? 'a controller'
tap_is "$(scontrol show aliases)|$(scontrol show aliases n3)|$(scontrol show aliases nobody; echo $?)" 'n1 n2|n3|0' 'by host'
cluster_sound
tap_ok $? 'no daemon complained'
tap_done
