/** Computes what an attempt is made from: its node, its model, its code and its inputs. Equal content means equal work. */
import { canonicalJson, type Ir, type NodeIr, sha256, withoutSpans } from "../../dsl/index.ts";
import type { Attempt, EffectResult } from "../performer.ts";
import { INTERCEPTOR } from "../scheduler/flow/intercepted-end.ts";
import { constant } from "../scheduler/lookup.ts";
import { codeName, type FunctionCode, namesOf } from "./code.ts";

/** The surroundings of a program. */
export interface ContentScope {
  /** The file of the run's own graph. */
  readonly file: string | undefined;
  /** The id of each alias, as a run has them. */
  readonly models: Readonly<Record<string, string>>;
  readonly code: FunctionCode;
}

export interface AttemptContent {
  /** Equal where nothing that the attempt is made from differs. */
  readonly key: string;
  readonly graph: string;
  readonly node: NodeIr;
  readonly model: { readonly id: string; readonly options: unknown } | undefined;
  /** By name; null where it is not known what the code was. */
  readonly code: Readonly<Record<string, string | null>>;
  readonly seen: Readonly<Record<string, unknown>>;
}

export function contentOf(attempt: Attempt, around: ContentScope, as?: NodeIr): AttemptContent {
  const { ir } = attempt;
  const node = withoutSpans(as ?? attempt.node) as NodeIr;
  const model = modelOf(node, ir, around);
  const code = codeAround(node, ir, around);
  const seen = plain(seenBy(attempt));
  const made = { graph: ir.name, node: workOf(node), model, code, seen };
  return { key: sha256(canonicalJson(plain(made))), graph: ir.name, node, model, code, seen };
}

/** Returns a text of what judges are asked about an output. Verdicts hold for equal texts and outputs. */
export function judgingOf({ ensures, every }: NodeIr): string {
  return canonicalJson(plain({ ensures, every }));
}

/**
 * Returns the part of a node on which its work depends. Prompts and arguments are left out, since their values count,
 * and so are decisions about its output and its attempts, since they are made again.
 */
function workOf(node: NodeIr): unknown {
  const { prompt: _, system: __, context: ___, model: ____, ask, call, ...rest } = node;
  const { limit: _____, retry: ______, ensures, approvals: ________, ...unlimited } = rest;
  const {
    tell: _a,
    sets: _b,
    each: _c,
    cache: _d,
    writes: _e,
    description: _f,
    ...work
  } = unlimited;
  // Others are told what does not hold, and try again; what was refused of these would be the end of the run.
  const held = isTold(node) ? [] : ensures;
  return {
    ...work,
    held,
    callee: call?.callee,
    labels: call?.args.map(({ label }) => label),
    ask: !!ask,
  };
}

/** Tells whether an output that is refused goes back to who made it. */
function isTold({ kind }: NodeIr): boolean {
  return kind === "agent" || kind === "router" || kind === "operator" || kind === "human";
}

function modelOf(node: NodeIr, ir: Ir, { models }: ContentScope): AttemptContent["model"] {
  if (node.model === undefined) return undefined;
  const alias = node.model.kind === "name" ? node.model.name : String(constant(node.model));
  const options = ir.models.find(({ name }) => name === alias)?.options;
  const id = models[`${ir.name}.${alias}`] ?? models[alias] ?? alias;
  return { id, options: options === undefined ? null : (withoutSpans(options) as unknown) };
}

function codeAround(
  node: NodeIr,
  ir: Ir,
  { file: own, code }: ContentScope,
): AttemptContent["code"] {
  const file = ir.source?.file;
  const names = namesOf(node).map((name) => codeName(name, { file, own }));
  // Interceptors may see and change all that an attempt does.
  const around = Object.keys(code).filter((name) => name.startsWith(INTERCEPTOR));
  return Object.fromEntries([...names, ...around].map((name) => [name, code[name] ?? null]));
}

function seenBy(attempt: Attempt): Record<string, unknown> {
  const { system, prompt, callArgs, operator, question, to, current, context } = attempt;
  const { readable, choices, feedback, round, skills, inbox = [], earlier = [] } = attempt;
  const { history = [], session = [], conversation } = attempt;
  const messages = [...earlier, ...inbox].map(({ sender, kind, payload }) => [
    sender,
    kind,
    payload,
  ]);
  return {
    ...{ system, prompt, callArgs, operator, question, to, current, context },
    ...{ readable, choices, feedback, round, skills, messages, conversation },
    history: history.map((talk) => talk.map(turnOf)),
    session: session.map(turnOf),
  };
}

function turnOf({ effect, name, value, failure, heard: steering }: EffectResult): unknown {
  return [effect, name, value ?? null, failure?.message ?? null, steering ?? []];
}

/** Members that are not there are none. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
