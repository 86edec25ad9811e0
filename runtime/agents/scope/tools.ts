/** Makes tools from functions, and reads their effects, groups and options. */
import {
  type Directory,
  type DottedIr,
  type JsonSchema,
  type NodeIr,
  type UntoldTool,
  untoldText,
} from "../../../dsl/index.ts";
import { RunError } from "../../failure.ts";
import type { Repeats } from "../../performer.ts";
import type { Baseline, Classified } from "../../scheduler/guard/decide-call.ts";
import type { ToolCaller } from "../tools/tool-caller.ts";
import { type KeepArtifact, makeArtifact } from "../values/make-artifact.ts";
import { assertDeclaration, BASELINE_OF } from "./assert-tool-declaration.ts";
import { layeredScope } from "./layered-scope.ts";
import { parameterNames } from "./parameter-names.ts";
import { callableNames, isGroup, lookUp, type Scope, suggestion } from "./scope.ts";
import { type InputReading, inputSchemaOf, readInput } from "./tool-input.ts";
import type {
  PrepareCall,
  PreviewedToolOptions,
  ReportCalls,
  ToolContext,
  ToolEffect,
  ToolOptions,
} from "./tool-options.ts";
import { type ReadSignature, signatureIn, signatureWithoutParameters } from "./tool-signature.ts";

export type * from "./tool-options.ts";

type ToolFunction = (...args: never[]) => unknown;

/** The parameters of a tool's function; its context is only given by a run. */
type ToolArguments<F extends ToolFunction> =
  Parameters<F> extends [...infer A, ToolContext] ? [...A, context?: ToolContext] : Parameters<F>;

/** A function that a model can call; TypeScript calls it as the function that it is. */
export interface Tool<F extends ToolFunction = ToolFunction, O extends ToolOptions = ToolOptions> {
  (...args: ToolArguments<F>): ReturnType<F>;
  readonly [TOOL]: O;
}

const TOOL: unique symbol = Symbol.for("madrigal.tool");

/** Makes a function a tool: says what it touches, what it is for and what it takes. */
export function tool<
  F extends (input: never, context: ToolContext) => unknown,
  O extends ToolOptions,
>(fn: F, options: O): Tool<F, O>;
export function tool<F extends ToolFunction, O extends ToolOptions>(fn: F, options: O): Tool<F, O>;
export function tool(fn: ToolFunction, options: ToolOptions): unknown {
  assertDeclaration(fn, options);
  const call = (...args: unknown[]) =>
    Reflect.apply(fn, undefined, lacksContext(fn, args) ? [args[0], alone(fn.name)] : args);
  Object.defineProperty(call, "name", { value: fn.name });
  made.set(call, fn);
  return Object.assign(call, { [TOOL]: options });
}

const made = new WeakMap<object, unknown>();

/** The function that a tool was made of; of anything else nothing. */
export function functionOf(value: object): unknown {
  return made.get(value);
}

/** Returns whether TypeScript code calls the function with its input alone although it expects a context. */
function lacksContext(fn: ToolFunction, args: readonly unknown[]): boolean {
  if (args.length > 1 || fn.length !== 2) return false;
  const name = parameterNames(fn)?.[1];
  return name === undefined || /^(_.*|c|.*ctx|.*context)$/i.test(name);
}

/** Makes the context of a tool that TypeScript code calls directly; its artifacts are not kept. */
function alone(name: string): ToolContext {
  const artifact: ToolContext["artifact"] = async (options) => makeArtifact(options, name);
  return { signal: new AbortController().signal, idempotencyKey: crypto.randomUUID(), artifact };
}

/** Returns whether a value of the scope was made by `tool()`. */
export function isTool(value: unknown): value is Tool {
  return typeof value === "function" && TOOL in value;
}

/** Returns the effect of a function declared by `tool()`; undefined for any other value. */
export function effectOf(value: unknown): ToolEffect | undefined {
  return isTool(value) ? value[TOOL].effect : undefined;
}

/** Returns why calls of an external tool may be made again although nobody knows whether they took effect. */
export function repeatsOf(value: unknown): Repeats | undefined {
  if (!isTool(value)) return undefined;
  const { idempotent, keyed } = value[TOOL];
  if (idempotent === true) return "idempotent";
  return keyed === true ? "keyed" : undefined;
}

/** Returns the effects of the tools of a scope, by dotted name; other values are left out. */
export function toolEffects(scope: Scope): Record<string, ToolEffect> {
  const named = callableNames(scope).map((name) => {
    return [name, effectOf(lookUp(name.split("."), scope)?.value)] as const;
  });
  return Object.fromEntries(
    named.flatMap(([name, effect]) => (effect === undefined ? [] : [[name, effect]])),
  );
}

// ── names → tools ───────────────────────────────────────────────────────────────────────────────

/** A tool as one node may use it. */
export interface ResolvedTool {
  /** As the program writes it: `docs.search`. What logs and limits count. */
  readonly name: string;
  /** The name for models, since providers allow no dots. */
  readonly modelName: string;
  readonly description?: string;
  readonly effect: ToolEffect;
  readonly baseline: Baseline;
  readonly targets?: readonly string[];
  readonly directory?: Directory;
  readonly address?: string;
  readonly classify?: (input: unknown) => Classified | undefined;
  readonly shows?: (input: unknown, caller: ToolCaller) => string | undefined;
  readonly preview?: (input: unknown, caller: ToolCaller) => Promise<() => Promise<void>>;
  readonly report?: ReportCalls;
  readonly prepare?: PrepareCall;
  readonly inputSchema: JsonSchema;
  /** Set if the schema was read from types of TypeScript instead of being declared. */
  readonly isDerived: boolean;
  /** The names of its parameters, where its function takes its arguments one by one. */
  readonly parameters?: readonly string[];
  readonly timeoutMs: number;
  readonly parallel: boolean;
  readonly repeats?: Repeats;
  /** It may ask people while it is called. */
  readonly asks?: true;
  /** It runs a graph. */
  readonly isGraph?: true;
  /** Stores the artifacts that the tool makes. */
  readonly keep?: KeepArtifact;
  /** The input as the function takes it (defaults filled in), or what is wrong with it. */
  readonly readInput: (input: unknown) => Promise<InputReading>;
  readonly call: (input: unknown, context: ToolContext) => unknown;
}

/** Finds the tools of a node; asked anew for each attempt, so a redefined function is the one that runs. */
export interface ToolSet {
  /** `served`: the groups of the servers that the graph declares, which hide names of the scope. */
  resolve(names: readonly DottedIr[], served?: Scope): readonly ResolvedTool[];
}

/** The tools of a scope, which may change between attempts. */
export function createToolSet(scope: () => Scope, keep?: KeepArtifact): ToolSet {
  const kept = keep === undefined ? {} : { keep };
  return {
    resolve: (names, served) =>
      resolveTools(names, layeredScope(scope(), served)).map((one) => ({ ...one, ...kept })),
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
    const found = resolveTool(name, modelName, scope);
    const undescribed = untoldIn(found);
    if (undescribed !== undefined) throw untoldTool(undescribed);
    return found;
  });
}

/** The tool that a node calls without a model, which needs no schema. */
export function resolveCalledTool(name: DottedIr, scope: Scope): ResolvedTool {
  return resolveTool(name, freeName(name, new Set()), scope);
}

/** The first tool among those that `name` means of which nobody can say what it takes; undefined for what is not there. */
export function findUntoldTool(name: DottedIr, scope: Scope): UntoldTool | undefined {
  if (!isToolThere(name, scope)) return undefined;
  return resolvedOf(name, scope)
    .map(untoldIn)
    .find((one) => one !== undefined);
}

/** The name of the first tool among those that `name` means that can be told and has no description, although its types are known. */
export function findUndescribedTool(name: DottedIr, scope: Scope): string | undefined {
  if (!isToolThere(name, scope)) return undefined;
  const isUndescribed = (one: ResolvedTool & Partial<UntoldTool>) =>
    one.description === undefined &&
    one.fault === undefined &&
    signatureIn(scope, one.name.split(".")) !== undefined;
  return resolvedOf(name, scope).find(isUndescribed)?.name;
}

function isToolThere(name: DottedIr, scope: Scope): boolean {
  if (name.at(-1) !== "*") return typeof lookUp(name, scope)?.value === "function";
  const group = lookUp(name.slice(0, -1), scope)?.value;
  return isGroup(group) && functionsIn(group).length > 0;
}

/** Returns whether types of TypeScript would complete the tools that `name` means: an input schema or a description. */
export function lacksSignature(name: DottedIr, scope: Scope): boolean {
  return (
    findUntoldTool(name, scope) !== undefined ||
    (isToolThere(name, scope) &&
      resolvedOf(name, scope).some(({ description }) => description === undefined))
  );
}

function resolvedOf(name: DottedIr, scope: Scope): readonly (ResolvedTool & Partial<UntoldTool>)[] {
  const wanted = name.at(-1) === "*" ? expand(name, scope) : [name];
  return wanted.map((one) => resolveTool(one, one.join("_"), scope));
}

function untoldIn({ name, fault }: ResolvedTool & Partial<UntoldTool>): UntoldTool | undefined {
  return fault === undefined ? undefined : { name, fault };
}

function untoldTool(tool: UntoldTool): RunError {
  const { message, hint } = untoldText(tool);
  return new RunError("M4109", message, { hint });
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
  const members = functionsIn(found.value);
  const tools = members.filter(([, value]) => isTool(value));
  const chosen = tools.length > 0 ? tools : members;
  if (chosen.length === 0) throw unknownTool(name, scope);
  return chosen.map(([member]) => [...group, member]);
}

/** The functions of a group and the tools of other libraries in it, by their names. */
function functionsIn(group: Scope): readonly (readonly [string, unknown])[] {
  const members = Object.keys(group).map((name) => [name, lookUp([name], group)?.value] as const);
  return members.filter(([, value]) => typeof value === "function");
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

function resolveTool(
  name: DottedIr,
  modelName: string,
  scope: Scope,
): ResolvedTool & Partial<UntoldTool> {
  const found = lookUp(name, scope);
  if (found === undefined || typeof found.value !== "function") throw unknownTool(name, scope);
  const { value, owner } = found;
  const options: PreviewedToolOptions = isTool(value) ? value[TOOL] : { effect: "external" };
  const signature: ReadSignature = signatureOf(name, value, scope);
  const description = options.description ?? signature.description;
  const { fault, parameters } = options.input === undefined ? signature : {};
  const input = options.input ?? signature.input ?? ANY_OBJECT;
  const repeats = repeatsOf(value);
  return {
    name: name.join("."),
    modelName,
    effect: options.effect,
    baseline: options.baseline ?? BASELINE_OF[options.effect],
    ...(options.targets === undefined ? {} : { targets: options.targets }),
    ...(options.directory === undefined ? {} : { directory: options.directory }),
    ...(options.address === undefined ? {} : { address: options.address }),
    ...(options.classify === undefined
      ? {}
      : { classify: options.classify as NonNullable<ResolvedTool["classify"]> }),
    ...previewOf(options),
    ...(description === undefined ? {} : { description }),
    inputSchema: inputSchemaOf(input),
    isDerived: options.input === undefined,
    ...(parameters === undefined ? {} : { parameters }),
    ...(fault === undefined ? {} : { fault }),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    parallel: options.parallel ?? false,
    ...(repeats === undefined ? {} : { repeats }),
    ...("asks" in options ? { asks: true as const } : {}),
    ...("isGraph" in options ? { isGraph: true as const } : {}),
    ...("prepare" in options ? { prepare: options.prepare as PrepareCall } : {}),
    readInput: (given) => readInput(given, input),
    call: (given, context) =>
      Reflect.apply(value, owner, [...argumentsOf(given, parameters), context]),
  };
}

function previewOf({
  shows,
  preview,
  report,
}: PreviewedToolOptions): Pick<ResolvedTool, "shows" | "preview" | "report"> {
  return {
    ...(shows === undefined ? {} : { shows: shows as NonNullable<ResolvedTool["shows"]> }),
    ...(preview === undefined ? {} : { preview: preview as NonNullable<ResolvedTool["preview"]> }),
    ...(report === undefined ? {} : { report }),
  };
}

function signatureOf(name: DottedIr, value: object, scope: Scope): ReadSignature {
  const signature = signatureIn(scope, name);
  if (signature?.input !== undefined) return signature;
  const empty = signatureWithoutParameters(functionOf(value) ?? value);
  return (
    empty ??
    signature ?? {
      fault: "its declaration has no `input`, and the types of its parameters are not known here",
    }
  );
}

/** A function that takes its arguments one by one gets those that are left out as `undefined`. */
function argumentsOf(input: unknown, parameters: readonly string[] | undefined): unknown[] {
  if (parameters === undefined) return [input];
  return parameters.map((name) => (input as Readonly<Record<string, unknown>>)[name]);
}

/** Of the input of a node's own call, whose expressions `check` looks at. */
const ANY_OBJECT: JsonSchema = { type: "object" };

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
