/** `each` over what comes little by little: AsyncIterables and Observables. */
import { Subject } from "rxjs";
import { afterEach, expect, test } from "vitest";
import { type Run, type RunEvent, Session } from "../../../runtime/index.ts";

const sessions: Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});

type Scope = Readonly<Record<string, unknown>>;

const text = (each: string) => `graph Watch(below: int = 10) returns seen {
  state { seen: int[] = [] via append
    done: boolean = false }
  run note(home: int) = noted(home) writes seen
  run finish = finished(seen) writes done
  start -> ${each} -> finish
}`;

function begun(each: string, scope: Scope): Run {
  const session = new Session({ store: "memory", env: { MADRIGAL_HOME: "/nowhere" } });
  sessions.push(session);
  const noted = (home: number) => home;
  const { Watch } = session.compile(text(each), {
    scope: { noted, finished: () => true, ...scope },
  });
  if (Watch === undefined) throw new Error("no graph");
  return Watch.run({});
}

async function itemsOf(run: Run): Promise<readonly string[]> {
  const found: string[] = [];
  run.events$.subscribe((event: RunEvent) => {
    if (event.kind === "each.item") found.push(`${event.number} ${event.status}`);
  });
  await run.settled();
  return found;
}

async function* counting(to: number, closed?: () => void): AsyncGenerator<number> {
  try {
    for (let at = 1; at <= to; at += 1) yield at;
  } finally {
    closed?.();
  }
}

const plain = "each home of watch() { note(home) }";

test("an AsyncIterable: an item each, in the order in which they came, and the join when it ends", async () => {
  const run = begun(plain, { watch: () => counting(5) });
  expect(await run.output).toEqual({ seen: [1, 2, 3, 4, 5] });
  expect(run.state).toMatchObject({ done: true });
  expect(await itemsOf(run)).toEqual([...[1, 2, 3, 4, 5].map((at) => `${at} taken`), "6 ended"]);
});

test("`when` filters an item as it arrives; what it leaves out takes no room", async () => {
  const run = begun("each home of watch() when home % 2 == 0 { note(home) }", {
    watch: () => counting(6),
  });
  expect(await run.output).toEqual({ seen: [2, 4, 6] });
  expect(await itemsOf(run)).toContain("1 skipped");
});

test("the next item is asked for when there is room: one at a time, or as many as `parallel` says", async () => {
  for (const [each, most] of [
    [plain, 1],
    ["each home of watch() parallel 3 { note(home) }", 3],
  ] as const) {
    let asked = 0;
    let through = 0;
    let ahead = 0;
    const watch = async function* () {
      for (let at = 1; at <= 7; at += 1) {
        asked += 1;
        ahead = Math.max(ahead, asked - through);
        yield at;
      }
    };
    const noted = async (home: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      through += 1;
      return home;
    };
    await begun(each, { watch, noted }).output;
    expect(ahead).toBeLessThanOrEqual(most);
  }
});

test("an Observable is subscribed to once, and unsubscribed at its end", async () => {
  const homes$ = new Subject<number>();
  const run = begun("each home of homes() { note(home) }", {
    homes: () => homes$,
  });
  await expect.poll(() => homes$.observed).toBe(true);
  for (const at of [3, 1, 2]) homes$.next(at);
  homes$.complete();
  expect(await run.output).toEqual({ seen: [3, 1, 2] });
  expect(homes$.observed).toBe(false);
});

test("an Observable that gives faster than it is taken is kept up to 1,000 values, then it is M5303", async () => {
  const homes$ = new Subject<number>();
  const run = begun(plain, { watch: () => homes$, noted: () => new Promise(() => {}) });
  await expect.poll(() => homes$.observed).toBe(true);
  for (let at = 0; at < 1002; at += 1) homes$.next(at);
  await run.abort();
  const other$ = new Subject<number>();
  const failing = begun(plain, { watch: () => other$ });
  await expect.poll(() => other$.observed).toBe(true);
  for (let at = 0; at < 1100; at += 1) other$.next(at);
  await expect(failing.output).rejects.toMatchObject({ code: "M5303" });
});

test("a stream that fails is a failure of the `each`; with `on error skip` it ends there", async () => {
  const watch = async function* () {
    yield 1;
    throw new Error("the line is dead");
  };
  const run = begun(plain, { watch });
  await expect(run.output).rejects.toMatchObject({ code: "M5320" });
  const skips = begun("each home of watch() on error skip { note(home) }", { watch });
  expect(await skips.output).toEqual({ seen: [1] });
});

test("an item that is not JSON is told with its place", async () => {
  const watch = async function* () {
    yield { at: { home: () => 1 } };
  };
  const run = begun(plain, { watch });
  await expect(run.output).rejects.toThrow(/not JSON.*home/);
});

test("`need n` goes on at the n-th item, and closes the stream", async () => {
  let closed = 0;
  const watch = () => counting(1_000_000, () => (closed += 1));
  const run = begun("each home of watch() need 3 { note(home) }", { watch });
  expect(await run.output).toEqual({ seen: [1, 2, 3] });
  expect(closed).toBe(1);
});

test("a run that is paused closes its stream; resumed it calls the source with the last item", async () => {
  const calls: unknown[] = [];
  let closed = 0;
  let pauses = 0;
  let run: Run | undefined;
  const watch = (given?: { after: number }) => {
    calls.push(given?.after);
    const from = given?.after ?? 0;
    return (async function* () {
      try {
        for (let at = from + 1; at <= 6; at += 1) yield at;
      } finally {
        closed += 1;
      }
    })();
  };
  const noted = async (home: number) => {
    if (home === 3 && pauses === 0) {
      pauses += 1;
      void run?.pause({ now: true });
    }
    await new Promise((resolve) => setImmediate(resolve));
    return home;
  };
  run = begun(plain, { watch, noted });
  await run.settled();
  expect(run.status).toBe("paused");
  expect(closed).toBe(1);
  await run.resume();
  expect(await run.output).toEqual({ seen: [1, 2, 3, 4, 5, 6] });
  expect(calls).toEqual([undefined, 3]);
});

test("a failed run goes on behind the last item, with the source asked anew", async () => {
  let isBroken = true;
  const watch = async function* (given?: { after: number }) {
    for (let at = (given?.after ?? 0) + 1; at <= 4; at += 1) {
      if (at === 3 && isBroken) throw new Error("gone");
      yield at;
    }
  };
  const run = begun(plain, { watch });
  await expect(run.output).rejects.toMatchObject({ code: "M5320" });
  isBroken = false;
  await run.resume();
  expect(await run.output).toEqual({ seen: [1, 2, 3, 4] });
});

test("a rewound run reads on behind the item of then", async () => {
  const watch = async function* (given?: { after: number }) {
    for (let at = (given?.after ?? 0) + 1; at <= 4; at += 1) yield at;
  };
  const run = begun(plain, { watch });
  await run.output;
  await run.rewind(2);
  expect(run.state).toMatchObject({ seen: [1, 2] });
  await run.resume();
  expect(await run.output).toEqual({ seen: [1, 2, 3, 4] });
});

test("the log alone tells a run over a stream: nobody is asked for items again", async () => {
  let asked = 0;
  const watch = () => {
    asked += 1;
    return counting(4);
  };
  const run = begun(plain, { watch });
  await run.output;
  const replayed = await run.replay();
  expect(replayed).toMatchObject({ ok: true });
  expect(asked).toBe(1);
});
