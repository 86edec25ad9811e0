/** The processes of strong agents: stopped in steps, swept with all that they left, limited in number, killed with their engine. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { takePlace } from "../../../runtime/agents/controllers/process/process-pool.ts";
import { killMarked, newMark } from "../../../runtime/agents/controllers/process/sweep.ts";
import type { Controller, ControllerEvent, StartRequest } from "../../../runtime/index.ts";
import { agentStub } from "../../support/agents/agent-stubs.ts";
import { temporaryFolder } from "../../support/child.ts";

const request: StartRequest = {
  ...{ key: "run/1/1", runId: "run", nodeRunId: "run/1", attempt: 1, operator: "code" },
  ...{ instruction: "Do it.", stateView: {}, inbox: [], artifacts: [], skills: [] },
  ...{ session: "new", tools: [] },
};

const AT_ONCE = { stopTimes: { asked: 20, interrupted: 20, terminated: 20 } };

async function heard(controller: Controller): Promise<readonly ControllerEvent[]> {
  const handle = await controller.start(request);
  const events: ControllerEvent[] = [];
  for await (const chunk of controller.stream(handle)) events.push(...chunk.events);
  return events;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and that nobody has waited for is still in the table.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

const childIn = (text: string) => Number(/child (\d+)/.exec(text)?.[1]);

describe.skipIf(process.platform !== "linux")("processes", () => {
  test("A17 an agent that ignores its protocol and every signal is killed, with a child that left its group", async () => {
    const agent = agentStub("claude_code", "stubborn", {}, AT_ONCE);
    const handle = await agent.start(request);
    let child = 0;
    let last: ControllerEvent | undefined;
    for await (const { events } of agent.stream(handle)) {
      for (const event of events) {
        last = event;
        if (event.kind !== "message_completed") continue;
        child = childIn(event.text);
        expect(isRunning(child)).toBe(true);
        void agent.interrupt(handle);
      }
    }
    expect(last).toMatchObject({ kind: "failed", class: "aborted" });
    expect(isRunning(child)).toBe(false);
  });

  test("A17 what an agent started and left behind ends with its turn", async () => {
    const last = (await heard(agentStub("claude_code", "leaves"))).at(-1);
    expect(last?.kind).toBe("completed");
    expect(isRunning(childIn(last?.kind === "completed" ? last.text : ""))).toBe(false);
  });

  test("processes of another mark are left alone", () => {
    expect(killMarked(newMark())).toBe(0);
  });
});

/** A clock whose timers go off when they are told to. */
function manualClock() {
  const timers = new Set<() => void>();
  const after = (_: number, action: () => void) => {
    timers.add(action);
    return () => void timers.delete(action);
  };
  const fire = () => {
    const due = [...timers];
    timers.clear();
    for (const action of due) action();
  };
  return { now: () => 0, after, fire };
}

test.each([
  ["claude_code", { idleMs: 60_000 }, "idle"],
  ["codex", { timeoutMs: 60_000, idleMs: 600_000 }, "timeout"],
] as const)(
  "A30 %s with %j is stopped when that is over, class timeout",
  async (name, options, reason) => {
    const clock = manualClock();
    const agent = agentStub(name, "hangs", options, { clock });
    const handle = await agent.start(request);
    const events: ControllerEvent[] = [];
    const done = (async () => {
      for await (const chunk of agent.stream(handle)) events.push(...chunk.events);
      return true;
    })();
    const turns = () => new Promise<false>((go) => setImmediate(() => go(false)));
    while (!(await Promise.race([done, turns()]))) clock.fire();
    expect(events.some(({ kind }) => kind === "heartbeat")).toBe(true);
    expect(events.at(-1)).toMatchObject({ kind: "failed", class: "timeout", reason });
  },
);

test("of many agents at once as many run as the pool has places; the next one waits", async () => {
  const [one, two, three] = [1, 2, 3].map(() =>
    agentStub("acp", "hangs", { pool: 2 }, AT_ONCE),
  ) as [Controller, Controller, Controller];
  const first = await one.start(request);
  const second = await two.start(request);
  let isThird = false;
  const third = three.start(request).then((handle) => {
    isThird = true;
    return handle;
  });
  await new Promise((go) => setImmediate(go));
  expect(isThird).toBe(false);
  await one.interrupt(first);
  await three.interrupt(await third);
  await two.interrupt(second);
});

test("whoever stops waiting for a place begins no session", async () => {
  const [one, two] = [1, 2].map(() => agentStub("acp", "hangs", { pool: 1 }, AT_ONCE)) as [
    Controller,
    Controller,
  ];
  const first = await one.start(request);
  const gone = new AbortController();
  const second = two.start(request, gone.signal);
  gone.abort();
  await expect(second).rejects.toMatchObject({ failure: { class: "aborted" } });
  await one.interrupt(first);
});

test("whoever stops waiting while its session is prepared has no agent begin", async () => {
  const agent = agentStub("acp", "hangs", {}, AT_ONCE);
  const gone = new AbortController();
  const started = agent.start(request, gone.signal);
  // It has its place by now, and its server does not listen yet.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  gone.abort();
  await expect(started).rejects.toMatchObject({ failure: { class: "aborted", code: "M8111" } });
});

test("a place that is given to somebody who left is the next one's", async () => {
  const giveBack = await takePlace("left", 1, undefined);
  const gone = new AbortController();
  const left = takePlace("left", 1, gone.signal);
  const next = takePlace("left", 1, undefined);
  giveBack();
  gone.abort();
  await expect(left).rejects.toMatchObject({ failure: { class: "aborted" } });
  (await next)();
});

test("an agent is interrupted also while a person is asked to take its changes", async () => {
  const folder = temporaryFolder("madrigal-agent-changes-");
  const surroundings = { env: { PATH: process.env.PATH, HOME: folder }, folder };
  const options = { isolate: "copy", cwd: "app", mode: "acceptEdits" } as const;
  mkdirSync(join(folder, "app"));
  const agent = agentStub("claude_code", "edits", options, { ...surroundings, ...AT_ONCE });
  const handle = await agent.start(request);
  const asked: string[] = [];
  const events: ControllerEvent[] = [];
  for await (const chunk of agent.stream(handle)) {
    events.push(...chunk.events);
    const question = chunk.events.find((event) => event.kind === "approval_requested");
    if (question === undefined) continue;
    asked.push(question.tool);
    await agent.interrupt(handle);
  }
  expect(asked).toEqual(["files.submit"]);
  expect(events.at(-1)).toMatchObject({ kind: "failed" });
  expect(existsSync(join(folder, "app", "note.txt"))).toBe(false);
});

test("A26 a flood of lines is heard byte for byte, and the agent waits for whoever hears it", async () => {
  const size = 4_000_000;
  const agent = agentStub("claude_code", "flood", { set: { STUB_BYTES: String(size) } });
  let bytes = 0;
  for await (const { raw } of agent.stream(await agent.start(request))) bytes += raw.length;
  expect(bytes).toBeGreaterThan(size);
});
