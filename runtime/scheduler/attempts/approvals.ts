/** Finds the approvals that a place asks for, what they show, and what was decided. */
import {
  type ApproveIr,
  type ConsentIr,
  type JsonSchema,
  type NodeIr,
  toJsonSchema,
} from "../../../dsl/index.ts";
import type { Failure } from "../../failure.ts";
import type { Answer, Question } from "../../interrupt.ts";
import { evaluate, holds, type Lookup, shownInText } from "../expressions/evaluate.ts";
import { decideCall, type GuardedCall, type Ruling } from "../guard/decide-call.ts";
import { type GuardedGraph, guardOf, readsUntrusted } from "../guard/guard-of.ts";
import { approvedPart, hashOf } from "../interrupts.ts";
import { lookupAt } from "../lookup.ts";
import type { Program, ProgramNode } from "../program/program.ts";
import type { NodeRun, Snapshot } from "../snapshot/snapshot.ts";
import { attemptView } from "./attempt-view.ts";
import { escalationsOf, type Whom, waitOf, whomOf } from "./escalations.ts";

/** The permission to start: granted, to be asked for, or refused. */
export type ApprovalStart =
  | { readonly may: "start" }
  | { readonly may: "ask"; readonly question: Question }
  | { readonly may: "fail"; readonly failure: Failure };

/** Throws `EvaluationError` where the approval's text or condition can't be evaluated. */
export function mayStart(program: Program, snapshot: Snapshot, run: NodeRun): ApprovalStart {
  const node = program.nodes[run.node];
  if (node === undefined || !isAsked(program, node.ir, "before")) return { may: "start" };
  const lookup = lookupOf(program, snapshot, run);
  const asked = applying(consentsOf(program, node.ir, "before"), lookup);
  if (asked.length === 0) return { may: "start" };
  const view = attemptView(program, snapshot, run);
  const part = approvedPart(node);
  const shown = (part === "args" ? run.args : view[part]) ?? null;
  const { consent } = run.asks ?? {};
  // An approval is of what was shown: other arguments are asked about anew.
  if (consent?.hash === hashOf(shown)) return decided(node.ir, consent.answer);
  const text = `Start \`${node.ir.name}\`?`;
  const question = { ask: "approval", ...asQuestion(asked, lookup, text), shown } as const;
  return { may: "ask", question: { ...question, schema: argumentsSchema(program, node) } };
}

/** Returns the schema of the arguments that a person may give in place of the approved ones. */
function argumentsSchema({ ir }: Program, node: ProgramNode): JsonSchema {
  switch (approvedPart(node)) {
    case "prompt":
      return { type: "string" };
    case "callArgs": {
      const size = node.ir.call?.args.length ?? 0;
      return { type: "array", minItems: size, maxItems: size };
    }
    case "args": {
      const types = new Map(ir.types.map(({ name, type }) => [name, type]));
      const properties = node.ir.params.map(({ name, type }) => [
        name,
        toJsonSchema(type, types).schema ?? {},
      ]);
      const required = node.ir.params.flatMap(({ name, optional }) => (optional ? [] : [name]));
      return {
        type: "object",
        properties: Object.fromEntries(properties),
        required,
        additionalProperties: false,
      };
    }
  }
}

function decided({ name }: NodeIr, answer: Answer): ApprovalStart {
  if (answer.kind !== "deny") return { may: "start" };
  return { may: "fail", failure: denied(`\`${name}\` was not approved`, answer) };
}

/** The question about an output before it is committed, if the graph wants one. */
export function reviewOf(
  program: Program,
  snapshot: Snapshot,
  { run, output }: { readonly run: NodeRun; readonly output: unknown },
): Question | undefined {
  const node = program.nodes[run.node]?.ir;
  if (node === undefined || !isAsked(program, node, "after")) return undefined;
  const lookup = lookupOf(program, snapshot, run, output);
  const asked = applying(consentsOf(program, node, "after"), lookup);
  if (asked.length === 0) return undefined;
  return {
    ask: "review",
    ...asQuestion(asked, lookup, `Is this what \`${node.name}\` should say?`),
    shown: output ?? null,
    ...(node.output === undefined ? {} : { schema: node.output }),
  };
}

/** One call of a tool, as `call` in the conditions and texts of its approvals. */
export interface CallView {
  readonly tool: string;
  readonly args: unknown;
  readonly effect: string;
  readonly baseline: string;
  readonly explanation: string;
  readonly risk: string;
  /** `never` or `always`, as its caller thinks; empty where it does not say. */
  readonly guess: string;
}

/** A call before it is made, and the opinion on it of the model that wants it. */
export interface CallWanted extends GuardedCall {
  readonly explanation: string;
  readonly risk: "low" | "medium" | "high";
}

/** The decision on a call: made, refused, or asked about; `isSaid` is false where neither the node nor a policy says anything. */
export interface CallDecision {
  readonly ruling: Ruling;
  readonly isSaid: boolean;
  /** The question, where somebody is to be asked. */
  readonly question?: Question;
}

/** Decides on a tool call before it is made, by the `approve tool` of its node and by the guard of the run. */
export function decideToolCall(
  { program, snapshot, around }: GuardedGraph & { readonly around: readonly GuardedGraph[] },
  { run, call }: { readonly run: NodeRun; readonly call: CallWanted },
): CallDecision {
  const node = program.nodes[run.node]?.ir;
  if (node === undefined) return { ruling: decideCall(call, {}, false), isSaid: false };
  const guard = guardOf(around, node) ?? {};
  const named = node.approvals.flatMap(({ when, tools, consent }) =>
    when === "tool" && isToolAmong(tools, call.tool) ? [consent] : [],
  );
  const lookup = lookupWith(lookupOf(program, snapshot, run), call);
  const asked = applying(named, lookup);
  const isTainted = call.isTainted || readsUntrusted(around, node);
  const ruling = decideCall({ ...call, isTainted }, guard, asked.length > 0);
  const isSaid = named.length > 0 || guard.approve !== undefined;
  if (ruling.may !== "ask") return { ruling, isSaid };
  const { by, ...question } = asQuestion(
    asked,
    lookup,
    `May \`${node.name}\` call \`${call.tool}\`?`,
  );
  const { context } = guard;
  const judge = judgeOf(ruling, asked.length > 0, by);
  return {
    ruling,
    isSaid,
    question: {
      ask: "approval",
      ...question,
      ...(judge === undefined ? {} : { by: judge }),
      ...(judge === undefined || context === undefined ? {} : { context }),
      shown: call.args ?? null,
      tool: call.tool,
      ...(ruling.about === undefined ? {} : { about: ruling.about }),
      ...(ruling.isKept ? { remember: "run" as const } : {}),
    },
  };
}

/** The judge on whom clauses and policy agree. */
function judgeOf(
  { isJudged, judge }: Ruling & { readonly may: "ask" },
  isClause: boolean,
  ofClauses: string | undefined,
): string | undefined {
  if (!isJudged) return undefined;
  if (!isClause) return judge;
  return judge === undefined || judge === ofClauses ? ofClauses : undefined;
}

function lookupWith(plain: Lookup, call: CallWanted): Lookup {
  const { tool, args, effect, baseline, explanation, risk, guess = "" } = call;
  const view: CallView = { tool, args, effect, baseline, explanation, risk, guess };
  return (name, of) => (of === "special" && name === "call" ? view : plain(name, of));
}

/** Tells whether `approve tool` with these names is about a tool; `approve tool *` names none. */
export function isToolAmong(names: readonly (readonly string[])[], tool: string): boolean {
  return names.length === 0 || names.some((name) => isToolNamed(name, tool));
}

/** Tells whether a name behind `approve tool` means this tool: all of it, its last part, or a group with `*`. */
function isToolNamed(name: readonly string[], tool: string): boolean {
  if (name.at(-1) === "*")
    return name.length === 1 || tool.startsWith(`${name.slice(0, -1).join(".")}.`);
  const written = name.join(".");
  return tool === written || tool.endsWith(`.${written}`);
}

// ── what graph and node say ─────────────────────────────────────────────────────────────────────

type ApprovalSide = ApproveIr["when"];

function isAsked({ ir }: Program, node: NodeIr, side: ApprovalSide): boolean {
  return ir.approvals.length > 0 || node.approvals.some(({ when }) => when === side);
}

function consentsOf({ ir }: Program, node: NodeIr, side: ApprovalSide): readonly ConsentIr[] {
  const ofGraph = ir.approvals.filter(
    ({ when, nodes }) => when === side && nodes.includes(node.name),
  );
  const ofNode = node.approvals.filter(({ when }) => when === side);
  return [...ofGraph, ...ofNode].map(({ consent }) => consent);
}

function applying(consents: readonly ConsentIr[], lookup: Lookup): readonly ConsentIr[] {
  return consents.filter(({ when }) => when === undefined || holds(when, lookup));
}

/** Several that apply are one question, the strictest of them: the shortest time, and a judge only where all name the same one. */
function asQuestion(
  consents: readonly ConsentIr[],
  lookup: Lookup,
  otherwise: string,
): Pick<Question, "question" | "by" | "withinMs" | "then"> & Whom {
  const texts = consents.flatMap(({ text }) =>
    text === undefined ? [] : [shownInText(evaluate(text, lookup))],
  );
  const [wait] = consents
    .filter(({ withinMs }) => withinMs !== undefined)
    .sort((a, b) => (a.withinMs ?? 0) - (b.withinMs ?? 0));
  // Of several approvals the first that names somebody says who is asked next.
  const then = consents.find((consent) => consent.then !== undefined)?.then;
  const [by, ...others] = new Set(consents.map((consent) => consent.by));
  const whom = whomOfAll(consents, lookup);
  return {
    question: texts.length === 0 ? otherwise : [...new Set(texts)].join("\n"),
    ...(by === undefined || others.length > 0 ? {} : { by }),
    ...whom,
    ...(wait === undefined && then === undefined
      ? {}
      : waitOf(wait ?? {}, whom, then && escalationsOf(then, lookup))),
  };
}

/** The persons whom approvals name; where these name different ones, each of them must say yes. */
function whomOfAll(consents: readonly ConsentIr[], lookup: Lookup): Whom {
  const named = consents.flatMap(({ from, need }) =>
    from === undefined ? [] : [whomOf(from, need, lookup)],
  );
  const [first, ...others] = new Map(named.map((whom) => [JSON.stringify(whom), whom])).values();
  if (first === undefined || others.length === 0) return first ?? {};
  const among = [...new Set(named.flatMap(({ to = "", among: several = [to] }) => several))];
  return { to: among.join(", "), among };
}

function lookupOf(
  program: Program,
  snapshot: Snapshot,
  { frame, scope, args }: NodeRun,
  result?: unknown,
): Lookup {
  return lookupAt(program, snapshot, {
    frame,
    scope,
    ...(args === undefined ? {} : { args }),
    ...(result === undefined ? {} : { result }),
  });
}

/** Somebody said no. */
export function denied(what: string, { reason }: { readonly reason?: string }): Failure {
  return {
    class: "denied",
    code: "M5313",
    message: `${what}${reason === undefined ? "" : `: ${reason}`}`,
    hint: "an arrow `on deny` says where a run goes on when somebody says no",
  };
}
