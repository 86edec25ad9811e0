/** Makes the input schema of a tool, and checks values against it. */
import type { JsonSchema } from "../../../dsl/index.ts";
import { describeMisfit, misfits } from "../../state/json-schema.ts";

/** Exactly one of both. */
export type InputReading = { readonly value: unknown } | { readonly misfits: readonly string[] };

/** The part of Standard Schema (zod, valibot, arktype) that is used here. */
export interface StandardSchema {
  readonly "~standard": {
    validate(value: unknown): StandardResult | Promise<StandardResult>;
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> };
  };
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(schema: JsonSchema | StandardSchema): schema is StandardSchema {
  return "~standard" in schema;
}

/** The input's JSON Schema; a library that can't give one for it throws. */
export function inputSchemaOf(input: JsonSchema | StandardSchema): JsonSchema {
  if (!isStandardSchema(input)) return input;
  const { $schema: _, ...schema } =
    input["~standard"].jsonSchema?.input({ target: "draft-07" }) ?? {};
  return schema;
}

export async function readInput(
  input: unknown,
  schema: JsonSchema | StandardSchema,
): Promise<InputReading> {
  if (isStandardSchema(schema)) return readByStandard(input, schema);
  const wrong = misfits(input, schema);
  return wrong.length === 0 ? { value: input } : { misfits: wrong.map(describeMisfit) };
}

async function readByStandard(input: unknown, schema: StandardSchema): Promise<InputReading> {
  const result = await schema["~standard"].validate(input);
  if (result.issues === undefined) return { value: result.value };
  return { misfits: result.issues.map(issueText) };
}

function issueText({ path = [], message }: StandardIssue): string {
  const steps = path.map((step) => String(typeof step === "object" ? step.key : step));
  return steps.length === 0 ? message : `at \`${steps.join(".")}\`: ${message}`;
}
