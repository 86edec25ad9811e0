import { afterEach, expect, test, vi } from "vitest";
import type { CellOutput } from "../../../kernel/cell-output.ts";
import { clear, display, toBundle } from "../../../kernel/display/index.ts";
import { useHost } from "../../../kernel/host.ts";
import { RunError } from "../../../runtime/index.ts";

const DISPLAY = Symbol.for("Jupyter.display");
const plain = async (value: unknown) => (await toBundle(value)).data["text/plain"];

test.each<readonly [string, unknown, string]>([
  ["a number", 42, "42"],
  ["a text", "hi\u001b[1m", "'hi\\x1B[1m'"],
  ["undefined", undefined, "undefined"],
  ["a function", function f() {}, "[Function: f]"],
  ["a map", new Map([["a", { b: 1 }]]), "Map(1) { 'a' => { b: 1 } }"],
  ["a promise", Promise.resolve(1), "Promise { 1 }"],
  ["a revoked proxy", revoked(), "<Revoked Proxy>"],
  [
    "what throws when it is looked at",
    {
      get [DISPLAY]() {
        throw new Error("no");
      },
    },
    "{ Symbol(Jupyter.display): [Getter] }",
  ],
])("%s is text", async (_, value, text) => {
  expect(await plain(value)).toBe(text);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a value without end is cut", async () => {
  const deep: Record<string, unknown> = {};
  deep.self = deep;
  deep.list = Array.from({ length: 100_000 }, (_, index) => ({ index, text: "x".repeat(1000) }));
  expect(String(await plain(deep)).length).toBeLessThan(21_000);
});

test("an error says its code, its hint and what caused it", async () => {
  const cause = new TypeError("deep");
  const error = new RunError("M7604", "no page", { hint: "take page 1", cause });
  expect(await plain(error)).toMatchInlineSnapshot(`
    "error[M7604]: no page
      hint: take page 1
    caused by: TypeError: deep"
  `);
});

test.each<readonly [string, unknown]>([
  ["Jupyter.display as an object", { [DISPLAY]: { "text/html": "<b>x</b>" } }],
  [
    "Jupyter.display as a function",
    {
      [DISPLAY]: () => ({ "text/html": "<b>x</b>" }),
    },
  ],
  ["an async one", { [DISPLAY]: async () => ({ "text/html": "<b>x</b>" }) }],
  ["of a function", Object.assign(() => {}, { [DISPLAY]: () => ({ "text/html": "<b>x</b>" }) })],
  ["toMimeBundle", { toMimeBundle: () => ({ data: { "text/html": "<b>x</b>" }, metadata: {} }) }],
])("%s shows itself", async (_, value) => {
  expect(await toBundle(value)).toEqual({ data: { "text/html": "<b>x</b>" }, metadata: {} });
});

test.each<readonly [string, unknown]>([
  ["nothing", undefined],
  ["a text", "hello"],
  ["no mime types", { html: "x" }],
])("a display that gives %s is an error with a code", async (_, given) => {
  await expect(toBundle({ [DISPLAY]: () => given })).rejects.toMatchObject({ code: "M7605" });
});

afterEach(() => {
  vi.restoreAllMocks();
  useHost(undefined as never);
});

test("display shows in the cell that called it, and again in the same place", async () => {
  const outputs: CellOutput[] = [];
  useHost({
    output: (output) => outputs.push(output),
    boundOutput: () => (output) => outputs.push(output),
    signal: () => undefined,
    cellRun: () => "the only one",
    ask: () => "",
  });
  const shown = await display(1);
  await shown.update(2);
  await display("a", { id: "place" });
  await display("b", { id: "place" });
  clear({ wait: true });
  expect(outputs.map(({ kind }) => kind)).toEqual([
    "display",
    "update",
    "display",
    "update",
    "clear",
  ]);
  expect(outputs[1]).toMatchObject({
    displayId: shown.id,
    bundle: { data: { "text/plain": "2" } },
  });
});

test("a cell that runs again shows again, and what it cleared too", async () => {
  const shown: string[] = [];
  let cellRun = "first";
  useHost({
    output: ({ kind }) => shown.push(`${cellRun}: ${kind}`),
    boundOutput() {
      const own = cellRun;
      return ({ kind }) => shown.push(`${own}: ${kind}`);
    },
    signal: () => undefined,
    cellRun: () => cellRun,
    ask: () => "",
  });
  const first = await display("a", { id: "again" });
  cellRun = "second";
  await display("b", { id: "again" });
  await first.update("c");
  await display("d", { id: "again" });
  clear();
  await display("e", { id: "again" });
  expect(shown).toEqual([
    "first: display",
    "second: display",
    "first: update",
    "second: update",
    "second: clear",
    "second: display",
  ]);
});

test("what could not be shown is not updated, but shown, by the next call", async () => {
  const kinds: string[] = [];
  useHost({
    output: () => {},
    boundOutput: () => (output) => kinds.push(output.kind),
    signal: () => undefined,
    cellRun: () => "failing",
    ask: () => "",
  });
  await expect(display({ [DISPLAY]: 1 }, { id: "late" })).rejects.toMatchObject({ code: "M7605" });
  await display(1, { id: "late" });
  expect(kinds).toEqual(["display"]);
});

test("without a notebook display prints", async () => {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await display({ a: 1 });
  clear();
  expect(written.mock.calls).toEqual([["{ a: 1 }\n"]]);
});
