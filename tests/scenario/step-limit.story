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
A limit is changed: of one step, then of all that run; of one without a limit the job's counts.
at 2000s submit -N1 -t 60m --runs 50m
> job 2
> at 2000s launch job 2 on n1
at 2010s step 2 10m
at 2010s step 2
at 2020s update StepId=2.0 TimeLimit=2
at 2030s update StepId=2.0 TimeLimit=+1
at 2031s update StepId=2.1 TimeLimit=-58
at 2032s update StepId=2.7 TimeLimit=1
> refused: Invalid job id specified
at 2033s update StepId=2.0 Name=x
> refused: Invalid update specification (Name of a step cannot be changed)
at 2034s update StepId=2.0 TimeLimit=soon
> refused: Requested time limit is invalid (missing or exceeds some limit) ("soon" is not a time (minutes, M:S, H:M:S, D-H, D-H:M, D-H:M:S or UNLIMITED))
at 2200s update StepId=2 TimeLimit=UNLIMITED
> at 2130s signal job 2 on n1
> at 2190s signal job 2 on n1
> at 2190s signal job 2 on n1
at 2400s cancel 2
> at 2400s job 2 CANCELLED
> at 2400s terminate job 2 on n1
