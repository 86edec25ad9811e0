/** Rows of the source systems that a graph with scripted nodes proves. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { outcome, results, told } from "./testing.ts";

function program(name: string): string {
  return readFileSync(new URL(`../../dsl/programs/${name}.madrigal`, import.meta.url), "utf8");
}

async function toldOf(name: string, lines: string): Promise<string> {
  const [graph = ""] = /(?<=graph )\w+/.exec(program(name)) ?? [];
  const [result] = await results(`${program(name)}\ntest "t" of ${graph} {\n${lines}\n}`);
  if (result === undefined) throw new Error("no test can run");
  return result.ok
    ? `ok ${result.path.join(" ")}`
    : result.faults.map(({ message }) => message).join("; ");
}

const task = 'given description = "a shop", goal = "buy a pen"\n';

test("S16 [SM] the planning agent replaces the plan", async () => {
  const lines = `${task}boss says "planner", "planner", "end"
planner says ["open", "buy"], ["ask"]
expect plan == ["ask"]`;
  expect(await toldOf("4-state-routing", lines)).toBe("ok boss planner boss planner boss end");
});

test("S18 [SM] the analysing agent replaces the status and appends errors", async () => {
  const lines = `${task}boss says "analyst"
analyst says { status: "in progress", errors: ["closed"] }, { status: "failed", errors: ["no pen", "no shop"] }
expect status == "failed" && errors == ["closed", "no pen", "no shop"]`;
  expect(await toldOf("4-state-routing", lines)).toBe("ok boss analyst boss analyst end");
});

test("S17 [SM] a replan in the middle begins at the first step of the new plan", async () => {
  const step = (title: string, who: string) => `{ title: "${title}", details: "", who: "${who}" }`;
  const lines = `given task = "phones"
planner says [${step("a", "web")}, ${step("b", "web")}], [${step("c", "files")}]
coplan says true
track says { done: false, replan: false, instruction: "a" }, { done: true, replan: false, instruction: "" },
  { done: false, replan: true, instruction: "" }, { done: false, replan: false, instruction: "c" },
  { done: true, replan: false, instruction: "" }
web says "found a"
files says "noted c"
finish says "done"
expect at == 0 && facts == ["found a", "noted c"]`;
  expect(await toldOf("3-magentic", lines)).toBe(
    "ok planner coplan track web track track planner coplan track files track finish end",
  );
});

describe("S28 [SM] a conditional write: no error, no patch", () => {
  const graph = `graph G() returns status {
  state { status: string = ""  errors: string[] = ["before"] via append }
  agent one { model m; prompt \`?\`; writes status, errors? }
  start -> one
}`;
  test("S28 [SM] what is left out is not written", async () => {
    expect(
      await told(graph, 'one says { status: "ok" }\nexpect errors == ["before"] && status == "ok"'),
    ).toBe("ok one end");
  });
  test("S28 [SM] what is said is", async () => {
    const { ok } = await outcome(
      graph,
      'one says { status: "bad", errors: ["no"] }\nexpect errors == ["before", "no"]',
    );
    expect(ok).toBe(true);
  });
});

describe("A61 [SM] edges", () => {
  const graph = (flow: string) => `graph G() returns notes {
  state { notes: string[] = [] via append }
  agent a { model m; prompt \`?\`; writes notes }
  agent b { model m; prompt \`?\`; writes notes }
  agent c { model m; prompt \`?\`; writes notes }
  ${flow}
}`;
  const says = 'a says "a"\nb says "b"\nc says "c"\n';
  test.each([
    ["direct", "start -> a -> b -> c", "a b c"],
    ["conditional", "start -> a -> { notes.length > 1 -> b, else -> c }", "a c"],
    ["fan-out", "start -> a -> [b, c]", "a b c"],
    ["join", "start -> [a, b]\n  [a, b] -> c", "a b c"],
  ])("A61 [SM] %s", async (_kind, flow, path) => {
    const used = says
      .split("\n")
      .filter((line) => flow.includes(line[0] ?? ""))
      .join("\n");
    const lines = `${used}\nexpect path ${path.split(" ").join(" -> ")} -> end`;
    expect(await told(graph(flow), lines)).toBe(`ok ${path} end`);
  });

  test("A61 [SM] dynamic send: one activation for each item", async () => {
    const each = `graph G(words: string[]) returns notes {
  state { notes: string[] = [] via append }
  agent a(w: string) { model m; prompt \`\${w}\`; writes notes }
  start -> each w of words { a(w) }
}`;
    expect(
      await told(each, 'given words = ["x", "y"]\na says "1", "2"\nexpect notes == ["1", "2"]'),
    ).toBe("ok a a end");
  });
});
