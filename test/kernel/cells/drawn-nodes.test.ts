/** The answer to a page in which a node of a drawing was clicked. */
import { expect, test } from "vitest";
import { rememberDrawn, tellAboutNodes } from "../../../kernel/cells/output/drawn-nodes.ts";
import type { DrivenRun } from "../../../runtime/index.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

test("a breakpoint is shown whoever set it, and removed from the drawing", async () => {
  const { run, comms, sent } = openTestNotebook();
  tellAboutNodes(comms);
  await run("const shout = (text: string) => text.toUpperCase();");
  await run(`graph Loud(text: string) returns loud {
  state { loud: string }
  run go = shout(text) writes loud
  start -> go -> end
}`);
  await run('const held = Loud.debug({ text: "a" });\nheld.setBreakpoint("go");');
  expect(await run('Reflect.set(globalThis, "testHeld", held)')).toBe("result true");
  const held = Reflect.get(globalThis, "testHeld") as DrivenRun;
  rememberDrawn(held);
  const packet = { commId: "node", metadata: {}, buffers: [] };
  const open = { ...packet, kind: "open" as const, targetName: "madrigal.nodes" };
  await comms.receive("p1", { ...open, data: { run: held.id, node: "go" } });
  const answer = () => sent.at(-1)?.packet.data as { readonly breaks?: boolean };
  expect(answer().breaks).toBe(true);
  await comms.receive("p2", { ...packet, kind: "message", data: { breaks: false } });
  expect(answer().breaks).toBe(false);
  expect(held.breakpointsBefore("go")).toEqual([]);
  await comms.receive("p3", { ...packet, kind: "message", data: { breaks: true } });
  expect(held.breakpointsBefore("go")).toHaveLength(1);
});
