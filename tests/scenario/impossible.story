Refused at once, in Slurm's words: what can never run.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=n[1-2] CPUs=4 RealMemory=1000 Feature=a,b
NodeName=n[3-4] CPUs=8 RealMemory=4000 Feature=c
PartitionName=p Nodes=ALL Default=YES MaxTime=60
PartitionName=small Nodes=n[1-2] MaxNodes=1
PartitionName=drain Nodes=ALL State=DRAIN
PartitionName=down Nodes=ALL State=DOWN
PartitionName=off Nodes=ALL State=INACTIVE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
> at 0s n3 registers
> at 0s n4 registers
at 1s submit -p nowhere
> refused: Invalid partition name specified (invalid partition specified: nowhere)
at 1s submit -c9
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 1s submit --ntasks-per-node 5 -c2
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 1s submit --mincpus 9
> refused: Requested node configuration is not available (CPU count per node can not be satisfied)
at 1s submit -N1 -n9
> refused: Requested node configuration is not available
at 1s submit --mem 1001 -w n1
> refused: Requested node configuration is not available
at 1s submit --mem-per-cpu 600 -c7
> refused: Requested node configuration is not available (Memory specification can not be satisfied)
at 1s submit --tmp 1
> refused: Requested node configuration is not available (Temporary disk specification can not be satisfied)
at 1s submit -c2 --mem 5000
> refused: Requested node configuration is not available (Memory specification can not be satisfied)
at 1s submit --sockets-per-node 9
> refused: Requested node configuration is not available (Socket, core and/or thread specification can not be satisfied)
at 1s submit --sockets-per-node 9 --tmp 1
> refused: Requested node configuration is not available (Temporary disk specification can not be satisfied)
at 1s submit -C d
> refused: Invalid feature specification
at 1s submit -C "a|d"
> refused: Invalid feature specification
at 1s submit -C "a&c"
> refused: Requested node configuration is not available
at 1s submit -p small -C c
> refused: Requested node configuration is not available
at 1s submit -w n[1-2] -x n2
> refused: Invalid node name specified
at 1s submit -C "a*0"
> refused: Invalid feature specification (constraint "a*0": a number of nodes, 1 or more, is missing behind *)
at 1s submit -w n9
> refused: Invalid node name specified (node n9 is not configured)
at 1s submit -w n1 -c5
> refused: Requested node configuration is not available
at 1s submit -p drain
> refused: Required partition not available (inactive or drain)
at 1s submit -p off
> refused: Required partition not available (inactive or drain)
at 1s submit -N2-1
> refused: Node count specification invalid
at 1s submit -p small -w n3
> refused: Requested node configuration is not available
Only waits:
at 2s submit -p down
> job 1
at 3s submit -p small -N2
> job 2
at 4s submit -t 7200s
> job 3
at 5s submit -N9
> job 4
at 6s show jobs
>  1 down   PD  0:00 1 (PartitionDown)
>  2 small  PD  0:00 2 (PartitionNodeLimit)
>  3 p      PD  0:00 1 (PartitionTimeLimit)
>  4 p      PD  0:00 9 (PartitionNodeLimit)
