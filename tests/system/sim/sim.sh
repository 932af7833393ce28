#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slumber-sim: sums, files, comparisons, and the same twice.
. "$(dirname "$0")/../lib.sh"
sim=$SLUMBER_BUILD/controller/slumber-sim

cat >"$DIR/slurm.conf" <<END
ClusterName=small
SlurmctldHost=nowhere
SlurmUser=nobody-of-this-name
StateSaveLocation=$DIR/state
SelectType=select/linear
SuspendProgram=/not/here/suspend
ResumeProgram=/not/here/resume
SuspendTime=100
SuspendTimeout=10
ResumeTimeout=60
SuspendRate=0
ResumeRate=0
NodeName=n[1-2] CPUs=2
PartitionName=p Nodes=ALL Default=YES MaxTime=UNLIMITED
PartitionName=night Nodes=n2 MaxTime=UNLIMITED
END
cat >"$DIR/slumber.yaml" <<END
watts_on: 200
watts_idle: 100
watts_off: 10.0
watts_booting: 150
boot_seconds: 20
shutdown_seconds: 5 n2=10
END
cat >"$DIR/jobs.swf" <<END
; Computer: example
; MaxProcs: 4
; Queue: 1 night
1 200 5 30 2 -1 -1 2 60 -1 1 1 1 -1 -1 -1 -1 -1
2 200.5 -1 9.75 2 -1 -1 2 60 -1 0 2 1 -1 1 -1 -1 -1
3 900 -1 0 2 -1 -1 2 60 -1 5 2 1 -1 -1 -1 -1 -1
END
run=("$sim" -f "$DIR/slurm.conf" -t "$DIR/jobs.swf")

text=$("${run[@]}" 2>&1)
tap_like "$text" 'cluster small, 2 nodes; 2 jobs of .*jobs.swf' "it says what was simulated"
tap_like "$text" '^taken from: example, 4 processors$' "and of which machine"
tap_like "$text" '^waits there: mean 0:05, 95 of 100 at most 0:05, of the 1 jobs that tell$' "and how long jobs waited there"
tap_like "$text" 'left out: 1 cancelled before they started' "and what was left out"
tap_like "$text" 'wait, mean +0:20' "jobs wait for the boot"
tap_is "$("${run[@]}" --csv)" "job,submit,start,end,wait,state,nodes,cpus,requeues,suspended,node_list
1,200,220,250,20,COMPLETED,1,2,0,0,n1
2,200.5,220.5,230.25,20,FAILED,1,2,0,0,n2" "each job, on the partition that the header names"

"${run[@]}" --json | python3 -c '
import json, sys
d = json.load(sys.stdin)
c = d["cases"][0]
n1, n2 = c["nodes"]
print(d["trace"]["header"][0], d["trace"]["waited"]["mean"], c["jobs"][1]["start"], n1["seconds"]["off"], n1["suspends"], round(n1["used_kwh"] * 3600, 1), round(c["sums"]["energy"] * 3600, 1))' >"$DIR/json"
# n1: 100 s idle, 10 s down, half of them as if it were off, 90 s off, 20 s boot, 30 s busy: 20.45 kJ; n2 likewise 18.83
tap_like "$(cat "$DIR/json")" "^\['Computer', 'example'\] 5.0 220.5 90 1 20\.[45] 39\.3$" "JSON has energy, worked out by hand"
"$sim" -q -f "$DIR/slurm.conf" -t "$DIR/jobs.swf" --with watts_off=10.5 --json | python3 -c '
import json, sys
n1 = json.load(sys.stdin)["cases"][-1]["nodes"][0]
print(round(n1["used_kwh"] * 3600000))' >"$DIR/fraction"
tap_is "$(cat "$DIR/fraction")" "$(python3 -c "print(20450 + round(0.5 * 95))")" "watts may have a fraction"

"${run[@]}" --json --out "$DIR/files" | python3 -c '
import csv, json, sys
k = json.load(sys.stdin)["cases"][0]
def same(name, rows):
    lines = list(csv.DictReader(open(sys.argv[1] + "/" + name)))
    wanted = [{key: "" if v is None else v for key, v in r.items()} for r in rows]
    def equal(a, b):
        try:
            return float(a) == float(b)
        except ValueError:
            return a == b
    return len(lines) == len(wanted) > 2 and all(a.keys() == b.keys() and all(equal(a[c], b[c]) for c in a) for a, b in zip(lines, wanted))
print(same("states.csv", k["states"]), same("series.csv", k["series"]))' "$DIR/files" >"$DIR/log" 2>&1
tap_is "$(cat "$DIR/log")" "True True" "and says of states and series what the files say"

"${run[@]}" --json --boot-varies 50 --seed 7 >"$DIR/a" 2>/dev/null
"${run[@]}" --json --boot-varies 50 --seed 7 >"$DIR/b" 2>/dev/null
cmp "$DIR/a" "$DIR/b" && [ -s "$DIR/a" ]
tap_ok $? "the same output twice"
"${run[@]}" --json --boot-varies 50 --seed 8 >"$DIR/c" 2>/dev/null
! cmp -s "$DIR/a" "$DIR/c"
tap_ok $? "and another one with another seed"

text=$("${run[@]}" --with SuspendTime=-1 -w "SuspendTime=50,watts_off=0" --out "$DIR/out")
tap_like "$text" 'SuspendTime=-1 +SuspendTime=50,watts_off=0' "settings stand side by side"
tap_like "$text" 'wait, mean +0:20 +0:00 \(-100.0%\)' "with SuspendTime=-1 no job waits for a boot"
tap_is "$(cat "$DIR/out/summary.txt")" "$text" "summary.txt is the table"
tap_is "$(cd "$DIR/out" && echo *)" "1 2 3 summary.json summary.txt sums.csv" "a folder for each case"
tap_like "$(cat "$DIR/out/1/states.csv")" '^220,n1,busy,1$' "states.csv"
tap_like "$(cat "$DIR/out/1/series.csv")" '^105,0,0,0,0,0,2,0,0,110.000$' "series.csv: n1 draws less when it has shut down"
python3 -c 'import json,sys; json.load(open(sys.argv[1]))' "$DIR/out/summary.json"
tap_ok $? "summary.json can be read"

sed 's/SuspendTime=100/SuspendTime=50/' "$DIR/slurm.conf" >"$DIR/b.conf"
text=$("$sim" -t "$DIR/jobs.swf" --compare --csv "$DIR/slurm.conf" "$DIR/b.conf")
tap_like "$text" '^what,unit,slurm.conf,b.conf$' "configurations are compared"
tap_like "$text" '^off_hours,h,0.[0-9]+,0.[0-9]+$' "by their sums"
text=$("$sim" -q -t "$DIR/jobs.swf" --compare "$DIR/slurm.conf" "$DIR/b.conf")
tap_like "$(head -1 <<<"$text")" '^cluster small, 2 nodes; ' "clusters of one size: it stands above"
tap_is "$(grep -c '^nodes  ' <<<"$text")" 0 "and is no row"
sed 's/n\[1-2\]/n[1-4]/' "$DIR/slurm.conf" >"$DIR/four.conf"
text=$("$sim" -q -t "$DIR/jobs.swf" --compare "$DIR/slurm.conf" "$DIR/four.conf")
tap_is "$(head -1 <<<"$text" | grep -c ' nodes')" 0 "clusters of two sizes: it does not stand above"
tap_like "$text" '^nodes +2 +4( \(\+100.0%\))?$' "and is a row"
mkdir "$DIR/other" && cp "$DIR/slurm.conf" "$DIR/slumber.yaml" "$DIR/other"
text=$("$sim" -t "$DIR/jobs.swf" --compare --csv "$DIR/slurm.conf" "$DIR/b.conf" "$DIR/other/slurm.conf")
tap_is "$(head -1 <<<"$text")" "what,unit,$DIR/slurm.conf,b.conf,$DIR/other/slurm.conf" "those of one name by their folders"

printf '\xef\xbb\xbfsubmit,run,nodes\n0,1,1\n5,1,3\n6,1,4\n7,1,2\n' >"$DIR/large.csv"
text=$("$sim" -f "$DIR/slurm.conf" -t "$DIR/large.csv")
tap_like "$text" '^never started: 2, the first is job 2: PartitionNodeLimit$' "jobs that never start, and why; a file as spreadsheets write it"
"$sim" -f "$DIR/slurm.conf" -t "$DIR/large.csv" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["cases"][0]["never_started"])' >"$DIR/log"
tap_is "$(cat "$DIR/log")" "[{'why': 'PartitionNodeLimit', 'first_job': '2', 'jobs': 2}]" "in JSON too"

grep -v Program= "$DIR/slurm.conf" >"$DIR/bare.conf"
text=$("$sim" -f "$DIR/bare.conf" -t "$DIR/jobs.swf" -w SuspendTime=-1 -w SuspendProgram=/x,ResumeProgram=/x)
tap_is "$(grep 'no node sleeps' <<<"$text")" "no node sleeps with as configured: power saving is off: no SuspendProgram" "a case that lacks a program is reported, and no other"
"$sim" -f "$DIR/bare.conf" -t "$DIR/jobs.swf" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["cases"][0]["power_saving_off"])' >"$DIR/log"
tap_is "$(cat "$DIR/log")" "no SuspendProgram" "in JSON too"

refused() { # WANTED NAME OPTION...
        local wanted=$1 name=$2
        shift 2
        "$sim" "$@" >"$DIR/log" 2>&1 && echo "it did not fail" >>"$DIR/log"
        tap_like "$(cat "$DIR/log")" "$wanted" "$name"
}
conf=(-f "$DIR/slurm.conf")
refused '^slumber-sim: error: which jobs\?' "no trace" "${conf[@]}"
refused "error: $DIR/none.swf: No such file or directory" "a trace that is not there" "${conf[@]}" -t "$DIR/none.swf"
refused "error: standard input line 1: there are 3 fields; expected 18" "a bad trace of standard input" "${conf[@]}" -t - <<<"1 2 3"
gzip -c "$DIR/jobs.swf" >"$DIR/jobs.swf.gz"
refused "error: $DIR/jobs.swf.gz: compressed by gzip; expected text: zcat FILE" "one as the archives have it" "${conf[@]}" -t "$DIR/jobs.swf.gz"
text=$(sed 's/^1 200/-1 200/; /^;/d' "$DIR/jobs.swf" | "$sim" -q "${conf[@]}" -t - 2>&1)
tap_like "$text" '2 jobs of standard input$' "one that begins with a job of unknown number"
echo "1 2 3" >"$DIR/bad.swf"
refused "error: $DIR/bad.swf line 1: there are 3 fields; expected 18" "a bad trace" "${conf[@]}" -t "$DIR/bad.swf"
printf '1 \033[2J\233 3\n' >"$DIR/bad.swf"
refused "^slumber-sim: error: $DIR/bad.swf line 1: field 2 \(submit time\): \"\\\\x1b\[2J\\\\x9b\" is neither" "what a terminal would obey is shown" "${conf[@]}" -t "$DIR/bad.swf"
refused 'error: --with Suspend=3: Suspend: neither slurm.conf nor slumber.yaml has such a key' "an unknown key" "${run[@]:1}" -w Suspend=3
refused 'error: --with NodeName=x: NodeName: lines of that kind are not settings: change them in a copy of slurm.conf' "a line" "${run[@]:1}" -w NodeName=x
refused 'error: --with q.SuspendTime=3: .*there is no partition "q"' "an unknown partition" "${run[@]:1}" -w q.SuspendTime=3
refused 'error: --with SuspendTime=x: SuspendTime: ' "a bad value" "${run[@]:1}" -w SuspendTime=x
refused 'error: --nodes: of what\?  states.csv of --out DIR' "--nodes without --out" "${run[@]:1}" --nodes n1
refused 'error: node n9 is not configured' "--nodes that are not there, before anything is written" "${run[@]:1}" --nodes n9 -o "$DIR/no"
[ -z "$(ls "$DIR/no")" ]
tap_ok $? '... and nothing is'
refused 'error: --compare: the configurations are the arguments' "nothing to compare" -t "$DIR/jobs.swf" --compare
refused 'error: --json and --csv exclude each other' "two formats" "${run[@]:1}" --json --csv
refused 'error: --accounting: .*accounting.db' "accounts that are not there" "${conf[@]}" --accounting
refused 'error: /dev/full: Not a directory' "an output that is no folder" "${run[@]:1}" --out /dev/full
"${run[@]}" >/dev/full 2>"$DIR/log"
tap_is "$?" 1 "an output that is full"
for word in --help --usage --version; do
        "$sim" "$word" >"$DIR/log" 2>&1 && [ -s "$DIR/log" ]
        tap_ok $? "$word"
done

{ printf '; Computer: Universit\344t \033[2J\n'; tail -n +2 "$DIR/jobs.swf"; } >"$DIR/latin.swf"
tap_like "$("$sim" -q "${conf[@]}" -t "$DIR/latin.swf" --json | python3 -c 'import json, sys; print(ascii(json.loads(sys.stdin.buffer.read().decode())["trace"]["header"][0]))')" \
        "^\['Computer', 'Universit.ufffdt .x1b\[2J'\]$" "JSON is UTF-8 whatever the trace is"
tap_like "$("$sim" -q "${conf[@]}" -t "$DIR/latin.swf")" 'taken from: Universit\\xe4t \\x1b\[2J, 4 processors' "and the text has nothing that a terminal would obey"

mkdir "$DIR/plain"
cp "$DIR/slurm.conf" "$DIR/plain/plain.conf"
tap_like "$("$sim" -q -t "$DIR/jobs.swf" --compare "$DIR/slurm.conf" "$DIR/plain/plain.conf")" 'energy used +[0-9.]+ kWh +not known' "a configuration without watts beside one with them"

cat >"$DIR/accounts" <<END
Cluster - 'elsewhere':Fairshare=1
Parent - 'root'
Account - 'physics':GrpJobs=1
Parent - 'physics'
User - 'alice':DefaultAccount='physics'
END
{ cat "$DIR/slurm.conf"; echo AccountingStorageEnforce=limits; } >"$DIR/limits.conf"
printf 'submit,run,nodes,user\n0,50,1,alice\n0,50,1,alice\n0,50,1,bob\n' >"$DIR/users.csv"
tap_is "$("$sim" -q -f "$DIR/limits.conf" -t "$DIR/users.csv" --csv --accounts "$DIR/accounts" | cut -d, -f1,3,6)" "job,start,state
1,0,COMPLETED
2,50,COMPLETED
3,,REFUSED" "limits of --accounts count, for the users that a trace names"
# of 4 CPUs of n1 two are alice's from 100 s on: who needs more than the others beyond that waits
echo 'SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ClusterName=r
SlurmctldHost=h
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=n1 Default=YES MaxTime=UNLIMITED' >"$DIR/resv.conf"
echo 'job,submit,run,limit,tasks,user,reservation
1,0,90,90,4,bob,
2,1,50,200,3,bob,
3,1,50,50,2,alice,r
4,1,20,20,2,bob,r' >"$DIR/resv.csv"
printf '%s\n' '# one' '  # blank first' 'ReservationName=r StartTime=now+100 Duration=10 Users=alice Nodes=n1 CoreCnt=2' >"$DIR/resv"
tap_is "$("$sim" -q -f "$DIR/resv.conf" -t "$DIR/resv.csv" --csv --reservations "$DIR/resv" | cut -d, -f1,3,6)" "job,start,state
1,0,COMPLETED
2,700,COMPLETED
3,100,COMPLETED
4,,REFUSED" "reservations count"
echo 'ReservationName=s StartTime=now Duration' >>"$DIR/resv"
refused "error: $DIR/resv: line 4: .*Duration" "a reservation that cannot be read" -f "$DIR/resv.conf" -t "$DIR/resv.csv" --reservations "$DIR/resv"
sed -i '4s/.*/ReservationName=s StartTime=now Duration=1 Users=alice Nodes=n9/' "$DIR/resv"
refused "error: $DIR/resv: line 4: .*n9" "a reservation of no node" -f "$DIR/resv.conf" -t "$DIR/resv.csv" --reservations "$DIR/resv"
sed -i 's/^Account.*/&:GrpJobz=2/' "$DIR/accounts"
refused "error: $DIR/accounts: line 3: .*GrpJobz" "accounts that cannot be read" -f "$DIR/limits.conf" -t "$DIR/users.csv" --accounts "$DIR/accounts"
refused 'error: --accounts and --accounting exclude each other' "accounts of two kinds" "${conf[@]}" --accounting --accounts "$DIR/accounts"
{ cat "$DIR/slurm.conf"; echo AccountingStorageType=accounting_storage/none; } >"$DIR/none.conf"
refused 'error: --accounts: AccountingStorageType is accounting_storage/none' "accounts where none are kept" -f "$DIR/none.conf" -t "$DIR/users.csv" --accounts "$DIR/accounts"
tap_done
