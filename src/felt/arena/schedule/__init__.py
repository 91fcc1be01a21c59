"""One scheduler for all that is played many times: it divides work into seeded tasks, and has them played.

- A **plan** is a list of seeded tasks. A task of a match is some of its sets; a task of a tournament, a ring or a
  generation of an evolution is some runs. A plan can be sent to a worker.
- The **books** of a plan sum up the results, in whatever order they come, and know when it is over.
- The **scheduler** hands out tasks, has lost ones played again, and keeps from asking agents whose processes die.
- An **executor** plays tasks: `Threads` and `Processes` here, `felt.scale` on the machines of a cluster. A **worker**
  opens the **workplace** of a plan, where the agents sit, and plays its tasks there.

The number of a set or a run decides its cards and dice. So who plays a task changes no result, and a log goes on where
it was cut off. Begin with `tasks`, then `scheduler`; `runs` has `play_runs`, `executors` replaces dead workers.
"""
