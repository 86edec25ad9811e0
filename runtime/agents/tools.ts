import type { DottedIr, JsonSchema, NodeIr } from "../../dsl/index.ts";
import type { ArtifactOptions, Made } from "../artifact.ts";
import { RunError } from "../failure.ts";
import { describeMisfit, misfits } from "./json-schema.ts";
import { type Keep, makeArtifact } from "./make-artifact.ts";
import { callableNames, isGroup, lookUp, type Scope, suggestion } from "./scope.ts";

/** What a tool may touch: nothing, files of the workspace, or the world outside. Approvals follow from it. */
export type ToolEffect = "none" | "workspace" | "external";

/** What a tool's function gets beside its input. */
export interface ToolContext {
  /** Aborted when the attempt is, or when the tool is out of time. */
  readonly signal: AbortSignal;
  /** Keeps bytes, a text or a value under its hash; with the commit of this attempt it is an artifact of the run. */
  artifact(options: ArtifactOptions): Promise<Made>;
}

/** How a tool is declared. */
export interface ToolOptions {
  readonly effect: ToolEffect;
  /** What the model reads to decide whether to call it. */
  readonly description?: string;
  /** The input's type: JSON Schema of an object, or a schema of zod or another library with Standard JSON Schema. */
  readonly input?: JsonSchema | StandardSchema;
  /** Two minutes if not said. */
  readonly timeoutMs?: number;
  /** Whether calls of one turn may run at once; all of the turn's tools must say so. */
  readonly parallel?: boolean;
}

/** A function that a model can call; TypeScript calls it as the function that it is. */
export interface Tool<I = unknown, O = unknown> {
  (input: I, context?: ToolContext): O;
  readonly [TOOL]: ToolOptions;
}

const TOOL: unique symbol = Symbol.for("madrigal.tool");

/** Makes a function a tool: says what it touches, what it is for and what it takes. */
export function tool<I, O>(
  fn: (input: I, context: ToolContext) => O,
  options: ToolOptions,
): Tool<I, O> {
  assertDeclaration(fn, options);
  const call = (input: I, context = alone(fn.name)) => fn(input, context);
  Object.defineProperty(call, "name", { value: fn.name });
  made.set(call, fn);
  return Object.assign(call, { [TOOL]: options });
}

const made = new WeakMap<object, unknown>();

/** The function that a tool was made of; of anything else nothing. */
export function functionOf(value: object): unknown {
  return made.get(value);
}

/** What a tool gets that TypeScript calls: what it makes is kept nowhere. */
function alone(name: string): ToolContext {
  const artifact: ToolContext["artifact"] = async (options) => makeArtifact(options, name);
  return { signal: new AbortController().signal, artifact };
}

/** Whether a value of the scope was made by `tool()`. */
export function isTool(value: unknown): value is Tool {
  return typeof value === "function" && TOOL in value;
}

/** What the tools of a scope may touch, by dotted name. Of what is no tool nothing is known. */
export function toolEffects(scope: Scope): Record<string, ToolEffect> {
  const named = callableNames(scope).map((name) => {
    const value = lookUp(name.split("."), scope)?.value;
    return [name, isTool(value) ? value[TOOL].effect : undefined] as const;
  });
  return Object.fromEntries(
    named.flatMap(([name, effect]) => (effect === undefined ? [] : [[name, effect]])),
  );
}

function assertDeclaration(fn: unknown, options: ToolOptions | undefined): void {
  if (typeof fn !== "function") throw wronglyDeclared("its first argument is not a function");
  const effect: unknown = options?.effect;
  if (effect !== "none" && effect !== "workspace" && effect !== "external") {
    throw wronglyDeclared(
      `the effect ${JSON.stringify(effect)} is none of none, workspace, external`,
    );
  }
  const input = options?.input;
  if (input !== undefined && !isStandardSchema(input) && inputSchemaOf(input).type !== "object") {
    throw wronglyDeclared("its input is not the schema of an object");
  }
}

function wronglyDeclared(what: string): RunError {
  return new RunError("M8204", `a tool is declared wrongly: ${what}`, {
    hint: 'write `tool(fn, { effect: "none", description: "…", input: { type: "object", … } })`',
  });
}

// ── names → tools ───────────────────────────────────────────────────────────────────────────────

/** A tool as one node may use it. */
export interface ResolvedTool {
  /** As the program writes it: `docs.search`. What logs and limits count. */
  readonly name: string;
  /** What the model calls it: providers allow no dots. */
  readonly modelName: string;
  readonly description?: string;
  readonly effect: ToolEffect;
  readonly inputSchema: JsonSchema;
  readonly timeoutMs: number;
  readonly parallel: boolean;
  /** Where its artifacts go. */
  readonly keep?: Keep;
  /** The input as the function takes it (defaults filled in), or what is wrong with it. */
  readonly readInput: (input: unknown) => Promise<InputReading>;
  readonly call: (input: unknown, context: ToolContext) => unknown;
}

/** Exactly one of both. */
export type InputReading = { readonly value: unknown } | { readonly misfits: readonly string[] };

/** Finds the tools of a node; asked anew for each attempt, so a redefined function is the one that runs. */
export interface ToolSet {
  resolve(names: readonly DottedIr[]): readonly ResolvedTool[];
}

/** The tools of a scope, which may change between attempts. */
export function createToolSet(scope: () => Scope, keep?: Keep): ToolSet {
  const kept = keep === undefined ? {} : { keep };
  return {
    resolve: (names) => resolveTools(names, scope()).map((one) => ({ ...one, ...kept })),
  };
}

/** The tools that `names` mean: in the order they are written, each once, a group's in its own order. */
export function resolveTools(names: readonly DottedIr[], scope: Scope): ResolvedTool[] {
  const wanted = names.flatMap((name) => (name.at(-1) === "*" ? expand(name, scope) : [name]));
  const unique = [...new Map(wanted.map((name) => [name.join("."), name])).values()];
  const taken = new Set<string>();
  return unique.map((name) => {
    const modelName = freeName(name, taken);
    taken.add(modelName);
    return resolveTool(name, modelName, scope);
  });
}

const EFFECTS: readonly ToolEffect[] = ["none", "workspace", "external"];

/** Throws M4105 for a tool above what its node may touch: the scope of the run may be another than that of the check. */
export function assertEffects(
  { name, effects }: Pick<NodeIr, "name" | "effects">,
  tools: readonly ResolvedTool[],
): void {
  const bound = effects === undefined ? EFFECTS.length : EFFECTS.indexOf(effects);
  const above = tools.find((one) => EFFECTS.indexOf(one.effect) > bound);
  if (above === undefined) return;
  throw new RunError(
    "M4105",
    `\`${above.name}\` has effect \`${above.effect}\`, and \`${name}\` may have \`${effects}\``,
    { hint: `take it out, or write \`effects ${above.effect}\`` },
  );
}

// A group's plain helper functions are no tools as long as it has declared ones.
function expand(name: DottedIr, scope: Scope): DottedIr[] {
  const group = name.slice(0, -1);
  const found = lookUp(group, scope);
  if (found === undefined || !isGroup(found.value)) throw unknownTool(name, scope);
  const members = Object.entries(found.value).filter(([, value]) => typeof value === "function");
  const tools = members.filter(([, value]) => isTool(value));
  const chosen = tools.length > 0 ? tools : members;
  if (chosen.length === 0) throw unknownTool(name, scope);
  return chosen.map(([member]) => [...group, member]);
}

const NAME_MAX = 64;

function freeName(name: DottedIr, taken: ReadonlySet<string>): string {
  const plain = name
    .join("_")
    .replace(/[^\w-]/g, "_")
    .slice(0, NAME_MAX);
  let free = plain;
  for (let count = 2; taken.has(free); count += 1) {
    free = `${plain.slice(0, NAME_MAX - String(count).length - 1)}_${count}`;
  }
  return free;
}

function resolveTool(name: DottedIr, modelName: string, scope: Scope): ResolvedTool {
  const found = lookUp(name, scope);
  if (found === undefined || typeof found.value !== "function") throw unknownTool(name, scope);
  const { value, owner } = found;
  const options: ToolOptions = isTool(value) ? value[TOOL] : { effect: "external" };
  return {
    name: name.join("."),
    modelName,
    effect: options.effect,
    ...(options.description === undefined ? {} : { description: options.description }),
    inputSchema: inputSchemaOf(options.input),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    parallel: options.parallel ?? false,
    readInput: (input) => readInput(input, options.input),
    call: (input, context) => Reflect.apply(value, owner, [input, context]),
  };
}

const TIMEOUT_MS = 120_000;

function unknownTool(name: DottedIr, scope: Scope): RunError {
  const written = name.join(".");
  const found = lookUp(name, scope);
  if (found !== undefined && isGroup(found.value)) {
    return new RunError("M8201", `\`${written}\` is not a tool but a group of them`, {
      hint: `write \`${written}.*\` for all of it`,
    });
  }
  if (found !== undefined) {
    return new RunError("M8201", `\`${written}\` is not a tool: it is no function`);
  }
  const meant = suggestion(
    name.filter((step) => step !== "*"),
    scope,
  );
  return new RunError("M8201", `no tool is called \`${written}\``, {
    hint:
      meant === undefined
        ? `run the cell that declares \`${written}\` first, and that of its graph; without a notebook, export it from the scope file`
        : `did you mean \`${meant}\`?`,
  });
}

// ── schemas ─────────────────────────────────────────────────────────────────────────────────────

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

function isStandardSchema(schema: JsonSchema | StandardSchema): schema is StandardSchema {
  return "~standard" in schema;
}

const OPEN_INPUT: JsonSchema = { type: "object", properties: {}, additionalProperties: true };

function inputSchemaOf(input: JsonSchema | StandardSchema | undefined): JsonSchema {
  if (input === undefined) return OPEN_INPUT;
  if (!isStandardSchema(input)) return input;
  const { $schema: _, ...schema } =
    input["~standard"].jsonSchema?.input({ target: "draft-07" }) ?? {};
  return schema.type === "object" ? schema : OPEN_INPUT;
}

async function readInput(
  input: unknown,
  schema: JsonSchema | StandardSchema | undefined,
): Promise<InputReading> {
  if (schema !== undefined && isStandardSchema(schema)) return readByStandard(input, schema);
  const wrong = misfits(input, inputSchemaOf(schema));
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
