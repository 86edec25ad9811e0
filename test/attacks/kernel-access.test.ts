/** Clients of `madrigal mcp --kernel` that would run more than the person said yes to, and connection files that lead elsewhere. */
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { looksOnly } from "../../kernel/debugging/console/looks-only.ts";
import { connectionText, createConnection } from "../../kernel/jupyter/wire/connection.ts";
import { Consents } from "../../kernel/mcp-server/kernels/consents.ts";
import { findKernels } from "../../kernel/mcp-server/kernels/find-kernels.ts";
import { holdCaseCount } from "./attack-table.ts";

const CELL = { tool: "run_cell", kernel: "one", key: "a", what: "1 + 1" };

/** A client with forms; `state` is what it sends back with the answer. */
function callOf(what: Partial<typeof CELL> = {}, state?: unknown, answer = "yes") {
  const inputResponses = { answer: { action: "accept", content: { answer } } };
  const mcpReq = { requestState: () => state, ...(state === undefined ? {} : { inputResponses }) };
  const capabilities = { elicitation: { form: {} } };
  return { ...CELL, ...what, context: { mcpReq } as never, capabilities };
}

/** The state of the form that a call leads to. */
async function askedState(consents: Consents, call = callOf()): Promise<unknown> {
  const asked = (await consents.of(call)) as { readonly requestState: string };
  return await consents.verify(asked.requestState, call.context);
}

const NO = { isError: true };

test.each([
  ["another cell", { what: "process.exit()" }],
  ["the same cell and more", { what: "1 + 1\nprocess.exit()" }],
  ["another kernel", { kernel: "two" }],
  ["another kernel in a file of that name", { key: "b" }],
  ["another tool", { tool: "debug_run" }],
])("a yes is for no %s", async (_, other) => {
  const consents = new Consents({ mayRun: false });
  const state = await askedState(consents);
  expect(await consents.of(callOf(other, state))).toMatchObject(NO);
});

test("a yes is for one call", async () => {
  const consents = new Consents({ mayRun: false });
  const state = await askedState(consents);
  expect(await consents.of(callOf({}, state))).toBeUndefined();
  expect(await consents.of(callOf({}, state))).toMatchObject(NO);
});

test("a state that nobody was asked with is no yes", async () => {
  const state = await askedState(new Consents({ mayRun: false }));
  expect(await new Consents({ mayRun: false }).of(callOf({}, state))).toMatchObject(NO);
});

test("a state of a client's own making is refused", async () => {
  const consents = new Consents({ mayRun: false });
  const forged = Buffer.from(JSON.stringify({ id: "1", digest: "2" })).toString("base64url");
  await expect(consents.verify(forged, callOf().context)).rejects.toThrow();
});

test.each(["no", "maybe", ""])("the answer `%s` is a no", async (answer) => {
  const consents = new Consents({ mayRun: false });
  expect(await consents.of(callOf({}, await askedState(consents), answer))).toMatchObject(NO);
});

test("`always` is for one tool of one kernel", async () => {
  const consents = new Consents({ mayRun: false });
  expect(await consents.of(callOf({}, await askedState(consents), "always"))).toBeUndefined();
  expect(await consents.of(callOf({ what: "2" }))).toBeUndefined();
  expect(await consents.of(callOf({ kernel: "two" }))).toMatchObject({ requestState: /./ });
  expect(await consents.of(callOf({ key: "b" }))).toMatchObject({ requestState: /./ });
  expect(await consents.of(callOf({ tool: "debug_run" }))).toMatchObject({ requestState: /./ });
});

test.each([
  ["marks of direction", "const isAdmin = false; // \u202e } \u2066"],
  ["tags", "1 + 1 \u{e0041}\u{e0042}"],
  ["terminal commands", "1 + 1 // \u001b[2K"],
  ["more than a person reads", `1 + 1${"\n".repeat(9000)}process.exit()`],
])("a cell with %s is put to nobody", async (_, what) => {
  expect(await new Consents({ mayRun: false }).of(callOf({ what }))).toMatchObject(NO);
});

test.each([
  "print f()",
  "p f()",
  "eval f()",
  "break a if f()",
  "test > ~/.bashrc",
  "run",
  "hold a#1",
])("the command `%s` of the debugger does not only look", (command) => {
  expect(looksOnly(command)).toBe(false);
});

test.each(["where", "state", "bt", "steps 3", "blame draft", "breakpoints", "help step"])(
  "the command `%s` only looks",
  (command) => {
    expect(looksOnly(command)).toBe(true);
  },
);

test.each([
  ["that others can read", 0o644, {}, "others"],
  ["that a group can write", 0o620, {}, "others"],
  ["of a kernel elsewhere", 0o600, { ip: "192.0.2.1" }, "loopback"],
  ["of all interfaces", 0o600, { ip: "0.0.0.0" }, "loopback"],
  ["without a key", 0o600, { key: "" }, "not signed"],
])("a connection file %s is left alone", async (_, mode, other, why) => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-runtime-"));
  const file = join(folder, "kernel-a.json");
  writeFileSync(file, connectionText({ ...(await createConnection()), ...other }));
  chmodSync(file, mode);
  const found = findKernels({ JUPYTER_RUNTIME_DIR: folder });
  expect(found).toEqual({
    kernels: [],
    refused: [{ file: "kernel-a.json", why: expect.stringContaining(why) }],
  });
});

test("links and folders are no connection files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-runtime-"));
  const real = join(folder, "real.json");
  writeFileSync(real, connectionText(await createConnection()), { mode: 0o600 });
  symlinkSync(real, join(folder, "kernel-link.json"));
  mkdirSync(join(folder, "kernel-folder.json"));
  const { kernels, refused } = findKernels({ JUPYTER_RUNTIME_DIR: folder });
  expect([kernels, refused.map(({ why }) => why)]).toEqual([
    [],
    ["it is no file", "it is no file"],
  ]);
});

holdCaseCount();
