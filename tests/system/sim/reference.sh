#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Random traces start in slumber-sim as an independent account of what a scheduler does says.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

agrees() { # NAME OPTION...
        local name=$1
        shift
        python3 "$SLUMBER_SOURCE/tests/system/sim_reference.py" \
                --sim "$SLUMBER_BUILD/controller/slumber-sim" "$@" >"$DIR/log" 2>&1
        tap_ok $? "$name" || sed 's/^/# /' "$DIR/log"
}

agrees "jobs of whole nodes" --random 50
agrees "jobs of parts of nodes, with memory and GPUs, and limits of accounts: in order" \
        --random 30 --kinds parts,parts+limits,nodes+limits --how builtin
agrees "the same with a plan of parts of nodes" \
        --random 60 --kinds parts,parts+limits,nodes+limits --how conservative,easy
agrees "heterogeneous jobs, of whole nodes and of parts" \
        --random 60 --kinds nodes+het,parts+het
agrees "a reservation of cores (CoreCnt), jobs inside and outside of it" \
        --random 50 --kinds parts+reserved
tap_done
