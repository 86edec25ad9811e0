/** The package as a library: `import … from "madrigal"`. */
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot, startNode } from "../../support/child.ts";
import { put, said, textOf, workspace } from "../cli/calling.ts";

/** A TypeScript program in a process of its own, with the project as its `madrigal`. */
async function host(code: string, home = workspace()): Promise<string> {
  put(home, "host.ts", code);
  symlinkSync(join(projectRoot, "node_modules"), join(home, "node_modules"));
  const child = startNode([join(home, "host.ts")], { home });
  return textOf(await child.ended, home);
}

test("contract: compile, check, runs and sql", async () => {
  const code = `
    import { check, close, compile, rules, runs, scripted, sql, tool } from "madrigal";
    const text = \`model m = "rules"
    graph Greet(name: string) returns greeting {
      state { greeting: string }
      agent greet { model m; prompt "Greet \${"$"}{name}."; writes greeting }
      start -> greet -> end
    }\`;
    console.log(check("graph G {").map(({ code }) => code));
    const { Greet } = compile(text, { scope: {} });
    const models = { m: scripted(["hello Ada"]) };
    console.log(await Greet.invoke({ name: "Ada" }, { models }));
    const name = "Greet";
    console.log(await sql\`SELECT graph, status, model_source FROM runs WHERE graph = \${name}\`);
    console.log(runs.list().map(({ status }) => status), runs.last("Greet").steps.length, runs.open("last").status);
    console.log(typeof rules, typeof tool);
    await close();`;
  expect(await host(code)).toMatchInlineSnapshot(`
    "exit 0
    [ 'M1104' ]
    { greeting: 'hello Ada' }
    Rows(1) [
      { graph: 'Greet', status: 'succeeded', model_source: 'scripted' }
    ]
    [ 'succeeded' ] 1 succeeded
    function function"
  `);
});

test("contract: a second copy of the package throws M7301", async () => {
  const home = workspace();
  for (const folder of ["kernel", "dsl", "runtime", "package.json"]) {
    cpSync(join(projectRoot, folder), join(home, "copy", folder), { recursive: true });
  }
  symlinkSync(join(projectRoot, "node_modules"), join(home, "copy", "node_modules"));
  const code = `import "madrigal";
    await import("./copy/kernel/index.ts").catch(({ code, message }) => console.log(code, message));`;
  const text = (await host(code, home)).replaceAll(projectRoot, "PROJECT");
  expect(text).toMatchInlineSnapshot(`
    "exit 0
    M7301 madrigal is loaded already, from PROJECT/"
  `);
});

test("a scope file imports madrigal wherever it lies, and gets the running one", async () => {
  const home = workspace({
    "ask.madrigal": `model m = "rules"
graph Ask(question: string) returns answer {
  state { answer: string }
  agent ask { model m; tools look; prompt \`\${question}\`; writes answer }
  start -> ask -> end
}
`,
    "scope.ts": `import { tool } from "madrigal";
export const look = tool(() => "A madrigal is a song for several voices.", { effect: "none", description: "looks up madrigal" });
`,
  });
  const words = [
    "run",
    "ask.madrigal",
    "--scope",
    "scope.ts",
    "--input",
    '{"question": "What is a madrigal?"}',
  ];
  expect(await said(home, words)).toMatchInlineSnapshot(`
    "exit 0
    ask#1 started
    ask#1 succeeded TIME

    answer:
    These passages match the question best: What is a madrigal?

    1. “A madrigal is a song for several voices.”
       — the material given

    (The quotes are literal. They were chosen by matching words; no language model has read or judged them.)

    node  runs   time  model calls  tool calls  tokens in  tokens out  cost  model  model source
    ask      1 TIME            2           1        298          73    $0  rules  rules

    run: RUN
    log: HOME/.madrigal/runs.sqlite
    trace: HOME/.madrigal/traces/live-cli.duckdb"
  `);
});

test("compile follows the imports of programs from the text's file, else from the working folder", async () => {
  const home = workspace({
    "lib/notes.madrigal": `import { Word } from "./words.madrigal"
graph Loud(text: Word) returns loud {
  state { loud: Word }
  run say = shout(text) writes loud
  start -> say
}
`,
    "lib/words.madrigal": "type Word = string\n",
  });
  const code = `
    import { check, close, compile } from "madrigal";
    const text = (from) => \`import { Loud } from "\${from}"
    graph Ask(q: string) returns said {
      state { said: string }
      graph say = Loud(q) writes said
      start -> say
    }\`;
    const scope = { shout: (text) => text.toUpperCase() };
    const { Ask } = compile(text("./lib/notes.madrigal"), { scope });
    console.log(await Ask.invoke({ q: "so" }));
    const file = "lib/ask.madrigal";
    console.log(await compile(text("./notes.madrigal"), { file, scope }).Ask.invoke({ q: "it" }));
    console.log(check(text("./gone.madrigal")).map(({ code, message }) => code + " " + message));
    await close();`;
  expect(await host(code, home)).toMatchInlineSnapshot(`
    "exit 0
    { said: 'SO' }
    { said: 'IT' }
    [ 'M2401 there is no program \`./gone.madrigal\`' ]"
  `);
});
