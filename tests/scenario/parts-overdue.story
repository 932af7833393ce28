A job that should be over by now is taken to run for 30 s more in every plan, also where another job on its node ends before, on whole nodes, on parts of them, and for licenses.
conf
yaml plan_whole_nodes: no
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=4
PartitionName=p Nodes=ALL Default=YES
Licenses=a:1
end
at 0s hush agents
> at 0s n1 registers
at 0s fault unkillable n1
at 1s submit -n1 -t 1h --runs 1h
> job 1
> at 1s launch job 1 on n1
at 1s submit -n1 -t 60s --runs 60s
> job 2
> at 1s launch job 2 on n1
at 2s submit -n1 -L a:1 -t 1h --runs 1h
> job 3
> at 2s launch job 3 on n1
at 10s cancel 1
> at 10s job 1 CANCELLED
> at 10s terminate job 1 on n1
at 40s submit -n4 -t 600s --runs 10s
> job 4
at 41s submit -n2 -L a:1 -t 600s --runs 10s
> job 5
at 42s cancel 3
> at 42s job 3 CANCELLED
> at 42s terminate job 3 on n1
at 50s show plan
> 4 at 72s on n1 until 672s
> 5 at 672s on n1 until 1272s
at 58s show plan
> 4 at 72s on n1 until 672s
> 5 at 672s on n1 until 1272s
