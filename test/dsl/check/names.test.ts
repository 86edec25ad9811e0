import { describe, expect, test } from "vitest";
import { check } from "../../../dsl/index.ts";
import { codesOf, graph, report, reportGraph } from "../report.ts";

const field = "state { a: string = topic }";
const write = "agent write { model m; prompt `Write.`; writes a }";

test("contract: a second graph of one name is reported at the second", () => {
  const one = "graph G() { start -> end }\n";
  expect(report(one + one)).toMatchInlineSnapshot(
    `"M2001 2:7 there is already a graph called \`G\` (rename one of the two, or remove it)"`,
  );
});

test("a node is declared once", () => {
  expect(reportGraph(`${field}\n${write}\n${write}\nstart -> write`)).toMatchInlineSnapshot(
    `"M2001 3:7 there is already a node called \`write\` (rename one of the two, or remove it)"`,
  );
});

test("fields, parameters and fields in bodies share their names", () => {
  expect(
    reportGraph(`state { topic: string }
agent write { model m; prompt \`Write.\`; state { b: int = 0 }; set b = b + 1 }
state { b: int = 0
 a: string = "" }
start -> write`),
  ).toMatchInlineSnapshot(`
    "M2001 1:9 there is already a field or parameter called \`topic\` (rename one of the two, or remove it)
    M2001 3:9 there is already a field or parameter called \`b\` (rename one of the two, or remove it)"
  `);
});

test("an each variable hides nothing", () => {
  expect(
    reportGraph(`state { a: string[] = [] via append }
agent note(w: string) { model m; prompt \`\${w}\`; writes a }
start -> each topic of a { note(topic) }
`),
  ).toMatchInlineSnapshot(
    `"M2002 3:15 \`topic\` is already a parameter of the graph (choose another name: a name has one meaning in a graph)"`,
  );
});

test("two eaches beside each other may use one variable", () => {
  expect(
    reportGraph(`state { a: string[] = [topic] via append }
agent note(w: string) { model m; prompt \`\${w}\`; writes a }
agent read(w: string) { model m; prompt \`\${w}\`; writes a }
start -> each w of a { note(w) } -> each w of a { read(w) }`),
  ).toBe("");
});

test("a lambda's parameter, a field and a node's parameter hide nothing of the file or the language", () => {
  expect(
    reportGraph(`state { m: int = 0
 a: string[] = [] via append
 result: string = ""
}
agent note(m: string) { model m; prompt \`\${a.filter(topic => topic.length > 1)} \${result}\`; writes a }
start -> note("x")`),
  ).toMatchInlineSnapshot(`
    "M2002 1:9 \`m\` is already a model (choose another name: a name has one meaning in a graph)
    M2002 3:2 \`result\` is already a word of the language in every expression (choose another name: a name has one meaning in a graph)
    M2002 5:12 \`m\` is already a field (choose another name: a name has one meaning in a graph)
    M2002 5:53 \`topic\` is already a parameter of the graph (choose another name: a name has one meaning in a graph)"
  `);
});

test("a node in an arrow that nobody declares, with the nearest one", () => {
  expect(reportGraph(`${field}\n${write}\nstart -> writ -> end`)).toMatchInlineSnapshot(
    `"M2101 3:10 no node is called \`writ\` (did you mean \`write\`?)"`,
  );
  expect(reportGraph(`${field}\n${write}\nstart -> write -> review`)).toMatchInlineSnapshot(
    `"M2101 3:19 no node is called \`review\` (there are \`write\`, \`start\`, \`end\`, \`return\`)"`,
  );
});

test("nodes named elsewhere: in tell, approve and break", () => {
  expect(
    reportGraph(`${field}
agent write { model m; prompt \`Write.\`; writes a; tell reviewer }
approve before wirte \`Sure?\`
break after writee
start -> write`),
  ).toMatchInlineSnapshot(`
    "M2101 2:56 no node is called \`reviewer\` (there are \`write\`, \`start\`, \`end\`, \`return\`)
    M2101 3:16 no node is called \`wirte\` (did you mean \`write\`?)
    M2101 4:13 no node is called \`writee\` (did you mean \`write\`?)"
  `);
});

test("fields in returns, reads, writes, set and edits", () => {
  expect(
    reportGraph(`state { a: string = topic
 b: string = ""
}
agent write { model m; reads bb; prompt \`Write \${b}\`; writes bc; set bd = "x" }
human ask { ask \`?\`; edits be; writes a }
start -> write -> ask`),
  ).toMatchInlineSnapshot(`
    "M2102 4:30 no field is called \`bb\` (declare it: \`state { bb: … }\`)
    M3101 4:62 no field is called \`bc\` (declare it: \`state { bc: string }\`)
    M3101 4:70 no field is called \`bd\` (declare it: \`state { bd: string }\`)
    M3101 5:28 no field is called \`be\` (declare it: \`state { be: string }\`)"
  `);
});

test("a parameter is not written", () => {
  expect(
    reportGraph(
      `${field}\nagent write { model m; prompt \`x\`; writes a; set topic = "x" }\nstart -> write`,
    ),
  ).toMatchInlineSnapshot(
    `"M3102 2:50 \`topic\` is a parameter, and parameters never change (declare a field in \`state { }\` and write that)"`,
  );
});

test("a body's own state is seen in that body only", () => {
  expect(
    reportGraph(`${field}
agent one { model m; prompt \`\${seen}\`; state { seen: int = 0 }; set seen = seen + 1 }
agent two { model m; prompt \`\${seen}\`; writes a }
start -> one -> two`),
  ).toMatchInlineSnapshot(
    `"M2103 3:32 no field or parameter is called \`seen\` (it is the own state of \`one\`; no other node can name it)"`,
  );
});

test("a node sees the item of an each only as a parameter", () => {
  expect(
    reportGraph(`state { a: string[] = [topic] via append }
agent note { model m; prompt \`\${word}\`; writes a }
start -> each word of a { note }`),
  ).toMatchInlineSnapshot(
    `"M2103 2:33 no field or parameter is called \`word\` (the item of an \`each\` comes in as a parameter: \`note(word: …)\`)"`,
  );
});

test("names in conditions, arguments, items, counts and sets of arrows", () => {
  expect(
    reportGraph(`state { a: string[] = [topic] via append }
agent note(w: string) { model m; prompt \`\${w}\`; writes a }
agent close { model m; prompt \`x\`; writes a }
start -> each w of as parallel widht when ww { note(wo) } -> { topik == "x" -> close max many, else -> end } set a = [tpic]`),
  ).toMatchInlineSnapshot(`
    "M2103 4:20 no field or parameter is called \`as\`
    M2109 4:32 no number is called \`widht\` (a count is a number, or a parameter or setting that holds one)
    M2103 4:43 no field or parameter is called \`ww\`
    M2103 4:53 no field or parameter is called \`wo\`
    M2103 4:64 no field or parameter is called \`topik\` (did you mean \`topic\`?)
    M2109 4:90 no number is called \`many\` (a count is a number, or a parameter or setting that holds one)
    M2103 4:119 no field or parameter is called \`tpic\` (did you mean \`topic\`?)"
  `);
});

test("a function in an expression is taken to exist where nobody can know", () => {
  const text = `graph G(n: int) { end when isLate(n)\n start -> end }`;
  expect(report(text)).toBe("");
  expect(
    report(text, { scope: ["isEarly", "isLatest"], allowUnreadPrograms: true }),
  ).toMatchInlineSnapshot(
    `"M2106 1:28 no function is called \`isLate\` (did you mean \`isLatest\`?)"`,
  );
  expect(report(text, { scope: ["isLate"], allowUnreadPrograms: true })).toBe("");
});

test("a tool is legal by itself, by its prefix, by an import, or as a whole group", () => {
  const text = (tools: string) => `import { web } from "./web.ts"
model m = "scripted"
graph G() returns a { state { a: string }
 agent write { model m; prompt \`x\`; tools ${tools}; writes a }
 start -> write }`;
  const scope = ["docs.read", "docs.search", "clock"];
  expect(report(text("docs.read, docs.*, clock, web.get, docs"), { scope })).toBe("");
  expect(report(text("docs.raed, web.x"), { scope })).toMatchInlineSnapshot(
    `"M2107 4:43 no tool is called \`docs.raed\` (did you mean \`docs.read\`?)"`,
  );
  expect(report(text("web.x, time"), { scope })).toMatchInlineSnapshot(
    `"M2107 4:50 no tool is called \`time\` (there are \`docs.read\`, \`docs.search\`, \`clock\`, \`web\`, \`G\`)"`,
  );
  expect(report(text("web.x, time"))).toBe("");
});

test("the tools that are always there are legal whatever TypeScript offers", () => {
  const text = (tools: string) => `model m = "scripted"
graph G() returns a { state { a: string }
 agent write { model m; prompt \`x\`; tools ${tools}; writes a }
 start -> write }`;
  const scope = ["docs.read", "clock"];
  const all = "run.*, run.pause, state.list, state.read, state.write, traces.query";
  expect(report(text(all), { scope })).toBe("");
  expect(report(text(all))).toBe("");
  expect(report(text("traces.qurey"), { scope })).toBe(
    "M2107 3:43 no tool is called `traces.qurey` (did you mean `traces.query`?)",
  );
  expect(report(text("traces.mine"), { scope: ["traces.mine"] })).toBe("");
});

test("the function of a run node and the graph of a graph node", () => {
  const text = `graph Inner(x: string, y: int = 1) returns x { start -> end\n end when x == "" && y > 1 }
graph G() returns a { state { a: string }
 run one = fetchAll() writes a
 graph two = Inner(z: 1) writes a
 graph three = Inner() writes a
 start -> one -> two -> three }`;
  expect(report(text, { scope: ["fetchAl"], allowUnreadPrograms: true })).toMatchInlineSnapshot(`
    "warning M3225 2:11 this has the same value at every commit: the run ends at once or never (name a field that a node writes, or what the run has used, \`run.cost\` for example)
    M2106 4:12 no function is called \`fetchAll\` (did you mean \`fetchAl\`?)
    M2203 5:20 no parameter of \`Inner\` is called \`z\` (there are \`x\`, \`y\`)
    M2201 6:16 \`Inner\` needs \`x\` (write \`Inner(x)\`: it is \`Inner(x: string, y: int)\`)"
  `);
});

test("models, judges, memories and types", () => {
  expect(
    reportGraph(`memory plans: { what: Thing } by what
state { a: str
 b: Array<boolean, string>
}
agent write { model fast; prompt \`x \${b}\`; writes a, b; ensure "it is good" by judge; recall plan top few; store { what: a } into plan }
start -> write`),
  ).toMatchInlineSnapshot(`
    "M2104 1:23 no type is called \`Thing\`
    M2104 2:12 no type is called \`str\` (write \`string\`)
    M3401 3:5 \`Array\` takes one type in angle brackets (write \`Array<…>\`)
    M2105 5:21 no model is called \`fast\` (declare it: \`model fast = "provider/model"\`)
    warning M3207 5:39 \`b\` may not be written yet when it is read here (give it a default, or write it before; a prompt shows \`(none yet)\`)
    M2105 5:80 no model is called \`judge\` (declare it: \`model judge = "provider/model"\`)
    M2108 5:94 no memory is called \`plan\` (did you mean \`plans\`?)
    M2109 5:103 no number is called \`few\` (a count is a number, or a parameter or setting that holds one)
    M2108 5:131 no memory is called \`plan\` (did you mean \`plans\`?)"
  `);
});

test("members and methods of declared types", () => {
  const head = "tasks: Task[], best: Record<string, int>, any: Json, maybe?: Task";
  expect(
    reportGraph(
      `state { a: string = "" }
agent write { model m; writes a
 prompt \`\${tasks[0].titel} \${tasks.lenght} \${tasks.map(t => t.wy)} \${tasks.first()} \${best.x} \${best.x.y} \${any.thing.at.all} \${maybe.title} \${maybe?.nope}\` }
start -> write
}
type Task = { title: string, why: "a" | "b" }
graph H() { start -> end`,
      head,
    ),
  ).toMatchInlineSnapshot(`
    "M2110 3:21 \`Task\` has no member \`titel\` (did you mean \`title\`?)
    M2110 3:36 \`Task[]\` has no member \`lenght\` (did you mean \`length\`?)
    M2110 3:63 \`Task\` has no member \`wy\` (did you mean \`why\`?)
    M2111 3:76 \`Task[]\` has no method \`first\` (it has \`map\`, \`filter\`, \`find\`, \`findIndex\`, \`some\`, \`every\`, \`flatMap\`, \`includes\`)
    M2110 3:104 \`int\` has no member \`y\` (it has \`toFixed\`)
    M2110 3:151 \`Task\` has no member \`nope\` (it has \`title\`, \`why\`)"
  `);
});

test.each(["A | string", "A[] | A | null", "{ a: A } | A", "A", "B"])(
  "a type that is only itself is told once, and nothing is suspected of it: type A = %s",
  (type) => {
    const text = `type A = ${type}
type B = A
graph G(v: B) returns a { state { a: A = v }
 run x = f(v.length, v.a.a, v.map(w => w.a)) writes a
 start -> x -> match v { "x" -> end, else -> end } }`;
    expect(codesOf(text)).toEqual(["M3403"]);
  },
);

test.each(["A[]", "{ a?: A }", "{ a: A }[] | string", "Record<string, A>"])(
  "a type that contains itself is one: type A = %s",
  (type) => {
    const text = `type A = ${type}
graph G(v: A) returns a { state { a: A = v }
 run x = f(v) writes a
 start -> x }`;
    expect(report(text)).toBe("");
  },
);

test("what follows from types through methods, lambdas and conditions", () => {
  const head = "tasks: Task[]";
  expect(
    reportGraph(
      `state { a: string = "" }
agent write { model m; writes a
 prompt \`\${tasks.filter(t => t.why == "a").find(t => t.title.length > 1).nope} \${tasks.at(0).title.toUper()} \${(tasks.length + 1).toFixed(1)} \${(true ? tasks : tasks).lenth} \${tasks.map(t => t.title).join(", ").x}\` }
start -> write
}
type Task = { title: string, why: "a" | "b" }
graph H() { start -> end`,
      head,
    ),
  ).toMatchInlineSnapshot(`
    "M2110 3:74 \`Task\` has no member \`nope\` (it has \`title\`, \`why\`)
    M2111 3:100 \`string\` has no method \`toUper\` (it has \`includes\`, \`startsWith\`, \`endsWith\`, \`toUpperCase\`, \`toLowerCase\`, \`trim\`, \`split\`, \`slice\`)
    M2110 3:168 \`Task[]\` has no member \`lenth\` (did you mean \`length\`?)
    M2110 3:212 \`string\` has no member \`x\` (it has \`length\`, \`includes\`, \`startsWith\`, \`endsWith\`, \`toUpperCase\`, \`toLowerCase\`, \`trim\`, \`split\`)"
  `);
});

test("arguments of nodes: missing, too many, misnamed, of another type", () => {
  expect(
    reportGraph(`state { a: string[] = [topic] via append }
agent note(word: string, times: int = 1) { model m; prompt \`\${word} \${times}\`; writes a }
start -> note
note -> note(topic, 2, 3) max 1
note -> note(wrod: topic) max 1
note -> note(2) max 1
note -> note(topic, times: topic) max 1
note -> note(times: 2, word: topic) max 1`),
  ).toMatchInlineSnapshot(`
    "M2201 3:10 \`note\` needs \`word\` (write \`note(word)\`: it is \`note(word: string, times: int)\`)
    warning M3219 4:9 no way leads out of \`note -> note\` (add a condition that ends it: \`a -> { done -> end, else -> b max 3 }\`; a run that ends only by a used-up \`max\` fails)
    M2202 4:24 \`note\` takes 2 arguments (it is \`note(word: string, times: int)\`)
    M2203 5:14 no parameter of \`note\` is called \`wrod\` (did you mean \`word\`?)
    M3104 6:14 \`2\` does not fit \`word: string\` (pass a value of that type)
    M3104 7:28 \`string\` does not fit \`times: int\` (pass a value of that type)"
  `);
});

test("contract: one fault, one error: a name that could not be read is not unknown besides", () => {
  expect(
    reportGraph(`state { a: string = topic
 b
}
agent write { model m; prompt \`\${b}\`; writes a
agent read { model m; prompt \`\${a} \${nothing}\`; writes a }
start -> write -> read`),
  ).toMatchInlineSnapshot(`
    "M1107 2:3 \`b\` has no type (write \`b: string\`)
    M1104 4:13 this \`{\` is never closed (add a \`}\`)"
  `);
});

test("a graph with an error yields nothing, the others do", () => {
  const text = "graph A() { start -> nobody }\ngraph B() { start -> end }\n";
  expect(check({ file: "f", text }).graphs.map((graph) => graph.name)).toEqual(["B"]);
});

test("tests name nodes and fields of their graph", () => {
  expect(
    report(`model m = "scripted"
graph G(topic: string) returns a { state { a: string }
 agent write { model m; prompt \`\${topic}\`; writes a }
 start -> write }
test "it" of G { given topik = "x"
 wrote says "y"
 expect path write -> edn }
test "other" of H { expect cost < $1 }`),
  ).toMatchInlineSnapshot(`
    "M3602 5:14 \`G\` needs \`topic\` (write \`given topic = …\`)
    M2102 5:24 no field or parameter is called \`topik\` (did you mean \`topic\`?)
    M2101 6:2 no node is called \`wrote\` (did you mean \`write\`?)
    M2101 7:23 no node is called \`edn\` (there is \`write\`)
    M2112 8:17 no graph is called \`H\` (import it: \`import { H } from "./file.madrigal"\`)"
  `);
});

test("a hole between quotes is not filled", () => {
  expect(
    report(`model m = "scripted"
graph G(topic: string) returns a {
  state { a: string }
  agent x { model m; system "You know \${topic} and \`code\`."; prompt 'Say \${topic}'; writes a; ensure "it is \${short}" by m; ensure "of \${topic}" by m }
  human y { ask "Is \${a} right?"; writes a }
  start -> x -> y when a != "\${"
}`),
  ).toMatchInlineSnapshot(`
    "warning M2302 4:29 holes are only filled in backticks (write backticks instead of the quotes)
    warning M2302 4:69 holes are only filled in backticks (write backticks instead of the quotes: \`Say \${topic}\`)
    warning M3227 4:102 text in quotes has no holes: \`\${…}\` stands in it as it is (say it without values, the judge sees what the node said: \`ensure "it names the town" by fast\`; or compare them: \`ensure a.includes(town)\`)
    M3227 4:132 text in quotes has no holes: \`\${…}\` stands in it as it is (say it without values, the judge sees what the node said: \`ensure "it names the town" by fast\`; or compare them: \`ensure a.includes(town)\`)
    warning M2302 5:17 holes are only filled in backticks (write backticks instead of the quotes: \`Is \${a} right?\`)"
  `);
});

test("a name near an import that nothing uses, where nobody knows what TypeScript offers", () => {
  const program = (imports: string) => `import { ${imports} } from "./f.ts"
model m = "scripted"
graph G(topic: string) returns a {
  state { a: string }
  run f = incc(topic) writes a
  agent x { model m; prompt \`x\`; tools serchWeb.read; writes a }
  start -> f -> x when decied(a)
}`;
  expect(report(program("inc, searchWeb, decide"), {})).toMatchInlineSnapshot(`
    "M2106 5:11 no function is called \`incc\` (did you mean the import \`inc\`?)
    M2107 6:40 no tool is called \`serchWeb.read\` (did you mean the import \`searchWeb\`?)
    M2106 7:24 no function is called \`decied\` (did you mean the import \`decide\`?)"
  `);
  expect(report(program("inc as increase, other"))).not.toMatch("M2106");
  expect(report(program("inc").replace("(topic) w", "(inc(topic)) w"))).toBe("");
});

test("an import is not offered while something could not be read, or for a name of two letters", () => {
  const text = (callee: string, import_: string, more = "") =>
    `import { ${import_} } from "./f.ts"
graph G(topic: string) returns a {
  state { a: string }
  run f = ${callee}(topic) writes a
  ${more}start -> f
}`;
  expect(report(text("incc", "inc", "run g = inc(topic) wites a\n"))).not.toMatch("M2106");
  expect(report(text("go", "do2"))).toMatch(/^warning M2301/);
});

test("an id of a model that cannot run is a warning at the id, with what was meant", () => {
  const declared = (id: string) =>
    report(
      `model m = "${id}"\n${graph(`${field}\n${write}\nstart -> write`).replace(/^model.*\n/, "")}`,
    );
  expect(declared("rulez")).toMatchInlineSnapshot(
    `"warning M2115 1:11 \`rulez\` is not a model: there is no such model (did you mean \`rules\`?)"`,
  );
  expect(declared("opanai/gpt-4o")).toMatchInlineSnapshot(
    `"warning M2115 1:11 \`opanai/gpt-4o\` is not a model: no provider is called \`opanai\` (did you mean \`openai/gpt-4o\`?)"`,
  );
  expect(declared("openai/")).toMatchInlineSnapshot(
    `"warning M2115 1:11 \`openai/\` is not a model: the model's own name is missing (write \`openai/MODEL\`)"`,
  );
  expect(declared("cassette:")).toMatchInlineSnapshot(
    `"warning M2115 1:11 \`cassette:\` is not a model: the file of the cassette is missing (write \`cassette:FILE\`)"`,
  );
  expect(declared("@ai-sdk/groq")).toMatchInlineSnapshot(
    `"warning M2115 1:11 \`@ai-sdk/groq\` is not a model: the model's own name is missing (write \`@SCOPE/PACKAGE/MODEL\`)"`,
  );
  for (const id of [
    "rules",
    " rules ",
    "scripted",
    "openai/any",
    "openai-chat/any",
    "anthropic/any",
    "google/any",
    "azure/any",
    "bedrock/any",
    "mistral/any",
    "ollama/any:8b",
    "openai-compatible/org/m:8b",
    "@ai-sdk/groq/org/any",
  ])
    expect(declared(id), id).toBe("");
});

describe("settings of a model that are wrong are errors at their names", () => {
  const declared = (settings: string, id = "openai/gpt-4o") =>
    report(
      `model m = "${id}" { ${settings} }\n${graph(`${field}\n${write}\nstart -> write`).replace(/^model.*\n/, "")}`,
    );
  test("what is right", () => {
    const call =
      'temperature: 0.2, topP: 1, topK: 4, maxOutputTokens: 2k, seed: 7, stopSequences: ["x"], effort: "low"';
    const provider =
      'baseURL: "https://a.test/v1", headers: { "x-team": "a" }, headerVariables: { "x-key": "TEAM_KEY" }, keyVariable: "A_KEY", cache: true, images: false, options: { user: "u" }';
    expect(declared(`${call}, presencePenalty: -1, frequencyPenalty: 1`)).toBe("");
    expect(declared(provider)).toBe("");
    expect(declared('thinking: 2k, region: "x"', "bedrock/any")).toBe("");
    expect(declared('thinking: 2k, region: "x"', "@ai-sdk/groq/any")).toBe("");
  });
  test("what is not", () => {
    expect(declared("temprature: 0")).toMatchInlineSnapshot(
      `"M2116 1:29 a model has no setting \`temprature\` (did you mean \`temperature\`?)"`,
    );
    expect(declared('apiKey: "x"')).toMatchInlineSnapshot(
      `"M2116 1:29 a model has no setting \`apiKey\` (keys stand in no program: name the environment variable that holds it, \`keyVariable: "MY_KEY"\`)"`,
    );
    expect(declared("unheardOfAtAll: 1")).toMatch(
      /^M2116 1:29 a model has no setting `unheardOfAtAll` \(its settings are temperature, .*\)$/,
    );
    expect(declared('temperature: "0"')).toMatchInlineSnapshot(
      `"M2116 1:29 \`temperature\` of a model is a number (write a number)"`,
    );
    expect(declared("maxOutputTokens: 1.5")).toMatchInlineSnapshot(
      `"M2116 1:29 \`maxOutputTokens\` of a model is a whole number of at least 0 (write a whole number of at least 0)"`,
    );
    expect(declared('effort: "huge"')).toMatchInlineSnapshot(
      `"M2116 1:29 \`effort\` of a model is one of none, minimal, low, medium, high, xhigh, max (write one of none, minimal, low, medium, high, xhigh, max)"`,
    );
    expect(declared('baseURL: "localhost:8080"')).toMatchInlineSnapshot(
      `"M2116 1:29 \`baseURL\` of a model is an http(s) address without a password (write an http(s) address without a password)"`,
    );
    expect(declared('baseURL: "http://me:pass@a.test"')).toMatchInlineSnapshot(
      `"M2116 1:29 \`baseURL\` of a model is an http(s) address without a password (write an http(s) address without a password)"`,
    );
    expect(declared('keyVariable: "sk-abcdefgh"')).toMatchInlineSnapshot(
      `"M2116 1:29 \`keyVariable\` of a model is the name of an environment variable (keys stand in no program: name the environment variable that holds it, \`keyVariable: "MY_KEY"\`)"`,
    );
    expect(declared('headers: { Authorization: "Bearer x" }')).toMatchInlineSnapshot(
      `"M2116 1:29 the header \`Authorization\` holds a key (keys stand in no program: name the environment variable that holds it, \`headerVariables: { "Authorization": "MY_KEY" }\`)"`,
    );
    expect(declared("thinking: 2k")).toMatchInlineSnapshot(
      `"M2116 1:29 \`openai\` has no \`thinking\` (only \`anthropic\`, \`google\`, \`bedrock\` take a budget of tokens; \`effort\` works for every provider)"`,
    );
    expect(declared('region: "eu"')).toMatchInlineSnapshot(
      `"M2116 1:29 \`openai\` has no \`region\` (only \`bedrock\` has it)"`,
    );
    expect(declared("stopSequences: [1]")).toMatchInlineSnapshot(
      `"M2116 1:29 \`stopSequences\` of a model is a list of texts (write a list of texts)"`,
    );
  });
});

describe("`error` means the failure on an arrow that is taken for one, and nothing elsewhere", () => {
  const nodes = `state { a: string = "" }
${write}
agent mend(why: string) { model m; prompt \`\${why}\`; writes a }`;
  test.each([
    ["start -> write\nwrite -> mend(error.message) on error", ""],
    ['start -> write\nwrite -> { error.code == "" -> mend(error.node), else -> end } on error', ""],
    ["start -> write\nwrite -> mend(error.text) on limit", "M2110"],
    ["start -> write -> mend(error.message)", "M2103"],
    [
      "start -> write\nwrite -> mend(error.message) on error -> mend(error.message) max 2",
      "M3219 M2103",
    ],
    [
      'start -> write\nwrite -> { a == "" -> write max 2 -> mend(error.message), else -> end } on error',
      "M2103",
    ],
    ["start -> write -> each x of [a] parallel 1 { mend(error.message) }", "M2103"],
  ])("%s", (arrows, code) => {
    const found = codesOf(graph(`${nodes}\n${arrows}`, ""));
    expect([...new Set(found)].join(" ")).toBe(code);
  });

  test("a field, an import or a setting of that name keeps its meaning", () => {
    const text = `import { error } from "./f.ts"
graph G() returns a {
  state { a: string = "" }
  run one = f() writes a
  run two(why: Json) = f(why) writes a
  start -> one -> end
  one -> two(error.what) on error
}`;
    expect(codesOf(text)).toEqual([]);
  });
});
