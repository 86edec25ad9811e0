/** Each alternative of the grammar checks, is kept by the IR, and is read back as it was printed. */
import { describe, expect, test } from "vitest";
import {
  canonicalJson,
  check,
  type Ir,
  printPrograms,
  type Source,
  withoutSpans,
} from "../../dsl/index.ts";
import { clauseWords, fileWords, graphWords } from "../../dsl/syntax/words.ts";
import { BUILT_IN_REDUCERS, REDUCERS } from "../../dsl/vocabulary/reducers.ts";

const NUMBER_REDUCERS = BUILT_IN_REDUCERS.filter((name) => REDUCERS[name].on === "number");

const PROGRAMS: Readonly<Record<string, string>> = {
  "./other.madrigal": `model far = "openai/gpt-4o"
model near = "openai/gpt-4o-mini"
mcp shell = "npx -y shell"
type Far = { x: int }
type Near = { x: string }
memory old: Far by x
config { tries: 2, more: 3 }
graph Other(n: int = 1) returns r { state { r: string = "" }
  start -> end
  end when n > 1 }
graph Another(n: int = 1) returns r { state { r: string = "x" }
  start -> end
  end when n > 1 }
`,
};

const open = (from: string): Source | undefined => {
  const text = PROGRAMS[from];
  return text === undefined ? undefined : { file: from, text };
};

interface Row {
  /** The rule and the alternative of it. */
  readonly title: string;
  readonly text: string;
  /** A piece of the text, and another that means something else. */
  readonly change: readonly [from: string, to: string];
}

const HEAD = `import { f, g, work, lib } from "./f.ts"
model m = "openai/gpt-4o"
model m2 = "openai/gpt-4o-mini"
mcp web = "npx -y web"
memory notes: { text: string, n: int } by text
config { size: 3, other: 4 }
`;

const STATE =
  `  state { a: string = "", b: int = 0, c: boolean = false, xs: int[] = [] via append }`
    .replaceAll(", ", "\n    ")
    .replace("{ a", "{\n    a")
    .replace("append }", "append\n  }");

/** Lines of a graph with fields a, b, c and xs, a parameter p and a parameter k. */
function lines(text: string): string {
  return `${HEAD}graph G(p: string = "", k: int = 2) returns a {\n${STATE}\n${text}\n}\n`;
}

/** Clauses of an agent that has a model and a prompt. */
/** A strong agent goes on with a session; an agent of ours with its history. */
function operator(clause: string): string {
  return node("operator x", `controller codex; prompt \`Do.\`; ${clause}`);
}

function agent(clause: string): string {
  return lines(
    `  agent x { model m; prompt \`Do \${p}.\`; ${clause} }\n  agent y { model m; prompt \`Then.\` }\n  start -> x -> y`,
  );
}

/** Clauses of a node of the other words. */
function node(head: string, clause: string): string {
  return lines(
    `  ${head} { ${clause} }\n  agent y { model m; prompt \`Then.\` }\n  start -> x -> y`,
  );
}

/** Arrows between x, y, z and w(i). */
function flow(text: string): string {
  return lines(
    `  run x = work() writes b\n  run y = work()\n  run z = work()\n  run w(i: int) = work(i)\n  router r { model m; prompt \`Who?\` }\n  limit 9 steps\n${text}`,
  );
}

function expression(text: string): string {
  return lines(`  run x = work(${text})\n  start -> x`);
}

function typed(text: string): string {
  return `type T = { v: int }\ngraph G(p: ${text}) {\n  run x = work(p)\n  start -> x\n}\nimport { work } from "./f.ts"\n`;
}

const row = (title: string, text: string, from: string, to: string): Row => ({
  title,
  text,
  change: [from, to],
});

const FILE: readonly Row[] = [
  row(
    "Import: a name",
    'import { f } from "./f.ts"\ngraph G() { run x = f()\n start -> x }',
    '"./f.ts"',
    '"./g.ts"',
  ),
  row(
    "Import: as",
    'import { f as h } from "./f.ts"\ngraph G() { run x = h()\n start -> x }',
    "f as",
    "g as",
  ),
  row(
    "Import: several",
    'import { f, g as h } from "pkg"\ngraph G() { run x = f()\n run y = h()\n start -> x -> y }',
    "g as",
    "k as",
  ),
  row(
    "Import: a model of a program",
    'import { far as m } from "./other.madrigal"\ngraph G() { agent x { model m; prompt `Do.` }\n start -> x }',
    "far as",
    "near as",
  ),
  row(
    "Import: a type of a program",
    'import { Far as T } from "./other.madrigal"\nimport { f } from "./f.ts"\ngraph G(p: T) { run x = f(p)\n start -> x }',
    "Far as",
    "Near as",
  ),
  row(
    "Import: a setting of a program",
    'import { tries as k } from "./other.madrigal"\nimport { f } from "./f.ts"\ngraph G() { run x = f() { retry k }\n start -> x }',
    "tries as",
    "more as",
  ),
  row(
    "Import: a server, a memory",
    'import { shell, old } from "./other.madrigal"\ngraph G() { agent x { model "openai/gpt-4o"; tools shell.*; recall old; prompt `${old}` }\n start -> x }',
    "shell.*",
    "shell.run",
  ),
  row(
    "Import: a graph of a program",
    'import { Other as O } from "./other.madrigal"\ngraph G() returns a { state { a: string }\n graph x = O() writes a\n start -> x }',
    "Other as",
    "Another as",
  ),
  row(
    "Model",
    'model m = "openai/gpt-4o"\ngraph G() { agent x { model m; prompt `Do.` }\n start -> x }',
    "gpt-4o",
    "gpt-5",
  ),
  row(
    "Model: options",
    'model m = "openai/gpt-4o" { temperature: 0.5 }\ngraph G() { agent x { model m; prompt `Do.` }\n start -> x }',
    "0.5",
    "0.6",
  ),
  row(
    "Model: options on their own lines",
    'model m = "openai/gpt-4o" {\n  temperature: 0.5\n  topP: 1\n}\ngraph G() { agent x { model m; prompt `Do.` }\n start -> x }'.replace(
      "0.5\n",
      "0.5,\n",
    ),
    "topP: 1",
    "topP: 2",
  ),
  row(
    "Mcp",
    lines("  agent x { model m; tools web.a; prompt `Do.` }\n  start -> x"),
    "npx -y web",
    "npx -y net",
  ),
  row(
    "Mcp: options, optional",
    lines("  agent x { model m; tools web.a; prompt `Do.` }\n  start -> x").replace(
      '"npx -y web"',
      '"npx" { env: ["a"] } optional',
    ),
    " optional",
    "",
  ),
  row(
    "Mcp: options",
    lines("  agent x { model m; tools web.a; prompt `Do.` }\n  start -> x").replace(
      '"npx -y web"',
      '"npx" { env: ["a"] }',
    ),
    '["a"]',
    '["b"]',
  ),
  row(
    "Mcp: protocol",
    lines("  agent x { model m; tools web.a; prompt `Do.` }\n  start -> x").replace(
      "mcp web",
      "openapi web",
    ),
    "openapi web",
    "mcp web",
  ),
  row("TypeDecl", typed("T"), "v: int", "v: string"),
  row("Memory: of the file", agent("recall notes"), "n: int }", "n: string }"),
  row("Memory: by", agent("recall notes"), "by text", "by n"),
  row(
    "Memory: of the graph",
    lines(
      "  memory own: string\n  agent x { model m; prompt `Do.`; store p into own }\n  start -> x",
    ),
    "own: string",
    "own: Json",
  ),
  row("Config", agent("retry size"), "size: 3", "size: 5"),
  row(
    "Config: short",
    `config { a: 1 }\nconfig { b: a }\ngraph G() { state { n: int = 0 }\n agent x { model "openai/gpt-4o"; prompt \`\${n}\`; retry b }\n start -> x }`,
    "b: a",
    "b: 2",
  ),
  row(
    "Config: a string as key",
    'config { "size": 3 }\ngraph G() { agent x { model "openai/gpt-4o"; prompt `Do.`; retry size }\n start -> x }',
    ": 3",
    ": 4",
  ),
];

const GRAPH: readonly Row[] = [
  row("Graph: a name", "graph G() { start -> end }", "G", "H"),
  row("Graph: no parameters", "graph G { start -> end }", "G", "H"),
  row("Graph: returns", lines("  start -> end"), "returns a", "returns a, b"),
  row("Graph: a description", 'graph G() "does this" { start -> end }', "does", "did"),
  row(
    "Param: optional",
    lines("  start -> end").replace('p: string = ""', "p?: string"),
    "p?",
    "p",
  ),
  row("Param: default", lines("  start -> end"), "k: int = 2", "k: int = 3"),
  row("Param: type", lines("  start -> end"), "k: int", "k: number"),
  row(
    "State: of a thread",
    lines("  state thread { t: int = 0 }\n  start -> end"),
    "thread",
    "user",
  ),
  row(
    "State: of a user",
    lines("  state user { t: int = 0 }\n  start -> end"),
    "state user",
    "state",
  ),
  row("State: optional", lines("  state { t?: int }\n  start -> end"), "t?", "t"),
  row("State: default", lines("  state { t: int = 1 }\n  start -> end"), "= 1", "= 2"),
  row(
    "State: in a body",
    agent("state { mine: int = 0 }; set mine = mine + 1"),
    "mine: int = 0",
    "mine: int = 4",
  ),
  ...["append", "union", "union(x => x)", "replace"].map((via) =>
    row(
      `Via: ${via}`,
      lines(`  state { t: int[] = [] via ${via} }\n  start -> end`),
      `via ${via}`,
      via === "append" ? "via union" : "via append",
    ),
  ),
  row(
    "Via: merge",
    lines("  state { t: Record<string, int> = {} via merge }\n  start -> end"),
    "via merge",
    "via replace",
  ),
  ...[...NUMBER_REDUCERS, "max(x => -x)", "min(x => -x)"].map((via) =>
    row(
      `Via: ${via}`,
      lines(`  state { t: int = 0 via ${via} }\n  start -> end`),
      `via ${via}`,
      "via replace",
    ),
  ),
  row(
    "Via: a function of TypeScript",
    lines("  state { t: int = 0 via f }\n  start -> end"),
    "via f",
    "via g",
  ),
  row(
    "Via: with arguments",
    lines("  state { t: int = 0 via f(2) }\n  start -> end"),
    "f(2)",
    "f(3)",
  ),
  row(
    "Defaults",
    lines("  defaults { model m; retry 2 }\n  agent x { prompt `Do.` }\n  start -> x"),
    "retry 2",
    "retry 3",
  ),
  row(
    "Memory",
    lines(
      "  memory own: string by own\n  agent x { model m; prompt `Do.`; recall own }\n  start -> x",
    ),
    " by own",
    "",
  ),
  row(
    "Limit",
    lines("  limit 3m, $2, 40k tokens, 60 steps\n  start -> end"),
    "60 steps",
    "61 steps",
  ),
  row("Limit: else ask", lines("  limit 3m else ask\n  start -> end"), " else ask", ""),
  ...["ms", "s", "m", "h", "d"].map((unit) =>
    row(`Duration: ${unit}`, lines(`  limit 3${unit}\n  start -> end`), `3${unit}`, `4${unit}`),
  ),
  row("Money", lines("  limit $0.50\n  start -> end"), "$0.50", "$0.51"),
  ...["tokens", "turns", "calls", "steps", "errors", "repeats"].map((unit) =>
    row(
      `Quantity: ${unit}`,
      lines(`  limit 3 ${unit}\n  start -> end`),
      `3 ${unit}`,
      unit === "steps" ? "3 turns" : "3 steps",
    ),
  ),
  row("Number: k", lines("  limit 3k steps\n  start -> end"), "3k", "4k"),
  row("Number: M", lines("  limit 3M tokens\n  start -> end"), "3M", "4M"),
  row("Approve: before", flow("  approve before x\n  start -> x"), "before x", "after x"),
  row("Approve: several", flow("  approve after x, y\n  start -> x -> y"), "x, y\n", "y, x\n"),
  row("Consent: text", flow("  approve before x `Sure of ${a}?`\n  start -> x"), "Sure", "Certain"),
  row(
    "Consent: when, by, within",
    flow("  approve before x `Sure?` when c by m within 2h\n  start -> x"),
    "within 2h",
    "within 3h",
  ),
  row("Consent: when", flow("  approve before x when c\n  start -> x"), " when c", ""),
  row("Consent: by", flow("  approve before x by m\n  start -> x"), "by m\n", "by m2\n"),
  row("Break: before", flow("  break before x\n  start -> x"), "before", "after"),
  row("Break: when", flow("  break after x, y when c\n  start -> x -> y"), " when c", " when !c"),
  row("End when", lines("  start -> end\n  end when b > 3"), "> 3", "> 4"),
];

const NODES: readonly Row[] = [
  row("Node: agent", agent("writes a"), "agent x", 'agent x "says"'),
  row(
    "Node: parameters",
    lines("  agent x(q: string = p, r?: int) { model m; prompt `${q} ${r}` }\n  start -> x(p)"),
    "r?: int",
    "r: int = 1",
  ),
  row(
    "Node: operator",
    node("operator x", "controller codex; model m; prompt `Do ${p}.`"),
    "operator x { controller codex; ",
    "agent x { ",
  ),
  row("Node: human", node("human x", "ask `Go?`; writes c"), "Go?", "Stop?"),
  row("Node: router", flow('  start -> r -> x "one" | y'), '"one"', '"two"'),
  row("Call: run", lines("  run x = work(p)\n  start -> x"), "work(p)", "f(p)"),
  row("Call: tool", lines("  tool x = web.a(p)\n  start -> x"), "web.a", "web.b"),
  row("Call: reduce", lines("  reduce x = f(xs) writes b\n  start -> x"), "reduce", "run"),
  row(
    "Call: graph",
    `graph In(n: int) returns r { state { r: string = "" }\n start -> end\n end when n > 2 }\n${lines("  graph x = In(k) writes a\n  start -> x")}`,
    "n > 2",
    "n > 3",
  ),
  row(
    "Call: planGraph",
    lines(
      "  state { plan: Plan = { steps: [] }\n    done?: Json }\n  graph x = planGraph(plan) writes done\n  start -> x",
    ),
    "steps: []",
    "steps: [{ id: p, title: p, details: p }]",
  ),
  row("Call: parameters", lines("  run x(q: int) = work(q)\n  start -> x(1)"), "x(1)", "x(2)"),
  row(
    "Call: writes and a body",
    lines("  run x = work(p) writes a, b? { retry 2 }\n  start -> x"),
    "b?",
    "b",
  ),
  row("Call: labels", lines("  run x = work(q: p)\n  start -> x"), "q: p", "r: p"),
  row("Dotted: a string", lines('  tool x = web."get-sum"(p)\n  start -> x'), "get-sum", "get-all"),
  row("Dotted: segments", lines("  run x = lib.sub.go(p)\n  start -> x"), "lib.sub", "lib.top"),
];

const CLAUSES: readonly Row[] = [
  row("model: a name", agent("writes a"), "model m;", "model m2;"),
  row(
    "model: a text",
    lines('  agent x { model "openai/gpt-4o"; prompt `Do.` }\n  start -> x'),
    '{ model "openai/gpt-4o"',
    '{ model "openai/gpt-5"',
  ),
  row("system", agent("system `Be ${p}.`"), "Be", "Stay"),
  row("prompt: a text in quotes", node("agent x", 'model m; prompt "Do."'), '"Do."', '"Done."'),
  row("prompt: an expression", node("agent x", "model m; prompt a + p"), "a + p", "p + a"),
  row(
    "prompt: many lines",
    node("agent x", "model m; prompt ```\n      One\n        two ${p}\n      three\n      ```"),
    "two",
    "2",
  ),
  row("ask: from", node("human x", "ask `Which?` from a; writes b"), " from a", ""),
  row("ask: within", node("human x", "ask `Which?` within 2h; writes b"), " within 2h", ""),
  row("ask: else", node("human x", "ask `Which?` within 2h else k; writes b"), " else k", ""),
  row("tools: several", agent("tools web.a, docs.read"), "docs.read", "docs.search"),
  row("tools: all of a group", agent("tools web.*"), "web.*", "web.a"),
  row("skills", agent('skills "tdd", "review"'), "review", "rest"),
  row("controller", node("operator x", "controller codex; prompt `Do.`"), "codex", "claude_code"),
  row(
    "controller: arguments",
    node("operator x", 'controller a2a("http://127.0.0.1", retry: 2); prompt `Do.`'),
    "retry: 2",
    "retry: 3",
  ),
  row("session: new", operator("session new"), "session new", "session reuse"),
  row("session: reuse", operator("session reuse"), "session reuse", "session reuse s1"),
  row("session: resume", operator("session resume a"), "resume a", "resume p"),
  row("reads", agent("reads a, b"), "a, b }", "b, a }"),
  row("reads: earlier", agent("reads a, earlier b"), "earlier b", "b"),
  row("edits", node("human x", "ask `Right?`; edits a; writes c"), "edits a", "edits b"),
  row("writes: several", agent("writes a, b"), "writes a, b", "writes b, a"),
  row("writes: optional", agent("writes a?"), "a?", "a"),
  row("writes: a part", agent("writes a = result.text"), ".text", ".word"),
  row("writes: via", agent("writes xs via replace"), " via replace", ""),
  ...["none", "workspace", "external"].map((level) =>
    row(
      `effects: ${level}`,
      agent(`effects ${level}`),
      `effects ${level}`,
      level === "none" ? "effects external" : "effects none",
    ),
  ),
  row("tell", agent("tell y"), "tell y", "tell *"),
  row("tell: an object", agent("tell y as task { size: 1 }"), "{ size: 1 }", "{ size: 2 }"),
  row("tell: several", agent("tell y, x as task"), "y, x", "x, y"),
  row("tell: as", agent("tell y as review"), " as review", " as plan"),
  row("retry", agent("retry 2"), "retry 2", "retry 3"),
  row("retry: a name", agent("retry k"), "retry k", "retry size"),
  ...["transport", "model", "invalid", "tool", "timeout"].map((word) =>
    row(`retry: on ${word}`, agent(`retry 2 on ${word}`), ` on ${word}`, ""),
  ),
  row("retry: several", agent("retry 2 on tool | timeout, k on model"), "k on model", "1 on model"),
  row("retry: backoff", agent("retry 2 backoff 1s"), "backoff 1s", "backoff 2s"),
  row("retry: backoff with an end", agent("retry 2 backoff 1s..20s"), "..20s", ""),
  row("limit", agent("limit 3m, $0.50, 40k tokens, 12 turns else ask"), " else ask", ""),
  row("limit: else ask within", agent("limit 3m else ask within 1h"), " within 1h", ""),
  row("cache", agent("cache"), "; cache", ""),
  row("cache: how long", agent("cache 1d"), "1d", "2d"),
  row("cache: by", agent("cache 1d by a, p"), "a, p", "p"),
  row("cache: only by", agent("cache by a"), " by a", ""),
  row("ensure", agent("ensure b > 0"), "b > 0", "b > 1"),
  row("ensure: hint", agent('ensure b > 0 "too small"'), "too small", "small"),
  row("ensure: else ask", agent('ensure b > 0 "small" else ask'), " else ask", ""),
  row(
    "ensure: else ask within",
    agent('ensure b > 0 "small" else ask within 1h'),
    " within 1h",
    "",
  ),
  row("ensure: judged", agent('ensure "all is said" by m'), "by m }", "by m2 }"),
  row("every", agent("every 1h max 3"), "1h", "2h"),
  row("every: between", agent("every 5s..1h until b > 3"), "..1h", "..2h"),
  row("every: until a condition", agent("every 1h until b > 3 max k"), "b > 3", "b > 4"),
  row("every: until a number", agent("every 1h until 3"), "until 3", "until 4"),
  row(
    "every: until a text",
    agent('every 1h until "it is done" by m max 48'),
    "by m max",
    "by m2 max",
  ),
  row(
    "every: wall clock",
    agent('every daily("09:00", "Europe/Paris") max 3').replace("{ f,", "{ daily, f,"),
    "09:00",
    "10:00",
  ),
  row("history: none", agent("history none"), "history none", "history own"),
  row("history: inbox", agent("history inbox"), "inbox", "thread"),
  row("history: thread", agent("history thread 40k tokens"), "thread 40k", "inbox 40k"),
  row("history: a size", agent("history 40k tokens"), "40k", "50k"),
  row("history: summarize", agent("history own 12 turns summarize"), " summarize", ""),
  row("context", agent("context { keep: 3 }"), "keep: 3", "keep: 4"),
  row(
    "context: sizes and summaries",
    agent(
      'context { limit: 0.5, summarize: { at: 40k, by: m2, schema: Short }, offload: { over: 2k, except: ["web.a"] } }',
    ).replace("graph G", "type Short = { text: string }\ngraph G"),
    "{ text: string }",
    "{ text: int }",
  ),
  row("context: a function", agent("context f"), "context f", "context g"),
  row("recall: top", agent("recall notes top 3"), "top 3", "top k"),
  row("recall: by", agent("recall notes top 3 by a"), "by a }", "by p }"),
  row("store", agent("store { text: a, n: b } into notes"), "n: b }", "n: k }"),
  row("approve: before", agent("approve before `Sure?`"), "before", "after"),
  row(
    "approve: tool",
    agent('tools web.a; approve tool web.a when call.risk == "high"'),
    '"high"',
    '"low"',
  ),
  row(
    "approve: every tool",
    agent("tools web.a; approve tool * by m within 1h"),
    "tool *",
    "tool web.a",
  ),
  row(
    "approve: several tools",
    agent("tools web.a, web.b; approve tool web.a, web.b"),
    "web.a, web.b }",
    "web.b, web.a }",
  ),
  row("set", agent("set b = b + 1, a = p"), "b + 1", "b + 2"),
  row("set: via", agent("set xs = [] via replace"), " via replace", ""),
];

const FLOWS: readonly Row[] = [
  row("Flow: a chain", flow("  start -> x -> y -> end"), "x -> y", "y -> x"),
  row("Source: any", flow("  start -> [x, y]\n  x | y -> z"), "x | y -> z", "[x, y] -> z"),
  row("Source: with start", flow("  start | x -> y\n  y -> x max 2"), "start | x", "start"),
  row("Source: join", flow("  start -> [x, y]\n  [x, y] -> z"), "  [x, y] -> z", "  x -> z"),
  row("Source: need", flow("  start -> [x, y]\n  [x, y] need 1 -> z"), "need 1 ", "need 2 "),
  row(
    "Source: need a name",
    flow("  start -> [x, y]\n  [x, y] need k -> z"),
    "need k",
    "need size",
  ),
  row("Hop: all of", flow("  start -> [x, y] -> z"), "[x, y]", "[y, x]"),
  row("Hop: one of", flow("  start -> r -> x | y | end"), "x | y | end", "x | y"),
  row("Hop: a choice", flow("  start -> { c -> x, else -> y } -> z"), "{ c ->", "{ !c ->"),
  row("Hop: a choice without else", flow("  start -> { c -> x, b > 2 -> y }"), "b > 2", "b > 3"),
  row("Hop: chains in a choice", flow("  start -> { c -> x -> y, else -> z }"), "x -> y", "y -> x"),
  row(
    "Hop: a choice on lines",
    flow("  start -> {\n    c -> x\n    else -> y\n  }"),
    "c -> x",
    "c -> z",
  ),
  row(
    "Hop: a choice in a choice",
    flow("  start -> { c -> { b > 1 -> x, else -> y }, else -> z }"),
    "b > 1",
    "b > 2",
  ),
  row("Hop: match", flow('  start -> match p { "u" -> x, else -> y }'), '"u"', '"v"'),
  row("Case: several", flow("  start -> match b { 1 | 2 -> x, 3 -> y, else -> z }"), "1 | 2", "1"),
  row(
    "Case: true and false",
    flow("  start -> match c { true -> x, false -> y }"),
    "true -> x, false -> y",
    "false -> x, true -> y",
  ),
  row("Case: null", flow("  start -> match p { null -> x, else -> y }"), "null -> x", '"n" -> x'),
  row("Each", flow("  start -> each i of xs { w(i) } -> y"), "of xs", "of [1, 2]"),
  row(
    "Each: parallel",
    flow("  start -> each i of xs parallel 3 { w(i) }"),
    "parallel 3",
    "parallel k",
  ),
  row("Each: need", flow("  start -> each i of xs need 2 { w(i) }"), "need 2", "need 3"),
  row("Each: when", flow("  start -> each i of xs when i > 1 { w(i) }"), "i > 1", "i > 2"),
  row(
    "Each: on error skip",
    flow("  start -> each i of xs on error skip { w(i) }"),
    " on error skip",
    "",
  ),
  row(
    "Each: everything",
    flow("  start -> each i of xs parallel 2 need 1 when i > 1 on error skip { w(i) -> y } -> z"),
    "w(i) -> y }",
    "w(i) }",
  ),
  row(
    "Each: in an each",
    flow("  start -> each i of xs { each j of [i, 1] { w(j) } }"),
    "[i, 1]",
    "[i, 2]",
  ),
  row("Ref: arguments", flow("  start -> w(1)"), "w(1)", "w(2)"),
  row("Ref: a labelled argument", flow("  start -> w(i: b)"), "i: b", "i: k"),
  row(
    "Ref: a description of the way",
    flow('  start -> r -> x "the one" | y'),
    "the one",
    "that one",
  ),
  row("HopClause: when", flow("  start -> x when c"), " when c", ""),
  row("HopClause: max", flow("  start -> x -> y\n  y -> x max 2"), "max 2", "max 3"),
  row("HopClause: max a name", flow("  start -> x -> y\n  y -> x max k"), "max k", "max size"),
  row("HopClause: after", flow("  start -> x after 5m"), "5m", "6m"),
  row("HopClause: on error", flow("  start -> x -> y on error"), "on error", "on limit"),
  row("HopClause: on deny", flow("  start -> x -> y on deny"), "on deny", "on error"),
  row("HopClause: detached", flow("  start -> x detached"), " detached", ""),
  row("HopClause: set", flow("  start -> x set b = 1, a = p"), "b = 1", "b = 2"),
  row(
    "HopClause: all",
    flow("  start -> x -> y\n  y -> x when c max 2 after 5m on error detached set b = 1"),
    "max 2",
    "max 1",
  ),
  row(
    "HopClause: on error, behind an each",
    flow("  start -> each i of xs { w(i) } -> x on error -> y"),
    "on error",
    "on limit",
  ),
  row(
    "HopClause: behind an each, with nothing behind that",
    flow("  start -> each i of xs { w(i) } -> x on error\n  x -> y"),
    "x on error",
    "y on error",
  ),
  row(
    "HopClause: behind a choice",
    flow("  start -> { c -> x, else -> y } when b > 0"),
    "b > 0",
    "b > 1",
  ),
  row("HopClause: behind an each", flow("  start -> each i of xs { w(i) } when c"), " when c", ""),
];

const EXPRESSIONS: readonly Row[] = [
  ...(["==", "!=", "<", "<=", ">", ">="] as const).map((op) =>
    row(`Op: ${op}`, expression(`b ${op} k`), `b ${op} k`, op === "<" ? "b > k" : "b < k"),
  ),
  row("Op: ===", expression("a === p"), "===", "!=="),
  ...(["+", "-", "*", "/", "%"] as const).map((op) =>
    row(`Op: ${op}`, expression(`b ${op} k`), `b ${op} k`, op === "+" ? "b - k" : "b + k"),
  ),
  row("Op: &&", expression("c && b > 1"), "&&", "||"),
  row("Op: ||", expression("c || b > 1"), "||", "&&"),
  row("Op: ??", expression("p ?? a"), "p ?? a", "a ?? p"),
  row("Op: order", expression("b + k * 2 - (b - 1)"), "k * 2", "k / 2"),
  row("Un: !", expression("!c"), "(!c", "(c"),
  row("Un: -", expression("-b"), "(-b", "(b"),
  row("Un: a negative number", expression("-3"), "-3", "-4"),
  row("Op: in", expression("p in xs"), "p in xs", "a in xs"),
  row("Op: not in", expression("p not in xs"), "p not in xs", "a not in xs"),
  row("Op: not", expression("not (a == b)"), "a == b", "b == a"),
  row("Expr: ? :", expression("c ? a : p"), "a : p", "p : a"),
  row("Post: .", expression("a.length"), "a.length", "p.length"),
  row("Post: ?.", expression("p?.length"), "?.", "."),
  row("Post: [ ]", expression("xs[k - 1]"), "k - 1", "k - 2"),
  row("Post: a method", expression("xs.slice(0, k).length"), "0, k", "1, k"),
  row("Prim: string", expression('"it\\"s\\n"'), "s\\n", "t\\n"),
  row("Prim: string in single quotes", expression("'one'"), "one", "two"),
  row("Prim: number", expression("1.5"), "1.5", "1.25"),
  row("Prim: duration", expression("5m"), "5m", "6m"),
  row("Prim: money", expression("$0.10"), "$0.10", "$0.20"),
  row("Prim: true", expression("true"), "true", "false"),
  row("Prim: null", expression("null"), "null", "0"),
  row("Prim: a name", expression("a"), "(a)", "(p)"),
  row("Prim: a lambda", expression("xs.map(x1 => x1 + 1)"), "+ 1", "+ 2"),
  row("Prim: a lambda of two", expression("xs.map((x1, at) => x1 + at)"), "x1 + at", "x1 - at"),
  row("Prim: template", expression("`a ${p} b`"), "a ${p} b", "a ${a} b"),
  row("Prim: parentheses", expression("(b + 1) * 2"), "(b + 1) * 2", "b + 1 * 2"),
  row("Prim: list", expression("[1, b, ...]".replace(", ...", "")), "[1, b]", "[b, 1]"),
  row("Prim: a range in a list", expression("[1..k, 9]"), "1..k", "2..k"),
  row("Prim: a spread in a list", expression("[...xs, a]"), "...xs", "...[a]"),
  row("Prim: a spread in an object", expression("{ ...{ b }, b: 1 }"), "...{ b }", "...{ a }"),
  row("Prim: a spread in a call", expression("f(...xs)"), "...xs", "...[a]"),
  row("Prim: a pure function", expression("Math.max(k, 1)"), "Math.max", "Math.min"),
  row("Prim: empty list", expression("[]"), "([])", "([1])"),
  row("Prim: object", expression('{ a, "x y": b }'), "x y", "x z"),
  row("Prim: empty object", expression("{}"), "({})", "({ a })"),
  row("specials", expression("[state, run.cost, run.steps, run.time]"), "run.cost", "run.steps"),
  row(
    "specials: inbox, team, artifacts",
    agent("system `${inbox} ${team} ${artifacts}`"),
    "${team} ",
    "",
  ),
  row("a function of TypeScript", expression("f(b)"), "f(b)", "g(b)"),
];

const TYPES: readonly Row[] = [
  ...["string", "number", "int", "boolean", "Json", "Plan", "Step", "Artifact", "Image"].map(
    (name) =>
      row(`PrimT: ${name}`, typed(name), `p: ${name}`, name === "int" ? "p: Json" : "p: int"),
  ),
  row("PrimT: declared", typed("T[]"), "T[]", "T"),
  row("PrimT: arguments", typed("Record<string, int>"), "int>", "string>"),
  row("PrimT: Private", typed("Private<string>"), "Private<string>", "string"),
  row(
    "PrimT: of a module",
    typed("lib.Thing").replace("{ work }", "{ work, lib }"),
    "lib.Thing",
    "lib.Other",
  ),
  row("PrimT: a literal", typed('"a" | "b"'), '"b"', '"c"'),
  row("PrimT: numbers, booleans, null", typed("1 | true | null"), "1 |", "2 |"),
  row("Type: a bar in front", typed('\n    | "a"\n    | "b"'), '"b"', '"c"'),
  row("PrimT: object", typed("{ a: int, b?: string }"), "b?", "b"),
  row("PrimT: object with ;", typed("{ a: int; b: string }"), "b: string", "c: string"),
  row("PrimT: parentheses", typed("(int | string)[]"), "(int | string)[]", "int | string[]"),
  row("PrimT: tuple", typed("[int, string]"), "[int, string]", "[string, int]"),
];

const ALL: readonly (readonly [string, readonly Row[]])[] = [
  ["files", FILE],
  ["graphs", GRAPH],
  ["nodes", NODES],
  ["clauses", CLAUSES],
  ["arrows", FLOWS],
  ["expressions", EXPRESSIONS],
  ["types", TYPES],
];

/** The graph of a text that has no error. */
function graphOf(text: string, programs: typeof open = open): Ir {
  const { diagnostics, graphs } = check(
    { file: "a.madrigal", text },
    { programs, allowUnreadPrograms: true },
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, line, message }) => `${code} ${line} ${message}\n${text}`)).toEqual(
    [],
  );
  const found = graphs.find(({ name }) => name === "G") ?? graphs.at(-1);
  if (found === undefined) throw new Error(`no graph:\n${text}`);
  return found;
}

function readBack(ir: Ir): Ir {
  const { text, programs } = printPrograms(ir);
  const others = new Map(programs.map((source) => [`./${source.file}`, source]));
  const { diagnostics, graphs } = check(
    { file: "printed", text },
    { programs: (from) => others.get(from), allowUnreadPrograms: true },
  );
  const back = graphs.find(({ name }) => name === ir.name);
  if (back === undefined) throw new Error(`${JSON.stringify(diagnostics, null, 1)}\n${text}`);
  return back;
}

describe.each(ALL)("M02 every construct of %s is checked, kept and read back", (_of, rows) => {
  test.each(rows.map((one) => [one.title, one] as const))(
    "%s",
    (_title, { text, change: [from, to] }) => {
      expect(text).toContain(from);
      const changed = text.replace(from, () => to);
      const [ir, other] = [graphOf(text), graphOf(changed)];
      expect(other.hash).not.toBe(ir.hash);
      for (const one of [ir, other]) {
        const back = readBack(one);
        expect(withoutSpans({ ...back, source: undefined, graphs: [] })).toEqual(
          withoutSpans({ ...one, source: undefined, graphs: [] }),
        );
        expect(back.hash).toBe(one.hash);
      }
    },
  );
});

test("every word that a statement or a clause begins with stands in one of these programs", () => {
  const texts = ALL.flatMap(([, rows]) => rows.map((one) => one.text)).join("\n");
  const words = [...fileWords, ...graphWords, ...clauseWords].filter((word) => word !== "test");
  expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(texts))).toEqual([]);
});

describe("every construct of tests is checked and kept", () => {
  const TESTED = `import { work } from "./f.ts"
graph G(p: string, n: int = 1, m: int = 1, f: int = 1) returns a {
  state { a: string = "" }
  run x = work(p, m, f) writes a
  run y = work(n) writes a
  agent z { model "a/b"; prompt "p"; tools b.c; writes a }
  graph g = H()
  start -> x -> y -> z -> g
}
graph H() {
  state { c: int = 0 }
  run h = work(1) writes c
  run i = work(2) writes c
  start -> h -> i
}
test "one" of G {
  given p = "q", n = 2
  for any m when m > 0
  in any order
  x says "s", "t"
  y says "u", fails "no", denied "stop", answers 1, expires
  z calls { tool: "b.c" }, says "v"
  g/h says 1
  expect path x -> y -> end
  expect a == "u" && visits(x) == 1
  expect cost <= $0.10 && steps < 9
}
`;
  const testsOf = (text: string) => {
    const { tests, diagnostics } = check({ file: "a", text }, { allowUnreadPrograms: true });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return canonicalJson(withoutSpans(tests.map(({ source: _, ...rest }) => rest)));
  };

  test.each([
    ["the title", '"one"', '"two"'],
    ["given", "n = 2", "n = 3"],
    ["for any", "any m when", "any f when"],
    ["when of for any", "m > 0", "m > 1"],
    ["in any order", "in any order", ""],
    ["says", '"s", "t"', '"s", "v"'],
    ["fails", 'fails "no"', 'says "no"'],
    ["denied", 'denied "stop"', 'answers "stop"'],
    ["answers", "answers 1", "answers 2"],
    ["expires", "answers 1, expires", "answers 1"],
    ["calls", '"b.c"', '"b.d"'],
    ["a node inside", "g/h says 1", "g/i says 1"],
    ["expect path", "path x -> y -> end", "path x -> y"],
    ["expect", 'a == "u"', 'a == "w"'],
    ["visits", "visits(x)", "visits(y)"],
    ["cost", "$0.10", "$0.20"],
  ])("%s", (_title, from, to) => {
    expect(testsOf(TESTED.replace(from, () => to))).not.toBe(testsOf(TESTED));
  });
});
