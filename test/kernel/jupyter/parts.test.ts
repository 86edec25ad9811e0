/** The pure parts of worker 1. */
import { MessageChannel } from "node:worker_threads";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Gate } from "../../../kernel/jupyter/execution/gate.ts";
import { CellInterrupt } from "../../../kernel/jupyter/execution/interrupt.ts";
import { StreamBatch, type StreamPart } from "../../../kernel/jupyter/execution/stream-batch.ts";
import { SessionHistory } from "../../../kernel/jupyter/history/history.ts";
import { historyContent } from "../../../kernel/jupyter/history/history-query.ts";
import { Cancelled, type CellRequest, Phase, Pulse } from "../../../kernel/jupyter/link.ts";
import { UnderWay } from "../../../kernel/jupyter/main/under-way.ts";
import { toCodePoints, toUtf16 } from "../../../kernel/jupyter/requests/code-points.ts";
import { TypePort } from "../../../kernel/jupyter/requests/type-client.ts";
import { Shutdown } from "../../../kernel/jupyter/shutdown.ts";
import { createParentCheck } from "../../../kernel/startup/parent-watch.js";

describe("positions", () => {
  test("code points to UTF-16 and back is the same position, and it is counted as Array.from counts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, codePoints) => {
        const offset = toUtf16(text, codePoints);
        const counted = Array.from(text).length;
        expect(toCodePoints(text, offset)).toBe(Math.min(codePoints, counted));
        expect(Array.from(text.slice(0, offset))).toHaveLength(Math.min(codePoints, counted));
      }),
    );
  });

  test.each([
    ["a😀b", 2, 3],
    ["😀", 1, 2],
    ["abc", 9, 3],
    ["", 3, 0],
  ])("in %j, code point %i is unit %i", (text, codePoints, offset) => {
    expect(toUtf16(text, codePoints)).toBe(offset);
  });
});

describe("history", () => {
  const history = new SessionHistory();
  for (const [line, input] of ["a = 1", "b = 2", "a + b", "a = 1"].entries()) {
    history.add(line + 1, input);
  }
  history.setOutput(3, "3");

  test.each([
    [{ hist_access_type: "tail", n: 2 }, "3 a + b | 4 a = 1"],
    [{ hist_access_type: "tail" }, "1 a = 1 | 2 b = 2 | 3 a + b | 4 a = 1"],
    [{ hist_access_type: "tail", n: 0 }, ""],
    [{ hist_access_type: "range", session: 0, start: 2, stop: 4 }, "2 b = 2 | 3 a + b"],
    [{ hist_access_type: "range", session: 1, start: 3 }, "3 a + b | 4 a = 1"],
    [{ hist_access_type: "range", session: -1, start: 1, stop: 9 }, ""],
    [{ hist_access_type: "search", pattern: "a*" }, "1 a = 1 | 3 a + b | 4 a = 1"],
    [{ hist_access_type: "search", pattern: "a*", unique: true }, "3 a + b | 4 a = 1"],
    [{ hist_access_type: "search", pattern: "? = ?", n: 2 }, "2 b = 2 | 4 a = 1"],
    [{ hist_access_type: "search", pattern: "a.*" }, ""],
    [{ hist_access_type: "tail", n: 2, output: true }, "3 a + b,3 | 4 a = 1,"],
  ])("%j finds %j", async (asked, wanted) => {
    const { history: found } = await history.answer(asked);
    const items = (found as [number, number, unknown][]).map(([, line, text]) => `${line} ${text}`);
    expect(items.join(" | ")).toBe(wanted);
  });

  test("a glob agrees with the same pattern as a regular expression", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "*", "?"), { maxLength: 6 });
    const text = fc.array(fc.constantFrom("a", "b"), { maxLength: 8 });
    fc.assert(
      fc.property(letters, text, (glob, input) => {
        const entry = { session: 1, line: 1, input: input.join(""), output: null };
        const pattern = glob.join("");
        const source = pattern.replaceAll("*", ".*").replaceAll("?", ".");
        const { history: found } = historyContent([entry], {
          current: 1,
          asked: { hist_access_type: "search", pattern },
        });
        expect((found as unknown[]).length === 1).toBe(
          new RegExp(`^${source}$`).test(input.join("")),
        );
      }),
    );
  });

  test("a glob full of stars on a long cell is answered", async () => {
    const own = new SessionHistory();
    own.add(1, "a".repeat(20_000));
    const pattern = `${"*a".repeat(50)}*b`;
    const { history: found } = await own.answer({ hist_access_type: "search", pattern });
    expect(found).toEqual([]);
  });
});

test("pieces of streams are joined, and all text of a cell comes out in its order", () => {
  const part = fc.record({
    id: fc.constantFrom("1", "2"),
    name: fc.constantFrom("stdout" as const, "stderr" as const),
    text: fc.string(),
  });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const sent: StreamPart[] = [];
      const batch = new StreamBatch((each) => sent.push(each));
      for (const each of parts) batch.write(each);
      batch.flush();
      // One character at a time, with where it goes.
      const spread = (list: readonly StreamPart[]) =>
        list.flatMap(({ id, name, text }) => text.split("").map((each) => id + name + each));
      expect(spread(sent)).toEqual(spread(parts));
      for (const [index, { id, name }] of sent.entries()) {
        const before = sent[index - 1];
        expect(before?.id === id && before.name === name).toBe(false);
      }
    }),
  );
});

test("a long text is sent without waiting for more", () => {
  const sent: StreamPart[] = [];
  const batch = new StreamBatch((each) => sent.push(each));
  batch.write({ id: "1", name: "stdout", text: "x".repeat(16_384) });
  expect(sent).toHaveLength(1);
});

describe("a parent is gone when", () => {
  const world = { parent: 100, alive: new Set([100, 7]) };
  const view = (frontEnd: number | undefined) => ({
    parent: () => world.parent,
    isAlive: (pid: number) => world.alive.has(pid),
    frontEnd,
  });

  test.each([
    ["another process adopted the kernel", undefined, { parent: 1, alive: [7] }, true],
    ["the front end behind a launcher ended", 7, { parent: 100, alive: [100] }, true],
    ["not while both live", 7, { parent: 100, alive: [100, 7] }, false],
    ["not when the front end was never known here", 9, { parent: 100, alive: [100] }, false],
  ])("%s", (_what, frontEnd, then, gone) => {
    Object.assign(world, { parent: 100, alive: new Set([100, 7]) });
    const isGone = createParentCheck(view(frontEnd));
    Object.assign(world, { parent: then.parent, alive: new Set(then.alive) });
    expect(isGone()).toBe(gone);
  });
});

describe("the end", () => {
  function leaving(deadlineMs: number) {
    const said: string[] = [];
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const leave = new Shutdown({
      interrupt: async () => void said.push("interrupt"),
      postClose: () => void said.push("close"),
      refuseCells: async () => undefined,
      release: async () => {
        said.push("release");
        if (deadlineMs > 0) resolve();
      },
      kill: () => {
        said.push("kill");
        resolve();
      },
      deadlineMs,
    });
    return { leave, said, ended };
  }

  test("the cell is stopped, the main thread closes, the sockets are released; once", async () => {
    const { leave, said, ended } = leaving(60_000);
    leave.begin();
    leave.begin();
    leave.mainClosed();
    await ended;
    expect(said).toEqual(["interrupt", "close", "release"]);
  });

  test("a main thread that does not close in time is ended by force", async () => {
    const { leave, said, ended } = leaving(0);
    leave.begin();
    await ended;
    expect(said).toEqual(["interrupt", "close", "release", "kill"]);
  });
});

describe("worker 2", () => {
  test("does not answer in time: undefined, and the port was asked for", async () => {
    let starts = 0;
    const client = new TypePort(() => (starts += 1), { deadlineMs: 0 });
    expect(await client.call("isComplete", "1")).toBeUndefined();
    expect(starts).toBe(1);
  });

  test("is asked what waited for its port, and its errors are undefined", async () => {
    const { port1, port2 } = new MessageChannel();
    port2.on("message", ({ id, argument }) => {
      if (argument === "bad") port2.postMessage({ id, error: { message: "no" } });
      else port2.postMessage({ id, value: { status: "complete", indent: "" } });
    });
    const client = new TypePort(() => client.attach(port1));
    const answers = ["1", "bad", "2"].map((code) => client.call("isComplete", code));
    const complete = { status: "complete", indent: "" };
    expect(await Promise.all(answers)).toEqual([complete, undefined, complete]);
    client.close();
    port2.close();
  });

  test("a port that is closed is asked for again", async () => {
    let starts = 0;
    const { port1, port2 } = new MessageChannel();
    const client = new TypePort(() => (starts += 1), { deadlineMs: 0 });
    client.attach(port1);
    const closed = new Promise((resolve) => port1.once("close", resolve));
    port2.close();
    await closed;
    await client.call("isComplete", "1");
    expect(starts).toBe(1);
  });
});

test("while the gate is shut, what is said is kept in its order, and what must not wait goes on", async () => {
  const sent: string[] = [];
  const gate = new Gate(({ kind }) => sent.push(kind));
  const open = Promise.withResolvers<void>();
  const shut = gate.shutDuring(() => open.promise);
  gate.tell({ kind: "startTypes" });
  gate.tellNow({ kind: "ping" });
  gate.tell({ kind: "close" });
  expect(sent).toEqual(["ping"]);
  open.resolve();
  await shut;
  gate.tell({ kind: "listening" });
  expect(sent).toEqual(["ping", "startTypes", "close", "listening"]);
});

interface Lot {
  readonly isEnding?: boolean;
  readonly isTerminated?: boolean;
  readonly isEnded?: boolean;
  readonly after: number;
  readonly said: readonly string[];
}

describe("what was under way as it was terminated", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each<[string, Lot]>([
    ["its end was lost", { after: 200, said: ["lost"] }],
    ["it is wound up for too long", { isEnding: true, after: 10_000, said: ["lost"] }],
    ["it is wound up", { isEnding: true, after: 9_999, said: [] }],
    ["it comes to its end", { isEnded: true, after: 10_000, said: ["end"] }],
    ["it was not terminated", { isTerminated: false, after: 10_000, said: [] }],
  ])(
    "%s",
    async (_what, { isEnding = false, isTerminated = true, isEnded = false, after, said }) => {
      const told: string[] = [];
      const underWay = new UnderWay();
      const work = Promise.withResolvers<string>();
      const end = (how: string) => void told.push(how);
      const followed = underWay.follow(work.promise, {
        end,
        lost: "lost",
        isEnding: () => isEnding,
      });
      if (isTerminated) underWay.terminated();
      if (isEnded) work.resolve("end");
      await vi.advanceTimersByTimeAsync(after);
      expect(told).toEqual(said);
      // What comes later is not told a second time.
      work.resolve("end");
      await followed;
      expect(told).toEqual(said.length === 0 ? ["end"] : said);
    },
  );
});

describe("an interrupt", () => {
  /** A main thread that does this when worker 1 has waited, and what worker 1 did then. */
  async function interrupted(main: (pulse: Int32Array) => void): Promise<readonly string[]> {
    const did: string[] = [];
    const pulse = new Int32Array(new SharedArrayBuffer(Pulse.length * 4));
    Atomics.store(pulse, Pulse.phase, Phase.awaiting);
    const acknowledge = () => {
      const { asked, acknowledged } = Cancelled;
      Atomics.compareExchange(pulse, Pulse.cancelled, asked, acknowledged);
      Atomics.notify(pulse, Pulse.cancelled);
    };
    const cell = {} as CellRequest;
    const interrupt = new CellInterrupt({
      pulse,
      running: () => {
        main(pulse);
        return [cell];
      },
      hasBegun: () => true,
      postCancel(isTerminated) {
        did.push(isTerminated ? "cancel again" : "cancel");
        if (isTerminated) acknowledge();
      },
      endQuestion: () => undefined,
      explain: () => did.push("explain"),
      terminate: async () => {
        did.push("terminate");
        acknowledge(); // Too late: it counts for nothing now.
      },
      alone: async (work) => {
        did.push("alone");
        await work();
      },
      isTerminationSafe: true,
    });
    await interrupt.stop();
    return did;
  }

  test("is said again after the termination, which may have ended the first", async () => {
    const did = await interrupted(() => undefined);
    expect(did).toEqual(["cancel", "alone", "terminate", "cancel again"]);
  });

  test("terminates nothing once the main thread has acknowledged, however late", async () => {
    let looks = 0;
    const did = await interrupted((pulse) => {
      looks += 1;
      // Between worker 1's last look and its decision.
      if (looks === 2) Atomics.store(pulse, Pulse.cancelled, Cancelled.acknowledged);
    });
    expect(did).toEqual(["cancel"]);
  });
});
