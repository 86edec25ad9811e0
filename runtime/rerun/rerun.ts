/** One run again, with its graph as it is now: first what that will take and save, then the run itself. */

import type { Ir } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import { innermost } from "../records/records.ts";
import type { DrivenRun } from "../run/driven-run.ts";
import type { Run } from "../run/handle.ts";
import type { RunOptions } from "../run/run-options.ts";
import type { RunParts } from "../run/run-parts.ts";
import { shortRunId } from "../run-names.ts";
import { addUsage, noUsage } from "../usage.ts";
import { DryRun, type Unserved } from "./dry-run.ts";
import type { RecordedRun } from "./recorded-types.ts";
import type { Served } from "./serving.ts";
import { whyOf } from "./why.ts";

export interface RerunOptions<N extends string = string>
  extends Pick<
    RunOptions<N>,
    | "models"
    | "scope"
    | "config"
    | "intercept"
    | "prompts"
    | "durability"
    | "store"
    | "answers"
    | "signal"
    | "breakpoints"
    | "breaks"
  > {
  /** In the place of the recorded input. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Nodes that are performed in any case. */
  readonly anew?: readonly string[];
  /** `anew`: what called something outside is performed again, rather than served. */
  readonly external?: "serve" | "anew";
}

/** The work that a rerun saves. An unknown price is null. */
export interface Savings {
  readonly nodeRuns: number;
  /** Of models and tools. */
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | null;
  /** The recorded duration, without waits for people. */
  readonly ms: number;
}

/** A node run that nothing can be served for. */
export interface Performs {
  readonly node: string;
  /** `draft#1`, behind `go#1 ›` in a called graph. */
  readonly label: string;
  readonly why: readonly string[];
}

/** The parts of a graph that a rerun needs. */
export interface Rerunning {
  readonly ir: Ir;
  readonly recorded: RecordedRun;
  readonly of: Pick<RerunOptions, "anew" | "external">;
  /** Starts it; with `parts`, what it is made of is changed first. */
  start(parts?: (parts: RunParts) => RunParts): DrivenRun;
}

export class Rerun<
  O = Record<string, unknown>,
  S = Record<string, unknown>,
  N extends string = string,
> {
  /** The run that is run again. */
  readonly of: string;
  readonly graph: string;
  /** `sure`: whatever comes of what is performed; `maybe`: as far as that comes to what it came to. */
  readonly saves: { readonly sure: Savings; readonly maybe: Savings };
  /** The node runs that are certainly performed; their successors are performed if they come to another output. */
  readonly performs: readonly Performs[];
  /** The parts of the recorded run that are not done again. */
  readonly notes: readonly string[];
  readonly #rerunning: Rerunning;
  #run: DrivenRun | undefined;

  constructor(rerunning: Rerunning, found: Pick<Rerun, "saves" | "performs" | "notes">) {
    const { recorded, ir } = rerunning;
    this.of = recorded.meta.runId;
    this.graph = ir.name;
    this.saves = found.saves;
    this.performs = found.performs;
    this.notes = found.notes;
    this.#rerunning = rerunning;
  }

  /** Starts it; the same run however often it is asked for. */
  run(): Run<O, S, N> {
    this.#run ??= this.#rerunning.start();
    return this.#run as unknown as Run<O, S, N>;
  }

  toString(): string {
    return planText(this);
  }

  toMimeBundle(): Record<string, string> {
    return { "text/html": planHtml(this), "text/plain": planText(this) };
  }
}

/** Goes through the run twice without performing anything: once up to what is open, once as if that came to the same. */
export async function planRerun(rerunning: Rerunning): Promise<Rerun> {
  assertNodes(rerunning);
  const sure = await dried(rerunning, new DryRun("nothing"));
  const maybe = await dried(rerunning, new DryRun("as before"));
  const all = savingsOf(maybe.served);
  const certain = savingsOf(sure.served);
  const saves = { sure: certain, maybe: less(all, certain) };
  const { recorded, of } = rerunning;
  const performs = maybe.unserved.map((one) => performing(one, of));
  return new Rerun(rerunning, { saves, performs, notes: notesOf(recorded) });
}

async function dried(rerunning: Rerunning, dry: DryRun): Promise<DryRun> {
  const run = rerunning.start((parts) => dry.partsOf(parts));
  await dry.finish(run);
  return dry;
}

function performing(one: Unserved, { anew = [], external }: Rerunning["of"]): Performs {
  const { node } = one.content;
  const calls = one.counterpart?.calls ?? [];
  const isOutside = external === "anew" && calls.some(({ intent }) => intent.external === true);
  const why = whyOf(one, { isAnew: anew.includes(node.name), isOutside });
  return { node: node.name, label: one.label, why };
}

function savingsOf(served: readonly Served[]): Savings {
  const usage = served.reduce((sum, { attempt }) => addUsage(sum, attempt.usage), noUsage);
  const { inputTokens, outputTokens, costUsd, modelCalls, toolCalls } = usage;
  return {
    nodeRuns: new Set(served.map(({ attempt }) => attempt.id)).size,
    calls: modelCalls + toolCalls,
    tokens: inputTokens + outputTokens,
    usd: costUsd,
    ms: served.reduce((sum, { attempt }) => sum + attempt.ms, 0),
  };
}

function less(all: Savings, part: Savings): Savings {
  return {
    nodeRuns: all.nodeRuns - part.nodeRuns,
    calls: all.calls - part.calls,
    tokens: all.tokens - part.tokens,
    usd: all.usd === null || part.usd === null ? null : all.usd - part.usd,
    ms: all.ms - part.ms,
  };
}

function notesOf({ records }: RecordedRun): readonly string[] {
  const kinds = new Set(records.map((record) => innermost(record).kind));
  return [
    ...(kinds.has("edit") ? ["its state was edited while it ran: that is not done again"] : []),
    ...(kinds.has("use") ? ["nodes were given other models, tools or prompts: not again"] : []),
    ...(kinds.has("modify") ? ["its plan was modified: that is not done again"] : []),
  ];
}

function assertNodes({ ir, of }: Rerunning): void {
  const known = [ir, ...(ir.graphs ?? [])].flatMap(({ nodes }) => nodes.map(({ name }) => name));
  const unknown = of.anew?.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new RunError("M5003", `\`${ir.name}\` has no node \`${unknown}\``, {
    hint: `its nodes: ${known.join(", ")}`,
  });
}

type Planned = Pick<Rerun, "of" | "graph" | "saves" | "performs" | "notes">;

function planText({ of, graph, saves, performs, notes }: Planned): string {
  const width = Math.max(0, ...performs.map(({ label }) => label.length));
  const lines = performs.map(({ label, why }) => `  ${label.padEnd(width)}  ${why.join(", ")}`);
  return [
    `${graph} again, from run ${shortRunId(of)}`,
    performs.length === 0 ? "performed: nothing" : `performed: ${counted(performs)}`,
    ...lines,
    `served: ${savingsText(saves.sure)}`,
    ...(saves.maybe.nodeRuns === 0
      ? []
      : [`served if these come to the same: ${savingsText(saves.maybe)}`]),
    ...notes.map((note) => `note: ${note}`),
  ].join("\n");
}

function planHtml({ of, graph, saves, performs, notes }: Planned): string {
  const rows = performs.map(
    ({ label, why }) => `<tr><td>${escaped(label)}</td><td>${escaped(why.join(", "))}</td></tr>`,
  );
  const table = `<table><tr><th>performed</th><th>why</th></tr>${rows.join("")}</table>`;
  return [
    `<div><b>${escaped(graph)}</b> again, from run <code title="${escaped(of)}">${escaped(shortRunId(of))}</code>`,
    performs.length === 0 ? "<p>performed: nothing</p>" : table,
    "<table><tr><th></th><th>node runs</th><th>calls</th><th>tokens</th><th>USD</th><th>time</th></tr>",
    `<tr><td>served</td>${cells(saves.sure)}</tr>`,
    `<tr><td>served if these come to the same</td>${cells(saves.maybe)}</tr></table>`,
    ...notes.map((note) => `<p>${escaped(note)}</p>`),
    "</div>",
  ].join("");
}

function counted({ length }: readonly Performs[]): string {
  return `${length} node run${length === 1 ? "" : "s"}`;
}

function savingsText({ nodeRuns, calls, tokens, usd, ms }: Savings): string {
  const parts = [
    `${nodeRuns} node run${nodeRuns === 1 ? "" : "s"}`,
    `${calls} call${calls === 1 ? "" : "s"}`,
    `${tokens.toLocaleString("en-US")} tokens`,
    usdText(usd),
    timeText(ms),
  ];
  return parts.join(", ");
}

function cells({ nodeRuns, calls, tokens, usd, ms }: Savings): string {
  const texts = [nodeRuns, calls, tokens.toLocaleString("en-US"), usdText(usd), timeText(ms)];
  return texts.map((text) => `<td>${escaped(String(text))}</td>`).join("");
}

function usdText(usd: number | null): string {
  return usd === null ? "an unknown price" : `$${usd.toFixed(4)}`;
}

function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);
}
