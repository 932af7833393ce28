#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Configurations as real sites write them (tests/sites): --check finds their guards and nothing else, all at once; with these accepted, or at
# once where there are none, the controller starts.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../cluster.sh"

at_exit cluster_end
cluster_conf n1
grep -E '^(key_file|socket|veto_logind):' "$DIR/slumber.yaml" >"$DIR/own.yaml"

# The folder of a site, on this host: its user, host, port and folders are this test's.
take_site() { # NAME
        rm -rf "$DIR/site" "$DIR/state"
        cp -r "$SLUMBER_SOURCE/tests/sites/$1" "$DIR/site"
        mkdir "$DIR/state"
        sed -i -E -e "s|^SlurmUser=.*|SlurmUser=$(id -un)|" -e "s|^StateSaveLocation=.*|StateSaveLocation=$DIR/state|" \
                -e "0,/^SlurmctldHost=.*/s||SlurmctldHost=localhost(127.0.0.1)|" -e 's|^ControlMachine=.*|ControlMachine=localhost|' \
                -e 's|^ControlAddr=.*|ControlAddr=127.0.0.1|' -e "s|^SlurmctldPort=[0-9]*|SlurmctldPort=$PORT|" \
                -e "s|^(Slurm[a-z]*(LogFile\|PidFile)=).*/|\\1$DIR/log/|" "$DIR/site/slurm.conf"
        grep -q ^SlurmctldPort= "$DIR/site/slurm.conf" || echo "SlurmctldPort=$PORT" >>"$DIR/site/slurm.conf"
        sed -i -E "s|^(SlurmctldPort=$PORT)-.*|\\1-$((PORT + 3))|" "$DIR/site/slurm.conf"
        cp "$DIR/own.yaml" "$DIR/site/slumber.yaml"
        export SLURM_CONF=$DIR/site/slurm.conf
}
guards_found() { awk '/ missing guard / { print $1 }' | sort; }

for folder in "$SLUMBER_SOURCE"/tests/sites/*/; do
        site=$(basename "$folder")
        take_site "$site"
        wanted=$(sort "$DIR/site/guards")
        run "$CTLD" --check -f "$SLURM_CONF"
        n=$(grep -c . "$DIR/site/guards")
        tap_is "$rc $(grep -c 'error: ' <<<"$err") $(guards_found <<<"$out")" "$((n > 0)) $n $wanted" "$site: its guards, all at once, and no other fault"
        if [ "$n" -gt 0 ]; then
                run timeout 20 "$CTLD" -D -f "$SLURM_CONF"
                tap_is "$rc $(grep -c 'error: ' <<<"$err")" "1 $n" "$site: the start is refused by all of them"
                echo "accept_missing: [$(sort -u "$DIR/site/guards" | paste -sd,)]" >>"$DIR/site/slumber.yaml"
        fi
        ctld_start
        tap_ok $? "$site: it starts" || tail -5 "$DIR/log/ctld" | sed 's/^/# /'
        ctld_stop
done
tap_done
