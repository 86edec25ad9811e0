/** Checks a run's input against the parameters of its graph, before anything is stored. */
import { type Ir, isMessagesType, nearest, toJsonSchema } from "../../dsl/index.ts";
import { toJson } from "../agents/values/json.ts";
import { RunError } from "../failure.ts";
import { readGivenMessages } from "../messages/read-given-messages.ts";
import { readMessages } from "../messages/read-messages.ts";
import { ownMember } from "../scheduler/lookup.ts";
import { freezeJson } from "../state/json.ts";
import { describeMisfit, misfits } from "../state/json-schema.ts";

/** Throws M5001 naming the first thing that does not fit. */
export function assertInput(ir: Ir, input: unknown): asserts input is Record<string, unknown> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw wrong(ir, "the input is not an object with the parameters as members");
  }
  const types = new Map(ir.types.map(({ name, type }) => [name, type]));
  const names = ir.params.map(({ name }) => name);
  for (const name of Object.keys(input)) {
    if (names.includes(name)) continue;
    const meant = nearest(name, names);
    throw wrong(
      ir,
      `\`${ir.name}\` has no parameter \`${name}\``,
      meant && `did you mean \`${meant}\`?`,
    );
  }
  for (const { name, optional, type, default: value } of ir.params) {
    const given = ownMember(input as Record<string, unknown>, name);
    if (given === undefined) {
      if (optional || value !== undefined) continue;
      throw wrong(ir, `the parameter \`${name}\` is missing`);
    }
    const [fault] = toJson(given).faults;
    if (fault !== undefined) {
      const place = fault.path === "" ? "" : ` at \`${fault.path}\``;
      throw wrong(ir, `the parameter \`${name}\` is not JSON: ${fault.found}${place}`, NO_JSON);
    }
    if (isMessagesType(type, types))
      readGivenMessages(toJson(given).value, `the parameter \`${name}\``);
    const { schema } = toJsonSchema(type, types);
    const [misfit] = schema === undefined ? [] : misfits(given, schema);
    if (misfit !== undefined) {
      throw wrong(ir, `the parameter \`${name}\` does not fit: ${describeMisfit(misfit)}`);
    }
  }
}

const NO_JSON = "give plain objects, lists, texts, numbers, booleans or null";

/** The input as it goes into the log: a copy, which nobody else can change, with messages in our form. */
export function copiedInput(
  { params, types }: Pick<Ir, "params" | "types">,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const copied = toJson({ ...input }).value as Record<string, unknown>;
  const declared = new Map(types.map(({ name, type }) => [name, type]));
  for (const { name, type } of params)
    if (isMessagesType(type, declared) && Object.hasOwn(copied, name))
      copied[name] = toJson(readMessages(copied[name])).value;
  return freezeJson(copied);
}

function wrong(ir: Ir, message: string, hint?: string): RunError {
  const params = ir.params.map(
    ({ name, optional, default: value }) => `${name}${optional || value !== undefined ? "?" : ""}`,
  );
  return new RunError("M5001", message, {
    hint: hint ?? `\`${ir.name}\` takes (${params.join(", ")})`,
  });
}
