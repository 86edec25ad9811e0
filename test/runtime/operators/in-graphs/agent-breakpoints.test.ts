/** Breakpoints on what a strong agent does: a call that it asks leave for, and a file that it changed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Debugger, type DrivenRun } from "../../../../runtime/index.ts";
import { stubbedGraph } from "../stub-runs.ts";

async function heldOn(
  breakpoint: Parameters<DrivenRun["setBreakpoint"]>[0],
  scene: string,
  options = "",
) {
  const { graph, home } = stubbedGraph(scene, { options });
  const run = graph.debug({ task: "add a note" }) as unknown as DrivenRun;
  const debug = new Debugger(run);
  run.setBreakpoint(breakpoint);
  const stop = await debug.continue();
  return { run, debug, stop, note: () => existsSync(join(home, "note.txt")) };
}

test("A10 a breakpoint on a tool holds the run before anybody is asked whether it may be called", async () => {
  const { run, debug, stop, note } = await heldOn({ on: "tool", name: "Write" }, "asks");
  expect(stop).toMatchObject({ kind: "breakpoint", node: "code", by: "tool Write" });
  expect(run.interrupts).toEqual([]);
  expect(note()).toBe(false);
  // The session says which call it is.
  expect(run.session("code").items.at(-1)).toMatchObject({
    kind: "call",
    tool: "Write",
    status: "running",
    input: { file_path: "note.txt" },
  });
  const asked = await debug.continue();
  expect(asked.kind).toBe("interrupt");
  await run.answer(run.interrupts[0]?.id ?? "", { kind: "approve" });
  expect(await run.output).toEqual({ patch: "ok" });
  expect(note()).toBe(true);
});

test.each(["note.txt", "*"])(
  "a breakpoint on a file that it changed holds the run there: %s",
  async (name) => {
    const of = name === "*" ? {} : { name };
    const { run, stop, note } = await heldOn({ on: "file", ...of }, "asks", 'mode: "acceptEdits"');
    expect(stop).toMatchObject({ kind: "breakpoint", node: "code" });
    expect(note()).toBe(true);
    expect(run.session("code").items.at(-1)).toMatchObject({ kind: "file", name: "note.txt" });
    await run.continue();
    expect(await run.output).toEqual({ patch: "ok" });
  },
);

test("another file, and another tool, hold nothing", async () => {
  for (const breakpoint of [
    { on: "file", name: "ote.txt" },
    { on: "tool", name: "Bash" },
  ] as const) {
    const { stop } = await heldOn(breakpoint, "asks", 'mode: "acceptEdits"');
    expect(stop.kind).toBe("end");
  }
});
