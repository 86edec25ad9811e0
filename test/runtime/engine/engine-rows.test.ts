/** What the engine as a whole is there for, in one run; and the objects that agents pass to each other. */
import { expect, expectTypeOf, onTestFinished, test } from "vitest";
import type { ArtifactKind, Envelope, MessageKind, RunEvent } from "../../../runtime/index.ts";
import { Session } from "../../../runtime/index.ts";
import { newFolder } from "../trace/store.ts";

const text = `graph All(xs: int[]) returns found, ok, late {
  state { found: int[] = [] via append  ok: boolean = false  late: string = "" }
  run work(x: int) = double(x) writes found { retry 1 }
  run slow = never() writes late { limit 20ms }
  run instead = gaveUp() writes late
  human sign { ask \`Is \${found} right?\`; writes ok }
  start -> each x of xs parallel 2 { work(x) } -> slow -> end
  slow -> instead on limit
  instead -> sign
}`;

test("A80 [SM] one run: queued, merged, retried, timed out, asked, left by its process, resumed, streamed and traced", async () => {
  const home = { store: "disk", env: { MADRIGAL_HOME: newFolder() } } as const;
  const calls: number[] = [];
  const scope = {
    double: (x: number) => {
      calls.push(x);
      if (x === 2 && calls.filter((one) => one === 2).length === 1) throw new Error("flaky");
      return [2 * x];
    },
    never: () => new Promise<string>(() => {}),
    gaveUp: () => "instead",
  };
  const first = new Session(home);
  const run = first.compile(text, { scope }).All?.run({ xs: [1, 2, 3] });
  if (run === undefined) throw new Error("no graph");
  await run.continue();
  expect([run.status, run.interrupts[0]?.question]).toEqual([
    "waiting",
    expect.stringContaining("Is ["),
  ]);
  await first.close();

  const second = new Session(home);
  onTestFinished(() => second.close());
  const [graph] = Object.values(second.compile(text, { scope }));
  const again = second.open(run.id, graph === undefined ? {} : { ir: graph.ir });
  const seen: string[] = [];
  again.events$.subscribe(({ kind }) => void seen.push(kind));
  await again.answer(again.interrupts[0]?.id ?? "", { kind: "value", value: true });
  expect(await again.output).toEqual({ found: [2, 4, 6], ok: true, late: "instead" });
  // Nothing that succeeded was done again.
  expect(calls.toSorted()).toEqual([1, 2, 2, 3]);
  expect(seen).toEqual(
    expect.arrayContaining([
      ...["run.started", "each.started", "attempt.started", "attempt.finished", "commit"],
      ...["limit.reached", "interrupt.opened", "interrupt.answered", "run.finished"],
    ]),
  );
  const traces = await second.traces();
  const rows = await traces.query(
    "SELECT node, status, attempts FROM node_runs ORDER BY node, item",
  );
  // Who was asked in the other process starts again, and finds the answer in its journal.
  expect(rows.map((row) => Object.values(row).join(" "))).toEqual([
    ...["instead succeeded 1", "sign succeeded 2", "slow failed 1"],
    ...["work succeeded 1", "work succeeded 2", "work succeeded 1"],
  ]);
});

type Of<K extends RunEvent["kind"]> = RunEvent & { readonly kind: K };

test("A50 [TY] messages, tool calls and results, artifacts and handoffs are types of their own", () => {
  expectTypeOf<Envelope["kind"]>().toEqualTypeOf<MessageKind>();
  expectTypeOf<"handoff">().toExtend<MessageKind>();
  expectTypeOf<3>().not.toExtend<MessageKind>();
  expectTypeOf<Envelope["artifacts"]>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Of<"message.sent">["message"]["kind"]>().toEqualTypeOf<MessageKind>();
  expectTypeOf<Of<"tool.call">>().toHaveProperty("tool").toBeString();
  expectTypeOf<Of<"tool.result">>().toHaveProperty("value");
  expectTypeOf<Of<"artifact.created">["artifact"]["kind"]>().toEqualTypeOf<ArtifactKind>();
  const envelope = {} as Envelope;
  // @ts-expect-error: what was sent is as it was sent.
  envelope.payload = "another";
  // @ts-expect-error: there is no such member.
  envelope.reciever;
  expect(envelope).toEqual({ payload: "another" });
});
