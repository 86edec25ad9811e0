/** Computes the size of each field of a run's state, step by step, by following its patches, which are read once. */
import { type Queryable, rowsOf } from "./chart-runs.ts";

/** The size of one field after a step, as JSON. */
export interface FieldSize {
  readonly step: number;
  /** The node whose commit it was; null for the initial state. */
  readonly node: string | null;
  readonly field: string;
  readonly bytes: number;
}

export const STATE_WRITES = `
SELECT step, node, kind = 'commit' AS is_commit, patches
FROM event_log
WHERE run_id = $run AND graph_path IS NULL AND NOT stale AND (kind = 'commit' OR patches IS NOT NULL)
ORDER BY step, seq, part`;

interface StateWrite {
  readonly step: number;
  readonly node: string | null;
  readonly is_commit: boolean;
  /** JSON. */
  readonly patches: string | null;
}

/** Each field that is there, after each step; step 0 is the initial state. What people edited counts with the step before it. */
export async function stateSizes(traces: Queryable, runId: string): Promise<FieldSize[]> {
  const writes = await rowsOf<StateWrite>(traces, STATE_WRITES, { run: runId });
  const fields = new Map<string, FieldContent>();
  const sizes: FieldSize[] = [];
  for (const [step, group] of Map.groupBy(writes, (write) => write.step)) {
    for (const { patches } of group) takePatches(fields, patches);
    const there = [...fields].map(([field, content]) => ({ field, bytes: bytesOf(content) }));
    const sorted = there.sort((a, b) => (a.field < b.field ? -1 : 1));
    for (const node of nodesOf(step, group)) {
      for (const { field, bytes } of sorted) sizes.push({ step, node, field, bytes });
    }
  }
  return sizes;
}

function nodesOf(step: number, writes: readonly StateWrite[]): readonly (string | null)[] {
  const commits = writes.flatMap(({ is_commit, node }) => (is_commit ? [node] : []));
  return step === 0 ? [null, ...commits] : commits;
}

/** As the log has it: it reaches no deeper than an item of a list or a member of an object. */
interface SizedPatch {
  readonly op: "add" | "replace" | "remove";
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

/** The bytes of the parts of a field, so that a patch of one part measures no other. */
type FieldContent =
  | { readonly kind: "list"; readonly parts: number[]; sum: number }
  | { readonly kind: "object"; readonly parts: Map<string, number>; sum: number }
  | { readonly kind: "whole"; readonly sum: number };

function takePatches(fields: Map<string, FieldContent>, patches: string | null): void {
  for (const { op, path, value } of JSON.parse(patches ?? "[]") as readonly SizedPatch[]) {
    const [field = "", key] = path.map(String);
    const content = fields.get(field);
    const bytes = op === "remove" ? undefined : jsonBytes(value);
    if (key === undefined) {
      if (op === "remove") fields.delete(field);
      else fields.set(field, contentOf(value));
    } else if (content?.kind === "object") takeMember(content, key, bytes);
    else if (content?.kind === "list") takeItem(content, { at: Number(key), op, bytes });
  }
}

function takeMember(
  content: FieldContent & { readonly kind: "object" },
  key: string,
  bytes: number | undefined,
): void {
  content.sum -= content.parts.get(key) ?? 0;
  content.parts.delete(key);
  if (bytes === undefined) return;
  const member = memberBytes(key, bytes);
  content.parts.set(key, member);
  content.sum += member;
}

function takeItem(
  content: FieldContent & { readonly kind: "list" },
  {
    at,
    op,
    bytes,
  }: { readonly at: number; readonly op: SizedPatch["op"]; readonly bytes: number | undefined },
): void {
  const gone = content.parts.splice(
    at,
    op === "add" ? 0 : 1,
    ...(bytes === undefined ? [] : [bytes]),
  );
  content.sum += (bytes ?? 0) - (gone[0] ?? 0);
}

function contentOf(value: unknown): FieldContent {
  if (Array.isArray(value)) {
    const parts = value.map(jsonBytes);
    return { kind: "list", parts, sum: sumOf(parts) };
  }
  if (typeof value !== "object" || value === null) return { kind: "whole", sum: jsonBytes(value) };
  const parts = new Map(
    Object.entries(value).map(([key, part]) => [key, memberBytes(key, jsonBytes(part))] as const),
  );
  return { kind: "object", parts, sum: sumOf([...parts.values()]) };
}

/** With its brackets and commas. */
function bytesOf(content: FieldContent): number {
  if (content.kind === "whole") return content.sum;
  const parts = content.kind === "list" ? content.parts.length : content.parts.size;
  return content.sum + 2 + Math.max(parts - 1, 0);
}

function memberBytes(key: string, bytes: number): number {
  return jsonBytes(key) + 1 + bytes;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "null");
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
