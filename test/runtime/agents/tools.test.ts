import { describe, expect, test } from "vitest";
import { z } from "zod";
import { layeredScope } from "../../../runtime/agents/scope/layered-scope.ts";
import type { Scope } from "../../../runtime/agents/scope/scope.ts";
import { attachSignatures } from "../../../runtime/agents/scope/tool-signature.ts";
import { isTool, resolveTools, tool } from "../../../runtime/agents/scope/tools.ts";
import { callTool } from "../../../runtime/agents/tools/call-tool.ts";
import { showResult } from "../../../runtime/agents/tools/tool-result.ts";
import { RunError } from "../../../runtime/failure.ts";
import { fakeContext, type StillClock, stillClock } from "./fake-context.ts";

const noted = {
  type: "object",
  properties: { q: { type: "string" } },
  required: ["q"],
  additionalProperties: false,
};

const docs = {
  search: tool(({ q }: { q: string }) => q, { effect: "none", description: "finds", input: noted }),
  read: tool(() => "text", { effect: "workspace" }),
  helper: () => "no tool",
};

describe("names", () => {
  const names = (written: string, scope: Scope) =>
    resolveTools(
      written.split(" ").map((name) => name.split(".")),
      scope,
    ).map((one) => `${one.name} as ${one.modelName} (${one.effect})`);
  test.each([
    ["docs.search", { docs }, ["docs.search as docs_search (none)"]],
    [
      "docs.read docs.search docs.read",
      { docs },
      ["docs.read as docs_read (workspace)", "docs.search as docs_search (none)"],
    ],
    [
      "docs.*",
      { docs },
      ["docs.search as docs_search (none)", "docs.read as docs_read (workspace)"],
    ],
    ["docs.helper", { docs }, ["docs.helper as docs_helper (external)"]],
    ["env.*", { env: { go: () => 1, size: 3 } }, ["env.go as env_go (external)"]],
    ["find", { find: () => 1 }, ["find as find (external)"]],
    [
      "a.b_c a_b.c",
      { a: { b_c: () => 1 }, a_b: { c: () => 1 } },
      ["a.b_c as a_b_c (external)", "a_b.c as a_b_c_2 (external)"],
    ],
    [
      "server.get-sum server.über",
      { server: { "get-sum": () => 1, über: () => 1 } },
      ["server.get-sum as server_get-sum (external)", "server.über as server__ber (external)"],
    ],
  ])("%s", (written, scope, expected) => {
    expect(names(written, scope)).toEqual(expected);
  });
  test("a long name is cut to what providers take, and stays unique", () => {
    const long = "x".repeat(80);
    const scope = { [`${long}a`]: () => 1, [`${long}b`]: () => 1 };
    const found = resolveTools([[`${long}a`], [`${long}b`]], scope).map(
      ({ modelName }) => modelName,
    );
    expect(found).toEqual(["x".repeat(64), `${"x".repeat(62)}_2`]);
  });
  test.each([
    ["docs.serch", "no tool is called `docs.serch`", "did you mean `docs.search`?"],
    ["search", "no tool is called `search`", "did you mean `docs.search`?"],
    ["dcos.*", "no tool is called `dcos.*`", undefined],
    ["docs", "`docs` is not a tool but a group of them", "write `docs.*` for all of it"],
    ["limit", "`limit` is not a tool: it is no function", undefined],
    ["docs.constructor", "no tool is called `docs.constructor`", undefined],
    [
      "weather",
      "no tool is called `weather`",
      "run the cell that declares `weather` first, and that of its graph; without a notebook, export it from the scope file",
    ],
  ])("%s is M8201", (written, message, hint) => {
    const resolve = () => resolveTools([written.split(".")], { docs, limit: 3 });
    expect(resolve).toThrow(expect.objectContaining({ code: "M8201", message }));
    if (hint !== undefined) expect(resolve).toThrow(expect.objectContaining({ hint }));
  });
});

describe("what a tool takes", () => {
  const resolve = (it: unknown) => resolveTools([["it"]], { it })[0]?.inputSchema;
  test("a function without parameters takes an object without members", () => {
    const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
    expect(resolve(() => 1)).toEqual(closed);
    expect(resolve(tool(async () => 1, { effect: "none" }))).toEqual(closed);
  });
  test.each([
    ["a function with parameters", (word: string) => word],
    ["a declared tool with parameters", tool((word: string) => word, { effect: "none" })],
  ])("of %s whose types nobody knows nothing is told: M4109", (_, it) => {
    const message =
      "no model can be told what `it` takes: its declaration has no `input`, and the types of its parameters are not known here";
    expect(() => resolve(it)).toThrow(expect.objectContaining({ code: "M4109", message }));
  });
  test("what the types of a scope say is told, and arguments go to their parameters", async () => {
    const scope = { it: tool((a: number, b?: number) => a - (b ?? 1), { effect: "none" }) };
    const input = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
    attachSignatures(scope, () => ({ input, parameters: ["a", "b"], description: "subtracts" }));
    const [it] = resolveTools([["it"]], layeredScope({ other: 1 }, scope));
    expect(it).toMatchObject({ inputSchema: input, description: "subtracts" });
    expect(await it?.readInput({ a: "x" })).toEqual({
      misfits: ['at `a`: expected a number, found the string "x"'],
    });
    const context = {
      signal: new AbortController().signal,
      idempotencyKey: "k",
      artifact: () => Promise.reject(),
    };
    expect([it?.call({ a: 3 }, context), it?.call({ a: 3, b: 3 }, context)]).toEqual([2, 0]);
  });
});

describe("tool()", () => {
  test("contract: tool(fn, { effect, description?, parallel? }) is a function that can be called as before", () => {
    const add = tool(({ a, b }: { a: number; b: number }) => a + b, {
      effect: "none",
      description: "adds",
      parallel: true,
      input: { type: "object" },
    });
    expect(add({ a: 1, b: 2 })).toBe(3);
    expect(isTool(add)).toBe(true);
    expect(isTool(() => 1)).toBe(false);
    expect(resolveTools([["add"]], { add })[0]).toMatchObject({
      description: "adds",
      parallel: true,
      timeoutMs: 120_000,
    });
  });
  test("called from TypeScript it has a context, if its function takes one", () => {
    const late = tool((_: object, { signal }) => signal.aborted, { effect: "none" });
    expect(late({})).toBe(false);
    const repeat = tool((word: string, times?: number) => word.repeat(times ?? 2), {
      effect: "none",
    });
    expect([repeat("a"), repeat("a", 3)]).toEqual(["aa", "aaa"]);
  });
  test.each([
    ["no function", () => tool(3 as never, { effect: "none" })],
    ["no options", () => tool(() => 1, undefined as never)],
    ["an unknown effect", () => tool(() => 1, { effect: "read" as never })],
    [
      "an input that is no object",
      () => tool(() => 1, { effect: "none", input: { type: "string" } }),
    ],
    ["an unknown option", () => tool(() => 1, { effect: "external", repeats: "keyed" } as never)],
    [
      "a directory whose records give nothing",
      () => tool(() => 1, { effect: "none", directory: { by: "name" } as never }),
    ],
  ])("%s is M8204", (_, declare) => {
    expect(declare).toThrow(expect.objectContaining({ code: "M8204" }));
  });
  test("a zod schema says what the model is told, fills in defaults and refuses the rest", async () => {
    const find = tool(({ n }: { n: number }) => n, {
      effect: "none",
      input: z.object({ q: z.string().describe("words"), n: z.number().default(3) }),
    });
    const [resolved] = resolveTools([["find"]], { find });
    expect(resolved?.inputSchema).toMatchObject({
      type: "object",
      properties: { q: { type: "string", description: "words" } },
      required: ["q"],
    });
    expect(await resolved?.readInput({ q: "a" })).toEqual({ value: { q: "a", n: 3 } });
    expect(await resolved?.readInput({ q: 1 })).toEqual({
      misfits: ["at `q`: Invalid input: expected string, received number"],
    });
  });
});

// ── one call ────────────────────────────────────────────────────────────────────────────────────

type Input = Parameters<typeof callTool>[0]["input"];

async function call(
  fn: (input: never, context: { signal: AbortSignal }) => unknown,
  options: { readonly input?: Input; readonly broken?: true; readonly clock?: StillClock } = {},
) {
  const { input = {}, clock = stillClock(), broken } = options;
  const context = fakeContext();
  const t = tool(fn, {
    effect: "external",
    input: broken || options.input === undefined ? { type: "object" } : noted,
  });
  const asked = { id: "1", name: "t", input, ...(broken === undefined ? {} : { broken }) };
  const answer = await callTool(asked, resolveTools([["t"]], { t }), {
    attempt: {},
    context,
    clock,
  });
  return {
    ...answer,
    seen: answer.error ?? showResult(answer.value).value,
    logged: context.log[0],
  };
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;

describe("what a tool may return", () => {
  test.each<[string, unknown, unknown, unknown]>([
    ["a text", "hello", "hello", "hello"],
    ["an object", { a: [1, null] }, { a: [1, null] }, { a: [1, null] }],
    ["nothing", undefined, null, "(the tool returned nothing)"],
    ["an empty text", "", "", "(the tool returned an empty text)"],
    ["undefined members", { a: 1, b: undefined }, { a: 1 }, { a: 1 }],
    [
      "a BigInt",
      { n: 12n },
      { $note: ["`n` was a BigInt, which is not JSON; it is shown as text"], value: { n: "12" } },
      '{"n":"12"}\n[`n` was a BigInt, which is not JSON; it is shown as text]',
    ],
    [
      "a function",
      function run() {},
      {
        $note: ["the result was a function, which is not JSON; it is shown as text"],
        value: "[function run]",
      },
      "[function run]\n[the result was a function, which is not JSON; it is shown as text]",
    ],
    [
      "a symbol",
      [Symbol("s")],
      {
        $note: ["`[0]` was a symbol, which is not JSON; it is shown as text"],
        value: ["Symbol(s)"],
      },
      '["Symbol(s)"]\n[`[0]` was a symbol, which is not JSON; it is shown as text]',
    ],
    [
      "a cycle",
      cycle,
      {
        $note: ["`self` was a cycle, which is not JSON; it is shown as text"],
        value: { self: "[cycle]" },
      },
      '{"self":"[cycle]"}\n[`self` was a cycle, which is not JSON; it is shown as text]',
    ],
    [
      "NaN",
      Number.NaN,
      {
        $note: ["the result was the number NaN, which is not JSON; it is shown as text"],
        value: "NaN",
      },
      "NaN\n[the result was the number NaN, which is not JSON; it is shown as text]",
    ],
    [
      "a Date",
      { at: new Date(0) },
      {
        $note: ["`at` was a Date, which is not JSON; it is shown as text"],
        value: { at: "1970-01-01T00:00:00.000Z" },
      },
      '{"at":"1970-01-01T00:00:00.000Z"}\n[`at` was a Date, which is not JSON; it is shown as text]',
    ],
    [
      "a Map",
      new Map([["k", 1]]),
      { $note: ["the result was a Map, which is not JSON; it is shown as text"], value: { k: 1 } },
      '{"k":1}\n[the result was a Map, which is not JSON; it is shown as text]',
    ],
    [
      "bytes",
      new Uint8Array(3),
      {
        $note: ["the result was a Uint8Array, which is not JSON; it is shown as text"],
        value: "[3 bytes]",
      },
      "[3 bytes]\n[the result was a Uint8Array, which is not JSON; it is shown as text]",
    ],
  ])("%s", async (_, returned, value, seen) => {
    const answer = await call(() => returned);
    expect(answer.logged?.value).toEqual(value);
    expect(answer.seen).toEqual(seen);
  });

  test("10 MB are cut in the log and again for the model, with the whole size in both", async () => {
    const { value, seen } = await call(() => "äb".repeat(3_495_254));
    expect(value).toMatchObject({ $cut: 10_485_762 });
    expect(Buffer.byteLength((value as { head: string }).head)).toBe(262_143);
    const [head = "", note] = String(seen).split("\n");
    expect(head.replaceAll("äb", "")).toBe("");
    expect(note).toBe("[cut: the first 65535 of 10485762 bytes are shown]");
  });
  test("a result between both sizes is whole in the log and cut for the model", async () => {
    const big = { text: "x".repeat(100_000) };
    const { value, seen } = await call(() => big);
    expect(value).toEqual(big);
    expect(String(seen)).toHaveLength(
      65_536 + "\n[cut: the first 65536 of 100011 bytes are shown]".length,
    );
  });
});

describe("what a tool may throw", () => {
  test.each<[string, unknown, string]>([
    ["an error", new Error("no net"), "`t` failed: no net"],
    ["an error with a code", new RunError("M8204", "bad"), "`t` failed: M8204 bad"],
    ["a text", "oops", "`t` failed: oops"],
    ["nothing", undefined, "`t` failed: undefined"],
    ["null", null, "`t` failed: null"],
    ["an object", { status: 404 }, '`t` failed: {"status":404}'],
    ["an object without a prototype", Object.create(null), "`t` failed: {}"],
  ])("%s", async (_, thrown, message) => {
    const answer = await call(() => {
      throw thrown;
    });
    expect(answer.error).toBe(message);
    expect(answer.logged?.failure).toMatchObject({ class: "tool", code: "M8202", message });
  });
  test("a member that throws when it is read is said in a note", async () => {
    const trap = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("trap");
      },
    });
    const { error, logged } = await call(() => trap);
    expect(error).toBeUndefined();
    expect(JSON.stringify(logged?.value)).toContain("a getter that throws (trap)");
  });
  test("its stack is in the log", async () => {
    const { logged } = await call(() => {
      throw new Error("no net");
    });
    expect(logged?.failure?.stack).toContain("tools.test.ts");
  });
});

test("arguments that do not fit are an answer to the model; the tool is not called", async () => {
  let called = false;
  const answer = await call(
    () => {
      called = true;
    },
    { input: { q: 3, p: 1 } },
  );
  expect(answer.error).toBe(
    "the arguments of `t` do not fit: at `q`: expected a string, found the number 3; at `p`: expected no such member (there are q), found the number 1",
  );
  expect(called).toBe(false);
});

test("arguments that are not JSON are an answer to the model", async () => {
  const answer = await call(() => 1, { input: '{"q": ', broken: true });
  expect(answer.error).toBe("the arguments of `t` are not JSON");
  expect(answer.logged?.request).toBe('{"q": ');
});

test("a tool that hangs is told to stop when its time is over, and the model hears of it", async () => {
  const clock = stillClock();
  let stopped: unknown;
  const answer = call(
    (_: never, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          stopped = signal.reason;
        });
        queueMicrotask(() => clock.advance(120_000));
      }),
    { clock },
  );
  expect((await answer).error).toBe("`t` did not answer within 120 s");
  expect(stopped).toMatchObject({ message: "`t` did not answer within 120 s" });
});

test("an external tool is marked, so that its intent is on disk before it runs", async () => {
  expect((await call(() => 1)).logged?.external).toBe(true);
});
