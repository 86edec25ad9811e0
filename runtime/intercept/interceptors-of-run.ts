/** The interceptors of one run: whose they are, what they make of its input and its output, the hashes of their code. */
import { nearest } from "../../dsl/index.ts";
import type { CallFunction } from "../agents/functions/call-function.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { RunError } from "../failure.ts";
import type { RunInterception } from "../records/records.ts";
import { hashOf } from "../rerun/code.ts";
import type { Again } from "../rerun/rerun-of.ts";
import { shortRunId } from "../run-names.ts";
import { keyOf } from "../scheduler/expressions/calls.ts";
import { afterRunCall, INTERCEPTOR, interceptorIn } from "../scheduler/flow/intercepted-end.ts";
import type { RunMeta } from "../store/run-store.ts";
import { askAtOnce, askInterceptors, inOrder } from "./ask-interceptors.ts";
import { type Interceptor, REPLY_MEMBERS } from "./interceptor.ts";

/** Those of a session or a graph, each under its name. */
export class InterceptorList {
  readonly #byName = new Map<string, Interceptor>();

  get all(): readonly Interceptor[] {
    return [...this.#byName.values()];
  }

  /** Takes the place of the one of that name; the result takes it away again. */
  add(one: Interceptor): () => void {
    assertInterceptor(one);
    this.#byName.set(one.name, one);
    return () => {
      if (this.#byName.get(one.name) === one) this.#byName.delete(one.name);
    };
  }
}

/** All of them, the outermost first; of two with one name the later one counts. */
export function allInterceptors(
  ...lists: readonly (readonly Interceptor[])[]
): readonly Interceptor[] {
  const all = lists.flat();
  for (const one of all) assertInterceptor(one);
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

/** Throws M8174 for what is no interceptor: a misspelt function would never be asked. */
function assertInterceptor(one: Interceptor): void {
  const hooks = Object.keys(REPLY_MEMBERS);
  const { name, ...rest } = one;
  const wrong = (what: string, hint: string) => new RunError("M8174", what, { hint });
  if (typeof name !== "string" || name.trim() === "")
    throw wrong("an interceptor has no name", 'give it one: `{ name: "careful", beforeTool: … }`');
  const other = Object.keys(rest).find((key) => !hooks.includes(key));
  if (other !== undefined) {
    const meant = nearest(other, hooks);
    const hint = meant === undefined ? `it has ${hooks.join(", ")}` : `did you mean \`${meant}\`?`;
    throw wrong(`the interceptor \`${name}\` has \`${other}\`, which nobody asks`, hint);
  }
  const found = hooks.filter((hook) => hook in one);
  if (found.length === 0)
    throw wrong(`the interceptor \`${name}\` has no function`, `it may have ${hooks.join(", ")}`);
  const bad = found.find((hook) => typeof one[hook as keyof Interceptor] !== "function");
  if (bad !== undefined)
    throw wrong(`\`${bad}\` of the interceptor \`${name}\` is no function`, "give it a function");
}

/** The hash of each, under a name that no function of a program has. */
export function interceptorCode(
  list: readonly Interceptor[],
  scope: Scope,
): Readonly<Record<string, string>> {
  return Object.fromEntries(list.map((one) => [`${INTERCEPTOR}${one.name}`, hashOf(one, scope)]));
}

/** The hashes of interceptors among those of a run's code. */
export function interceptorsIn(
  code: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(code).filter(([name]) => name.startsWith(INTERCEPTOR)));
}

/** Tells whether a run had interceptors when it began. */
export function hasInterceptors(code: Readonly<Record<string, string>> | undefined): boolean {
  return Object.keys(interceptorsIn(code)).length > 0;
}

/** Throws M8175 where a stored run began with an interceptor that is not here; who names some himself knows of it. */
export function assertInterceptorsHere(
  { runId, code }: Pick<RunMeta, "runId" | "code">,
  list: readonly Interceptor[],
): void {
  const here = list.map(({ name }) => name);
  const gone = Object.keys(interceptorsIn(code))
    .map(interceptorIn)
    .filter((name) => !here.includes(name));
  if (gone.length === 0) return;
  const names = gone.map((name) => `\`${name}\``).join(", ");
  throw new RunError(
    "M8175",
    `run \`${shortRunId(runId)}\` began with the interceptor ${names}, which is not here`,
    {
      hint: `give it again: \`runs.open("${shortRunId(runId)}", { intercept: [${gone.join(", ")}] })\`; \`intercept: []\` goes on without`,
      runId,
    },
  );
}

/**
 * The input as interceptors let the run begin with it; throws what keeps it from beginning. Of a run that is run again, the
 * recorded input is what they have made of it, and a plan asks nobody.
 */
export function interceptedInput<I extends object>(
  list: readonly Interceptor[],
  of: { readonly run: string; readonly graph: string; readonly input: I },
  again?: Again,
): { readonly input: I; readonly interception?: RunInterception } {
  const { input, ...facts } = of;
  if (again?.parts !== undefined) return { input };
  const asked = {
    hook: "beforeRun",
    what: `before the run of \`${of.graph}\``,
    facts,
    seen: { input },
  } as const;
  const { changed, made, failure } =
    again?.isOfInput === true
      ? { changed: {}, made: again.recorded.begun?.interception?.made ?? [], failure: undefined }
      : askAtOnce(list, asked);
  if (failure !== undefined) {
    const { code, message, hint } = failure;
    throw new RunError(code, message, code === "M8170" ? {} : { hint });
  }
  const afterRun = inOrder(list, "afterRun").map(({ name }) => name);
  const interception = {
    ...(made.length === 0 ? {} : { made }),
    ...(afterRun.length === 0 ? {} : { afterRun }),
  };
  const next = ("input" in changed ? changed.input : input) as I;
  return Object.keys(interception).length === 0 ? { input: next } : { input: next, interception };
}

/** Has the calls by which a decision asks interceptors about a run's output made by them, and all others as before. */
export function callingInterceptors(
  list: readonly Interceptor[],
  of: { readonly run: string; readonly graph: string },
  others: CallFunction | undefined,
): CallFunction {
  return async (call, cancellation) => {
    if (!call.name.startsWith(INTERCEPTOR)) {
      if (others === undefined) throw new Error(`M9000: nobody calls \`${call.name}\``);
      return await others(call, cancellation);
    }
    const named = { name: call.name, key: keyOf(call) };
    const one = list.filter(({ name }) => afterRunCall(name) === call.name);
    const seen = { output: call.args[0] };
    const asked = {
      hook: "afterRun",
      what: `behind the run of \`${of.graph}\``,
      facts: of,
      seen,
    } as const;
    const { made, failure } = await askInterceptors(one, asked, cancellation);
    const isVeto = made.some(({ reason }) => reason !== undefined);
    if (failure !== undefined && !isVeto) return { ...named, failure };
    return { ...named, value: made };
  };
}
