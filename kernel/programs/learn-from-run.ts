/** Has a program read a run that has been, and collects what it proposes for memories. */
import { type Ir, isRecord, memorySettings } from "../../dsl/index.ts";
import type { DrivenRun, Run, RunOptions, Session, storedRuns } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";

/** So much of a run is told; of a longer one its beginning and its end. */
const STORY_MAX = 60_000;

/** So much of one thing that was said. */
const SAID_MAX = 1_500;

/** A graph that takes some of what is told of a run. */
export interface LearningGraph {
  readonly ir: Ir;
  run(input: never, options?: Pick<RunOptions, "models" | "user">): Pick<Run, "id" | "output">;
}

/**
 * Runs a graph with the `task`, the `story` and the `plan` of a run, for the user of that run; the entries that are proposed for
 * that. Throws M8761 for a graph that stores something unseen.
 */
export async function learnFromRun(
  run: DrivenRun,
  graph: LearningGraph,
  { session, ...options }: Pick<RunOptions, "models"> & { readonly session: Session },
): Promise<readonly storedRuns.MemoryEntry[]> {
  assertProposing(graph);
  const { user } = session.store.meta(run.id);
  const given = { task: taskOf(run), story: storyOf(run), plan: planOf(run), run: run.id };
  const input = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) =>
        value !== undefined && graph.ir.params.some((param) => param.name === name),
    ),
  );
  const learning = graph.run(input as never, {
    ...options,
    ...(user === undefined ? {} : { user }),
  });
  await learning.output;
  return session.stored.memories.list({ runId: learning.id });
}

/** Returns the id of the run that a word means; `last` is none of the runs by which was learned. */
export async function findRunToLearnFrom(
  session: Session,
  word: string,
  { ir }: LearningGraph,
): Promise<string> {
  const last = word === "last" ? session.list().find(({ graph }) => graph !== ir.name) : undefined;
  return last?.runId ?? (await session.findRunId(word));
}

/** Every memory that it or a graph of its stores in has `review: true`. */
function assertProposing({ ir }: LearningGraph): void {
  for (const graph of [ir, ...(ir.graphs ?? [])])
    for (const memory of graph.memories) {
      const { name } = memory;
      const stores = graph.nodes.some(
        (node) =>
          node.stores.some((store) => store.memory === name) ||
          [...node.tools, ...(node.call === undefined ? [] : [node.call.callee])].some(
            ([head, tool]) => head === name && (tool === "store" || tool === "*"),
          ),
      );
      if (!stores || memorySettings(memory).review === true) continue;
      throw new CommandError(
        "M8761",
        `\`${graph.name}\` stores in \`${name}\` what nobody has seen`,
        {
          hint: `write \`memory ${name} … { review: true }\`: what is learned is proposed`,
        },
      );
    }
}

/** The input as its timeline shows it, without private members; of one with a `task` that alone. */
function taskOf(run: DrivenRun): string {
  const [given] = run.timeline().at(0).transcript;
  const text = given?.text ?? "";
  try {
    const input: unknown = JSON.parse(text);
    return isRecord(input) && typeof input.task === "string" ? input.task : text;
  } catch {
    return text;
  }
}

/** The titles of its places, and what was said at each. */
function storyOf(run: DrivenRun): string {
  const timeline = run.timeline();
  const lines: string[] = [];
  for (let at = 0; at < timeline.length; at += 1) {
    const { title, transcript } = timeline.at(at);
    lines.push(`## ${title}`);
    for (const { kind, by, text } of transcript)
      lines.push(`${by === "" ? kind : `${kind} ${by}`}: ${cut(text, SAID_MAX)}`);
  }
  return cut(`${lines.join("\n")}\nIt ${run.status}.`, STORY_MAX);
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = max >> 1;
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}

/** The plan that a run carried out, where it succeeded: the first value of its state with steps. */
function planOf({ status, state }: DrivenRun): unknown {
  if (status !== "succeeded") return undefined;
  return Object.values(state as object).find(
    (value) => isRecord(value) && Array.isArray(value.steps) && value.steps.length > 0,
  );
}
