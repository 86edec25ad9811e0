/** The page's debugger on TypeScript, as JupyterLab speaks with it: one kernel, no browser. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedKernel } from "../../conformance/real-kernel.ts";
import { ended, texts, typescriptSession } from "./typescript-session.ts";

const kernel = sharedKernel();
const { session, attach, breakAt, run, stop, move, evaluate, variables, scopes } =
  typescriptSession(kernel);

beforeAll(async () => {
  const { reply } = await kernel().client.execute(SQUARE);
  expect(reply.content.evalue ?? "").toBe("");
  await attach();
});

const SQUARE = `interface Sum { of: number }
function square(n: number): number {
  const result: number = n * n;
  return result;
}`;

const LOOP = `// adds squares
let total = 0;

for (const one of [1, 2, 3]) {
  total += square(one);
}
total`;

describe("breakpoints and steps", () => {
  test("a line of a cell that has not run, a function of one that has: values, steps, expressions, the end", async () => {
    expect(await breakAt(LOOP, 1, 5)).toEqual([2, 5]);
    expect(await breakAt(SQUARE, 1)).toEqual([3]);
    const cell = run(LOOP);
    const first = await stop();
    expect(first.at).toBe("breakpoint Cell[n]:2");
    expect(await breakAt(LOOP, 5)).toEqual([5]);
    await move("continue", first);
    const inLoop = await stop();
    expect(inLoop.at).toBe("breakpoint Cell[n]:5");
    expect(texts((await scopes(inLoop)).Block)).toEqual(["one = 1"]);
    expect(texts((await scopes(inLoop)).Notebook)).toContain("total = 0");
    await move("stepIn", inLoop);
    const inside = await stop();
    expect(inside.at).toBe("breakpoint square:3 < Cell[n]:5");
    expect(inside.frames[0]?.source).toEqual({
      path: (await session.ask("dumpCell", { code: SQUARE })).sourcePath,
    });
    expect(await evaluate("n = 3", inside)).toBe("3");
    await move("next", inside);
    const behind = await stop();
    expect(behind.at).toBe("step square:4 < Cell[n]:5");
    expect(texts((await scopes(behind)).Local)).toEqual(["(returns) = 9", "n = 3", "result = 9"]);
    expect(await evaluate("result + (total as number) + square(4)", behind)).toBe("25");
    expect(await evaluate("nothing", behind)).toContain("M7772: the expression throws");
    expect(await evaluate("await 1", behind)).toContain("M7773");
    expect(await evaluate("for (;;);", behind)).toContain("M7772: the expression has not come");
    expect(await breakAt(SQUARE)).toEqual([]);
    await move("stepOut", behind);
    const again = await stop();
    expect(again.at).toBe("step Cell[n]:4");
    expect(await evaluate("total", again)).toBe("9");
    expect(await breakAt(LOOP)).toEqual([]);
    await move("continue", again);
    expect(await ended(cell)).toBe("ok");
    expect(cell.shown()).toEqual(['result [2] {"text/plain":"22"}']);
    // What was seen is gone with its stop.
    await expect(variables(1_000_000_001)).rejects.toThrow("M7763");
  });
});

const ASYNC = `const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
async function twice(n: number): Promise<number> {
  await wait(1);
  return n + n;
}
const doubled = await twice(4);
const sorted = [2, 1].sort((a, b) => {
  return a - b;
});
doubled + sorted.length`;

test("behind an await, in a function that is awaited, in a callback", async () => {
  expect(await breakAt(ASYNC, 4, 8)).toEqual([4, 8]);
  const cell = run(ASYNC);
  const inTwice = await stop();
  expect(inTwice.at).toBe("breakpoint twice:4 < Cell[n] (awaits):6");
  expect(Object.keys(await scopes(inTwice, 1))).toEqual(["Notebook"]);
  await move("next", inTwice);
  expect((await stop()).at).toBe("step Cell[n]:7");
  await move("continue", inTwice);
  const inCallback = await stop();
  expect(inCallback.at).toBe("breakpoint Cell[n]:8 < Cell[n]:7");
  expect(texts((await scopes(inCallback)).Local)).toEqual(["a = 1", "b = 2"]);
  await breakAt(ASYNC);
  await move("continue", inCallback);
  expect(await ended(cell)).toBe("ok");
});

const SHOWN = `class Point { #secret = 1; constructor(readonly x: number) {} get far() { throw new Error("called"); } }
const list = Array.from({ length: 12345 }, (_, at) => at);
const pairs = new Map([["a", { b: 1 }]]);
const point = new Point(3);
const text = "x".repeat(300);
const task = Promise.resolve({ done: true });
function look(shown: object) {
  return Object.keys(shown);
}
look({ list, pairs, point, text, task, get lazy() { throw new Error("called"); } })`;

test("values open level by level: parts of long lists, maps, promises, and no getter is called", async () => {
  await breakAt(SHOWN, 8);
  const cell = run(SHOWN);
  const here = await stop();
  const shown = (await scopes(here)).Local?.find(({ name }) => name === "shown");
  const fields = await variables(shown?.variablesReference ?? 0);
  expect(texts(fields).map((text) => text.slice(0, 40))).toMatchInlineSnapshot(`
    [
      "list = Array(12345) [0, 1, 2, 3, 4, 5, 6",
      "pairs = Map(1) {"a" => Object}",
      "point = Point {#secret: 1, x: 3}",
      "text = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
      "task = Promise",
      "lazy = (getter: evaluate it by its name)",
    ]
  `);
  const [list, pairs, point, , task] = await Promise.all(
    fields.map((field) =>
      field.variablesReference === 0 ? [] : variables(field.variablesReference),
    ),
  );
  expect(texts(list?.slice(0, 2))).toEqual([
    "[0 … 9999] = 10000 items",
    "[10000 … 12344] = 2345 items",
  ]);
  const hundreds = await variables(list?.[1]?.variablesReference ?? 0);
  expect(texts(hundreds).at(-1)).toBe("[12300 … 12344] = 45 items");
  expect(texts(await variables(hundreds.at(-1)?.variablesReference ?? 0)).at(-1)).toBe(
    "12344 = 12344",
  );
  expect(texts(pairs)).toMatchInlineSnapshot(`
    [
      "[[Entries]] = Array(1)",
    ]
  `);
  expect(texts(point)).toMatchInlineSnapshot(`
    [
      "x = 3",
      "#secret = 1",
    ]
  `);
  expect(texts(task)).toMatchInlineSnapshot(`
    [
      "[[PromiseState]] = "fulfilled"",
      "[[PromiseResult]] = Object",
    ]
  `);
  await breakAt(SHOWN);
  await move("continue", here);
  expect(await ended(cell)).toBe("ok");
});

const THROWING = `const fails = (why: string): never => {
  throw new Error(why);
};
const caught = [1].map(() => {
  try {
    return fails("caught");
  } catch {
    return "kept";
  }
});
async function later() {
  fails("later");
}
await later().catch(() => {});
try {
  await later();
} catch {}
fails("lost")`;

describe("exceptions stop where they are thrown", () => {
  test.each([
    [[], []],
    [["typescriptUncaught"], ["fails:2 < later:12 < Cell[n]:14", "fails:2 < Cell[n]:18"]],
    [
      ["typescriptAll"],
      [
        "fails:2 < Cell[n]:6 < Cell[n]:4",
        "fails:2 < later:12 < Cell[n]:14",
        "fails:2 < later:12 < Cell[n]:16",
        "fails:2 < Cell[n]:18",
      ],
    ],
  ])("with the filters %j", async (filters, expected) => {
    await session.ask("setExceptionBreakpoints", { filters });
    const cell = run(THROWING);
    for (const one of expected) {
      const here = await stop();
      expect(here.at).toBe(`exception ${one}`);
      await move("continue", here);
    }
    expect(await ended(cell)).toBe("Error: lost");
    await session.ask("setExceptionBreakpoints", { filters: [] });
  });

  test("and a step over one that is caught goes on where it was going", async () => {
    const code = THROWING.replace("later()", "later() /* again */").replace(
      /fails\("lost"\)$/,
      "1",
    );
    await session.ask("setExceptionBreakpoints", { filters: ["typescriptUncaught"] });
    await breakAt(code, 4);
    const cell = run(code);
    const here = await stop();
    await breakAt(code);
    await move("next", here);
    const behind = await stop();
    expect(behind.at).toBe("step Cell[n]:14");
    await session.ask("setExceptionBreakpoints", { filters: [] });
    await move("continue", behind);
    expect(await ended(cell)).toBe("ok");
  });
});

const FUNCTIONS = `const plan = (topic: string) => {
  const steps = [topic, topic + "!"];
  return steps;
};
async function look(steps: string[]): Promise<string> {
  await null;
  return steps.join();
}`;

const GRAPH = `%%graph
graph Research(topic: string) returns found {
  state {
    steps: string[] = []
    found: string = ""
  }
  run plan = plan(topic) writes steps
  run look = look(steps) writes found
  start -> plan -> look -> end
}`;

test("a step into a node of a graph stops in its function; a step out of that, behind the node", async () => {
  for (const code of [FUNCTIONS, GRAPH]) expect(await ended(run(code))).toBe("ok");
  await breakAt(GRAPH, 7);
  const cell = run('(await Research.invoke({ topic: "x" })).found');
  const before = await stop();
  expect(before.frames[0]?.name).toBe("plan#1");
  await move("stepIn", before);
  const inPlan = await stop();
  expect(inPlan.at).toBe("step plan:2");
  expect(texts((await scopes(inPlan)).Local)).toContain('topic = "x"');
  await move("next", inPlan);
  expect((await stop()).at).toBe("step plan:3");
  await move("stepOut", inPlan);
  const behind = await stop();
  expect(behind.at).toMatch(/^step plan:7 < Research/);
  await move("stepIn", behind);
  const inLook = await stop();
  expect(inLook.at).toMatch(/^step look:6/);
  await move("continue", inLook);
  expect(await ended(cell)).toBe("ok");
  // No function stops behind the step.
  expect(await ended(run('plan("y").length'))).toBe("ok");
  await breakAt(GRAPH);
});

test("a breakpoint in a function stops where a graph calls it", async () => {
  await breakAt(FUNCTIONS, 7);
  const cell = run('(await Research.invoke({ topic: "z" })).found');
  const here = await stop();
  expect(here.at).toMatch(/^breakpoint look:7/);
  expect(await evaluate("steps.length", here)).toBe("2");
  await breakAt(FUNCTIONS);
  await move("continue", here);
  expect(await ended(cell)).toBe("ok");
  expect(cell.shown().at(-1)).toContain("z,z!");
});

test("into a module of the user, whose text is shown; a variable becomes one of the notebook", async () => {
  const path = join(kernel().home, "tools.ts");
  writeFileSync(path, "export function half(n: number): number {\n  return n / 2;\n}\n");
  const code = 'import { half } from "./tools.ts";\nconst four = half(8);\nfour';
  await breakAt(code, 2);
  const cell = run(code);
  await move("stepIn", await stop());
  const inside = await stop();
  expect(inside.at).toBe("step half:2 < Cell[n]:2");
  const source = inside.frames[0]?.source;
  expect(source?.path).toBe(realpathSync(path));
  expect(await session.ask("source", { source })).toMatchObject({
    content: readFileSync(path, "utf8"),
  });
  const frameId = inside.frames[0]?.id;
  expect(await session.ask("richInspectVariables", { variableName: "n", frameId })).toMatchObject({
    data: { "text/plain": "8" },
  });
  const globals = { srcVariableName: "n", dstVariableName: "eight", srcFrameId: frameId };
  await session.ask("copyToGlobals", globals);
  await expect(
    session.ask("copyToGlobals", { ...globals, dstVariableName: "a b" }),
  ).rejects.toThrow("M7774");
  await move("continue", inside);
  expect(await ended(cell)).toBe("ok");
  const later = run("eight + 1");
  expect(await ended(later)).toBe("ok");
  expect(later.shown().at(-1)).toMatch(/"text\/plain":"9"\}$/);
  await breakAt(code);
});

describe("a stopped cell", () => {
  const LOST = "Cancelled: M7501 the cell was cancelled; what it declared so far is kept";
  const interrupt = () => kernel().client.request("interrupt_request", {}, { channel: "control" });

  test.each([
    ["in its synchronous part", "let lost = 1;\nfor (;;) {\n  lost += 1;\n}"],
    ["behind an await", "await null;\nlet later = 1;\nfor (;;) later += 1;"],
  ])("is interrupted %s, though it would stop again", async (_, code) => {
    await breakAt(code, 3);
    const cell = run(code);
    await stop();
    await interrupt();
    expect(await ended(cell)).toBe(LOST);
    expect(await session.event("continued")).toMatchObject({ threadId: 1_000_000_001 });
    expect(await ended(run("1"))).toBe("ok");
    await breakAt(code);
  });

  test("goes on when the debugger leaves, and stops again when it is back; heartbeat and answers meanwhile", async () => {
    for (const round of [1, 2, 3]) {
      const code = `let round = ${round};\nround += 1;\nround`;
      await breakAt(code, 2);
      const cell = run(code);
      await stop();
      await kernel().client.heartbeat();
      expect((await kernel().client.request("kernel_info_request")).reply.content.status).toBe(
        "ok",
      );
      await session.ask("disconnect", { restart: false, terminateDebuggee: false });
      expect(await ended(cell)).toBe("ok");
      await session.event("continued");
      await attach();
    }
  });

  test("is cancelled where Terminate was pressed, and whoever is back is told of no stop before", async () => {
    for (let round = 1; round <= 10; round += 1) {
      const code = `let ends = ${round};\nfor (;;) ends += 1;`;
      await breakAt(code, 2);
      const cell = run(code);
      expect((await stop()).at).toBe("breakpoint Cell[n]:2");
      await session.ask("disconnect", { restart: false, terminateDebuggee: false });
      await attach();
      expect(await ended(cell)).toBe(LOST);
    }
  });

  test("is interrupted also where that ends what a debugger that comes asks the main thread", async () => {
    await session.ask("disconnect", { restart: false, terminateDebuggee: true });
    const slow = [
      "import { writeFileSync } from 'node:fs';",
      "const told = Reflect.get(globalThis, Symbol.for('madrigal.cells.debugged'));",
      "const { beforeCell } = told;",
      "let isAsked = false;",
      "Object.defineProperty(told, 'beforeCell', { get: () => {",
      "  if (!isAsked) { isAsked = true; writeFileSync('asked', ''); for (;;); }",
      "  return beforeCell;",
      "} });",
    ];
    expect(await ended(run(slow.join("\n")))).toBe("ok");
    const loop = run("console.log('begun');\nfor (;;);");
    while (loop.shown().length === 0) await kernel().client.heartbeat();
    const attached = attach();
    while (!existsSync(join(kernel().home, "asked"))) await kernel().client.heartbeat();
    await interrupt();
    expect(await ended(loop)).toBe(LOST);
    await attached;
    const code = "let after = 1;\nafter += 1;";
    await breakAt(code, 2);
    const cell = run(code);
    await move("continue", await stop());
    expect(await ended(cell)).toBe("ok");
    await breakAt(code);
    session.forget();
  });

  test("is interrupted also where that is asked for before it is decided that it stops", async () => {
    await session.ask("setExceptionBreakpoints", { filters: ["typescriptUncaught"] });
    for (let round = 1; round <= 10; round += 1) {
      const cell = run(`console.log("begun");\nthrow new Error("thrown ${round}");`);
      while (cell.shown().length === 0) await kernel().client.heartbeat();
      await interrupt();
      expect(await ended(cell)).toBeOneOf([LOST, `Error: thrown ${round}`]);
    }
    await session.ask("setExceptionBreakpoints", { filters: [] });
    session.forget();
  });

  test("pause stops a loop, and what awaits as soon as it goes on", async () => {
    const loop = run(
      "let spins = 0;\nconsole.log('begun');\nfor (;;) {\n  spins += 1;\n  if (spins < 0) break;\n}",
    );
    await session.ask("evaluate", { expression: "1" }).catch(() => {});
    while (loop.shown().length === 0) await kernel().client.heartbeat();
    await session.ask("pause", { threadId: 1 });
    const here = await stop();
    expect(here.at).toMatch(/^pause Cell\[n]:[3-6]$/);
    expect(await evaluate("spins = -9", here)).toBe("-9");
    await move("continue", here);
    expect(await ended(loop)).toBe("ok");
  });

  test("a question waits for its answer, then the next line stops", async () => {
    const code = 'import { input } from "madrigal";\nconst name = input("name? ");\nname + "!"';
    await breakAt(code, 3);
    const cell = run(code);
    const question = await kernel().client.question();
    await session.ask("pause", { threadId: 1 });
    kernel().client.answer(question, "Ada");
    const here = await stop();
    expect(await evaluate("name", here)).toMatch(/"Ada"|undefined/);
    await breakAt(code);
    await move("continue", here);
    expect(await ended(cell)).toBe("ok");
  });

  test("does not keep the kernel from ending", async () => {
    const code = "let last = 1;\nlast += 1;\nfor (;;) last += 1;";
    await breakAt(code, 2);
    void run(code);
    await stop();
    kernel().client.send("shutdown_request", { restart: false }, { channel: "control" });
    expect(await kernel().ended).toMatch(/code 0/);
  });
});
