/** Checks a run's input against the parameters of its graph, before anything is stored. */
import { type Ir, nearest, toJsonSchema } from "../../dsl/index.ts";
import { toJson } from "../agents/values/json.ts";
import { RunError } from "../failure.ts";
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
    const { schema } = toJsonSchema(type, types);
    const [misfit] = schema === undefined ? [] : misfits(given, schema);
    if (misfit !== undefined) {
      throw wrong(ir, `the parameter \`${name}\` does not fit: ${describeMisfit(misfit)}`);
    }
  }
}

const NO_JSON = "give plain objects, lists, texts, numbers, booleans or null";

/** The input as it goes into the log: a copy, which nobody else can change. */
export function copiedInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return freezeJson(toJson({ ...input }).value as Record<string, unknown>);
}

function wrong(ir: Ir, message: string, hint?: string): RunError {
  const params = ir.params.map(
    ({ name, optional, default: value }) => `${name}${optional || value !== undefined ? "?" : ""}`,
  );
  return new RunError("M5001", message, {
    hint: hint ?? `\`${ir.name}\` takes (${params.join(", ")})`,
  });
}
