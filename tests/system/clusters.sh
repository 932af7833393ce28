# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# tests/system/clusters.sh - a second cluster, beta, beside that of cluster.sh, which is alpha
#
# Sourced after cluster.sh.
#   clusters_conf [THERE [HERE [KEY...]]]  both configurations, with nodes a1 and b1; what users of alpha may do there, by
#                                  alpha, and here, by beta ("[show, submit]"); a KEY ("users: [root]") of beta's
#   beta COMMAND...                as in that cluster: beta ctld_start, beta squeue
#   clusters_up NAME               both, with one node each
# Both are ended at exit.  BETA_NODES: more than b1, whose agents the test starts.
ALPHA=$DIR BETA=$DIR/b BETA_PORT=$((PORT + 5))
mkdir -p "$BETA"

beta() { (
        # shellcheck disable=SC2030
        DIR=$BETA PORT=$BETA_PORT
        export SLURM_CONF=$BETA/slurm.conf SLUMBER_SOCKET=$BETA/sock
        "$@"
); }
_site() { # CLUSTER PORT RIGHTS KEY...: one entry of clusters
        printf '%s\n' "clusters:" "  $1:" "    hosts: 127.0.0.1" "    port: $2" "    key_file: $ALPHA/shared"
        shift 2
        printf '    %s\n' "$@"
}
clusters_conf() {
        local there=${1:-[show, submit, cancel, update]} here=${2:-[show, submit, cancel, update]}
        shift $(($# < 2 ? $# : 2))
        [ -e "$ALPHA/shared" ] || (umask 077 && head -c 48 /dev/urandom >"$ALPHA/shared")
        cluster_conf a1 ClusterName=alpha
        _site beta "$BETA_PORT" "there: $there" >>"$ALPHA/slumber.yaml"
        beta cluster_conf "${BETA_NODES:-b1}" ClusterName=beta
        _site alpha "$PORT" "here: $here" "$@" >>"$BETA/slumber.yaml"
}
clusters_up() {
        at_exit beta cluster_end
        at_exit cluster_end
        ctld_start && agent_start a1 && beta ctld_start && beta agent_start b1 &&
                wait_nodes 20 a1 idle && beta wait_nodes 20 b1 idle
        tap_ok $? "$1" || { cluster_logs; beta cluster_logs; tap_done; }
}
