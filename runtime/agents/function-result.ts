/** What a function returned becomes the output of its node; what is wrong with it, and what it threw. */
import { type Failure, FailureError, stackOf } from "../failure.ts";
import type { Attempt } from "../performer.ts";
import { type Json, toJson } from "./json.ts";
import { describeMisfit, misfits } from "./json-schema.ts";
import { withLists } from "./list-items.ts";
import { thrownText } from "./thrown.ts";

/** The output of a node whose function returned this; throws where it is not JSON or does not fit. */
export function readResult(returned: unknown, name: string, { node, ir }: Attempt): unknown {
  const wants = node.writes.length > 0;
  if (returned === undefined && !wants) return null;
  const value = assertJson(returned, `what \`${name}\` returned`);
  if (node.output === undefined) return value;
  const output = withLists(value, node, ir.fields);
  const [first] = misfits(output, node.output);
  if (first === undefined) return output;
  const fields = node.writes.map(({ field }) => `\`${field}\``).join(", ");
  throw new FailureError({
    class: "tool",
    code: "M8304",
    message: `what \`${name}\` returned does not fit ${fields}: ${describeMisfit(first)}`,
    hint: `return what the node writes: ${fields}`,
  });
}

export function assertJson(value: unknown, what: string): Json {
  const { value: json, faults } = toJson(value);
  const [first] = faults;
  if (first === undefined) return json;
  const place = first.path === "" ? "" : ` at \`${first.path}\``;
  throw new FailureError({
    class: "tool",
    code: "M8302",
    message: `${what} is not JSON: ${first.found}${place}`,
    hint: "return plain objects, lists, texts, numbers, booleans or null",
  });
}

/** What a function of this name threw, as the failure of its attempt. */
export function failureIn(name: string, thrown: unknown): FailureError {
  return thrown instanceof FailureError ? thrown : threw(name, thrown);
}

function threw(name: string, thrown: unknown): FailureError {
  const failure: Failure = {
    class: "tool",
    code: "M8301",
    message: `\`${name}\` threw: ${thrownText(thrown)}`,
    hint: `mend \`${name}\`: the next attempt calls it as it is then`,
    ...stackOf(thrown),
  };
  return new FailureError(failure, { cause: thrown });
}
