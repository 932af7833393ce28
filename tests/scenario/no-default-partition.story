Without a default partition a job that names none is refused in Slurm's words.
conf
SelectTypeParameters=CR_Core
NodeName=n1 CPUs=2
PartitionName=p Nodes=ALL
end
at 0s hush agents
> at 0s n1 registers
at 1s submit -n1
> refused: No partition specified or system default partition
at 2s submit -p nowhere
> refused: Invalid partition name specified (invalid partition specified: nowhere)
