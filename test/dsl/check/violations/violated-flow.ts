import { agent, list, one, run, type ViolatedLines } from "./violation.ts";

/** Flow, policies and use, violated. */
export const violatedFlow: readonly ViolatedLines[] = [
  // ── flow ──
  ["a graph that never starts", "M3201", `${one}${run("x")}x -> end`.replace("graph G", "graph G")],
  ["a node that never runs", "M3202", `${one}${run("x")}run «y» = f()\nstart -> x`],
  ["a node called end", "M3203", `${one}run «end» = f(topic) writes a\nstart -> end`],
  ["start, led back to", "M3203", `${one}${run("x")}start -> x -> «start»`],
  [
    "a node inside and outside of an each",
    "M3204",
    `${list}run x(w: string) = f(w) writes a\nstart -> each w of a { x(w) } -> «x»(topic)`,
  ],
  [
    "a cycle without a bound",
    "M3205",
    `${one}${run("x", "y")}start -> x -> y -> { a == topic -> «x», else -> end }`,
  ],
  [
    "a field that nothing writes",
    "M3206",
    `${one}state { «b»: string }\nrun x = f(topic, b) writes a\nstart -> x`,
  ],
  [
    "a read before the first write",
    "M3207",
    `state { a: string\n b: string }\nrun x = f(topic, «b») writes a\nrun y = f(a) writes b\nstart -> x -> y`,
  ],
  [
    "a field that nobody reads",
    "M3208",
    `${one}state { «b»: string }\n${run("x")}run y = f(a) writes b\nstart -> x -> y`,
  ],
  [
    "a match that leaves a value out",
    "M3209",
    `state { a: string = ""\n v: "ship" | "revise" = "ship" }\nrun x = f(topic) writes a, v\nstart -> x -> match «v» { "ship" -> end }`,
  ],
  [
    "a case that can't come",
    "M3210",
    `state { a: string = ""\n v: "ship" | "revise" = "ship" }\nrun x = f(topic) writes a, v\nstart -> x -> match v { «"shipp"» -> end, else -> end }`,
  ],
  [
    "a choice that nobody makes",
    "M3211",
    `${one}human h { ask \`\${topic}\`; writes a }\n${run("x")}start -> h -> «x | end»`,
  ],
  [
    "ways that can't share what follows",
    "M3212",
    `${list}${run("x", "y", "z")}start -> { topic == "" -> [x, y], else -> z } -> «z max 2»`
      .replace("else -> z }", "else -> x }")
      .replace("[x, y]", "[x, y]"),
  ],
  ["on error behind start", "M3213", `${one}${run("x")}start -> x «on error»`],
  [
    "a node started twice",
    "M3214",
    `${list}${run("x", "y", "z")}start -> [x, y]\nx -> z\ny -> «z»`,
  ],
  [
    "a router without a choice",
    "M3215",
    `${one}router «r» { model m; prompt \`\${topic}\` }\n${run("x")}start -> r -> x`,
  ],
  [
    "an answer that leads nowhere",
    "M3228",
    `${one}${agent("f", "writes a")}${agent("x", "writes a")}${agent("y", "writes a")}start -> f\nf -> «x | y»`,
  ],
  ["a read that races a write", "M3216", `${one}${run("x")}run y = f(«a»)\nstart -> [x, y]`],
  [
    "an earlier value of what nothing writes meanwhile",
    "M3242",
    `${one}${run("x")}run y = f(a) { reads earlier «a» }\nstart -> x -> y`,
  ],
  [
    "a branch behind else",
    "M3217",
    `${one}${run("x")}start -> { else -> x, «topic == "" -> end» }`,
  ],
  [
    "a branch that max 0 closes",
    "M3217",
    `${one}${run("x", "y")}start -> { topic == "" -> x «max 0», else -> y }`,
  ],
  ["a condition that is a text", "M3218", `${one}${run("x")}start -> x when «topic»`],
  ["a break on a text", "M3218", `${one}${run("x")}start -> x\nbreak before x when «topic»`],
  [
    "a cycle that nothing leads out of",
    "M3219",
    `${one}${agent("x", "writes a")}${agent("y", "writes a")}start -> x -> y -> «x» max 3`,
  ],
  [
    "a quorum of more than there are",
    "M3220",
    `${list}${run("x", "y", "z")}start -> [x, y]\n[x, y] need «3» -> z`,
  ],
  [
    "a join whose nodes exclude each other",
    "M3221",
    `${one}${run("x", "y", "z")}start -> { topic == "" -> x, else -> y }\n«[x, y]» -> z`,
  ],
  ["a max that is never used up", "M3222", `${one}${run("x", "y")}start -> x -> y «max 3»`],
  [
    "an index into a replaced list",
    "M3223",
    `${one}state { plan: string[] = []\n at: int = 0 }\nrun p = f(topic) writes plan\nrun x = f(«plan[at]») writes a { set at = at + 1 }\nstart -> p -> x -> { a == "" -> x max 9, a == topic -> p max 2, else -> end }`,
  ],
  [
    "a conversation in a field",
    "M3224",
    `${one}state { «talk»: string[] = [] via append }\nagent p { model m; prompt \`\${topic} \${talk}\`; writes talk }\n${run("x")}start -> p -> x`,
  ],
  [
    "an end when that never changes",
    "M3225",
    `${one}${run("x")}end when «topic == "stop"»\nstart -> x`,
  ],
  [
    "two writers at the same time",
    "M3301",
    `${one}run x = f(topic) writes a\nrun y = f() writes «a»\nstart -> [x, y]`,
  ],
  [
    "a reducer of another type",
    "M3302",
    `state { a: string = "" «via sum» }\n${run("x")}start -> x`,
  ],
  [
    "no reducer of this name",
    "M3303",
    `state { a: string[] = [] via «apend» }\n${run("x")}start -> x`,
  ],
  [
    "a reducer of another type in the set of an arrow",
    "M3302",
    `state { a: string = "" }\n${run("x")}start -> x set a = "b" «via sum»`,
  ],
  [
    "another reducer of a conversation where a node writes it",
    "M3720",
    "state { a: Messages }\nrun x = f(topic) writes a «via append»\nstart -> x",
  ],
  [
    "another reducer of a conversation in the set of an arrow",
    "M3720",
    `state { a: Messages }\n${run("x")}start -> x set a = [] «via append»`,
  ],
  [
    "a history of defaults that is no conversation",
    "M3721",
    `${one}defaults { history «a» }\n${agent("x", "writes a")}start -> x`,
  ],
  [
    "a history of a conversation that is not there",
    "M2103",
    `${one}${agent("x", "history «talk»; writes a")}start -> x`,
  ],
  [
    "no reducer of this name in the set of an arrow",
    "M3303",
    `state { a: string[] = [] }\n${run("x")}start -> x set a = [] via «apend»`,
  ],
  [
    "a reducer that measures in the set of an arrow",
    "M3305",
    `state { a: string[] = [] }\n${run("x")}start -> x set a = [] «via union(s => s.length)»`,
  ],
  [
    "a type with too many parts",
    "M3401",
    `state { a: «Array<string, int>» = [] }\n${run("x")}start -> x`,
  ],
  ["an output of no shape", "M3402", `state { a: «Image» }\n${agent("x", "writes a")}start -> x`],
  // ── policies ──
  [
    "an agent without a model",
    "M4001",
    `${one}agent «x» { prompt \`\${topic}\`; writes a }\nstart -> x`,
  ],
  [
    "an agent that is told nothing",
    "M4002",
    `${one}agent «x» { model m; writes a }\nrun y = f(topic)\nstart -> x -> y`,
  ],
  [
    "a person who is asked nothing",
    "M4002",
    `${one}human «h» { writes a }\nrun y = f(topic)\nstart -> h -> y`,
  ],
  [
    "an operator without a controller",
    "M4002",
    `${one}operator «x» { prompt \`\${topic}\`; writes a }\nstart -> x`,
  ],
  [
    "a clause that stands twice",
    "M4003",
    `${one}run x = f(topic) writes a { retry 1; «retry 2» }\nstart -> x`,
  ],
  ["two limits of a graph", "M4003", `${one}${run("x")}limit 3m\n«limit $2»\nstart -> x`],
  [
    "state for every node",
    "M4004",
    `${one}defaults { «state { n: int = 0 }» }\n${run("x")}start -> x`,
  ],
  [
    "a label before what a reducer takes",
    "M2203",
    `state { a: string[] = [] via union(«by»: t => t) }\n${run("x")}start -> x`,
  ],
  [
    "a router that writes",
    "M4004",
    `${one}router r { model m; prompt \`\${topic}\`; «writes a» }\n${run("x")}start -> r -> x | end`,
  ],
  ["a unit that does not exist", "M4101", `${one}${run("x")}limit 40k «token»\nstart -> x`],
  [
    "a class of error that does not exist",
    "M4102",
    `${one}run x = f(topic) writes a { retry 2 on «network» }\nstart -> x`,
  ],
  [
    "an ending that does not exist",
    "M4103",
    `${one}${run("x", "y")}start -> x\nx -> y on «failure»`,
  ],
  [
    "a condition in words without a judge",
    "M4104",
    `${one}run x = f(topic) writes a { ensure «"it is good"» }\nstart -> x`,
  ],
  [
    "a tool above the effects",
    "M4105",
    `${one}${agent("x", "effects none; tools «shell.run»; writes a")}start -> x`,
    { effects: { "shell.run": "workspace" } },
  ],
  [
    "a function above the effects",
    "M4105",
    `${one}run x = «save»(topic) writes a { effects none }\nstart -> x`,
    { effects: { save: "external" } },
  ],
  [
    "a gate without a human",
    "M4106",
    `${one}human «h» { ask \`\${topic}\`; writes a }\nstart -> h`,
    { people: [] },
  ],
  [
    "a judge that nobody knows",
    "M4107",
    `${one}${run("x")}approve before x by «bob»\nstart -> x`,
    { people: ["ann"] },
  ],
  [
    "an approval of no tool",
    "M4108",
    `${one}${agent("x", "tools fs.write; approve tool «wirte»; writes a")}start -> x`,
  ],
  [
    "a context with a member that there is not",
    "M4112",
    `${one}${agent("x", "context { «ofload»: 2k }; writes a")}start -> x`,
  ],
  [
    "a context of no size in the defaults",
    "M4112",
    `${one}defaults { context { limit: «1.5» } }\n${agent("x", "writes a")}start -> x`,
  ],
  [
    "a context with a tool that the node lacks",
    "M4112",
    `${one}${agent("x", 'tools fs.write; context { offload: { over: 2k, except: [«"fs.wirte"»] } }; writes a')}start -> x`,
  ],
  [
    "a summary of no type",
    "M2104",
    `${one}${agent("x", "context { summarize: { at: 4k, schema: «Snapshot» } }; writes a")}start -> x`,
  ],
  [
    "a summary of no type in the defaults",
    "M2104",
    `${one}defaults { context { summarize: { at: 4k, schema: «Snapshot» } } }\n${agent("x", "writes a")}start -> x`,
  ],
  // ── nothing uses it ──
  [
    "an unused parameter",
    "M2301",
    `${one}run x(«w»: string) = f(topic) writes a\nstart -> x(topic)`,
  ],
  ["an unused memory", "M2301", `memory «kept»: string\n${one}${run("x")}start -> x`],
  [
    "an unused default",
    "M2301",
    `${one}defaults { «retry 2» }\nrun x = f(topic) writes a { retry 1 }\nstart -> x`,
  ],
];
