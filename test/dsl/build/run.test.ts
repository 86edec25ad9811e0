/** A built graph runs as its text does; a program compiles where nothing that runs graphs is loaded. */
import { spawnSync } from "node:child_process";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { close, compile, graph, scripted } from "../../../kernel/index.ts";
import { useSession } from "../../../kernel/session.ts";
import { Session } from "../../../runtime/index.ts";
import { projectNode, projectRoot } from "../../support/child.ts";

beforeAll(() => useSession(new Session({ store: "memory" })));
afterAll(async () => await close());

const text = `
model m = "scripted"

graph Shout(question: string) returns answer, loud {
  state {
    answer: string
    loud:   string
  }
  agent reply {
    model  m
    prompt \`Answer: \${question}\`
    writes answer
  }
  run emphasize = shout(answer) writes loud
  start -> reply -> emphasize -> end
}
`;

const built = graph("Shout")
  .model("m", "scripted")
  .param("question", "string")
  .returns("answer", "loud")
  .state({ answer: "string", loud: "string" })
  .agent("reply", { model: "m", prompt: "Answer: ${question}", writes: "answer" })
  .run("emphasize", "shout(answer)", { writes: "loud" })
  .edge("start", "reply", "emphasize", "end");

const scope = { shout: (words: string) => words.toUpperCase() };

test("A62 a built graph runs, and gives what the compiled text gives", async () => {
  const { Shout } = compile(text, { scope });
  const graphs = [Shout, built.build({ scope })];
  const outputs = graphs.map((one) =>
    one?.invoke({ question: "Who?" }, { models: { m: scripted({ reply: ["me"] }) } }),
  );
  expect(await Promise.all(outputs)).toEqual([
    { answer: "me", loud: "ME" },
    { answer: "me", loud: "ME" },
  ]);
  expect(graphs[1]?.ir.hash).toBe(Shout?.ir.hash);
});

test("a graph that calls another one holds it", () => {
  const outer = graph("Twice")
    .uses(built)
    .model("m", "scripted")
    .param("question", "string")
    .returns("loud")
    .state({ loud: "string" })
    .graph("once", "Shout(question)", { writes: "loud" })
    .edge("start", "once", "end");
  const written = outer.text();
  expect(written.match(/^graph \w+/gm)).toEqual(["graph Shout", "graph Twice"]);
  expect(written.match(/^model m/gm)).toHaveLength(1);
  const errors = outer
    .check({ allowUnreadPrograms: true })
    .filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
});

test("A08 text and builder become graphs with no engine, model, database or TypeScript loaded", () => {
  const dsl = pathToFileURL(join(projectRoot, "dsl/index.ts"));
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({
      load(url, context, next) {
        loaded.push(url);
        return next(url, context);
      },
    });
    const { check, GraphBuilder } = await import(${JSON.stringify(dsl.href)});
    const { graphs } = check({ file: "a", text: ${JSON.stringify(text)} });
    const builder = new GraphBuilder({ name: "G", parts: [], uses: [] }, (program) => program({}));
    const ir = builder.edge("start", "end").build().ir;
    console.log(JSON.stringify({ names: [...graphs, ir].map(({ name }) => name), loaded }));
  `;
  const { stdout, stderr } = spawnSync(projectNode, ["--input-type=module", "--eval", program], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const { names, loaded } = JSON.parse(stdout);
  expect(names).toEqual(["Shout", "G"]);
  const places = new Set(loaded.map((url: string) => placeOf(url)));
  expect([...places].sort()).toEqual([
    "dsl",
    "node_modules/@chevrotain",
    "node_modules/@noble",
    "node_modules/chevrotain",
  ]);
});

/** The folder of a module, or its package. */
function placeOf(url: string): string {
  const names = relative(projectRoot, fileURLToPath(url)).split(sep);
  return names.slice(0, names[0] === "node_modules" ? 2 : 1).join("/");
}
