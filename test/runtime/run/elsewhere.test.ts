/** A run that another process drives, as this one sees it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type GraphRun, Session } from "../../../runtime/index.ts";
import { machineLiveness } from "../../../runtime/store/lease.ts";
import { startNode, temporaryFolder } from "../../support/child.ts";
import { gate } from "./driven-run.ts";

vi.setConfig({ testTimeout: 60_000 });

const TEXT = `graph Two() returns last {
  state { last: string = "" }
  run first = one() writes last
  run second = two() writes last
  start -> first -> second -> end
}`;

let sessions = 0;

/** A kernel of its own, as far as leases know. */
function sessionIn(cwd: string): Session {
  sessions += 1;
  const session = new Session({ cwd, env: {}, name: `kernel-${sessions}` });
  onTestFinished(() => session.close());
  return session;
}

function started(session: Session, two: () => unknown): GraphRun {
  const { Two } = session.compile(TEXT, { scope: { one: () => "1", two } });
  if (Two === undefined) throw new Error("no graph");
  return Two.run({}) as unknown as GraphRun;
}

test("its state keeps up, its steps come as they are made, and its output is awaited", async () => {
  const cwd = temporaryFolder();
  const held = gate("2");
  const run = started(sessionIn(cwd), () => held.pass());
  await held.entered;
  const seen = sessionIn(cwd).open(run.id);
  const nodes: string[] = [];
  const iterated = (async () => {
    for await (const { node } of seen) nodes.push(node);
  })();
  await vi.waitFor(() => expect(nodes).toEqual(["first"]));
  expect([seen.status, seen.state]).toEqual(["running", { last: "1" }]);
  held.open();
  expect(await seen.output).toEqual({ last: "2" });
  await iterated;
  expect([seen.status, nodes]).toEqual(["succeeded", ["first", "second"]]);
});

test("it can't be driven from here meanwhile; paused there, it goes on here", async () => {
  const cwd = temporaryFolder();
  const held = gate("2");
  const run = started(sessionIn(cwd), () => held.pass());
  await held.entered;
  const here = sessionIn(cwd);
  const seen = here.open(run.id, { scope: { one: () => "1", two: () => "here" } });
  await expect(seen.resume()).rejects.toMatchObject({ code: "M5105" });
  await expect(seen.pause()).rejects.toMatchObject({ code: "M5105" });
  await run.pause({ now: true });
  await seen.settled();
  expect(seen.status).toBe("paused");
  await seen.resume();
  expect(await seen.output).toEqual({ last: "here" });
});

test("one that was paused here and went on elsewhere goes on behind what was done there", async () => {
  const cwd = temporaryFolder();
  const held = gate("2");
  const here = started(sessionIn(cwd), () => held.pass());
  await held.entered;
  await here.pause({ now: true });
  const there = sessionIn(cwd).open(here.id, { scope: { one: () => "1", two: () => "there" } });
  await there.resume();
  await there.output;
  await here.rewind(0);
  expect(here.steps).toEqual([]);
  held.open();
  await here.resume();
  expect(await here.output).toEqual({ last: "2" });
});

test("its process dies: who waits for the output is told, and can go on with it", async () => {
  const cwd = temporaryFolder();
  const code = `import { compile } from "${new URL("../../../kernel/index.ts", import.meta.url)}";
    const two = () => new Promise(() => { console.log("at work"); setInterval(() => {}, 1000); });
    const { Two } = compile(${JSON.stringify(TEXT)}, { scope: { one: () => "1", two } });
    Two.run({});`;
  const child = startNode([hostFile(cwd, code)], { home: cwd, env: { MADRIGAL_HOME: "" } });
  await child.said("at work");
  const session = sessionIn(cwd);
  const scope = { one: () => "1", two: () => "after all" };
  await vi.waitFor(() => expect(session.list()[0]?.steps).toBe(1));
  const seen = session.open("last", { scope });
  const output = seen.output.catch((error: unknown) => error);
  child.signal("SIGKILL");
  await child.ended;
  expect(await output).toMatchObject({
    code: "M5105",
    message: `the process that drove run \`${seen.id}\` is gone`,
    hint: expect.stringContaining("resume()"),
  });
  const later = session.open("last", { scope });
  await expect(later.output).rejects.toMatchObject({ code: "M5105" });
  await later.resume();
  expect(await later.output).toEqual({ last: "after all" });
});

function hostFile(cwd: string, code: string): string {
  const path = join(cwd, "host.ts");
  writeFileSync(path, code);
  return path;
}

test("a process that has ended and that nobody has asked how is dead", async () => {
  const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 60"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [line] = await once(parent.stdout, "data");
  await vi.waitFor(() => expect(machineLiveness.isAlive(Number(line))).toBe(false));
  expect(machineLiveness.isAlive(parent.pid ?? -1)).toBe(true);
});
