/** Arrows `on error`, `on limit`, `on deny`; `after`; `end when`. */
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../../runtime/failure.ts";
import { foldLog } from "../../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../../runtime/scheduler/lookup.ts";
import { ofKind, type Ran, runText, type Script } from "../../../support/run-graph.ts";
import { results } from "../../program-tests/testing.ts";

const nodes = `state { a: string = ""  b: string = ""  n: int = 0  notes: string[] = [] via append }
  run x = f() writes a
  run y = f() writes b
  run z = f() writes notes`;

function run(lines: string, script: Script = {}): Ran {
  return runText(
    `import { f } from "./f.ts"\ngraph G() returns a, b, n {\n  ${nodes}\n  ${lines}\n}`,
    script,
  );
}

const failing =
  (className: Failure["class"], nodes = ["x"]) =>
  (node: string) =>
    nodes.includes(node)
      ? ({ class: className, code: "M8301", message: "no" } satisfies Failure)
      : undefined;

describe("a node that fails for good goes on along the arrow that says so", () => {
  test.each([
    ["error", "tool"],
    ["error", "transport"],
    ["error", "invalid"],
    ["limit", "limit"],
    ["deny", "denied"],
  ] as const)("on %s, for a failure of class %s", (word, className) => {
    const { status, path } = run(`start -> x -> z\n  x -> y on ${word}`, {
      fails: failing(className),
    });
    expect([status, path]).toEqual(["succeeded", "y"]);
  });

  test.each([
    ["error", "limit"],
    ["limit", "tool"],
    ["deny", "tool"],
  ] as const)("not on %s, for a failure of class %s", (word, className) => {
    expect(run(`start -> x -> z\n  x -> y on ${word}`, { fails: failing(className) }).status).toBe(
      "failed",
    );
  });

  test("after all retries", () => {
    const { records } = run("start -> x\n  x -> y on error", { fails: failing("tool") });
    expect(ofKind(records, "attempt").map(({ next }) => next)).toEqual(["go-on"]);
    const retried = runText(
      `import { f } from "./f.ts"\ngraph G() returns a {\n state { a: string = "" }\n run x = f() writes a { retry 2 }\n run y = f() writes a\n start -> x\n x -> y on error\n}`,
      { fails: failing("tool") },
    );
    expect(ofKind(retried.records, "attempt").map(({ next }) => next)).toEqual([
      "retry",
      "retry",
      "go-on",
    ]);
  });

  test("what it sets and says becomes true with it", () => {
    const { state, records, program } = run("start -> x\n  x -> y on error set n = n + 1", {
      fails: failing("tool"),
    });
    expect(state.n).toBe(1);
    expect(shownState(program, foldLog(program, records)).n).toBe(1);
  });

  test("to `end` it only ends its path", () => {
    const { status, path } = run("start -> [x, y]\n  x -> end on error", {
      fails: failing("tool"),
    });
    expect([status, path]).toEqual(["succeeded", "y"]);
  });

  test("an arrow whose condition fails is none", () => {
    expect(run("start -> x\n  x -> y on error when n > 0", { fails: failing("tool") }).status).toBe(
      "failed",
    );
  });

  test("bounded, it leads away as often as it says", () => {
    const { status, reason, path } = run("start -> x\n  x -> y on error max 2\n  y -> x", {
      fails: failing("tool"),
    });
    expect([status, reason, path]).toEqual(["failed", "error", "y y"]);
  });

  test("a join goes on without what took another way", () => {
    const { path, records } = run("start -> [x, y]\n  [x, y] -> z\n  x -> end on error", {
      fails: failing("tool"),
    });
    expect(path).toBe("y z");
    const fired = records
      .flatMap((record) => ("flow" in record ? (record.flow ?? []) : []))
      .filter(({ op }) => op === "fire");
    expect(fired).toMatchObject([{ missing: ["x"] }]);
  });

  test("in an item it keeps the item", () => {
    const text = `import { f } from "./f.ts"
graph G(items: int[]) returns notes {
  state { notes: string[] = [] via append }
  run work(i: int) = f(i) writes notes
  run mend(i: int) = f(i) writes notes
  start -> each i of items { work(i) -> mend(i) on error }
}`;
    const says = { work: ["w"], mend: ({ args }: { args: object }) => [JSON.stringify(args)] };
    const { state, status } = runText(text, {
      input: { items: [1, 2] },
      says,
      fails: (node, _attempt, ordinal) =>
        node === "work" && ordinal === 2
          ? { class: "tool", code: "M8301", message: "no" }
          : undefined,
    });
    expect(status).toBe("succeeded");
    expect(state.notes).toEqual(["w", '{"i":2}']);
  });

  test("a loop that is used up goes on along `on limit`", () => {
    const { status, path } = run("start -> x -> { n == 0 -> x max 2 }\n  x -> y on limit");
    expect([status, path]).toEqual(["succeeded", "x x x y"]);
  });
});

test("a log with such arrows folds to the same state, and every schedule ends alike", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const ran = run("start -> [x, y]\n  [x, y] -> z\n  x -> end on error set n = 7", {
      fails: failing("tool"),
      seed,
      crashes: 0.1,
    });
    expect(ran.state).toMatchObject({ n: 7 });
    expect(shownState(ran.program, foldLog(ran.program, ran.records))).toEqual(ran.state);
  }
});

test("`after` waits before the node, in the time of the run", () => {
  const { records, path, virtualMs } = run("start -> x -> y after 5m -> z");
  expect(path).toBe("x y z");
  const [first] = ofKind(records, "commit");
  const start = ofKind(records, "start").find(({ node }) => node === "y");
  expect((start?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(300_000);
  expect(virtualMs).toBeGreaterThanOrEqual(300_000);
});

describe("`end when`", () => {
  test("ends the run at the next commit where it holds, whatever is still to do", () => {
    const { status, reason, path } = run(`start -> x -> y -> z\n  end when a == "enough"`, {
      says: { x: "enough", y: "b", z: ["c"] },
    });
    expect([status, reason, path]).toEqual(["succeeded", "done", "x"]);
  });

  test("ends what runs beside it", () => {
    const { snapshot, path } = run(`start -> [x, y]\n  y -> z\n  end when a == "enough"`, {
      says: { x: "enough", y: "b", z: ["c"] },
      durationMs: 1,
    });
    expect(snapshot.status).toBe("succeeded");
    expect(path.split(" ")).not.toContain("z");
  });
});

describe("on an arrow for a failure, `error` is the failure", () => {
  const graph = (lines: string) => `import { f, g } from "./f.ts"
type Broken = { node: string, class: string, code: string, message: string, path: string[] }
graph Inner() returns a {
  state { a: string = "" }
  run deep = f() writes a
  start -> deep -> end
}
graph G() returns said, why {
  state {
    said: string[] = [] via append
    why:  string = ""
    all:  Broken
  }
  run x = f() writes said
  run y = f() writes said
  run z = f() writes said
  graph inner = Inner() writes said
  run sorry(broken: Broken) = g(broken.node, broken.message) writes said
  human ask(broken: Broken) { ask \`\${broken.node} failed with \${broken.code}: \${broken.message}\`; writes said }
  limit 50 steps
  ${lines}
}`;
  const no = { class: "tool", message: "no" };
  test.each([
    ["as an argument", "start -> x -> end\n  x -> sorry(error) on error", `x fails "no"`, "sorry"],
    [
      "in the prompt of who follows",
      "start -> x -> end\n  x -> ask(error) on error",
      `x fails "no"`,
      "ask",
    ],
    [
      "in a condition and in `set`",
      'start -> x -> end\n  x -> sorry(error) on error when error.class == "tool" set why = `${error.node}: ${error.message}`',
      `x fails ${JSON.stringify(no)}\n  expect why == "x: no"`,
      "sorry",
    ],
    [
      "in the branches of a choice",
      'start -> x -> end\n  x -> { error.class == "timeout" -> z, else -> sorry(error) set why = error.code } on error',
      `x fails ${JSON.stringify(no)}\n  expect why != ""`,
      "sorry",
    ],
    [
      "behind a wait",
      'start -> x -> end\n  x -> { error.class == "timeout" -> z, else -> sorry(error) } on error after 1h',
      `x fails ${JSON.stringify(no)}`,
      "sorry",
    ],
    [
      "of a called graph, with the way to where it failed",
      'start -> inner -> end\n  inner -> sorry(error) on error set why = error.path.join(" ")',
      'inner/deep fails "no"\n  expect why == "inner deep"',
      "sorry",
    ],
    [
      "of a node before a join",
      "start -> [x, y]\n  [x, y] -> z\n  [x, y] -> sorry(error) on error set said = error.node",
      'y fails "no"\n  x says "a"\n  expect "y" in said',
      "x sorry",
    ],
    [
      "of a node in an `each`",
      "start -> each s of [1] { x } -> sorry(error) on error set why = error.node",
      'x fails "no"\n  expect why == "x"',
      "sorry",
    ],
    [
      "of an arrow that is used up",
      "start -> x -> x max 1\n  x -> sorry(error) on limit set why = error.message",
      'x says "a"\n  expect why.includes("used once")',
      "x x sorry",
    ],
  ])("%s", async (_, lines, script, path) => {
    const text = `${graph(lines)}
test "t" of G {
  ${script}
  sorry says "sorry"
  ask says "sorry"
}`;
    const [result] = await results(text, { g: () => "" });
    expect(result?.faults ?? []).toEqual([]);
    expect(result?.path.filter((node) => node !== "end").join(" ")).toBe(path);
  });
});

test("of a plan, `error` names the step that failed", async () => {
  const [result] = await results(`model m = "openai/gpt-4o"
graph G(plan: Plan) returns why {
  state { why: string = "" }
  agent work(step: Step, before: Json) "works" { model m; prompt \`\${step.title} \${before}\` }
  graph go = planGraph(plan)
  start -> go -> end
  go -> end on error set why = \`\${error.path.join(" ")}, \${error.message}\`
}
test "t" of G {
  given plan = { steps: [{ id: "look", title: "a", details: "", agent: "work" }] }
  go/look fails "no shop"
  expect why == "go look, go › look: no shop"
}`);
  expect(result?.faults ?? []).toEqual([]);
});
