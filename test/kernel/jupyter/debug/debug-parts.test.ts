/** The parts of the page's debugger that need no kernel: names of cells, lines of nodes, numbers, previews. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { breakpointsAt } from "../../../../kernel/debugging/breakpoint-lines.ts";
import { preview } from "../../../../kernel/debugging/preview.ts";
import { ValueReferences } from "../../../../kernel/debugging/references.ts";
import { CellBreakpoints } from "../../../../kernel/jupyter/debug/breakpoints.ts";
import { heldLines } from "../../../../kernel/jupyter/debug/held-lines.ts";
import { murmur2 } from "../../../../kernel/jupyter/debug/murmur2.ts";
import { outsideOf, rangeOf } from "../../../../kernel/jupyter/debug/ranged-target.ts";
import { StoppedThreads } from "../../../../kernel/jupyter/debug/stopped-threads.ts";
import type { DebugTarget } from "../../../../kernel/jupyter/debug/target.ts";
import { readBreakpoint } from "../../../../runtime/breakpoints/read-breakpoint.ts";
import { arbitraryGraph } from "../../../support/arbitrary-graph.ts";
import { graphOf } from "../../../support/run-graph.ts";

const SEED = 0xc70f6907;

// As JupyterLab 4.6 named this cell in a browser.
test("a cell's name is the one that JupyterLab makes", () => {
  const code =
    "%%graph research\nnode plan\nnode search\nsubgraph write\n  node draft\n  node check\nend\nnode publish";
  expect(murmur2(code, SEED)).toBe(2425454230);
  expect(murmur2(`${code}\n`, SEED)).not.toBe(2425454230);
});

test("a name is a whole number below 2³², and depends on the bytes alone", () => {
  const property = fc.property(fc.string({ unit: "binary" }), (text) => {
    const name = murmur2(text, SEED);
    expect(Number.isInteger(name) && name >= 0 && name < 2 ** 32).toBe(true);
    expect(murmur2(Buffer.from(text, "utf8").toString("utf8"), SEED)).toBe(name);
  });
  fc.assert(property);
});

const CELL = `%%graph
graph G(topic: string) returns text {
  state { text: string }
  run one = f(topic)
    writes text
  run two = f(text) writes text
  start -> one -> two -> end
}`;

const ARROWS = `graph G(xs: string[], n: int) {
  run a = f()
  run b = f()

  start -> a -> [b, c] -> {
    n > 1 -> b
    // Nothing leads anywhere here.
    else -> match n { 1 -> a,
      2 -> end } max 3
  }
  a -> each x of xs {
    b(x) -> c
  }
    -> d on error
}`;

test.each([
  [CELL, [1, 2, 3, 4, 5, 6, 7, 8], [4, 6, 7]],
  [CELL.replaceAll("\n", "\r\n"), [5], [4]],
  [`\n\n${CELL}`, [7], [6]],
  [CELL.replace("%%graph\n", ""), [4], [3]],
  // What has mistakes is read as far as it goes.
  [CELL.replace("start ->", "start =>"), [4], [4]],
  [`${CELL}\n${CELL.slice(8)}`, [11], [11]],
  [ARROWS, [5, 6], [5, 6]],
  [ARROWS, [7, 8, 9, 10], [8, 9]],
  [ARROWS, [11, 12], [11, 12]],
  [ARROWS, [13, 14, 15], [14]],
  // On a line of both the node is meant.
  ["graph G() { run a = f() start -> a -> end }", [1], [1]],
  ["%%graph", [1], []],
  ["", [0, 1, 1e9], []],
])("in %j breakpoints at %j hold at %j", (code, lines, held) => {
  expect(heldLines(code, lines)).toEqual(held);
});

test("where a line holds, something of the graph is held, whatever its text is", () => {
  const property = fc.property(arbitraryGraph(), (text) => {
    const ir = graphOf(text);
    for (const line of text.split("\n").keys()) {
      for (const held of heldLines(text, [line + 1])) {
        const found = breakpointsAt(ir, () => [held]);
        expect(found).not.toEqual([]);
        for (const one of found) expect(() => readBreakpoint(ir, one)).not.toThrow();
      }
    }
  });
  fc.assert(property, { numRuns: 60 });
});

const FLOWS = `graph G(xs: string[], n: int) {
  run a = f() run b = g()
  run c = f() run d = f() run e = f()
  graph go = H() limit 40 steps
  start -> a -> [b, c]
    -> d -> {
      n > 1 -> a max 3,
      else -> each x of xs { go
        -> e } -> end
    }
  d -> b on error
}
graph H() returns o {
  state { o: string = "" }
  run s = f() writes o
  start -> s -> end
}`;

test.each([
  [2, ["a", "b"]],
  [5, ["start -> a", "a -> b", "a -> c"]],
  [6, ["b -> d", "c -> d", "d -> a", "d -> go"]],
  [7, ["d -> a"]],
  [8, ["d -> go"]],
  [9, ["d -> end", "go -> end", "e -> end", "go -> e"]],
  [11, ["d -> b"]],
  [16, ["go/start -> s", "go/s -> end"]],
] as const)("line %i of graphs with arrows of many kinds holds %j", (line, held) => {
  const found = breakpointsAt(graphOf(FLOWS), () => [line]);
  expect(found.map((one) => (typeof one === "object" && "edge" in one ? one.edge : one))).toEqual(
    held,
  );
});

test("each target's numbers come back as they were, and nothing stays nothing", () => {
  for (const index of [0, 1, 2]) {
    expect(outsideOf(0, index)).toBe(0);
    expect(rangeOf(outsideOf(7, index))).toBe(index);
  }
});

describe("of breakpoints that a target is long in setting", () => {
  const cell = { path: "cell", code: "1;\n2;\n3;", kind: "typescript" } as const;
  const slow = () => {
    const first = Promise.withResolvers<void>();
    const answers = [first.promise, Promise.resolve(), Promise.resolve()];
    const told: (readonly number[])[] = [];
    const target = {
      takes: () => true,
      setBreakpoints: async (_: unknown, lines: readonly number[]) => {
        await answers.shift();
        told.push(lines);
        return lines;
      },
    };
    return { breakpoints: new CellBreakpoints([target as unknown as DebugTarget]), told, first };
  };

  test("those asked for last hold", async () => {
    const { breakpoints, told, first } = slow();
    setImmediate(first.resolve);
    const asked = [[3], [1, 2], []].map((lines) => breakpoints.set(cell, lines));
    expect(await Promise.all(asked)).toEqual([[3], [1, 2], []]);
    expect([told, breakpoints.list()]).toEqual([[[3], [1, 2], []], []]);
  });

  test("none is left once all are cleared, and those asked for later hold", async () => {
    const { breakpoints, told, first } = slow();
    setImmediate(first.resolve);
    const before = [breakpoints.set(cell, [3]), breakpoints.set(cell, [2])];
    await null;
    breakpoints.clear();
    const later = breakpoints.set(cell, [1]);
    expect(await Promise.all(before)).toEqual([[], []]);
    expect(await later).toEqual([1]);
    expect(told).toEqual([[3], [1]]);
    expect(breakpoints.list()).toEqual([{ source: "cell", breakpoints: [{ line: 1 }] }]);
  });

  test("one that fails keeps no later ones", async () => {
    const { breakpoints, first } = slow();
    setImmediate(() => first.reject(new Error("busy")));
    const failing = breakpoints.set(cell, [3]);
    const later = breakpoints.set(cell, [1]);
    await expect(failing).rejects.toThrow("busy");
    expect(await later).toEqual([1]);
  });
});

test("of several stopped threads the newest is announced, and the others as it goes on", () => {
  const told: string[] = [];
  const threads = new StoppedThreads((event, { threadId }) => told.push(`${event} ${threadId}`));
  for (const thread of [2, 3, 4]) threads.stopped({ thread, reason: "breakpoint" });
  expect([threads.threads, threads.meant(1), threads.meant(2)]).toEqual([[4, 3, 2], 4, 2]);
  for (const thread of [3, 4, 4, 9, 2]) threads.continued(thread);
  expect(told.slice(3)).toEqual(["continued 3", "continued 4", "stopped 2", "continued 2"]);
  expect(threads.meant(1)).toBeUndefined();
});

describe("a preview", () => {
  test("is never much longer than it may be, and looks at no more than it shows", () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      expect(preview(value, 60).length).toBeLessThanOrEqual(110);
    });
    fc.assert(property);
    const huge = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, at]));
    let looks = 0;
    const watched = new Proxy(huge, {
      get: (target, name: string) => {
        looks += 1;
        return target[name];
      },
    });
    preview(watched, 100);
    expect(looks).toBeLessThan(20);
  });

  test.each([
    ["a", '"a"'],
    [undefined, "undefined"],
    [null, "null"],
    [[1, "b", [true]], '[1, "b", [true]]'],
    [{ a: { b: [] } }, "{a: {b: []}}"],
    ["x".repeat(300), `"${"x".repeat(200)}"… (300 characters)`],
  ])("of %j", (value, text) => {
    expect(preview(value)).toBe(text);
  });
});

test("a conversation among the variables is a line a message, which opens to the message", () => {
  const references = new ValueReferences();
  const value = [
    { role: "user", content: "Hello" },
    { role: "assistant", name: "clerk", content: "Yes?\u001b[31m" },
  ];
  const shown = references.variables(references.inside(1, { value, expression: "talk" }), {});
  expect(shown.map((one) => [one.name, one.value, one.evaluateName])).toEqual([
    ["0", "user: Hello", "talk[0]"],
    ["1", "clerk: Yes?␛[31m", "talk[1]"],
  ]);
  const [first] = references.variables(shown[1]?.variablesReference ?? 0, {});
  expect(first?.value).toBe('"assistant"');
});

test("every element of a long list is found in one of its parts, by its expression", () => {
  const references = new ValueReferences();
  const list = Array.from({ length: 12_345 }, (_, at) => at);
  const found: string[] = [];
  const open = (reference: number) => {
    for (const one of references.variables(reference, {})) {
      if (one.type !== "part") found.push(`${one.evaluateName}=${one.value}`);
      else open(one.variablesReference);
    }
  };
  open(references.inside(1, { value: list, expression: "list" }));
  expect(found).toEqual(list.map((at) => `list[${at}]=${at}`));
  references.forget(1);
  expect(() => references.variables(1, {})).toThrow(/is gone/);
});
