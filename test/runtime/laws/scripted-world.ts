/** The world of random programs: functions, models, people, streams and agents, the same in every schedule. */
import type { NodeIr } from "../../../dsl/index.ts";
import { digest } from "../../../runtime/debug/sample-output.ts";
import type {
  SimulatedAttempt,
  SimulatedCall,
  SimulationOptions,
} from "../../../runtime/explore/simulation.ts";
import { type Failure, FailureError } from "../../../runtime/failure.ts";
import type { Answer, Question } from "../../../runtime/interrupt.ts";
import { type FunctionCall, keyOf } from "../../../runtime/scheduler/expressions/calls.ts";
import type { OpenInterrupt } from "../../../runtime/scheduler/snapshot/snapshot.ts";

/** Models hear what people say; some functions act on the outside world, and so do strong agents. */
function call({ kind, name }: NodeIr, number: number): SimulatedCall {
  if (kind === "agent" || kind === "router") return { effect: "model", name: "rules", hears: true };
  if (kind === "operator") return turn(number);
  if (kind === "tool" || digest(name) % 4 === 0)
    return { effect: "tool", name: "act", external: true };
  return { effect: "function", name: `f${number}`, artifacts: (of) => [report(of)] };
}

/** A turn of a strong agent: its begin may have reached the outside world, its end leaves a session. */
function turn(number: number): SimulatedCall {
  if (number === 0) {
    const value = (of: string) => ({ verb: "begin", sessionId: of, turn: 1, how: "new" });
    return { effect: "controller", name: "pilot", external: true, value };
  }
  const value = (of: string) => ({
    verb: "end",
    result: { status: "success", sessionRef: { controller: "pilot", sessionId: of, turn: 1 } },
  });
  return { effect: "controller", name: "pilot", value };
}

function report(of: string) {
  const hash = digest(of).toString(16);
  const facts = { kind: "report", mime: "text/plain", bytes: 1 } as const;
  return { id: `report@${hash}`, name: "report", hash, ...facts };
}

function questions({ program, run, view, place }: SimulatedAttempt): readonly Question[] {
  const node = program.nodes[run.node]?.ir;
  if (node?.kind === "human") {
    const ask = node.edits.length > 0 ? "edit" : "input";
    return [{ ask, question: view.question ?? "", shown: place }];
  }
  // Its first attempts call a tool that somebody must allow.
  return digest(place) % 2 === 0 ? [{ ask: "approval", question: "May I?", tool: "look" }] : [];
}

/** The same to the same question, wherever it is asked; a call in doubt has happened, or not, or is left alone. */
function answer({
  ask,
  attempt,
  node,
  key,
  shown,
  expiresAt,
}: OpenInterrupt): Answer | "nobody" | undefined {
  const place = `${node} ${key.replaceAll(/~\d+/g, "")}`;
  if (ask === "limit") return digest(node) % 2 === 0 ? { kind: "approve" } : { kind: "deny" };
  if (ask === "doubt") return ofDoubt(shown as DoubtOf);
  if (expiresAt !== undefined && digest(place) % 3 === 0) return "nobody";
  if (digest(place) % 7 === 0) return { kind: "deny" };
  // Whoever wanted it revised for ever would keep a run going whose condition never holds.
  if (ask === "ensure" && attempt <= REVISED_MAX && digest(place) % 2 !== 0)
    return { kind: "revise", text: "short" };
  if (ask === "input") return { kind: "value", value: null };
  return { kind: "approve" };
}

/** How often one node run is revised. */
const REVISED_MAX = 4;

interface DoubtOf {
  readonly call: string;
  readonly of: string;
}

function ofDoubt({ call: name, of }: DoubtOf): Answer {
  const said = digest(of) % 5;
  if (said === 0) return { kind: "deny" };
  if (said > 2) return { kind: "approve" };
  return { kind: "value", value: name === "pilot" ? turn(0).value?.(of) : of };
}

const BROKEN: Failure = { class: "tool", code: "M8301", message: "it is broken" };

/** What functions of the scope give: the same for the same arguments. */
function functions(called: FunctionCall): unknown {
  const { name, args, reducer } = called;
  if (reducer !== undefined)
    return args.map(Number).reduce((sum, one) => (3 * sum + one) % 1000, 0);
  const number = digest(keyOf(called));
  if (name === "helpers.is" && number % 9 === 0) throw new FailureError(BROKEN);
  return name === "twice" ? 2 * Number(args[0] ?? 0) : number % 3 > 0;
}

function streams({
  name,
  args,
}: Pick<FunctionCall, "name" | "args">): readonly unknown[] | undefined {
  if (name === "helpers.feed") return [1, 2];
  if (name === "feed" && args[0] === 4) return [3, 1, new FailureError(BROKEN)];
  return name === "feed" ? [3, 1, 2, 5].slice(0, Number(args[0] ?? 0)) : undefined;
}

/** What its thread and its user have from before. */
const kept = { lasting: ["before"], ours: 3 };

export const scriptedWorld = {
  ...{ call, questions, answer, functions, streams, kept },
} satisfies Partial<SimulationOptions>;
