/** Lists the tool calls of a test's run: the `toolCalls` of its expectations. */
import type { CallFacts } from "../records/call-records.ts";
import type { RecordBody } from "../records/records.ts";

/** A tool call of a test's run; `fails` is null where the call has a result, also for one that was denied. */
interface TestedCall {
  readonly node: string;
  readonly tool: string;
  readonly input: unknown;
  readonly result: unknown;
  readonly fails: string | null;
}

/** Returns the calls in the order in which they were made, those of called graphs too. */
export function testedCalls(records: readonly RecordBody[]): readonly TestedCall[] {
  const inputs = new Map<string, unknown>();
  return records.flatMap((record) => {
    const { body, place } = innermost(record);
    if (body.kind !== "intent" && body.kind !== "outcome") return [];
    if (body.effect !== "tool") return [];
    const key = `${place}${keyOf(body)}`;
    if (body.kind === "intent") {
      inputs.set(key, body.request);
      return [];
    }
    const { node, name: tool, value = null, failure } = body;
    const fails = failure?.message ?? null;
    return [{ node, tool, input: inputs.get(key) ?? null, result: value, fails }];
  });
}

function innermost(record: RecordBody): { readonly body: RecordBody; readonly place: string } {
  if (record.kind !== "sub") return { body: record, place: "" };
  const { body, place } = innermost(record.record);
  return { body, place: `${record.id}/${place}` };
}

function keyOf({ id, attempt, call }: CallFacts): string {
  return `${id}.${attempt}.${call}`;
}
