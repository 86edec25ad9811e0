/** Checks the declaration of a tool, which JavaScript and unchecked TypeScript may get wrong. */
import { isDirectory, type JsonSchema } from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import type { Baseline } from "../../scheduler/guard/decide-call.ts";
import { thrownText } from "../values/thrown.ts";
import { inputSchemaOf, type StandardSchema } from "./tool-input.ts";
import type {
  AskingToolOptions,
  GraphToolOptions,
  PreparedToolOptions,
  PreviewedToolOptions,
  ToolEffect,
  ToolOptions,
} from "./tool-options.ts";

/** The options that anyone may give. */
const OPTIONS: Readonly<Record<keyof ToolOptions, true>> = {
  effect: true,
  description: true,
  input: true,
  baseline: true,
  targets: true,
  directory: true,
  address: true,
  classify: true,
  timeoutMs: true,
  parallel: true,
  idempotent: true,
  keyed: true,
};

type OwnOptions = AskingToolOptions & GraphToolOptions & PreparedToolOptions & PreviewedToolOptions;

/** Those that only Madrigal's own tools have. */
const OWN_OPTIONS: Readonly<Record<Exclude<keyof OwnOptions, keyof ToolOptions>, true>> = {
  asks: true,
  isGraph: true,
  prepare: true,
  preview: true,
  report: true,
  shows: true,
};

/** The baseline of a tool that declares none. */
export const BASELINE_OF: Readonly<Record<ToolEffect, Baseline>> = {
  none: "never",
  workspace: "maybe",
  external: "always",
};

/** Throws M8204 where the second argument of `tool()` is none. */
export function assertDeclaration(fn: unknown, options: ToolOptions | undefined): void {
  if (typeof fn !== "function") throw wronglyDeclared("its first argument is not a function");
  const unknown = Object.keys(options ?? {}).find(
    (name) => !Object.hasOwn(OPTIONS, name) && !Object.hasOwn(OWN_OPTIONS, name),
  );
  if (unknown !== undefined)
    throw wronglyDeclared(
      `there is no option \`${unknown}\`, only ${Object.keys(OPTIONS).join(", ")}`,
    );
  const effect: unknown = options?.effect;
  if (effect !== "none" && effect !== "workspace" && effect !== "external") {
    throw wronglyDeclared(
      `the effect ${JSON.stringify(effect)} is none of none, workspace, external`,
    );
  }
  const again = options?.idempotent === true ? "idempotent" : "keyed";
  if (options?.[again] === true && effect !== "external") {
    throw wronglyDeclared(`it is \`${again}\`, which says something of \`external\` tools only`);
  }
  const baseline: unknown = options?.baseline ?? "never";
  if (!Object.values(BASELINE_OF).some((known) => known === baseline)) {
    throw wronglyDeclared(
      `the baseline ${JSON.stringify(baseline)} is none of never, maybe, always`,
    );
  }
  if (options?.directory !== undefined && !isDirectory(options.directory)) {
    throw wronglyDeclared(
      'its directory is not like `{ by: "name", gives: { to: "email" } }`: the member with the name, and by argument the member that it may be',
    );
  }
  const input = options?.input;
  if (input !== undefined && schemaGivenBy(input).type !== "object") {
    throw wronglyDeclared("its input is not the schema of an object");
  }
}

function schemaGivenBy(input: JsonSchema | StandardSchema): JsonSchema {
  try {
    return inputSchemaOf(input);
  } catch (thrown) {
    throw wronglyDeclared(`its input can't be told as JSON Schema: ${thrownText(thrown)}`, thrown);
  }
}

function wronglyDeclared(what: string, cause?: unknown): RunError {
  return new RunError("M8204", `a tool is declared wrongly: ${what}`, {
    hint: 'write `tool(fn, { effect: "none", description: "…", input: { type: "object", … } })`',
    ...(cause === undefined ? {} : { cause }),
  });
}
