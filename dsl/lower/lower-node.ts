/** Lowers a node and its clauses. */
import { defined } from "../ir/defined.ts";
import type {
  ConsentIr,
  EnsureIr,
  EscalationIr,
  LimitIr,
  NodeIr,
  ParamIr,
  QuantityIr,
  RetryClass,
  RetryIr,
  WaitIr,
  WriteIr,
} from "../ir/ir.ts";
import { isMessagesType } from "../ir/types.ts";
import { nodeScope, type Scope } from "../names/scope.ts";
import type { GraphSymbols, NodeSymbol } from "../names/symbol-tables.ts";
import type {
  Clause,
  ConsentAst,
  EscalationAst,
  LimitClause,
  Name,
  Param,
  QuantityAst,
  WaitAst,
  WriteAst,
} from "../syntax/tree/ast.ts";
import { LIMIT_UNITS } from "../vocabulary/limits.ts";
import { clausesOf } from "./clauses.ts";
import { lowerContext } from "./lower-context.ts";
import { lowerArgs, lowerAssigns, lowerExpression, lowerVia, spanOf } from "./lower-expression.ts";
import { lowerCount } from "./lower-flow.ts";
import { lowerDotted, lowerType } from "./lower-type.ts";
import { withResultsByName } from "./results-by-name.ts";

/** A node with the clauses of `defaults { }` merged in; which `each` it runs for and its output are added by the graph. */
export function lowerNode(node: NodeSymbol, symbols: GraphSymbols): NodeIr {
  const scope = nodeScope(symbols, node);
  const clauses = clausesOf(node, symbols);
  const state = stateClauses(clauses, scope);
  return defined({
    name: node.name.text,
    kind: node.word,
    description: node.description?.value,
    params: node.params.map((param) => lowerParam(param, scope)),
    ...modelClauses(clauses, scope),
    ...controllerClauses(clauses, scope),
    call: node.kind === "call" ? lowerCall(node, scope) : undefined,
    ...state,
    ...splitWrites(withResultsByName(state.writes, node, symbols), node, symbols),
    ...policyClauses(clauses, scope),
    ...memoryClauses(clauses, scope),
    span: spanOf(node.span),
  });
}

/** The kinds of node whose work is said, and so can stand in a conversation. */
const SPEAKING: readonly NodeIr["kind"][] = ["agent", "operator", "human"];

/** Takes out the conversations, which get what is said in a node run and not its output. */
function splitWrites(
  writes: readonly WriteIr[],
  { word }: NodeSymbol,
  { fields, file }: GraphSymbols,
): Pick<NodeIr, "writes" | "conversation"> {
  if (!SPEAKING.includes(word)) return { writes };
  const isSaid = ({ field, value, via }: WriteIr) => {
    const type = fields.get(field)?.decl.type;
    if (type === undefined || value !== undefined || via !== undefined) return false;
    return isMessagesType(lowerType(type), file.types);
  };
  const conversation = writes.filter(isSaid).map(({ field }) => field);
  if (conversation.length === 0) return { writes };
  return { writes: writes.filter((write) => !isSaid(write)), conversation };
}

/** A parameter of a graph or a node; its default is read in the outer scope. */
export function lowerParam(param: Param, scope: Scope): ParamIr {
  return defined({
    name: param.name.text,
    optional: param.optional,
    type: lowerType(param.type),
    default: param.value && lowerExpression(param.value, scope),
    span: spanOf(param.span),
  });
}

/** A limit; units that do not exist were reported and are left out. */
export function lowerLimit(limit: LimitClause): LimitIr {
  const quantities = limit.quantities.flatMap((quantity) => lowerQuantity(quantity) ?? []);
  const { elseAsk, withinMs } = limit;
  return defined({ quantities, elseAsk, withinMs, span: spanOf(limit.span) });
}

/** Lowers an approval: its text, its condition, its judge and its time limit. */
export function lowerConsent(consent: ConsentAst, scope: Scope): ConsentIr {
  return defined({
    text: consent.text && lowerExpression(consent.text, scope),
    when: consent.when && lowerExpression(consent.when, scope),
    by: consent.by?.text,
    from: consent.from && lowerExpression(consent.from, scope),
    need: consent.need && lowerCount(consent.need),
    ...lowerWait(consent),
    then: lowerEscalations(consent.then, scope),
  });
}

function lowerWait({ withinMs, remind }: WaitAst): WaitIr {
  return defined({ withinMs, remindMs: remind?.ms });
}

function lowerEscalations(
  then: readonly EscalationAst[] | undefined,
  scope: Scope,
): readonly EscalationIr[] | undefined {
  return then?.map(({ to, need, ...wait }) =>
    defined({
      to: lowerExpression(to, scope),
      need: need && lowerCount(need),
      ...lowerWait(wait),
    }),
  );
}

type NodeClauses = readonly Clause[];

function first<K extends Clause["kind"]>(
  clauses: NodeClauses,
  kind: K,
): (Clause & { kind: K }) | undefined {
  return clauses.find((clause): clause is Clause & { kind: K } => clause.kind === kind);
}

function all<K extends Clause["kind"]>(
  clauses: NodeClauses,
  kind: K,
): readonly (Clause & { kind: K })[] {
  return clauses.filter((clause): clause is Clause & { kind: K } => clause.kind === kind);
}

function modelClauses(clauses: NodeClauses, scope: Scope) {
  const value = (kind: "model" | "system" | "prompt") => {
    const clause = first(clauses, kind);
    return clause && lowerExpression(clause.value, scope);
  };
  const ask = first(clauses, "ask");
  const context = first(clauses, "context");
  const history = first(clauses, "history");
  return {
    model: value("model"),
    system: value("system"),
    prompt: value("prompt"),
    ask:
      ask &&
      defined({
        question: lowerExpression(ask.value, scope),
        from: ask.from && lowerExpression(ask.from, scope),
        need: ask.need && lowerCount(ask.need),
        ...lowerWait(ask),
        then: lowerEscalations(ask.then, scope),
        otherwise: ask.otherwise && lowerExpression(ask.otherwise, scope),
      }),
    history:
      history &&
      defined({
        source: history.source,
        field: history.field && fieldNamed(history.field),
        size: history.size && lowerHistorySize(history.size),
        summarize: history.summarize,
      }),
    context: context && lowerContext(context.value, scope),
  };
}

function controllerClauses(clauses: NodeClauses, scope: Scope) {
  const controller = first(clauses, "controller");
  const session = first(clauses, "session");
  return {
    tools: all(clauses, "tools").flatMap((clause) => clause.tools.map(lowerDotted)),
    skills: all(clauses, "skills").flatMap((clause) =>
      clause.skills.map((skill) => lowerExpression(skill, scope)),
    ),
    controller: controller && {
      name: lowerDotted(controller.name),
      args: lowerArgs(controller.args, scope),
    },
    session:
      session &&
      defined({
        policy: session.policy,
        name: session.name?.text,
        value: session.value && lowerExpression(session.value, scope),
      }),
  };
}

function lowerCall(node: NodeSymbol & { readonly kind: "call" }, scope: Scope): NodeIr["call"] {
  return { callee: lowerDotted(node.callee), args: lowerArgs(node.args, scope) };
}

function stateClauses(clauses: NodeClauses, scope: Scope) {
  const reads = all(clauses, "reads");
  const earlier = reads.flatMap((clause) => clause.earlier ?? []).map(({ text }) => text);
  const tell = first(clauses, "tell");
  return {
    reads:
      reads.length === 0
        ? undefined
        : reads.flatMap((clause) => clause.fields.map((field) => field.text)),
    earlier: earlier.length === 0 ? undefined : earlier,
    edits: all(clauses, "edits").flatMap((clause) => clause.fields.map((field) => field.text)),
    writes: all(clauses, "writes").flatMap((clause) =>
      clause.writes.map((write) => lowerWrite(write, scope)),
    ),
    sets: all(clauses, "set").flatMap((clause) => lowerAssigns(clause.assigns, scope)),
    effects: first(clauses, "effects")?.level,
    tell:
      tell &&
      defined({
        targets: tell.targets.length === 0 ? ("*" as const) : tell.targets.map((name) => name.text),
        as: tell.as?.text,
        payload: tell.payload && lowerExpression(tell.payload, scope),
      }),
  };
}

function lowerWrite(write: WriteAst, scope: Scope): WriteIr {
  return defined({
    field: write.field.text,
    optional: write.optional,
    value: write.value && lowerExpression(write.value, scope),
    via: write.via && lowerVia(write.via, scope),
  });
}

function policyClauses(clauses: NodeClauses, scope: Scope) {
  const retry = first(clauses, "retry");
  const limit = first(clauses, "limit");
  const cache = first(clauses, "cache");
  const every = first(clauses, "every");
  return {
    retry: retry && lowerRetry(retry),
    limit: limit && lowerLimit(limit),
    cache:
      cache &&
      defined({ ttlMs: cache.ttlMs, by: cache.by.map((value) => lowerExpression(value, scope)) }),
    ensures: all(clauses, "ensure").map((ensure) => lowerEnsure(ensure, scope)),
    every: every && lowerEvery(every, scope),
    approvals: all(clauses, "approve").map(({ when, tools, consent }) => ({
      when,
      tools: tools.map(lowerDotted),
      consent: lowerConsent(consent, scope),
    })),
  };
}

/** The classes of error that a retry may name. */
export const RETRY_CLASSES = [
  "transport",
  "model",
  "filter",
  "refusal",
  "invalid",
  "tool",
  "timeout",
] as const;

function lowerRetry(retry: Clause & { kind: "retry" }): RetryIr {
  const rules = retry.rules.map(({ count, on }) => ({
    count: lowerCount(count),
    on: on.flatMap((name): readonly RetryClass[] =>
      RETRY_CLASSES.filter((known) => known === name.text),
    ),
  }));
  return defined({ rules, backoffMs: retry.backoffMs });
}

function lowerEnsure(ensure: Clause & { kind: "ensure" }, scope: Scope): EnsureIr {
  return defined({
    condition: lowerExpression(ensure.condition, scope),
    hint: ensure.hint?.value,
    by: ensure.by?.text,
    elseAsk: ensure.elseAsk,
    withinMs: ensure.withinMs,
    span: spanOf(ensure.span),
  });
}

function lowerEvery(every: Clause & { kind: "every" }, scope: Scope): NodeIr["every"] {
  return defined({
    interval: lowerExpression(every.interval, scope),
    intervalMax: every.intervalMax && lowerExpression(every.intervalMax, scope),
    until: every.until && lowerExpression(every.until, scope),
    by: every.by?.text,
    max: every.max && lowerCount(every.max),
  });
}

function memoryClauses(clauses: NodeClauses, scope: Scope) {
  return {
    recalls: all(clauses, "recall").map(({ memory, top, by }) =>
      defined({
        memory: memory.text,
        top: top && lowerCount(top),
        by: by && lowerExpression(by, scope),
      }),
    ),
    stores: all(clauses, "store").map(({ value, memory }) => ({
      value: lowerExpression(value, scope),
      memory: memory.text,
    })),
  };
}

function fieldNamed({ text, span }: Name): NonNullable<NonNullable<NodeIr["history"]>["field"]> {
  return { kind: "name", name: text, of: "field", span: spanOf(span) };
}

function lowerHistorySize(size: QuantityAst): NonNullable<NodeIr["history"]>["size"] {
  if (size.kind === "amount" && size.unit.text === "messages")
    return { unit: "messages", value: size.value };
  return lowerQuantity(size);
}

function lowerQuantity(quantity: QuantityAst): QuantityIr | undefined {
  switch (quantity.kind) {
    case "duration":
      return { unit: "ms", value: quantity.ms };
    case "money":
      return { unit: "usd", value: quantity.usd };
    case "amount": {
      const unit = LIMIT_UNITS.find((known) => known === quantity.unit.text);
      return unit && { unit, value: quantity.value };
    }
  }
}
