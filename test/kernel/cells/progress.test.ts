import { beforeEach, expect, test, vi } from "vitest";
import type { CellOutput } from "../../../kernel/cell-output.ts";
import { display, progress } from "../../../kernel/display/index.ts";
import { type Host, useHost } from "../../../kernel/host.ts";

let outputs: CellOutput[] = [];

beforeEach(() => {
  outputs = [];
  const output = (one: CellOutput) => void outputs.push(one);
  const host: Pick<Host, "boundOutput"> = { boundOutput: () => output };
  useHost(host as Host);
});

/** What each output says, and whether it stands in the place of the first. */
function shown(): readonly string[] {
  return outputs.map((one) => {
    if (one.kind !== "display" && one.kind !== "update") return one.kind;
    const [first] = outputs;
    const isSamePlace = first?.kind === "display" && first.displayId === one.displayId;
    return `${one.kind}${isSamePlace ? "" : " elsewhere"} ${one.bundle.data["text/plain"]}`;
  });
}

const bar = (filled: number) => `${"█".repeat(filled)}${"░".repeat(30 - filled)}`;

test("a loop has one bar that ends where the loop does", () => {
  let sum = 0;
  for (const number of progress([1, 2, 3], { label: "adding" })) sum += number;
  expect(sum).toBe(6);
  expect(shown()[0]).toBe(`display adding ${bar(0)} 0/3`);
  expect(shown().at(-1)).toBe(`update adding ${bar(30)} 3/3`);
  expect(shown().every((line) => !line.includes("elsewhere"))).toBe(true);
});

test("a loop that ends early shows where, and one that throws too", () => {
  for (const number of progress(new Set([1, 2, 3, 4]))) if (number === 3) break;
  expect(shown().at(-1)).toBe(`update ${bar(15)} 2/4`);
  const failing = () => {
    for (const number of progress([1, 2])) throw new Error(`bad ${number}`);
  };
  expect(failing).toThrow("bad 1");
  expect(shown().at(-1)).toContain("0/2");
});

test("of what comes one by one it says how many came", async () => {
  async function* some() {
    yield "a";
    yield "b";
  }
  const seen: string[] = [];
  for await (const one of display.progress(some())) seen.push(one);
  expect(seen).toEqual(["a", "b"]);
  expect(shown().at(-1)).toBe("update 2 done");
});

test("a bar is moved by hand, with what comes next beside it; text of others is no markup", () => {
  const moved = progress(10);
  moved.set(4);
  moved.advance(1, "<b>five");
  moved.end();
  expect(shown().at(-1)).toBe(`update <b>five ${bar(15)} 5/10`);
  const last = outputs.at(-1);
  const html = last?.kind === "update" ? String(last.bundle.data["text/html"]) : "";
  expect(html).toContain("&#60;b&#62;five");
  expect(html).toContain("width:50%");
});

test("ten thousand items are no ten thousand updates", () => {
  const items = Array.from({ length: 10_000 }, (_, index) => index);
  for (const _ of progress(items)) void _;
  expect(outputs.length).toBeLessThan(100);
  expect(shown().at(-1)).toContain("10,000/10,000");
});

test("loops within a loop have one place, indented; loops beside each other have one each", async () => {
  for (const outer of progress(["a", "b"], { label: "outer" }))
    for (const inner of progress([1, 2], { label: `inner ${outer}` })) void inner;
  const places = new Set(outputs.map((one) => ("displayId" in one ? one.displayId : undefined)));
  expect(places.size).toBe(2);
  expect(shown().filter((line) => line.startsWith("display"))).toHaveLength(2);
  expect(shown()).toContain(`update elsewhere   inner b ${bar(30)} 2/2`);
  outputs = [];
  async function* some() {
    yield 1;
    yield 2;
  }
  const walk = async (label: string) => {
    for await (const one of progress(some(), { label })) void one;
  };
  await Promise.all([walk("left"), walk("right")]);
  expect(outputs.filter(({ kind }) => kind === "display")).toHaveLength(2);
});

test("how fast it goes and how long it still takes are told once a second has passed", () => {
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  try {
    const moved = progress(10);
    now = 2_000;
    moved.set(4);
    expect(shown().at(-1)).toBe(`update ${bar(12)} 4/10 · 2/s · 3.00 s left`);
    now = 60_000;
    moved.set(5);
    expect(shown().at(-1)).toBe(`update ${bar(15)} 5/10 · 12.00 s each · 1 min 0 s left`);
    moved.set(10);
    now = 100_000;
    moved.end();
    expect(shown().at(-1)).toBe(`update ${bar(30)} 10/10 · 10.00 s each · took 1 min 40 s`);
  } finally {
    clock.mockRestore();
  }
});
