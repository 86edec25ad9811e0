/** A run that another process drives, as this one sees it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type DrivenRun, Session } from "../../../runtime/index.ts";
import { watchLog } from "../../../runtime/remote/remote-owner.ts";
import { machineLiveness } from "../../../runtime/store/lease.ts";
import { startNode, temporaryFolder } from "../../support/child.ts";
import { drive, gate } from "../driven-run.ts";
import { manualClock } from "../store/fixtures.ts";

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

function started(session: Session, two: () => unknown): DrivenRun {
  const { Two } = session.compile(TEXT, { scope: { one: () => "1", two } });
  if (Two === undefined) throw new Error("no graph");
  return Two.run({}) as unknown as DrivenRun;
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

test("one that is taken over before the next look: who listened hears its end", async () => {
  const cwd = temporaryFolder();
  const held = gate("2");
  const run = started(sessionIn(cwd), () => held.pass());
  await held.entered;
  const seen = sessionIn(cwd).open(run.id, { scope: { one: () => "1", two: () => "here" } });
  const nodes: string[] = [];
  const iterated = (async () => {
    for await (const { node } of seen) nodes.push(node);
  })();
  const settled = seen.settled();
  await run.pause({ now: true });
  await seen.resume();
  expect(await seen.output).toEqual({ last: "here" });
  await Promise.all([settled, iterated]);
  expect(nodes).toEqual(["first", "second"]);
});

test("a listener that has more read: everybody is told everything once, in its order", async () => {
  const cwd = temporaryFolder();
  const held = gate("2");
  const here = started(sessionIn(cwd), () => held.pass());
  await held.entered;
  await here.pause({ now: true });
  const there = sessionIn(cwd).open(here.id, { scope: { one: () => "1", two: () => "there" } });
  await there.resume();
  await there.output;
  const heard: number[] = [];
  const refused: Promise<unknown>[] = [];
  let isNew = false;
  here.events$.subscribe(({ seq }) => {
    heard.push(seq);
    if (isNew) refused.push(here.resume().catch(({ code }) => code));
  });
  const late: number[] = [];
  here.events$.subscribe(({ seq }) => late.push(seq));
  isNew = true;
  await expect(here.resume()).rejects.toMatchObject({ code: "M5004" });
  expect(heard).toEqual([...heard].sort((a, b) => a - b));
  expect(late).toEqual(heard);
  expect(here.steps.map(({ node }) => node)).toEqual(["first", "second"]);
  expect(here.usage).toEqual(there.usage);
  expect(new Set(await Promise.all(refused))).toEqual(new Set(["M5004"]));
});

test("one that failed here and goes on elsewhere is followed again", async () => {
  const cwd = temporaryFolder();
  const here = started(sessionIn(cwd), () => {
    throw new Error("no");
  });
  await expect(here.output).rejects.toThrow();
  const held = gate("there");
  const scope = { one: () => "1", two: () => held.pass() };
  const there = sessionIn(cwd).open(here.id, { scope });
  await there.resume();
  await held.entered;
  await vi.waitFor(() => {
    void here.output.catch(() => {});
    expect(here.status).toBe("running");
  });
  const output = here.output;
  held.open();
  expect(await output).toEqual({ last: "there" });
  expect(await there.output).toEqual({ last: "there" });
});

test("when nothing could be seen of it for long, its output is there to be awaited again", async () => {
  const held = gate("2");
  const { run, store, clock, found } = drive(TEXT, {
    goal: "end",
    does: ({ node }) => (node.name === "first" ? "1" : held.pass()),
  });
  await held.entered;
  let isLocked = false;
  const seen = found({
    readAfter: (after) => {
      if (isLocked) throw new Error("locked");
      return store.read(run.id).filter(({ seq }) => seq > after);
    },
    isDriven: () => run.isUnderWay,
  });
  const lost = seen.output;
  isLocked = true;
  await clock.advance(60_000);
  await expect(lost).rejects.toThrow("locked");
  await expect(seen.settled()).rejects.toThrow("locked");
  isLocked = false;
  const output = seen.output;
  held.open();
  await run.output;
  await clock.advance(1_000);
  expect(await output).toEqual({ last: "2" });
  await seen.settled();
});

test("asked to stay while it looks, a watch looks no more often", async () => {
  const clock = manualClock();
  const looks: number[] = [];
  const watch = watchLog(clock, {
    look: () => {
      looks.push(clock.now());
      watch.keepAlive();
      return looks.length < 4;
    },
    failed: () => {},
  });
  await clock.advance(10_000);
  expect(looks).toEqual([10_250, 10_500, 10_750, 11_000]);
});

test("a run that has ended is aborted without its store", async () => {
  const session = sessionIn(temporaryFolder());
  const run = started(session, () => "2");
  await run.output;
  await session.close();
  await run.abort();
  expect(run.status).toBe("succeeded");
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
    message: `the process that drove run \`${seen.id.slice(-8)}\` is gone`,
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
