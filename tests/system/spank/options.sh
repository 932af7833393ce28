#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Plug-ins in srun, sbatch and salloc: their callbacks, their options from --help to the step daemon, and how they fail.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/cluster.sh
. "$(dirname "$0")/../cluster.sh"
# shellcheck source=tests/system/plugins.sh
. "$(dirname "$0")/../plugins.sh"
at_exit cluster_end
cluster_conf 'n[1-2]' KillWait=1 PlugStackConfig="$DIR/plug/stack" PluginDir="$DIR/plugins"
cd "$DIR" || exit 1
plugin probe
plugin probe table.so -DTABLE
mkdir plug
ctld_start && agent_start n1 && agent_start n2 && wait_nodes 20 n1,n2 idle
tap_ok $? 'two nodes' || { cluster_logs; tap_done; }
stack() { printf '%s\n' "$@" | sed "s|LOG|log=$DIR/said|" >plug/stack; }
s() { : >"$DIR/said"; run timeout 60 "$@" </dev/null; }
lines() { # CONTEXT: what was called there, and with which option; task_post_fork may come before task_init_privileged
        sed -nE "s/^probe (\S+) $1 .*option=(.*)/\1 \2/p" said | grep -v task_post_fork | tr '\n' ';'
}

s srun --probe-late true
tap_like "$rc $err" "^255 srun: unrecognized option '--probe-late'" 'without a plug-in its option is unknown'
stack 'required probe.so LOG options'
s srun --help
tap_is "$(grep -A3 'provided by plugins' <<<"$out")" 'Options provided by plugins:
      --probe-late[=WHAT]       registered in init' 'the option of a plug-in stands in --help'
tap_is "$(lines local)" 'init -;exit -;' '... for which it is loaded'
s srun --probe-late=here true
tap_is "$rc $err" '0 ' 'srun takes it'
tap_is "$(lines local)" 'init -;init_post_opt 9,here,0;local_user_init 9,here,0;exit 9,here,0;' 'srun calls its callback and the others in their order'
tap_is "$(lines remote)" 'init 9,here,1;init_post_opt 9,here,1;user_init 9,here,1;task_init_privileged 9,here,1;task_init 9,here,1;task_exit 9,here,1;exit 9,here,1;' \
        'the step daemon has its value, too'
tap_is "$(grep -c 'getopt: Success here; late register: Bad argument' said)" 2 'spank_option_getopt() tells it in both, and it is too late to register'
s srun --export=NONE --probe-la /bin/true
tap_is "$rc $(lines remote | cut -d';' -f1)" '0 init 9,none,1' 'an abbreviation without argument, and no environment'
s srun --probe-late=bad true
tap_like "$rc $err" '^255 srun: error: Invalid --probe-late argument: bad' 'what the callback refuses is refused'
tap_is "$(lines remote)" '' '... and nothing runs'
s env _SLURM_SPANK_OPTION_probe_probe_late=env srun true
tap_is "$rc $(lines local | cut -d';' -f2) $(lines remote | cut -d';' -f1)" '0 init_post_opt 9,env,0 init 9,env,1' 'the variable stands for the option'
s srun --probe-late=outer --export=ALL printenv _SLURM_SPANK_OPTION_probe_probe_late
tap_is "$rc $out" '0 outer' '... and is set for commands in the step'

# ---- batch jobs ----
printf '#!/bin/sh\n#SBATCH --probe-late=script\nsrun true\n' >job
s sbatch -o out -W job
tap_is "$rc $(cat out)" '0 ' 'sbatch has the option of #SBATCH'
tap_is "$(lines allocator)" 'init -;init_post_opt 9,script,0;exit 9,script,0;' 'sbatch is the context of an allocator'
tap_is "$(grep -c ' init remote .*option=9,script,1' said) $(lines local)" \
        '2 init 9,script,0;init_post_opt 9,script,0;local_user_init 9,script,0;exit 9,script,0;' 'the script and the srun in it have the option'
ctld_kill9
ctld_start && wait_nodes 20 n1 idle
s sbatch --probe-late=line --hold -o out job
job=${out##* }
ctld_kill9
ctld_start && wait_nodes 20 n1 idle
scontrol release "$job" && wait_job 30 "$job" COMPLETED
tap_is "$(grep -m1 ' init remote ' said | sed 's/.*option=//')" '9,line,1' 'it is kept with the job through a crash of the controller'
s salloc --probe-late=held srun true
tap_is "$rc $(lines allocator)" '0 init -;init_post_opt 9,held,0;exit 9,held,0;' 'salloc has it'
tap_like "$(lines local)" 'init_post_opt 9,held,0' '... and the srun in it'

# ---- components ----
s sbatch -H --probe-late=a : -n1 : --probe-late=c --wrap true
scancel "${out##* }"
tap_is "$rc $(lines allocator)" '0 init -;init_post_opt 9,a,0;init_post_opt 9,a,0;init_post_opt 9,c,0;exit 9,c,0;' \
        'init_post_opt is called for each component, with what it says, or one before it'
s srun --probe-late=a true : --probe-late=b true
tap_is "$rc $(lines local)" '0 init -;init_post_opt 9,a,0;init_post_opt 9,b,0;local_user_init 9,b,0;exit 9,b,0;' 'by srun, too'
tap_is "$(sed -n 's/.* task_init remote .*option=//p;s/^probe task_init remote .*option=//p' said | sort | paste -sd' ')" '9,a,1 9,b,1' \
        '... and the tasks of each have its own'
s srun printenv _SLURM_SPANK_OPTION_probe_probe_late : --probe-late=b printenv _SLURM_SPANK_OPTION_probe_probe_late
tap_is "$out" b 'a component before the one that has an option has none'
s salloc --probe-late=a : --probe-late=b srun --het-group=1 printenv _SLURM_SPANK_OPTION_probe_probe_late
tap_is "$rc $out" '0 b' 'a srun has the option of the component that it is on'
s salloc -n1 : --probe-late=b srun --het-group=0,1 sh -c 'echo "${_SLURM_SPANK_OPTION_probe_probe_late:-none}"'
tap_is "$rc $(sort <<<"$out" | paste -sd' ')" '0 b none' '... and of several each its own'
s srun --probe-late=a true : --probe-late=bad true
tap_like "$rc $err" '^255 srun: error: Invalid --probe-late argument: bad' 'what the callback refuses of a later one is refused'

# ---- tables ----
stack 'required table.so LOG' 'required probe.so LOG options'
s srun --probe-word W --probe-flag --probe-late true
tap_is "$rc $(grep -m1 ' user_init remote' said | sed 's/.*option=//')" '0 6,none,1' 'options of a table, one after the other'
s sbatch --probe-flag --wrap true
tap_like "$rc $err" "^(255|1) sbatch: unrecognized option '--probe-flag'" '... which is for srun alone'
s srun --probe-word
tap_like "$rc $err" "^255 srun: option '--probe-word' requires an argument" 'an argument that is missing is said'
stack 'required probe.so LOG options' 'required probe.so name=second LOG options'
s srun true
tap_like "$rc $err" '--probe-late is an option already' 'two plug-ins do not have one option'

# ---- failures ----
for callback in init init_post_opt local_user_init; do
        stack "required probe.so LOG fail=$callback in=local"
        s srun sleep 0
        tap_like "$rc $err" "^1 .*srun: error: plug-in $DIR/plugins/probe.so: slurm_spank_$callback\(\) failed with -3" "a required plug-in fails in $callback of srun"
done
stack 'required probe.so LOG fail=init_post_opt in=allocator'
s sbatch --wrap true
tap_like "$rc $err $out" '^1 sbatch: error: plug-in .*slurm_spank_init_post_opt\(\) failed with -3 $' '... of sbatch: no job'
stack 'required probe.so LOG fail=exit in=local'
s srun sh -c 'exit 5'
tap_like "$rc $(tr '\n' ';' <<<"$err")" '^5 .*slurm_spank_exit\(\) failed' '... in exit: the exit code stays'
stack 'optional probe.so LOG fail=init in=local'
s srun echo on
tap_like "$rc $out $err" '^0 on srun: error: plug-in .*\(optional: going on\)' 'an optional one is a warning'
stack 'required probe.so LOG crash=init_post_opt in=local'
s srun echo on
tap_like "$rc $err" '^139 srun: error: plug-in .*probe.so: slurm_spank_init_post_opt\(\) crashed: signal 11' 'a crash is said by name'
stack 'required probe.so name=P LOG say=init_post_opt in=local'
s srun -vv true
tap_is "$(grep 'of P' <<<"$err" | tr '\n' ';')" 'srun: error: an error of P;srun: a word of P;srun: an info of P;srun: a verbose word of P;srun: debug:  a debug word of P;' \
        'messages go by -v'
stack 'required probe.so LOG items=local_user_init in=local'
s srun -n2 echo x
tap_like "$(grep -E '^local_user_init (JOB_ID|JOB_STEPID|JOB_TOTAL|TASK_ID|JOB_NODEID|argc)' said | tr '\n' ';')" \
        '^local_user_init argc=2 argv0=echo last=x;local_user_init JOB_ID=[0-9]+;local_user_init JOB_STEPID=0;local_user_init JOB_NODEID: Only in the step daemon;local_user_init JOB_TOTAL_TASK_COUNT=2;local_user_init TASK_ID=-1 Only in the step daemon;$' \
        'items in srun'

# ---- what is not to be trusted ----
wait_nodes 20 n1 idle # the Epilog of the last job reads it, too
if [ "$(id -u)" = 0 ]; then
        stack 'required probe.so LOG'
        chmod 646 plugins/probe.so
        s srun true
        tap_like "$rc $err" "^1 srun: error: $DIR/plug/stack line 1: $DIR/plugins/probe.so is not used: $DIR/plugins/probe.so may be written by its group or others" \
                'a plug-in that others may write is refused'
        chmod 755 plugins/probe.so
        chmod 777 plugins
        s srun true
        tap_like "$rc $err" "^1 srun: error: .*probe.so is not used: $DIR/plugins may be written" '... and one in a folder that others may write'
        chmod 755 plugins
        chmod 666 plug/stack
        s srun true
        tap_like "$rc $err" "^1 srun: error: $DIR/plug/stack is not used: $DIR/plug/stack may be written" '... and such a plugstack.conf'
        chmod 644 plug/stack
        chown nobody plugins/probe.so
        s srun true
        tap_like "$rc $err" '^1 srun: error: .*probe.so is not used: .*probe.so belongs to user 65534' '... and a plug-in of a user'
        chown root plugins/probe.so
        mkdir -m 777 open && ln -s ../plugins/probe.so open/probe.so
        stack "required $DIR/open/probe.so LOG"
        s srun true
        tap_like "$rc $err" "^1 srun: error: .*/open/probe.so is not used: $DIR/open may be written" '... and a link that others may change'
fi
for line in 'mandatory x.so|line 1: "mandatory": required, optional or include was expected' 'required|line 1: the path of a plug-in is missing' \
        'include nothing.conf|line 1: include nothing.conf: there is no such file' 'include stack|files include each other more than 8 deep' \
        'required none.so|line 1: '"$DIR"'/plugins/none.so: No such file' 'required /bin/sh|line 1: '; do
        stack "${line%%|*}"
        s srun true
        tap_like "$rc $err" "^1 srun: error: $DIR/plug/stack ${line#*|}|^1 .*${line#*|}" "a mistake is said with its place: ${line%%|*}"
done
echo 'int plugin_name = 1;' >other.c
cc -shared -fPIC -o plugins/other.so other.c
stack 'required other.so'
s srun true
tap_like "$rc $err" '^1 srun: error: .*other.so was compiled for another program' 'a plug-in of another header is refused'
rm plug/stack
s srun echo well
tap_is "$rc $out $(cat said)" '0 well ' 'without plugstack.conf none of it is there'
# ---- as sites build them ----
cp -r "$SLUMBER_SOURCE/include/slurm" headers
site() { # FILE COMPILER [OPTION...]
        "${@:2}" -o "plugins/$1" "$SLUMBER_SOURCE/tests/system/spank/site.c" 2>cc.err
        tap_is "$?|$(grep -c . cc.err)" '0|0' "built by ${*:2}" || head -5 cc.err
}
site bare.so gcc -shared -fPIC -DBARE -I "$DIR/headers"
site semicolon.so gcc -shared -fPIC -DSEMICOLON -I "$SLUMBER_SOURCE/include"
site strict.so gcc -std=gnu11 -O2 -g -Wall -Wunused-variable -Werror -fstack-protector-strong -fpic -shared -D_GNU_SOURCE -D_FORTIFY_SOURCE=2 -DSEMICOLON \
        -DVERSION_HEADER -Wl,-znoexecstack -Wl,-zrelro -Wl,-znow -I "$SLUMBER_SOURCE/include"
built='bare strict'
command -v g++ >/dev/null && site cpp.so g++ -x c++ -shared -fPIC -Wall -I "$SLUMBER_SOURCE/include" && built+=' cpp'
for file in $built; do
        stack "required $file.so n[1-2],x,n1"
        s srun --greeting=hey true
        tap_is "$rc $err" '0 slurmstepd: site: hey: 4 names, x at 2, first n1, then n[1-2],x' "$file.so runs, and host lists are as Slurm's"
done
stack 'required semicolon.so n[1'
s srun true
tap_is "$rc $err" '0 slurmstepd: site: hello: 0 names, x at -1, first none, then errno 0' 'what is no host list is none'
printf '%s\n' '#include <slurm/spank.h>' 'SPANK_PLUGIN(lacks, 1)' 'int slurm_load_job(void *, uint32_t, uint16_t);' \
        'int slurm_spank_init(spank_t sp, int ac, char **av) { return slurm_load_job(0, 1, 0); }' >lacks.c
gcc -shared -fPIC -I "$SLUMBER_SOURCE/include" -o plugins/lacks.so lacks.c
stack 'required lacks.so'
s srun true
tap_like "$rc $err" '^1 srun: error: .*lacks.so: undefined symbol: slurm_load_job' 'what is not offered is named'

cluster_sound
tap_ok $? 'no daemon has a bug'
tap_done
