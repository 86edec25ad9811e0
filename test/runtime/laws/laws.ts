/** The laws of a run that one schedule can break, each as a function that says how it did. */
import { orderSensitivity } from "../../../dsl/index.ts";
import { pathOf } from "../../../runtime/history/log-path.ts";
import type { LogRecord } from "../../../runtime/records/records.ts";
import { foldPatches } from "../../../runtime/replay/fold-patches.ts";
import { replayLog } from "../../../runtime/replay/replay.ts";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { isJsonEqual } from "../../../runtime/state/json.ts";
import { ofKind, type Ran } from "../../support/run-graph.ts";
import { joinsHold } from "./joins.ts";
import { hasMessages, messagesHold } from "./messages.ts";
import { placesHold } from "./places.ts";
import { hasQuestions, questionsHold } from "./questions.ts";
import type { Schedule } from "./schedules.ts";
import { wordsHold } from "./words.ts";

export interface Law {
  readonly id: string;
  readonly title: string;
  /** What is wrong; nothing where the law holds. */
  readonly broken: (schedule: Schedule) => string | undefined;
  /** Whether the schedule has what the law speaks of. */
  readonly isTried?: (schedule: Schedule) => boolean;
}

export const LAWS: readonly Law[] = [
  {
    id: "L1",
    title: "an attempt commits once, as a whole, or not at all",
    broken: ({ ran }) => oneCommitPoint(ran),
  },
  {
    id: "L2",
    title: "the patches of the commits fold to the state, and the log to the position",
    broken: ({ ran }) => folds(ran),
    isTried: ({ seed }) => seed % 3 === 0,
  },
  {
    id: "L2 at each step",
    title:
      "the run stands where its log leads, nothing that has been changes, and what is open has its place",
    broken: ({ watch }) => watch?.wrong,
    isTried: ({ watch }) => watch !== undefined,
  },
  {
    id: "order keys",
    title: "no two node runs have one place in the order of the graph",
    broken: ({ ran }) => placesHold(ran),
  },
  {
    id: "L4",
    title: "no message is lost: each is read, or told to be unread",
    broken: ({ ran }) => messagesHold(ran),
    isTried: ({ ran }) => hasMessages(ran),
  },
  {
    id: "L5",
    title: "joins re-arm, fire once a round, and never die silently",
    broken: ({ ran }) => joinsHold(ran),
    isTried: ({ ran }) => flowOf(ran.records).some(({ op }) => op === "fire"),
  },
  {
    id: "L6",
    title: "every loop is bounded, and a limit is never a success",
    broken: ({ ran }) => limitsHold(ran),
    isTried: ({ ran }) => flowOf(ran.records).some(({ op }) => op === "count"),
  },
  {
    id: "L7",
    title: "what has ended leaves nothing under way",
    broken: ({ ran }) => nothingLeft(ran),
    isTried: ({ ran }) => ran.parallelMax > 1,
  },
  {
    id: "L9",
    title:
      "nothing a person said is dropped: what is asked is answered once, what is said is heard or told to be unheard",
    broken: ({ ran }) => questionsHold(ran) ?? wordsHold(ran),
    isTried: ({ ran }) => hasQuestions(ran) || ran.reportedAnswers.length > 0,
  },
  {
    id: "L10",
    title: "repetition counters survive a crash",
    broken: ({ ran }) => countersHold(ran),
    isTried: ({ ran }) =>
      ran.crashes > 0 &&
      (ofKind(ran.records, "attempt").length > 0 ||
        flowOf(ran.records).some(({ op }) => op === "count")),
  },
  {
    id: "L11",
    title:
      "whatever an attempt ends with is the end of that attempt, and the run ends with a reason",
    broken: ({ ran }) => endsWithReason(ran),
    isTried: ({ ran }) => ofKind(ran.records, "attempt").length > 0,
  },
  {
    id: "L12",
    title: "who is asked is waited for: with nothing else left to do, the run says that it waits",
    broken: ({ ran }) => ran.unwaiting[0],
    isTried: ({ ran }) => ran.waits > 0,
  },
  {
    id: "L13",
    title: "the log alone leads to the same records and the same state",
    broken: ({ ran }) => replays(ran),
    // It takes as long as all the rest.
    isTried: ({ seed }) => seed % 6 === 0,
  },
  {
    id: "L14",
    title: "verbs given twice do what they do once, and keep what is done",
    broken: (schedule) => schedule.ran.unheeded[0] ?? sameEnd(schedule) ?? forksAlike(schedule),
    isTried: ({ ran }) => ran.verbs > 0,
  },
  {
    id: "L15",
    title: "the final state does not depend on who finishes first",
    broken: (schedule) => (schedule.ran.crashes > 0 ? undefined : sameEnd(schedule)),
    isTried: ({ ran }) => ran.crashes === 0 && ran.verbs === 0 && ran.parallelMax > 1,
  },
  {
    id: "L16",
    title:
      "a run that dies anywhere and goes on ends as an unbroken one, and pays for nothing twice",
    broken: (schedule) => sameEnd(schedule) ?? paidTwice(schedule.ran),
    isTried: ({ ran }) => ran.crashes > 0,
  },
];

export function flowOf(records: readonly LogRecord[]) {
  return records.flatMap((record) => ("flow" in record ? (record.flow ?? []) : []));
}

function patchesOf(record: LogRecord) {
  return "patches" in record ? (record.patches ?? []) : [];
}

/** What a person changes is no attempt's; a run begins and ends with what the state is. */
const POINTS: readonly string[] = ["run", "commit", "attempt", "item", "end", "edit"];

function oneCommitPoint({ records }: Ran): string | undefined {
  const path = pathOf(records);
  const commits = ofKind(path, "commit");
  const ids = commits.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return `a node run commits twice: ${ids.join(" ")}`;
  const steps = commits.map(({ step }) => step);
  if (steps.some((step, index) => step !== index + 1)) return `steps ${steps.join(" ")}`;
  const failed = new Set(ofKind(path, "attempt").map(({ id, attempt }) => `${id}/${attempt}`));
  const both = commits.find(({ id, attempt }) => failed.has(`${id}/${attempt}`));
  if (both !== undefined) return `${both.node} failed and committed`;
  const other = records.find(
    (record) => patchesOf(record).length > 0 && !POINTS.includes(record.kind),
  );
  return other === undefined ? undefined : `a ${other.kind} changes the state`;
}

function folds({ records, state, snapshot, program }: Ran): string | undefined {
  const folded = foldPatches(records);
  if (!isJsonEqual(folded, state)) return `patches fold to ${JSON.stringify(folded)}`;
  const again = foldLog(program, records);
  if (!isJsonEqual(shownState(program, again), state)) return "the log folds to another state";
  if (positionOf(again) !== positionOf(snapshot)) return "the log folds to another position";
  return undefined;
}

/** What a position is, but for times: numbers, and what is open. */
function positionOf({ open, frames, scopes, expansions, next, steps, usage }: Ran["snapshot"]) {
  const ids = [open, frames, scopes, expansions].map((map) =>
    [...map.values()].map(({ id }) => id),
  );
  return JSON.stringify([ids, next, steps, usage]);
}

function limitsHold(ran: Ran): string | undefined {
  const { failure } = ran.snapshot;
  const isLimited = failure?.class === "limit";
  if (ran.reason.startsWith("limit:") !== isLimited) return `reason ${ran.reason}`;
  if (isLimited && ran.status !== "failed") return `${failure.limit} counts as ${ran.status}`;
  const last = ran.records.at(-1);
  const before = ran.records.at(-2);
  const isByLimit =
    before?.kind === "attempt" && before.next === "fail" && before.failure.class === "limit";
  if (isByLimit && last?.kind === "end" && last.status !== "failed") {
    return `the limit of \`${before.node}\` ends in ${last.status}`;
  }
  const steps = stepsMax(ran);
  const taken = ofKind(pathOf(ran.records), "commit").length;
  if (steps !== undefined && taken > steps) return `${taken} steps of ${steps}`;
  if (steps !== undefined && taken === steps && ran.status === "succeeded" && !isLastStep(ran)) {
    return "steps are used up, and nobody says so";
  }
  return undefined;
}

function stepsMax({ program }: Ran): number | undefined {
  return program.ir.limit?.quantities.find(({ unit }) => unit === "steps")?.value;
}

/** The run was over with that step anyway. */
function isLastStep({ records }: Ran): boolean {
  return records.at(-1)?.kind === "end" && records.at(-2)?.kind === "commit";
}

function nothingLeft({ snapshot, status, records, leaked }: Ran): string | undefined {
  if (leaked.length > 0) return `node runs go on unknown: ${leaked.join(" ")}`;
  const running = [...snapshot.open.values()].filter((run) => run.status === "running");
  if (running.length > 0) return `${running.length} run behind the end`;
  if (records.at(-1)?.kind !== "end") return `the log ends in ${records.at(-1)?.kind}`;
  if (status !== "succeeded" || snapshot.steps === 0 || isCutShort(snapshot)) return undefined;
  const left = [snapshot.open.size, snapshot.expansions.size, snapshot.scopes.size - 1];
  return left.every((size) => size === 0) ? undefined : `left open: ${left.join(" ")}`;
}

/** Ended by `end when`: what was still open then stays in the position. */
function isCutShort({ open }: Ran["snapshot"]): boolean {
  return [...open.values()].some(({ status }) => status !== "stopped");
}

/** Counted once more from the log: uses of arrows, and retries by rule. */
function countersHold({ records, snapshot, program }: Ran): string | undefined {
  const used = new Map<string, number>();
  for (const op of flowOf(pathOf(records))) {
    if (op.op !== "count") continue;
    const key = `${op.route}/${op.scope}`;
    used.set(key, (used.get(key) ?? 0) + 1);
  }
  for (const scope of snapshot.scopes.values()) {
    for (const [route] of program.routeNumbers.entries()) {
      const number = program.routeNumbers.get(route) ?? -1;
      const counted = scope.counts.get(number) ?? 0;
      const logged = used.get(`${number}/${scope.id}`) ?? 0;
      if (counted !== logged) return `route ${number} was used ${logged} times, not ${counted}`;
    }
  }
  for (const [route, number] of program.routeNumbers) {
    if (typeof route.max !== "number") continue;
    const most = [...used].filter(([key]) => key.startsWith(`${number}/`)).map(([, n]) => n);
    if (Math.max(0, ...most) > route.max) return `route ${number} was used more than ${route.max}`;
  }
  return retriesHold(records, program);
}

function retriesHold(records: readonly LogRecord[], program: Ran["program"]): string | undefined {
  const retries = new Map<string, number>();
  for (const { id, node, rule, next } of ofKind(pathOf(records), "attempt")) {
    if (next !== "retry" || rule === undefined) continue;
    const key = `${id}/${rule}`;
    const used = (retries.get(key) ?? 0) + 1;
    retries.set(key, used);
    const number = program.nodeNumbers.get(node) ?? -1;
    const count = program.nodes[number]?.ir.retry?.rules[rule]?.count;
    if (typeof count === "number" && used > count) return `${node} is retried ${used} times`;
  }
  return undefined;
}

function endsWithReason({ status, reason, snapshot }: Ran): string | undefined {
  if (status !== "succeeded" && status !== "failed") return `it ends ${status}`;
  if (reason === "") return "it ends without a reason";
  return status === "failed" && snapshot.failure === undefined ? "it fails of nothing" : undefined;
}

function replays({ records, program, state }: Ran): string | undefined {
  const replay = replayLog(records, { recorded: program.ir });
  if (replay.divergence !== undefined) return replay.divergence.message;
  return isJsonEqual(replay.state, state) ? undefined : "it replays to another state";
}

/** The same end as in one piece; of a run that failed, what it had done by then is a matter of the schedule. */
function sameEnd({ ir, whole, ran }: Schedule): string | undefined {
  if (isOrderSensitive(ir)) return undefined;
  // Somebody wanted another end, or nobody knows what came of a call.
  const isOther = ran.reportedAnswers.some(({ kind }) => kind === "edit" || kind === "modify");
  if (isOther || ran.doubts > 0) return undefined;
  // Failures go by the number of the attempt, and what somebody has begun anew has others.
  const failed = [...ofKind(whole.records, "attempt"), ...ofKind(ran.records, "attempt")];
  if (isTriedAnew(ran) && failed.length > 0) return undefined;
  // Limits count what was paid for, and a call in flight at a crash is paid for twice.
  if (whole.reason.startsWith("limit:") || ran.reason.startsWith("limit:")) return undefined;
  if (ran.status !== whole.status)
    return `${ran.status} (${ran.reason}) instead of ${whole.status}`;
  if (ran.status !== "succeeded" || isJsonEqual(ran.state, whole.state)) return undefined;
  return `${JSON.stringify(ran.state)} instead of ${JSON.stringify(whole.state)}`;
}

function isTriedAnew({ records }: Ran): boolean {
  return ofKind(records, "control").some((record) => "anew" in record && record.anew !== undefined);
}

/** What goes its own way from a step ends as that would have, and its log tells it. */
function forksAlike(schedule: Schedule): string | undefined {
  const { fork, ran } = schedule;
  if (fork === undefined) return undefined;
  const told =
    folds(fork) ??
    sameEnd({
      ...schedule,
      ran: { ...fork, reportedAnswers: ran.reportedAnswers, doubts: ran.doubts + fork.doubts },
    });
  return told === undefined ? undefined : `a fork: ${told}`;
}

/** What the checker says; limits aside: no schedule reaches those in time and money, and a run that one ends has failed. */
export function isOrderSensitive(ir: Schedule["ir"]): boolean {
  return orderSensitivity(ir).some(({ what }) => !what.startsWith("a limit in "));
}

function paidTwice({ repeated, misserved }: Ran): string | undefined {
  if (repeated.length > 0) return `made again: ${repeated.join(" ")}`;
  return misserved.length > 0 ? `served another call's result: ${misserved.join(" ")}` : undefined;
}
