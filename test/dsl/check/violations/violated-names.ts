import { agent, list, one, run, type ViolatedLines } from "./violation.ts";

/** Names, types and state, violated. */
export const violatedNames: readonly ViolatedLines[] = [
  // ── names ──
  ["a node is declared twice", "M2001", `${one}${run("x")}run «x» = f() writes a\nstart -> x`],
  ["a field is declared twice", "M2001", `${one}state { «a»: int = 0 }\n${run("x")}start -> x`],
  [
    "a member is declared twice",
    "M2001",
    `state { a: { url: string, «url»: int }[] = [] }\n${run("x")}start -> x`,
  ],
  [
    "a field hides a model",
    "M2002",
    `state { a: string\n «m»: int = 0 }\n${agent("x", "writes a")}start -> x`,
  ],
  [
    "an each variable hides a field",
    "M2002",
    `${list}run x(w: string) = f(w) writes a\nstart -> each «a» of a { x("") }`,
  ],
  [
    "a target stands twice behind a router",
    "M2003",
    `${one}router r { model m; prompt \`\${topic}\` }\n${run("x")}start -> r -> x | «x»`,
  ],
  [
    "a source stands twice in a join",
    "M2003",
    `${list}${run("x", "y", "z")}start -> [x, y]\n[x, y, «x»] -> z`,
  ],
  ["an arrow leads to no node", "M2101", `${one}${run("x")}start -> x -> «nowhere»`],
  ["an arrow leaves no node", "M2101", `${one}${run("x")}start -> x\n«nowhere» -> x`],
  ["an approval of no node", "M2101", `${one}${run("x")}start -> x\napprove before «nowhere»`],
  ["a break at no node", "M2101", `${one}${run("x")}start -> x\nbreak after «nowhere»`],
  [
    "a message to no node",
    "M2101",
    `${one}run x = f(topic) writes a { tell «nowhere» }\nstart -> x`,
  ],
  ["a read of no field", "M2102", `${one}${agent("x", "reads «nothing»; writes a")}start -> x`],
  ["a name that means nothing", "M2103", `${one}run x = f(topic, «nothing») writes a\nstart -> x`],
  [
    "another agent's own state",
    "M2103",
    `${one}${agent("x", "writes a; state { own: int = 0 }; set own = own + 1")}run y = f(«own») writes a\nstart -> x -> y`,
  ],
  [
    "the item of an each in a body",
    "M2103",
    `${list}run x(w: string) = f(w, «word») writes a\nstart -> each word of a { x(word) }\n`,
  ],
  [
    "a memory of the graph with a setting of another kind",
    "M4980",
    `memory notes: string { keep: «30» }\n${one}run x = f(topic) writes a { store topic into notes }\nstart -> x`,
  ],
  [
    "a memory at an arrow",
    "M4981",
    `memory notes: string\n${one}run x = f(topic) writes a { recall notes; store topic into notes }\nstart -> { «notes».length > 0 -> x, else -> end }`,
  ],
  ["a type that nobody declares", "M2104", `state { a: «Report» }\n${run("x")}start -> x`],
  [
    "a node parameter of no type",
    "M2104",
    `${one}run x(w: «Word») = f(w) writes a\nstart -> x(topic)`,
  ],
  [
    "a memory of no type",
    "M2104",
    `memory kept: «Kept»\n${one}run x = f(topic) writes a { store topic into kept }\nstart -> x`,
  ],
  [
    "no model of this name",
    "M2105",
    `${one}agent x { model «nobody»; prompt \`\${topic}\`; writes a }\nstart -> x`,
  ],
  [
    "no model of this name in the defaults",
    "M2105",
    `${one}defaults { model «nobody» }\nagent x { prompt \`\${topic}\`; writes a }\nstart -> x`,
  ],
  [
    "a function that nobody offers",
    "M2106",
    `${one}run x = «load»(topic) writes a\nstart -> x`,
    { scope: ["web.read"] },
  ],
  [
    "a tool that nobody offers",
    "M2107",
    `${one}${agent("x", "tools «web.write»; writes a")}start -> x`,
    { scope: ["web.read", "load"] },
  ],
  ["no memory of this name", "M2108", `${one}${agent("x", "recall «plans»; writes a")}start -> x`],
  ["a count of words", "M2109", `${one}run x = f() writes a { retry «topic» }\nstart -> x`],
  [
    "a count in an arrow of words",
    "M2109",
    `${one}${run("x", "y")}start -> x -> { a == topic -> x max «topic», else -> y }`,
  ],
  ["an argument too few", "M2201", `${one}run x(w: string) = f(w, topic) writes a\nstart -> «x»`],
  ["an argument too many", "M2202", `${one}${run("x")}start -> x(«a»)`],
  // ── types, state ──
  ["a write to no field", "M3101", `${one}run x = f(topic) writes «notes»\nstart -> x`],
  ["a set on an arrow of no field", "M3101", `${one}${run("x")}start -> x set «notes» = 1`],
  ["a write to a parameter", "M3102", `${one}run x = f() writes «topic»\nstart -> x`],
  ["a default of another type", "M3103", `state { a: string = «1» }\n${run("x")}start -> x`],
  [
    "a node parameter's default of another type",
    "M3103",
    `${one}run x(n: int = «"a"») = f(n, topic) writes a\nstart -> x`,
  ],
  [
    "a default answer of another type",
    "M3103",
    `${one}human x { ask \`\${topic}\` within 2h else «1»; writes a }\nstart -> x`,
  ],
  ["a set of another type", "M3104", `${one}${run("x")}start -> x set a = «1»`],
  [
    "an each over no list",
    "M3105",
    `${list}run x(w: string) = f(w) writes a\nstart -> each w of «topic» { x(w) }`,
  ],
  [
    "a read beyond the reads",
    "M3106",
    `${one}state { b: string = "" }\n${agent("x", "reads b; system `Better: ${«a»}`; writes a")}start -> x`,
  ],
];
