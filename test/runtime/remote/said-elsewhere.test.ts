/** What people say to a run from another process than the one that drives it: recorded at once, taken in by its owner. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Answer, type DrivenRun, Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { gate } from "../driven-run.ts";

vi.setConfig({ testTimeout: 60_000 });

const TEXT = `graph Ask(n: int = 1) returns said, other {
  state {
    said: string = ""
    other: boolean = false
  }
  human name { ask \`Who?\`; writes said }
  human sure { ask \`Sure?\`; writes other }
  start -> [name, sure]
  name -> end
  sure -> end
}
graph Work() returns done {
  state { done: string = "" }
  run work = work() writes done { approve after }
  start -> work -> end
}`;

let sessions = 0;

function sessionIn(cwd: string): Session {
  sessions += 1;
  const session = new Session({ cwd, env: {}, name: `kernel-${sessions}` });
  onTestFinished(() => session.close());
  return session;
}

function started(
  cwd: string,
  name: "Ask" | "Work" = "Ask",
  work: () => unknown = () => "w",
): DrivenRun {
  const graph = sessionIn(cwd).compile(TEXT, { scope: { work } })[name];
  if (graph === undefined) throw new Error("no graph");
  const run = graph.run({}) as unknown as DrivenRun;
  void run.output.catch(() => {});
  return run;
}

/** Waits, with two questions, in the process that drives it. */
async function waiting(cwd: string): Promise<DrivenRun> {
  const run = started(cwd);
  await vi.waitFor(() => expect(run.status).toBe("waiting"));
  return run;
}

const value = (said: unknown): Answer => ({ kind: "value", value: said });

function idOf(run: DrivenRun, node: string): string {
  return run.interrupts.find((one) => one.node === node)?.id ?? "none";
}

test("E06 A86 answered singly from two other processes, a run goes on where it is driven", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const [one, two] = [sessionIn(cwd).open(run.id), sessionIn(cwd).open(run.id)];
  await one.answer(idOf(run, "name"), value("Ann"));
  expect(await one.delivered()).toBe(true);
  expect(run.interrupts.map(({ node }) => node)).toEqual(["sure"]);
  await two.answer(idOf(run, "sure"), value(true));
  expect(await two.delivered()).toBe(true);
  expect(await run.output).toEqual({ said: "Ann", other: true });
  expect(await two.output).toEqual({ said: "Ann", other: true });
  expect(run.isUnderWay).toBe(false);
});

test.each<[string, string, Answer, string]>([
  ["a wrong type", "sure", value("perhaps"), "M5311"],
  ["no such question", "nobody", value(true), "M5310"],
])("%s is refused where it is said, and nothing is recorded", async (_, node, answer, code) => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const session = sessionIn(cwd);
  const seen = session.open(run.id);
  await expect(seen.answer(idOf(run, node), answer)).rejects.toMatchObject({ code });
  expect(session.store.notes.pending(run.id)).toEqual([]);
});

test("two say something to one question before anybody reads: the first counts, the second is told", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const seen = sessionIn(cwd).open(run.id);
  const id = idOf(run, "name");
  const [first, second] = await Promise.allSettled([
    seen.answer(id, value("Ann")),
    sessionIn(cwd).open(run.id).answer(id, value("Bob")),
  ]);
  expect(first.status).toBe("fulfilled");
  expect(second).toMatchObject({ reason: { code: "M5310" } });
  await seen.delivered();
  await expect(seen.answer(id, value("Bob"))).rejects.toMatchObject({ code: "M5310" });
  expect(run.state).toMatchObject({ said: "Ann" });
});

test("answers for later wait in the store, and whoever resumes the run takes them all in", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  await run.leave("closed");
  const seen = sessionIn(cwd).open(run.id);
  const answers = [
    [idOf(run, "name"), value("Ann")],
    [idOf(run, "sure"), value(false)],
  ] as const;
  await seen.answerAll(answers, { later: true });
  expect([seen.status, seen.isUnderWay]).toEqual(["waiting", false]);
  expect(await seen.delivered()).toBe(false);
  const other = sessionIn(cwd).open(run.id);
  await other.resume();
  expect(await other.output).toEqual({ said: "Ann", other: false });
  expect(await seen.delivered()).toBe(true);
});

test("several at once: one that does not fit, and none is said", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const answers = [
    [idOf(run, "name"), value("Ann")],
    [idOf(run, "sure"), value("what")],
  ] as const;
  await expect(run.answerAll(answers)).rejects.toMatchObject({ code: "M5311" });
  expect(run.interrupts).toHaveLength(2);
  await run.answerAll([answers[0], [answers[1][0], value(true)]]);
  expect(await run.output).toEqual({ said: "Ann", other: true });
});

test("an abort from elsewhere ends the run where it is driven, and says when it has", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const seen = sessionIn(cwd).open(run.id);
  await seen.abort("enough");
  expect([run.status, run.reason, seen.status]).toEqual(["aborted", "enough", "aborted"]);
  await seen.abort("again");
  expect(seen.reason).toBe("enough");
});

test("a pause from elsewhere, resumed elsewhere: what was said before holds, the pause does not", async () => {
  const cwd = temporaryFolder();
  const held = gate("done");
  const run = started(cwd, "Work", () => held.pass());
  await held.entered;
  const session = sessionIn(cwd);
  const seen = session.open(run.id, { scope: { work: () => "here" } });
  await seen.pause({ now: true, reason: "lunch" });
  await run.settled();
  expect([run.status, run.reason]).toEqual(["paused", "lunch"]);
  session.store.notes.leave(run.id, { verb: "pause" }, "late");
  await seen.resume();
  await vi.waitFor(() => expect(seen.status).toBe("waiting"));
  await seen.answer(idOf(seen, "work"), { kind: "approve" });
  expect(await seen.output).toEqual({ done: "here" });
  held.open();
});

test("a steer from elsewhere is heard once, however often it is read", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const session = sessionIn(cwd);
  const seen = session.open(run.id);
  await seen.steer("be brief");
  expect(await seen.delivered()).toBe(true);
  const steers = () => session.store.read(run.id).filter(({ kind }) => kind === "steer");
  await vi.waitFor(() => expect(steers()).toHaveLength(1));
  expect(steers()).toMatchObject([{ message: { payload: "be brief" }, note: expect.any(Number) }]);
  expect(run.replay().divergence).toBeUndefined();
});

test("a steer with an id is taken in once, however many processes say it, before and after it is read", async () => {
  const cwd = temporaryFolder();
  const run = await waiting(cwd);
  const session = sessionIn(cwd);
  const seen = [session.open(run.id), sessionIn(cwd).open(run.id)];
  for (const one of seen) await one.steer("be brief", { id: "x" });
  for (const one of seen) expect(await one.delivered()).toBe(true);
  await sessionIn(cwd).open(run.id).steer("be brief", { id: "x" });
  await run.steer("be brief", { id: "x" });
  await run.steer("be kind", { id: "y" });
  const steers = session.store.read(run.id).filter(({ kind }) => kind === "steer");
  expect(steers).toMatchObject([{ message: { id: "s:x" } }, { message: { id: "s:y" } }]);
});
