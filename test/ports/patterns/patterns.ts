/** The 43 control-flow patterns of the Workflow Patterns Initiative: how each is written, and what SpiffWorkflow calls it. */

export interface Pattern {
  readonly number: number;
  readonly name: string;
  /** How it is written. */
  readonly how: string;
  /** The file and the graph in it. */
  readonly program: `${string}#${string}`;
  /** The specification among SpiffWorkflow's tests whose tasks have the same names. */
  readonly spec?: string;
  /** Why there is nothing to compare. */
  readonly apart?: string;
}

export const PATTERNS: readonly Pattern[] = [
  {
    number: 1,
    name: "Sequence",
    how: "`a -> b -> c`",
    program: "basic#P01Sequence",
    spec: "sequence",
  },
  {
    number: 2,
    name: "Parallel Split",
    how: "`a -> [b, c]`",
    program: "basic#P02ParallelSplit",
    spec: "parallel_split",
  },
  {
    number: 3,
    name: "Synchronization",
    how: "`[b, c] -> d`",
    program: "basic#P03Synchronization",
    spec: "synchronization",
  },
  {
    number: 4,
    name: "Exclusive Choice",
    how: "`a -> { p -> b, else -> c }`",
    program: "basic#P04ExclusiveChoice",
    spec: "exclusive_choice",
  },
  {
    number: 5,
    name: "Simple Merge",
    how: "`b | c -> d` behind a choice",
    program: "basic#P05SimpleMerge",
    spec: "simple_merge",
  },
  {
    number: 6,
    name: "Multi-Choice",
    how: "`a -> b when p`, `a -> c when q`",
    program: "merges#P06MultiChoice",
    spec: "multi_choice",
  },
  {
    number: 7,
    name: "Structured Synchronizing Merge",
    how: "`[b, c] -> d`: who can't arrive any more is not waited for",
    program: "merges#P07StructuredSynchronizingMerge",
    spec: "structured_synchronizing_merge",
  },
  {
    number: 8,
    name: "Multi-Merge",
    how: "`b | c -> d` behind a split: once for each arrival",
    program: "merges#P08MultiMerge",
    spec: "multi_merge",
  },
  {
    number: 9,
    name: "Structured Discriminator",
    how: "`b | c -> { true -> d max 1, else -> end }`",
    program: "merges#P09StructuredDiscriminator",
    spec: "structured_discriminator",
  },
  {
    number: 10,
    name: "Arbitrary Cycles",
    how: "an arrow back, with `max`",
    program: "ends#P10ArbitraryCycles",
    spec: "arbitrary_cycles",
  },
  {
    number: 11,
    name: "Implicit Termination",
    how: "no arrow behind the last nodes",
    program: "ends#P11ImplicitTermination",
    spec: "implicit_termination",
  },
  {
    number: 12,
    name: "Multiple Instances without Synchronization",
    how: "`each n of ns { … }`; what follows an instance stands in the body",
    program: "instances#P12InstancesWithoutSynchronization",
    spec: "multi_instance_without_synch",
  },
  {
    number: 13,
    name: "Multiple Instances with a Priori Design-Time Knowledge",
    how: "`each n of [1..2] { … } -> d`",
    program: "instances#P13InstancesKnownAtDesignTime",
    spec: "multi_instance_with_a_priori_design_time_knowledge",
  },
  {
    number: 14,
    name: "Multiple Instances with a Priori Run-Time Knowledge",
    how: "`each n of [1..count] { … } -> d`",
    program: "instances#P14InstancesKnownAtRunTime",
    spec: "multi_instance_with_a_priori_run_time_knowledge",
  },
  {
    number: 15,
    name: "Multiple Instances without a Priori Run-Time Knowledge",
    how: "`each n of arrivals()`, a stream",
    program: "instances#P15InstancesNotKnownBefore",
    spec: "multi_instance_without_a_priori",
  },
  {
    number: 16,
    name: "Deferred Choice",
    how: "a `human` node, then `match` on the answer",
    program: "states#P16DeferredChoice",
    apart: "there another task picks two of six branches",
  },
  {
    number: 17,
    name: "Interleaved Parallel Routing",
    how: "a node that picks the next, `pick -> a | b | c`, and arrows back to it",
    program: "states#P17InterleavedParallelRouting",
    spec: "interleaved_parallel_routing",
  },
  {
    number: 18,
    name: "Milestone",
    how: "`[a, reached] -> b`",
    program: "states#P18Milestone",
    spec: "milestone",
  },
  {
    number: 19,
    name: "Cancel Task",
    how: "`[cancel, a] need 1 -> d`",
    program: "ends#P19CancelTask",
    spec: "cancel_task",
  },
  {
    number: 20,
    name: "Cancel Case",
    how: "a node that fails, or `run.abort()` from outside",
    program: "ends#P20CancelCase",
    spec: "cancel_case",
  },
  {
    number: 21,
    name: "Structured Loop",
    how: "`a | body -> { p -> body max 9, else -> d }`",
    program: "ends#P21StructuredLoop",
    apart: "not among its patterns",
  },
  {
    number: 22,
    name: "Recursion",
    how: "a `graph` node that calls its own graph",
    program: "ends#P22Recursion",
    apart: "steps of a called graph are not in the path of its caller",
  },
  {
    number: 23,
    name: "Transient Trigger",
    how: "an answer to an open question: `human … within 1h else e`",
    program: "ends#P23TransientTrigger",
    apart: "there a trigger makes instances",
  },
  {
    number: 24,
    name: "Persistent Trigger",
    how: "`tell b`: the message waits until `b` runs",
    program: "ends#P24PersistentTrigger",
    apart: "there a trigger makes instances",
  },
  {
    number: 25,
    name: "Cancel Region",
    how: "`[cancel, last_of_region] need 1 -> d`: all that could only lead there is cancelled",
    program: "ends#P25CancelRegion",
    spec: "cancel_region",
  },
  {
    number: 26,
    name: "Cancel Multiple Instance Task",
    how: "`each … { … } -> joined` and `[joined, cancel] need 1 -> d`",
    program: "instances#P26CancelInstances",
    spec: "cancel_multi_instance_task",
  },
  {
    number: 27,
    name: "Complete Multiple Instance Task",
    how: "`each n of stream() need 3 { … } -> d`: the rest is withdrawn",
    program: "instances#P27CompleteInstances",
    spec: "complete_multiple_instance_activity",
  },
  {
    number: 28,
    name: "Blocking Discriminator",
    how: "9 in a graph of its own, which ends when all have arrived",
    program: "merges#P28BlockingDiscriminator",
    apart: "a round is a called graph here",
  },
  {
    number: 29,
    name: "Cancelling Discriminator",
    how: "`[b, c] need 1 -> d`",
    program: "merges#P29CancellingDiscriminator",
    spec: "cancelling_discriminator",
  },
  {
    number: 30,
    name: "Structured Partial Join",
    how: "`[b, c, d] need 2 -> e` and `b | c | d -> end`: who also leads elsewhere goes on",
    program: "merges#P30StructuredPartialJoin",
    spec: "structured_partial_join",
  },
  {
    number: 31,
    name: "Blocking Partial Join",
    how: "30 in a graph of its own, which ends when all have arrived",
    program: "merges#P31BlockingPartialJoin",
    apart: "a round is a called graph here",
  },
  {
    number: 32,
    name: "Cancelling Partial Join",
    how: "`[b, c, d] need 2 -> e`",
    program: "merges#P32CancellingPartialJoin",
    spec: "cancelling_partial_join",
  },
  {
    number: 33,
    name: "Generalized AND-Join",
    how: "`[b, c] -> d` in a loop: a join waits anew in each round",
    program: "merges#P33GeneralizedAndJoin",
    spec: "generalized_and_join",
  },
  {
    number: 34,
    name: "Static Partial Join for Multiple Instances",
    how: "each instance tells a node beside the `each`, which asks again until it has heard of two: `every 1s until arrived >= 2`",
    program: "instances#P34StaticPartialJoinOfInstances",
    apart: "the join is a node that asks",
  },
  {
    number: 35,
    name: "Cancelling Partial Join for Multiple Instances",
    how: "`each n of ns need 2 { … } -> d`",
    program: "instances#P35CancellingPartialJoinOfInstances",
    spec: "cancelling_partial_join_for_multi_instance",
  },
  {
    number: 36,
    name: "Dynamic Partial Join for Multiple Instances",
    how: "34 with a stream: `each n of arrivals(4) parallel 4 { … }`",
    program: "instances#P36DynamicPartialJoinOfInstances",
    apart: "the join is a node that asks",
  },
  {
    number: 37,
    name: "Acyclic Synchronizing Merge",
    how: "`[b, c] -> d` over branches that choose",
    program: "merges#P37AcyclicSynchronizingMerge",
    spec: "acyclic_synchronizing_merge",
  },
  {
    number: 38,
    name: "General Synchronizing Merge",
    how: "the same, with loops in the branches",
    program: "merges#P38GeneralSynchronizingMerge",
    spec: "general_synchronizing_merge",
  },
  {
    number: 39,
    name: "Critical Section",
    how: "`each who of list parallel 1 { … }`",
    program: "states#P39CriticalSection",
    apart: "there one section leads into the other",
  },
  {
    number: 40,
    name: "Interleaved Routing",
    how: "`each task of list parallel 1 { … }`",
    program: "states#P40InterleavedRouting",
    spec: "interleaved_routing",
  },
  {
    number: 41,
    name: "Thread Merge",
    how: "several lines in the body of an `each`; behind it they are one",
    program: "instances#P41ThreadMerge",
    spec: "thread_merge",
  },
  {
    number: 42,
    name: "Thread Split",
    how: "the same; what follows a thread stands in the body",
    program: "instances#P42ThreadSplit",
    spec: "thread_split",
  },
  {
    number: 43,
    name: "Explicit Termination",
    how: "`end when p`, or a function that returns `command({ finish: true })`",
    program: "ends#P43ExplicitTermination",
    spec: "explicit_termination",
  },
];

/** Returns the table of the guide. */
export function patternsTable(): string {
  const rows = PATTERNS.map(({ number, name, how, program, spec, apart }) => {
    return `| ${number} | ${name} | ${how.replaceAll("|", "\\|")} | \`${program}\` | ${spec === undefined ? `no: ${apart}` : "yes"} |`;
  });
  return ["| | pattern | how | program | compared |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Returns the path that the test of a pattern expects, without `end`, from the text of its file. */
export function expectedPath(text: string, number: number): readonly string[] {
  const [, path = ""] =
    new RegExp(`^test "${number} [^}]*?expect path ([^\\n]*)`, "m").exec(text) ?? [];
  return path.split(" -> ").filter((name) => name !== "end" && name !== "");
}
