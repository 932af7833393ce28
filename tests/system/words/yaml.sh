#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --yaml says what --json says.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
at_exit cluster_end
cd "$DIR" || exit 1
python3 -c 'import yaml' 2>/dev/null || tap_skip_all 'no YAML for Python (package python3-yaml)'

cluster_conf n[1-2] 'AccountingStorageType=accounting_storage/slurmdbd'
cluster_up 'a cluster' n1 n2
id=$(sbatch --parsable -H -J 'no' --comment '123: "x" - #' -o /dev/null --wrap true)
run scontrol create reservation ReservationName=yes StartTime=now+1hour Duration=10 Users=root Nodes=n1
same() { # NAME FILE FILE: but for moments
        python3 - "$2" "$3" <<'END'
import json, sys, yaml
def still(x):
    if isinstance(x, dict):
        return {k: still(v) for k, v in x.items() if k not in ('last_update', 'run_time', 'cpu_load', 'free_mem', 'energy', 'statistics', 'since')}
    return [still(v) for v in x] if isinstance(x, list) else x
a, b = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
assert len(a) >= 5 and set(a) == set(b), (list(a), list(b))
assert still(a) == still(b), (still(a), still(b))
END
        tap_ok $? "$1"
}
for command in 'squeue' 'sinfo' 'sdiag' 'scontrol show node' 'scontrol show job' 'scontrol show partition' 'scontrol show reservation' \
        'scontrol show power n[1-2]' 'sacctmgr show user' 'squeue -j 99,98'; do
        # shellcheck disable=SC2086
        $command --json >a.json 2>a.err
        # shellcheck disable=SC2086
        $command --yaml >a.yaml 2>>a.err
        same "$command" a.json a.yaml || sed 's/^/# /' a.err
done
tap_is "$(squeue --yaml=v0.0.43 | python3 -c 'import sys, yaml; j, = yaml.safe_load(sys.stdin)["jobs"]; print(j["job_id"], j["name"], j["comment"])')" \
        "$id no 123: \"x\" - #" 'texts stay texts'
run squeue --json=list
tap_like "$rc|${out//$'\n'/ }" '^0\|.*data_parser/v0.0.42' '--json=list tells the data parsers'
run sinfo --yaml=v9
tap_like "$rc|$out|$err" '^1\|\|sinfo: error: there is no data parser "v9"' 'another one is refused'
cluster_sound
tap_ok $? 'no daemon has complained of itself'
tap_done
