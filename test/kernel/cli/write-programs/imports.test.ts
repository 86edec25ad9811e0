/** Programs that import programs, from the command line: each file's TypeScript is loaded from beside it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, startNode } from "../../../support/child.ts";
import { document, put, said, workspace } from "../calling.ts";

const files = {
  "main.madrigal": `import { Note, tries } from "./lib/notes.madrigal"
import { shout } from "./words.ts"
graph Main(topic: string) returns note {
  state { note: Note }
  run write = shout(topic) writes note { retry tries }
  start -> write
}
`,
  "words.ts": "export const shout = (text: string) => ({ text: text.toUpperCase() });\n",
  "lib/notes.madrigal": `import { whisper } from "./words.ts"
import { limit } from "../limits.madrigal"
type Note = { text: string }
config { tries: 1 }
graph Quiet(topic: string) returns note {
  state { note: Note }
  run write = whisper(topic) writes note { retry limit }
  start -> write
}
`,
  "lib/words.ts": "export const whisper = (text: string) => ({ text: text.toLowerCase() });\n",
  "limits.madrigal": "config { limit: 2 }\n",
  "quiet.madrigal": `import { Quiet } from "./lib/notes.madrigal"
test "it whispers" of Quiet {
  given topic = "ADA"
  expect note.text == "ada"
}
`,
};
const main = files["main.madrigal"];

test("run: the graph has its types and settings from one file and its functions from another", async () => {
  const home = workspace(files);
  expect(await said(home, ["check", "main.madrigal", "lib/notes.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    2 files: 0 errors, 1 warning
    ! warning[M2301]: nothing uses the setting \`tries\`
    !   ┌─ lib/notes.madrigal:4:10
    ! 4 │ config { tries: 1 }
    !   │          ^^^^^
    !   hint: use it, or remove it"
  `);
  const ran = await said(home, ["run", "main.madrigal", "--input", '{"topic": "Ada"}']);
  expect(ran).toContain("exit 0");
  expect(ran).toContain('"text": "ADA"');
});

test("test: a test of an imported graph calls the functions of that graph's own file", async () => {
  expect(await said(workspace(files), ["test", "quiet.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    quiet.madrigal
      ✓ it whispers TIME
    1 test: 1 passed, 0 failed"
  `);
});

test("a file is found from wherever it is imported, also out of the folder that the call was made in", async () => {
  const home = workspace({
    ...files,
    "deep/down/use.madrigal": main.replace("./lib", "../../lib").replace("./words", "../../words"),
  });
  expect(await said(home, ["check", "deep/down/use.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    1 file: 0 errors, 0 warnings"
  `);
});

test.each([
  ["what is not there", { "main.madrigal": main }],
  [
    "a circle",
    {
      ...files,
      "lib/notes.madrigal": `import { Main } from "../main.madrigal"\n${files["lib/notes.madrigal"]}`,
    },
  ],
  ["a file with errors", { ...files, "limits.madrigal": "config { limt: 2 }\n" }],
  ["bytes that are no text", { ...files, "lib/notes.madrigal": new Uint8Array([0xff, 0xfe, 0]) }],
])("check: %s", async (_title, some) => {
  expect(await said(workspace(some), ["check", "main.madrigal"])).toMatchSnapshot();
});

test("without a name, the graph that the file is called after is meant", async () => {
  const two =
    "graph One() { run a = f()\n start -> a -> end }\ngraph TwoOfThem() { run b = f()\n start -> b }\n";
  const home = workspace({ "two-of-them.madrigal": two });
  expect(await said(home, ["graph", "two-of-them.madrigal", "--svg"])).toContain(
    "<title>Graph TwoOfThem</title>",
  );
  expect(await said(home, ["graph", "madrigal/library/map-reduce", "--svg"])).toContain(
    "<title>Graph MapReduce</title>",
  );
});

test("a program of the library that fails with `rules` says which model to name", async () => {
  const home = workspace({});
  const input = JSON.stringify({ question: "Tea?", sides: ["tea", "coffee"], rounds: 1 });
  expect(await said(home, ["run", "madrigal/library/debate", "--input", input])).toContain(
    'hint: `judge`, `DebateRound.debater` are `rules`, which answers by rules and is no model: `{ models: { judge: "PROVIDER/MODEL" } }` behind the input names one, as does `--model judge=PROVIDER/MODEL`',
  );
});

test("graph: one of several as a picture, all of them as text", async () => {
  const home = workspace({
    "two.madrigal":
      "graph One() { run a = f()\n start -> a -> end }\ngraph Two() { run b = f()\n start -> b }\n",
  });
  expect(await said(home, ["graph", "two.madrigal", "--svg"])).toMatchInlineSnapshot(`
    "exit 0
    <svg xmlns="http://www.w3.org/2000/svg" class="madrigal-drawing" data-size="296 90" width="388" height="114" viewBox="0 0 388 114" role="img" font-family="Inter, &#39;Helvetica Neue&#39;, Arial, &#39;DejaVu Sans&#39;, sans-serif" font-size="11"><title>Graph Two</title><desc>b</desc><style>:root.madrigal-drawing{color-scheme:light dark}[data-jp-theme-light=false] .madrigal-drawing,.vscode-dark .madrigal-drawing,.vscode-high-contrast .madrigal-drawing{color-scheme:dark}.madrigal-drawing{[fill="#ffffff"]{fill:var(--jp-layout-color0,var(--vscode-editor-background,light-dark(#ffffff,#16181c)))}[fill="#1f2328"]{fill:light-dark(#1f2328,#e6edf3)}[fill="#57606a"]{fill:light-dark(#57606a,#a2abb5)}[stroke="#57606a"]{stroke:light-dark(#57606a,#a2abb5)}[fill="#6e7781"]{fill:light-dark(#6e7781,#8b949e)}[stroke="#6e7781"]{stroke:light-dark(#6e7781,#8b949e)}[stroke="#8c959f"]{stroke:light-dark(#8c959f,#7d8590)}[stroke="#d0d7de"]{stroke:light-dark(#d0d7de,#30363d)}[fill="#eaeef2"]{fill:light-dark(#eaeef2,#2a2f36)}}</style><rect x=".5" y=".5" width="387" height="113" rx="8" fill="#ffffff" stroke="#d0d7de"/><g transform="translate(14 14)"><g data-arrow="start → node b"><path d="M56.2,31C63.4,31 71.7,31 80.4,31L81.7,31" fill="none" stroke="#6e7781" stroke-width="1.4"/><path d="M91.7,31L81.7,34.6L81.7,27.4Z" fill="#6e7781"/></g><g data-start=""><rect x="0" y="16" width="56" height="30" rx="15" fill="#eaeef2" stroke="#6e7781"/><text x="28" y="35" text-anchor="middle" fill="#1f2328">start</text></g></g><g data-node="b" data-status="idle" data-runs="0" transform="translate(106 14)"><title>b, has not run</title><rect width="176" height="62" rx="7" fill="#ffffff" stroke="#8c959f" stroke-width="1.4"/><path transform="translate(8 6)" d="M9.5 3.2C7.6 3 7.4 4 7.2 5.4L6.4 10.8C6.2 12.3 5.6 13 4.3 12.7M4.8 7.2H9.6M9.9 9.2L12.3 12.6M12.3 9.2L9.9 12.6" fill="none" stroke="#57606a" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round"/><text x="30" y="19" font-size="13" font-weight="600" fill="#1f2328">b</text><text x="10" y="36" fill="#57606a">run · f</text><text x="10" y="52" fill="#1f2328"></text></g><text data-caption="" x="14" y="103" fill="#57606a">graph Two</text></svg>"
  `);
  expect(await said(home, ["graph", "two.madrigal", "Two", "--svg"])).toMatch(
    /^exit 0\n<svg .*<title>Graph Two<\/title>.*<\/svg>$/s,
  );
  expect(await said(home, ["graph", "two.madrigal", "--dot"])).toMatchInlineSnapshot(`
    "exit 0
    digraph "One" {
      rankdir=LR; compound=true
      node [shape=box, style=rounded, fontname=sans]
      edge [fontname=sans, fontsize=10]
      "start" [label="start", shape=oval]
      "node a" [label="run a"]
      "end" [label="end", shape=oval]
      "start" -> "node a"
      "node a" -> "end"
    }

    digraph "Two" {
      rankdir=LR; compound=true
      node [shape=box, style=rounded, fontname=sans]
      edge [fontname=sans, fontsize=10]
      "start" [label="start", shape=oval]
      "node b" [label="run b"]
      "start" -> "node b"
    }"
  `);
});

test("run: a graph that is called calls the functions of its own file", async () => {
  const caller = `import { Quiet } from "./lib/notes.madrigal"
import { shout as whisper } from "./words.ts"
type Note = { text: string }
graph Main(topic: string) returns loud, quiet {
  state { loud: Note\n quiet: Note }
  run write = whisper(topic) writes loud
  graph call = Quiet(topic) writes quiet
  start -> write -> call
}
`;
  const home = workspace({ ...files, "caller.madrigal": caller });
  const ran = await said(home, ["run", "caller.madrigal", "--input", '{"topic": "Ada"}']);
  expect(ran).toContain("exit 0");
  expect(ran).toContain('"text": "ADA"');
  expect(ran).toContain('"text": "ada"');
  expect(ran).toContain("call#1 › write#1 started");
});

test("run: functions come from a package, too", async () => {
  const home = workspace({
    "shout.madrigal": main
      .replace(/^.*notes.madrigal"\n/, "")
      .replace("./words.ts", "loudly")
      .replace("note: Note", "note: Json")
      .replace(" { retry tries }", ""),
    "node_modules/loudly/package.json":
      '{ "name": "loudly", "type": "module", "exports": "./a.js" }',
    "node_modules/loudly/a.js": "export const shout = (text) => text.toUpperCase();\n",
  });
  const ran = await said(home, ["run", "shout.madrigal", "--input", '{"topic": "Ada"}', "--json"]);
  expect(ran).toContain('"note": "ADA"');
});

test("`compile` follows imports of programs from its `file`, else from the working folder, and loads no TypeScript", async () => {
  const caller = (path: string) => `import { Quiet } from "${path}"
import { shout } from "./words.ts"
graph Main(topic: string) returns loud, quiet {
  state { loud: Json  quiet: Json }
  run write = shout(topic) writes loud
  graph call = Quiet(topic) writes quiet
  start -> write -> call
}
`;
  const home = workspace(files);
  const host = `import { compile } from ${JSON.stringify(join(projectRoot, "kernel/index.ts"))};
const own = { shout: (text: string) => \`\${text}!\` };
const scope = { ...own, whisper: (text: string) => ({ text: \`(\${text})\` }) };
async function outcome(text: string, options: Parameters<typeof compile>[1]) {
  try {
    console.log(JSON.stringify(await compile(text, options).Main?.invoke({ topic: "Ada" })));
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    console.log(code, message);
  }
}
await outcome(${JSON.stringify(caller("./lib/notes.madrigal"))}, { scope });
await outcome(${JSON.stringify(caller("./notes.madrigal"))}, { scope, file: "lib/main.madrigal" });
await outcome(${JSON.stringify(caller("./notes.madrigal"))}, { scope });
await outcome(${JSON.stringify(caller("./lib/notes.madrigal"))}, { scope: own });
`;
  put(home, "host.ts", host);
  const { stdout } = await startNode([join(home, "host.ts")], { home }).ended;
  expect(stdout).toMatchInlineSnapshot(`
    "{"loud":"Ada!","quiet":{"text":"(Ada)"}}
    {"loud":"Ada!","quiet":{"text":"(Ada)"}}
    M5002 M2401 cell:1:23 there is no program \`./notes.madrigal\`
    M8303 no function is called \`whisper\`
    "
  `);
});

const debates = `import { Debate } from "madrigal/library/debate.madrigal"
model judge = "ollama/small"
graph Choose(question: string) returns winner {
  state { winner: string }
  agent first { model judge; prompt \`\${question}\`; writes winner }
  graph debate = Debate(question, sides: ["build", "buy"]) writes winner = result.winner
  start -> first -> debate -> end
}
`;

test("models: those of called graphs, too, by their graph where the name means another one", async () => {
  const home = workspace({ "choose.madrigal": debates });
  const aliases = async (...options: string[]) => {
    const { json } = await document(home, ["models", "choose.madrigal", ...options]);
    return (json.models as { alias: string; id: string }[]).map(({ alias, id }) => [alias, id]);
  };
  expect(await aliases()).toEqual([
    ["judge", "ollama/small"],
    ["Debate.judge", "rules"],
    ["debater", "rules"],
  ]);
  expect(await aliases("--model", "judge=rules", "--model", "debater=ollama/big")).toEqual([
    ["judge", "rules"],
    ["debater", "ollama/big"],
  ]);
});

test("run: --model names a model of a called graph", async () => {
  const home = workspace({
    "choose.madrigal": debates
      .replace('model judge = "ollama/small"\n', "")
      .replace("model judge; prompt", 'model "rules"; prompt'),
  });
  const call = ["run", "choose.madrigal", "--input", '{"question": "How?"}', "--model"];
  expect(await said(home, [...call, "judge=cassette:none.json"])).toContain("error[M8161]");
  expect(await said(home, [...call, "juge=rules"])).toContain("did you mean `judge`?");
});

test("a program of the library is checked, drawn and run by its name, and gone on with by its run", async () => {
  const home = workspace({});
  expect(
    await said(home, ["check", "madrigal/library/debate", "madrigal/library/eko.madrigal"]),
  ).toMatchInlineSnapshot(`
      "exit 0
      2 files: 0 errors, 0 warnings"
    `);
  expect(
    await said(home, ["graph", "madrigal/library/map-reduce", "MapReduce", "--mermaid"]),
  ).toContain("each_item --> n_reduced");
  expect(await said(home, ["roles", "madrigal/library/routed"])).toContain("analysing");
  const input = JSON.stringify({ task: "prices", mode: "normal" });
  const eko = ["run", "madrigal/library/eko", "--input", input, "--answers", '{"confirm": false}'];
  expect(await said(home, eko)).toMatch(/chat#1 (?:succeeded|started)/);
  const coder = ["run", "madrigal/library/coder", "Coder", "--input", '{"task": "add"}'];
  const asked = await said(home, coder);
  expect(asked).toContain("waiting (M5301): execute-1");
  expect(await said(home, ["answer", "last", "execute", "deny"])).toContain("did not approve");
});

test("a name that the library does not have", async () => {
  const home = workspace({
    "use.madrigal": `import { Debates, Eko } from "madrigal/library"
graph Use(task: string) returns answer {
  state { answer: string }
  graph eko = Eko(task) writes answer = result.answer
  start -> eko -> end
}
`,
  });
  expect(await said(home, ["check", "use.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    1 file: 1 error, 0 warnings
    ! error[M2402]: \`madrigal/library\` has no \`Debates\`
    !   ┌─ use.madrigal:1:10
    ! 1 │ import { Debates, Eko } from "madrigal/library"
    !   │          ^^^^^^^
    !   hint: did you mean \`Debate\`?"
  `);
  expect(await said(home, ["check", "madrigal/library/ekko"])).toMatchInlineSnapshot(`
    "exit 2
    1 file: 1 error, 0 warnings
    ! error[M7201]: there is no program \`madrigal/library/ekko\`
    !   at madrigal/library/ekko
    !   hint: \`madrigal/library/\` has chat, coder, debate, deep-search, eko, file-surfer, learn, magentic, map-reduce, persona, plan-code-review, plan-work-reduce, research-critique, round-robin, routed, sentinel, web-surfer"
  `);
});
