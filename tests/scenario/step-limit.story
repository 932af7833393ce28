A step that has a time limit of its own is told to end when the job has run for so long since the step began; again while it is there.
conf
SelectType=select/linear
NodeName=n[1-2] CPUs=1
PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
at 1s submit -N2 -t 60m --runs 50m
> job 1
> at 1s launch job 1 on n1
at 10s step 1 2m
at 20s step 1
at 30s step 1 10m
The time for which the job stands still does not count.
at 60s suspend 1
> at 60s freeze job 1 on n1
> at 60s freeze job 1 on n2
at 400s resume 1
> at 400s thaw job 1 on n1
> at 400s thaw job 1 on n2
at 600s cancel 1
> at 470s signal job 1 on n1
> at 470s signal job 1 on n2
> at 530s signal job 1 on n1
> at 530s signal job 1 on n2
> at 590s signal job 1 on n1
> at 590s signal job 1 on n2
> at 600s job 1 CANCELLED
> at 600s terminate job 1 on n1
> at 600s terminate job 1 on n2
at 1000s show jobs
