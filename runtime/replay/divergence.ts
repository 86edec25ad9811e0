/** Describes where a replay leaves the log, and why, so that a person can look there. */
import { type Code, canonicalJson, type Ir, withoutSpans } from "../../dsl/index.ts";
import type { JsonDifference } from "../compare/json-difference.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import { locate, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import type { Program } from "../scheduler/program/program.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";

/** The first fact of a log that the scheduler does not come to again. */
export interface Divergence {
  readonly code: Code;
  /** The record. */
  readonly seq: number;
  /** Commits on the way to it. */
  readonly step: number;
  readonly node?: string;
  /** The node run's place in the order of the graph. */
  readonly place?: string;
  readonly attempt?: number;
  /** The member of the record: `flow.0.node`, `patches.1.value`; empty where the record itself does not follow. */
  readonly field: string;
  readonly recorded: unknown;
  readonly replayed: unknown;
  readonly cause: string;
  readonly message: string;
  readonly hint: string;
}

/** The position of a replay. */
export interface ReplayPosition {
  readonly record: LogRecord | undefined;
  readonly snapshot: Snapshot;
  readonly program: Program;
  /** The program of the log, and the one that is replayed. */
  readonly recorded: Ir;
  readonly ir: Ir;
}

export function divergenceOf(
  at: ReplayPosition,
  found: JsonDifference,
  thrown?: string,
): Divergence {
  const { record, snapshot } = at;
  const field = found.path.join(".");
  const of = nodeOf(at);
  const place = of.place === undefined ? "" : ` at ${of.place}`;
  const where = of.node === undefined ? "" : `, \`${of.node}\`${place}`;
  const seq = record?.seq ?? -1;
  return {
    code: "M5401",
    seq,
    step: snapshot.steps,
    ...of,
    field,
    recorded: found.a,
    replayed: found.b,
    cause: causeOf(at, found, thrown),
    message: `the replay leaves the log at record ${seq} (behind step ${snapshot.steps}${where}): ${differenceText(field, found, record)}`,
    hint: changesOf(at) === undefined ? OF_THE_LOG : OF_THE_PROGRAM,
  };
}

const OF_THE_LOG =
  "the log was changed, or this Madrigal decides otherwise than the one that wrote it: keep the run, and report it";
const OF_THE_PROGRAM =
  "replayed with the program it was recorded with, the run shows what it did then";

function nodeOf({
  record: logged,
  snapshot,
  program,
}: ReplayPosition): Pick<Divergence, "node" | "place" | "attempt"> {
  if (logged === undefined) return {};
  const record = innermost(logged);
  if (!("id" in record) || record.id === undefined) return {};
  const found = locate(program, snapshot, record.id);
  if (found === undefined)
    return "node" in record && record.node !== undefined ? { node: record.node } : {};
  const { run } = found;
  return {
    node: found.program.nodes[run.node]?.ir.name ?? "",
    place: nodeRunPlace(found),
    attempt: run.attempt,
  };
}

function differenceText(field: string, { a, b }: JsonDifference, record: LogRecord | undefined) {
  if (field === "") return `nothing leads to its \`${record?.kind}\` here`;
  return `\`${field}\` was ${brief(a)} and is ${brief(b)} now`;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function causeOf(at: ReplayPosition, { path }: JsonDifference, thrown: string | undefined): string {
  const changes = changesOf(at);
  if (changes !== undefined) {
    const hashes = `${at.recorded.hash.slice(0, 8)} → ${at.ir.hash.slice(0, 8)}`;
    return `the graph has changed (${hashes}): ${changes}`;
  }
  if (thrown !== undefined) return thrown;
  const [member = ""] = path;
  return CAUSES.find(([members]) => members.includes(String(member)))?.[1] ?? NOT_DUE;
}

const NOT_DUE = "by the records before it, the run was not at a point where this can happen";

/** By the record's member that differs. */
const CAUSES: readonly (readonly [readonly string[], string])[] = [
  [["kind", "status", "next"], "the run ends or goes on otherwise than it did"],
  [
    ["failure", "reason", "rule", "notBefore"],
    "a limit, a retry or a post-condition decides otherwise",
  ],
  [
    ["writes", "ownWrites", "patches", "output", "input"],
    "an expression or a reducer gives another value",
  ],
  [["flow"], "an arrow, a join or an item leads elsewhere than it did"],
  [["state"], "the patches of the log do not fold to the state that its writes make"],
  [["seq"], "records are missing"],
];

/** Describes the differences between the two programs; undefined where they are equal. */
function changesOf({ recorded, ir }: ReplayPosition): string | undefined {
  if (recorded === ir || recorded.hash === ir.hash) return undefined;
  const nodes = new Set([...recorded.nodes, ...ir.nodes].map(({ name }) => name));
  const changed = [...nodes].filter(
    (name) => !isSame(nodeNamed(recorded, name), nodeNamed(ir, name)),
  );
  const parts = PARTS.filter((part) => !isSame(recorded[part], ir[part]));
  return [...changed.map((name) => `\`${name}\``), ...parts].join(", ") || "its text";
}

const PARTS = ["params", "returns", "fields", "edges", "limit", "endWhen", "config"] as const;

function nodeNamed({ nodes }: Ir, name: string) {
  return nodes.find((node) => node.name === name);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutSpans(a)) === canonicalJson(withoutSpans(b));
}
