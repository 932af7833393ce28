What jobs use of what their nodes draw: all of it alone, by their CPUs with others, nothing while they stand still.
conf
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=n[1-2] CPUs=4
PartitionName=p Nodes=ALL Default=YES
yaml watts_on: 300
yaml watts_idle: 100
end
at 0s hush agents
> at 0s n1 registers
> at 0s n2 registers
Alone on its node: all of it.
at 10s submit -c1 -w n1 --runs 100s
> job 1
> at 10s launch job 1 on n1
at 10s submit -c3 -w n2 --runs 100s
> job 2
> at 10s launch job 2 on n2
at 20s show consumed 1
> job 1 has used 3000 J
at 20s show consumed 2
> job 2 has used 3000 J
From 30 s on three CPUs share n1, a third and two thirds, also under a controller that is started again.
at 30s submit -c2 -w n1 --runs 60s
> job 3
> at 30s launch job 3 on n1
at 60s show consumed 1
> job 1 has used 9000 J
at 60s show consumed 3
> job 3 has used 6000 J
at 60s kill
at 80s show consumed 1
> job 1 has used 11000 J
at 80s show consumed 3
> job 3 has used 10000 J
Alone again since 90 s, and over since 110 s.
at 200s show consumed 1
> at 90s job 3 COMPLETED
> at 90s terminate job 3 on n1
> at 110s job 1 COMPLETED
> at 110s terminate job 1 on n1
> at 110s job 2 COMPLETED
> at 110s terminate job 2 on n2
> job 1 has used 18000 J
at 200s show consumed 3
> job 3 has used 12000 J
at 200s kill
at 300s show consumed 1
> job 1 has used 18000 J
at 300s show consumed 2
> job 2 has used 30000 J
One that stands still uses nothing: 3,000 J before, 3,000 J afterwards.
at 300s submit -c4 -w n1 --runs 20s
> job 4
> at 300s launch job 4 on n1
at 310s suspend 4
> at 310s freeze job 4 on n1
at 330s show consumed 4
> job 4 has used 3000 J
at 340s resume 4
> at 340s thaw job 4 on n1
at 400s show consumed 4
> at 350s job 4 COMPLETED
> at 350s terminate job 4 on n1
> job 4 has used 6000 J
A reading counts more than a figure, from then on; two nodes add up: 2 * 3,000 J, then 10,000 J and 3,000 J.
at 400s submit -N2 -c1 --runs 20s
> job 5
> at 400s launch job 5 on n1
at 410s watts n1 1000
at 500s show consumed 5
> at 420s job 5 COMPLETED
> at 420s terminate job 5 on n1
> job 5 has used 19000 J
What was sent back to the queue begins anew.
at 500s submit -w n2 -c1 --runs 30s
> job 6
> at 500s launch job 6 on n2
at 520s requeue 6
> at 520s job 6 is requeued
> at 520s terminate job 6 on n2
at 520s show consumed 6
> job 6 has used 6000 J
at 600s show consumed 6
> at 520.001s launch job 6 on n2
> at 550.001s job 6 COMPLETED
> at 550.001s terminate job 6 on n2
> job 6 has used 9000 J
A step has what its job has while it runs, on the nodes where it runs; it stands still with its job, also under another controller.
at 600s submit -c4 -w n2 --runs 40s
> job 7
> at 600s launch job 7 on n2
at 610s step 7
at 620s show consumed 7
> job 7 has used 6000 J
> step 7.0 has used 3000 J
at 620s suspend 7
> at 620s freeze job 7 on n2
at 625s kill
at 630s resume 7
> at 630s thaw job 7 on n2
at 640s show consumed 7
> job 7 has used 9000 J
> step 7.0 has used 6000 J
