/** What the modes promise: what somebody was told of is stored, and in `sync` what came before a start is. */
import { describe, expect, test } from "vitest";
import {
  type LogRecord,
  type Run,
  type RunOptions,
  type Session,
  tool,
} from "../../../runtime/index.ts";
import { newSession } from "../scoped-run.ts";

const modes = ["sync", "async", "exit"] as const;

const text = `graph Ship(to: string = "here") returns sent {
  state {
    seen: number[] = [] via append
    ok: boolean = false
    sent: string = ""
  }
  run first = look() writes seen
  run second = look() writes seen
  human signoff { ask "Ship it?"; writes ok }
  tool send = mail({ to: to }) writes sent
  start -> first -> second -> signoff -> send -> end
}
`;

interface Scene {
  readonly run: Run;
  readonly session: Session;
  /** What was stored when a function was called. */
  readonly at: Record<string, readonly LogRecord[]>;
}

function shipping(durability: RunOptions["durability"] & string, mail = async () => "sent"): Scene {
  const session = newSession();
  const at: Record<string, readonly LogRecord[]> = {};
  const stored = () => session.store.read(session.list()[0]?.runId ?? "");
  let looks = 0;
  const look = () => {
    looks += 1;
    at[`look ${looks}`] = stored();
    return [looks];
  };
  const send = async () => {
    at.mail = stored();
    return await mail();
  };
  const scope = { look, mail: tool(send, { effect: "external" }) };
  const { Ship } = session.compile(text, { scope });
  const run = Ship?.run({}, { durability }) as Run;
  return { run, session, at };
}

describe.each(modes)("%s", (mode) => {
  test("A05 what is told is stored: the question, the answer, the intent of an external call, the result", async () => {
    const { run, session, at } = shipping(mode);
    const stored = () => kindsOf(session.store.read(run.id));
    await run.settled();
    expect(stored().at(-1)).toBe("interrupt");
    const [question] = run.interrupts;
    await run.answer(question?.id ?? "", { kind: "value", value: true });
    expect(stored()).toContain("answer");
    expect(await run.output).toEqual({ sent: "sent" });
    expect(kindsOf(at.mail ?? []).at(-1)).toBe("intent");
    expect(stored().at(-1)).toBe("end");
    expect(session.store.find(run.id)).toMatchObject({ status: "succeeded", steps: 4 });
  });

  test("a run that is aborted, fails or is paused is stored when that is told", async () => {
    const aborted = shipping(mode);
    await aborted.run.settled();
    await aborted.run.abort("enough");
    expect(lastOf(aborted)).toMatchObject({ kind: "control", verb: "abort" });
    const failed = shipping(mode, () => Promise.reject(new Error("no line")));
    await failed.run.settled();
    await failed.run.answer(failed.run.interrupts[0]?.id ?? "", { kind: "value", value: true });
    await expect(failed.run.output).rejects.toThrow("no line");
    expect(lastOf(failed)).toMatchObject({ kind: "end", status: "failed" });
    const paused = shipping(mode);
    await paused.run.pause({ now: true });
    expect(lastOf(paused)).toMatchObject({ kind: "control", verb: "pause" });
  });

  test("a session that closes leaves the whole log of what was under way", async () => {
    const { run, session } = shipping(mode);
    await run.settled();
    const { steps } = run;
    await session.close();
    expect(session.store.find(run.id)).toMatchObject({ status: "waiting", steps: steps.length });
  });
});

test("sync stores everything before each start; exit only what must be; async sooner or later", async () => {
  const stored = async (mode: (typeof modes)[number]) => {
    const { run, at } = shipping(mode);
    await run.settled();
    return [at["look 1"], at["look 2"]].map((records) => kindsOf(records ?? []).join(" "));
  };
  expect(await stored("sync")).toEqual(["run start", "run start commit start"]);
  // The first record has the input: it is stored before anything else happens.
  expect(await stored("exit")).toEqual(["run", "run"]);
  // How much of the rest is stored by then is the writer's own affair.
  for (const records of await stored("async")) {
    expect("run start commit start".startsWith(records)).toBe(true);
    expect(records).toMatch(/^run/);
  }
});

function kindsOf(records: readonly LogRecord[]): readonly string[] {
  return records.map(({ kind }) => kind);
}

function lastOf({ run, session }: Scene): LogRecord | undefined {
  return session.store.read(run.id).at(-1);
}
