/** Turns what a function returned or threw into the output or the failure of its node. */
import { memberOfResult } from "../../../dsl/index.ts";
import { DoubtfulEnd, type Failure, FailureError, stackOf } from "../../failure.ts";
import type { Attempt } from "../../performer.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";
import { type Json, toJson } from "../values/json.ts";
import { withLists } from "../values/list-items.ts";
import { isLostConnection } from "../values/lost-connection.ts";
import { thrownText } from "../values/thrown.ts";

/** The output of a node whose function returned this; throws where it is not JSON or does not fit. */
export function readResult(returned: unknown, name: string, { node, ir }: Attempt): unknown {
  const wants = node.writes.length > 0;
  if (returned === undefined && !wants) return null;
  const value = assertJson(returned, `what \`${name}\` returned`);
  if (node.output === undefined) return value;
  const output = withLists(value, node, ir.fields);
  // `writes f = result.part` takes a part of what may have others.
  const takesParts = node.writes.some(
    ({ value: taken }) => taken !== undefined && memberOfResult(taken) !== undefined,
  );
  const schema = takesParts ? { ...node.output, additionalProperties: true } : node.output;
  const [first] = misfits(output, schema);
  if (first === undefined) return output;
  const asked = node.writes.flatMap(({ field, value }) =>
    value === undefined ? [field] : (memberOfResult(value) ?? []),
  );
  const fields = asked.map((field) => `\`${field}\``).join(", ");
  const isObject = node.writes.length > 1 || node.writes[0]?.value !== undefined;
  const shape = `\`{ ${asked.join(", ")} }\``;
  throw new FailureError({
    class: "tool",
    code: "M8304",
    message: `what \`${name}\` returned does not fit ${fields}: ${describeMisfit(first)}`,
    hint: isObject ? `return an object: ${shape}` : `return what the node writes: ${fields}`,
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

/** Returns the error that a function of this name threw as the failure of its attempt. */
export function failureIn(name: string, thrown: unknown): FailureError {
  return thrown instanceof FailureError ? thrown : threw(name, thrown);
}

/** The same for what acts on the world outside: a lost connection leaves in doubt whether it did. */
export function failureOutside(name: string, thrown: unknown): FailureError {
  const failed = failureIn(name, thrown);
  if (failed === thrown || !isLostConnection(thrown)) return failed;
  return new DoubtfulEnd(failed.failure, { cause: thrown });
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
