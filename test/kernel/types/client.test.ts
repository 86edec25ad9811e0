import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { startTypes } from "../../../kernel/types/client.ts";
import type { TypeAnswer } from "../../../kernel/types/service.ts";
import { ENDLESS_TYPES, Notebook } from "./notebook.ts";

test("a worker that dies is replaced, and what cells declared is kept", async () => {
  const workers: Worker[] = [];
  const types = startTypes({ started: (worker) => workers.push(worker) });
  const notebook = new Notebook(types);
  await notebook.run("const kept: number = 4");
  const lost = types.convert({ name: "Cell[2]", code: "kept" });
  await workers[0]?.terminate();
  await expect(lost).rejects.toMatchObject({ code: "M3590" });
  expect(await notebook.run("kept.toFixed(1)")).toBe("4.0");
  expect(await notebook.run("kept.length")).toContain("TS2339");
  expect(workers).toHaveLength(2);
  await types.close();
});

test("a compiler without memory is a coded error", async () => {
  const types = startTypes({ heapMegabytesMax: 24 });
  const failed = types.convert({ name: "Cell[1]", code: "1" });
  await expect(failed).rejects.toMatchObject({ code: "M3590" });
  await types.close();
});

test("a compiler that does not end after an abort is replaced, and what waits behind it is answered", async () => {
  const workers: Worker[] = [];
  const types = startTypes({ abandonedMs: 0, started: (worker) => workers.push(worker) });
  const notebook = new Notebook(types);
  await notebook.run("const kept: number = 4");
  const cell = new AbortController();
  const slow = types.convert({ name: "Cell[2]", code: ENDLESS_TYPES }, { signal: cell.signal });
  const given = expect(slow).rejects.toMatchObject({ code: "M3590" });
  cell.abort();
  expect(await notebook.run("kept.toFixed(1)")).toBe("4.0");
  await given;
  expect(workers).toHaveLength(2);
  await types.close();
});

test("a call that is answered soon after an abort costs no compiler", async () => {
  const workers: Worker[] = [];
  const types = startTypes({ abandonedMs: 60_000, started: (worker) => workers.push(worker) });
  await types.isComplete("1");
  const cell = new AbortController();
  const quick = types.convert({ name: "Cell[1]", code: "1" }, { signal: cell.signal });
  cell.abort();
  expect(await quick).toMatchObject({ diagnostics: [] });
  const late = types.convert({ name: "Cell[2]", code: "1" }, { signal: cell.signal });
  await expect(late).rejects.toMatchObject({ name: "AbortError" });
  expect(workers).toHaveLength(1);
  await types.close();
});

test("a closed service says so", async () => {
  const types = startTypes();
  await types.close();
  await expect(types.isComplete("1")).rejects.toMatchObject({ code: "M3590" });
});

test("a port speaks the protocol, and answers in the order of the calls", async () => {
  const types = startTypes();
  const port = types.newPort();
  const answers: TypeAnswer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  port.on("message", (answer: TypeAnswer) => {
    answers.push(answer);
    if (answers.length === 3) resolve();
  });
  port.postMessage({
    id: 7,
    method: "convert",
    argument: { name: "Cell[1]", code: "const a = 1" },
  });
  port.postMessage({ id: 8, method: "isComplete", argument: "f(" });
  port.postMessage({ id: 9, method: "constructor", argument: "" });
  await promise;
  expect(answers.map(({ id }) => id)).toEqual([7, 8, 9]);
  expect(answers[1]).toMatchObject({ value: { status: "incomplete", indent: "  " } });
  expect(answers[2]).toMatchObject({ error: { message: "no method is called constructor" } });
  port.close();
  await types.close();
});
