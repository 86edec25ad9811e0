/** Decisions of a node: `a -> b | c`, under scripts; test/runtime/run/decisions.test.ts has them in runs. */
import { expect, test } from "vitest";
import { check, type Ir } from "../../../../dsl/index.ts";
import { ofKind, type Ran, runIr, type Script } from "../../../support/run-graph.ts";

function irOf(lines: string): Ir {
  const text = `model m = "openai/gpt-4o"
graph G() returns a {
  state { a: string = ""  n: int = 0 }
  router boss { model m; reads a }
  agent x "does x" { model m; prompt \`?\`; writes a }
  agent y "does y" { model m; prompt \`?\`; writes a }
  ${lines}
}`;
  const { graphs, diagnostics } = check({ file: "test", text });
  const [ir] = graphs;
  if (ir === undefined) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

function run(lines: string, script: Script): Ran {
  return runIr(irOf(lines), script);
}

test("a router goes on where it says", () => {
  const { path } = run("start -> boss -> x | y | end\n  x | y -> boss\n  limit 20 steps", {
    says: {
      boss: ({ ordinal }: { ordinal: number }) => ["y", "x", "end"][ordinal - 1],
      x: "x",
      y: "y",
    },
  });
  expect(path).toBe("boss y boss x boss");
});

test("`max` behind a choice counts the choices", () => {
  const { status, reason } = run("start -> boss -> x | y max 2\n  x | y -> boss", {
    says: { boss: "x", x: "x", y: "y" },
  });
  expect([status, reason]).toEqual(["failed", "limit:max"]);
});

test("M127 [SM] a name that is not behind the arrow is told to the model with the valid ones, twice, then it is an error", () => {
  const { records, path, status } = run(
    "start -> boss -> x | end\n  boss -> y on error\n  x -> end",
    {
      says: { boss: "nobody", x: "x", y: "mended" },
    },
  );
  const attempts = ofKind(records, "attempt");
  expect(attempts.map(({ next }) => next)).toEqual(["repair", "repair", "go-on"]);
  expect(attempts[0]?.failure).toMatchObject({
    code: "M5204",
    feedback: "Choose one of these names: x, end.",
  });
  expect([path, status]).toEqual(["y", "succeeded"]);
});

test("a valid name after a repair is as good as the first", () => {
  const { path } = run("start -> boss -> x | end\n  x -> end", {
    says: { boss: ({ attempt }: { attempt: number }) => (attempt === 1 ? "nobody" : "x"), x: "x" },
  });
  expect(path).toBe("boss x");
});

test("without an arrow for it, the error ends the run", () => {
  const { status, snapshot } = run("start -> boss -> x | end\n  x -> end", {
    says: { boss: "", x: "x" },
  });
  expect([status, snapshot.failure?.code]).toEqual(["failed", "M5204"]);
});

test("an agent that writes and hands nothing off ends its branch", () => {
  const { path, status } = run("start -> x -> y | end\n  y -> end", {
    says: { x: "done", y: "y" },
  });
  expect([path, status]).toEqual(["x", "succeeded"]);
});
