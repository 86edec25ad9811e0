/**
 * Everything that a program can be made of, by the types of the IR: a new kind of anything, or a new clause, is an error of
 * the compiler here until it is said whether random programs draw it.
 */
import type {
  EachIr,
  EdgeIr,
  ExprIr,
  FailingIr,
  FieldIr,
  Ir,
  LimitUnit,
  NameMeaning,
  NodeIr,
  NodeKind,
  ReducerName,
  RetryClass,
  RouteClauses,
  RouteTo,
  SourceIr,
  TypeIr,
} from "../../../dsl/index.ts";

/** Drawn, or why not. */
type Drawn = true | string;

/** Parallel nodes find what was stored when they ask; the kills and replays of `test/runtime/threads/memories.test.ts` have them. */
const IN_MEMORIES = "what a memory has depends on when it is asked";
const IN_TALKS = "test/runtime/messages has the laws of conversations";
const IN_FILES = "reads files; test/runtime/agents/skills has it";
const NOT_FLOW = "says nothing that a run does";

type Members<T> = keyof T & string;

/** What each group of constructs has. */
export const CONSTRUCTS: Readonly<Record<string, Readonly<Record<string, Drawn>>>> = {
  graph: {
    irVersion: NOT_FLOW,
    hash: NOT_FLOW,
    name: NOT_FLOW,
    source: NOT_FLOW,
    span: NOT_FLOW,
    description: NOT_FLOW,
    params: true,
    returns: true,
    imports: true,
    models: true,
    config: true,
    types: "types of TypeScript; the engine does not know them",
    fields: true,
    nodes: true,
    edges: true,
    limit: true,
    approvals: true,
    breaks: true,
    endWhen: true,
    calls: true,
    graphs: true,
    mcps: "each starts a process; test/runtime/mcp shows what holds for them",
    memories: IN_MEMORIES,
  } satisfies Record<Members<Ir>, Drawn>,
  node: {
    agent: true,
    operator: true,
    human: true,
    router: true,
    run: true,
    tool: true,
    reduce: true,
    graph: true,
  } satisfies Record<NodeKind, Drawn>,
  clause: {
    name: NOT_FLOW,
    kind: NOT_FLOW,
    span: NOT_FLOW,
    output: true,
    description: true,
    params: true,
    each: true,
    model: true,
    system: true,
    prompt: true,
    ask: true,
    tools: true,
    controller: true,
    session: true,
    call: true,
    reads: true,
    earlier: NOT_FLOW,
    edits: true,
    writes: true,
    conversation: IN_TALKS,
    sets: true,
    effects: true,
    tell: true,
    retry: true,
    limit: true,
    ensures: true,
    every: true,
    history: true,
    context: true,
    approvals: true,
    cache: true,
    skills: IN_FILES,
    recalls: IN_MEMORIES,
    stores: IN_MEMORIES,
  } satisfies Record<Members<NodeIr>, Drawn>,
  scope: { run: true, thread: true, user: true, agent: true, item: true } satisfies Record<
    FieldIr["scope"],
    Drawn
  >,
  reducer: {
    replace: true,
    append: true,
    union: true,
    merge: true,
    sum: true,
    max: true,
    min: true,
    messages: IN_TALKS,
    custom: true,
    "with arguments": true,
  } satisfies Record<ReducerName | "custom" | "with arguments", Drawn>,
  on: {
    done: true,
    error: true,
    limit: true,
    deny: true,
    filter: true,
    refusal: true,
  } satisfies Record<EdgeIr["on"], Drawn>,
  from: { start: true, any: true, join: true } satisfies Record<SourceIr["kind"], Drawn>,
  source: { "several of any": true, need: true },
  route: { to: true, pick: true, choice: true, match: true, each: true } satisfies Record<
    RouteTo["kind"],
    Drawn
  >,
  hop: { when: true, max: true, afterMs: true, sets: true, detached: true } satisfies Record<
    Members<RouteClauses>,
    Drawn
  >,
  target: {
    "several at once": true,
    end: true,
    return: true,
    args: true,
    "after before a decision": true,
  },
  each: {
    ...({ "in an each": true, stream: true } as const),
    ...({
      id: NOT_FLOW,
      variable: true,
      items: true,
      entry: true,
      edges: true,
      parallel: true,
      need: true,
      when: true,
      onErrorSkip: true,
      then: true,
      failing: true,
    } satisfies Record<Members<EachIr>, Drawn>),
  },
  failing: { error: true, limit: true, deny: true, filter: true, refusal: true } satisfies Record<
    FailingIr["on"],
    Drawn
  >,
  limit: {
    ...({ ms: true, usd: true, elseAsk: true } as const),
    ...({
      tokens: true,
      turns: true,
      calls: true,
      steps: true,
      errors: true,
      repeats: true,
    } satisfies Record<LimitUnit, Drawn>),
  },
  retry: {
    ...({ "any class": true, backoffMs: true, "a count by name": true } as const),
    ...({
      transport: true,
      model: true,
      filter: true,
      refusal: true,
      invalid: true,
      tool: true,
      timeout: true,
    } satisfies Record<RetryClass, Drawn>),
  },
  session: { new: true, reuse: true, resume: true, "by name": true },
  history: { none: true, own: true, inbox: true, thread: true, size: true, summarize: true },
  every: { intervalMax: true, until: true, "in words": true, by: true, max: true },
  ensure: { condition: true, hint: true, by: true, elseAsk: true },
  approve: {
    ...({ before: true, after: true, tool: true } as const),
    ...({ text: true, when: true, by: true, withinMs: true, remindMs: true, then: true } as const),
  },
  break: { before: true, after: true, condition: true },
  tell: { "*": true, "a node": true, targets: true, as: true, payload: true },
  write: { optional: true, value: true, via: true },
  set: { via: true },
  effects: { none: true, workspace: true, external: true },
  plan: { planGraph: true },
  expression: {
    literal: true,
    duration: true,
    money: true,
    name: true,
    member: true,
    index: true,
    call: true,
    unary: true,
    binary: true,
    conditional: true,
    lambda: true,
    list: true,
    spread: true,
    range: true,
    merge: true,
    object: true,
    template: true,
  } satisfies Record<ExprIr["kind"], Drawn>,
  meaning: {
    variable: true,
    argument: true,
    param: true,
    field: true,
    special: true,
    config: true,
    model: true,
    scope: true,
    memory: IN_MEMORIES,
    node: true,
    type: "the schema of a summary, which only a live model makes",
  } satisfies Record<NameMeaning, Drawn>,
  type: {
    named: true,
    literal: true,
    union: true,
    array: true,
    object: true,
    tuple: "to the engine a list like any other",
  } satisfies Record<TypeIr["kind"], Drawn>,
};

/** `clause retry`, `route each`: all that is to be drawn. */
export function wanted(): readonly string[] {
  return Object.entries(CONSTRUCTS).flatMap(([group, of]) =>
    Object.entries(of).flatMap(([name, drawn]) => (drawn === true ? [`${group} ${name}`] : [])),
  );
}
