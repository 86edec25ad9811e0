import type { DottedIr, NodeIr } from "../../dsl/index.ts";
import type { ArtifactOptions, Made } from "../artifact.ts";
import { type SleepClock, systemClock } from "../clock.ts";
import { isCommand } from "../command.ts";
import type { Envelope } from "../envelope.ts";
import { type Failure, FailureError, RunError } from "../failure.ts";
import type { Answer, AskKind, Question } from "../interrupt.ts";
import type { Attempt, Performer, PerformerContext } from "../performer.ts";
import { abortFailure, ownTurn, untilAborted } from "./abort.ts";
import { type Json, toJson } from "./json.ts";
import { describeMisfit, misfits } from "./json-schema.ts";
import { withLists } from "./list-items.ts";
import { type Keep, makeArtifact } from "./make-artifact.ts";
import { ordersOf } from "./orders.ts";
import { lookUp, type Scope, suggestion } from "./scope.ts";
import { thrownText } from "./thrown.ts";

/** The last argument of a node's function: its way to the world, each use journalled. */
export interface FunctionContext {
  /** Aborted when the attempt is. */
  readonly signal: AbortSignal;
  /** Keeps bytes, a text or a value under its hash; with the commit of this attempt it is an artifact of the run. */
  artifact(options: ArtifactOptions): Promise<Made>;
  /** The messages that its node found when it started, in the order of their senders. */
  readonly inbox: readonly Envelope[];
  /** Does `work` once: after a crash, and in a replay, its recorded result is served instead. It must be JSON. */
  step<T>(name: string, work: () => T | Promise<T>): Promise<T>;
  /** Milliseconds since the epoch. */
  now(): Promise<number>;
  /** From 0 up to 1, without 1. */
  random(): Promise<number>;
  /** Asks whoever answers the run, and waits; the answer is recorded, so the same question is never put twice. */
  ask(question: string | FunctionQuestion): Promise<Answer>;
  /** What a person wants changed, when this attempt is there because of that. */
  readonly feedback?: string;
}

/** A question of a function: in words, with what may be answered or what is shown. */
export type FunctionQuestion = Omit<Question, "ask" | "by"> & { readonly ask?: AskKind };

/** What function nodes need of their run. */
export interface FunctionOptions {
  /** Where artifacts go; without it only their hash is known. */
  readonly keep?: Keep;
  /** For reducers: they get their arguments and nothing of the world. */
  readonly isPure?: boolean;
  /** Looked at anew at each attempt: a redefined function is the one that runs. */
  readonly scope: () => Scope;
  readonly clock?: SleepClock;
  readonly random?: () => number;
}

/** Performs `run` and `reduce` nodes: calls the scope's function with the node's arguments and a `FunctionContext`. */
export function createFunctionPerformer(options: FunctionOptions): Performer {
  const { scope, clock = systemClock, random = Math.random, isPure = false } = options;
  return {
    perform: async (attempt, context) => {
      const { name, call } = find(attempt.node, scope());
      const { feedback, inbox = [] } = attempt;
      const ctx = contextOf(context, { name, clock, random, feedback, inbox, keep: options.keep });
      const returned = await guarded(name, context.signal, async () => {
        await ownTurn();
        context.signal.throwIfAborted();
        return call([...(attempt.callArgs ?? []), ...(isPure ? [] : [ctx])]);
      });
      const toJson = (value: unknown) => assertJson(value, `the command of \`${name}\``);
      if (isCommand(returned)) return ordersOf(returned, { name, attempt, toJson }, context);
      return readResult(returned, name, attempt);
    },
  };
}

/** Throws M8303 where a `run` node's function is not there, before the run starts. */
export function assertFunction(callee: DottedIr, scope: Scope): void {
  if (typeof lookUp(callee, scope)?.value === "function") return;
  const { code, message, hint } = unknownFunction(callee, scope);
  throw new RunError(code, message, { hint });
}

interface Callee {
  readonly name: string;
  readonly call: (args: readonly unknown[]) => unknown;
}

function find(node: NodeIr, scope: Scope): Callee {
  const callee = node.call?.callee ?? [node.name];
  const name = callee.join(".");
  const found = lookUp(callee, scope);
  const value = found?.value;
  if (typeof value !== "function") throw new FailureError(unknownFunction(callee, scope));
  return { name, call: (args) => Reflect.apply(value, found?.owner, args) };
}

function contextOf(
  context: PerformerContext,
  {
    name,
    clock,
    random,
    inbox,
    feedback,
    keep,
  }: {
    readonly keep: Keep | undefined;
    readonly name: string;
    readonly clock: SleepClock;
    readonly random: () => number;
    readonly inbox: readonly Envelope[];
    readonly feedback: string | undefined;
  },
): FunctionContext {
  return {
    signal: context.signal,
    inbox,
    ...(feedback === undefined ? {} : { feedback }),
    ask: (asked) => {
      const question = typeof asked === "string" ? { question: asked } : asked;
      const json = assertJson(
        question,
        `the question of \`${name}\``,
      ) as unknown as FunctionQuestion;
      return context.ask({ ask: "question", ...json });
    },
    step: <T>(step: string, work: () => T | Promise<T>) =>
      context.effect<T>({
        effect: "function",
        name: step,
        perform: async (signal) => {
          const value = await guarded(`${name}: ${step}`, signal, async () => work());
          // What the journal can give back is also what the first run gets: the same in a replay.
          return { value: assertJson(value ?? null, `the step \`${step}\` of \`${name}\``) as T };
        },
      }),
    now: () =>
      context.effect({
        effect: "clock",
        name: "now",
        perform: async () => ({ value: clock.now() }),
      }),
    artifact: (options) =>
      context.effect<Made>({
        effect: "function",
        name: `artifact ${String(options.name)}`,
        perform: async () => {
          const made = makeArtifact(options, name, keep);
          return { value: made, artifacts: [made] };
        },
      }),
    random: () =>
      context.effect({
        effect: "random",
        name: "random",
        perform: async () => ({ value: random() }),
      }),
  };
}

// A function that pays no heed to its signal still ends here; what it goes on doing is nobody's result.
async function guarded<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await untilAborted(work, signal);
  } catch (thrown) {
    if (signal.aborted) throw abortFailure(signal);
    throw thrown instanceof FailureError ? thrown : threw(name, thrown);
  }
}

// ── the result ──────────────────────────────────────────────────────────────────────────────────

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

// ── failures ────────────────────────────────────────────────────────────────────────────────────

function threw(name: string, thrown: unknown): FailureError {
  const failure: Failure = {
    class: "tool",
    code: "M8301",
    message: `\`${name}\` threw: ${thrownText(thrown)}`,
    hint: `mend \`${name}\`: the next attempt calls it as it is then`,
    ...(thrown instanceof Error && thrown.stack !== undefined ? { stack: thrown.stack } : {}),
  };
  return new FailureError(failure, { cause: thrown });
}

function unknownFunction(callee: DottedIr, scope: Scope): Failure {
  const name = callee.join(".");
  const meant = suggestion(callee, scope);
  const found = lookUp(callee, scope);
  return {
    class: "tool",
    code: "M8303",
    message:
      found === undefined ? `no function is called \`${name}\`` : `\`${name}\` is not a function`,
    hint:
      meant === undefined
        ? `run the cell that declares \`${name}\` first, and that of its graph; without a notebook, export it from the scope file`
        : `did you mean \`${meant}\`?`,
  };
}
