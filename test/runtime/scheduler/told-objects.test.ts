/** Messages whose payload is an object of its own, made of the state, the arguments and the result. */
import { expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { newSession, runWith } from "../scoped-run.ts";

const duel = (tell: string) => `type Attack = { target: string, strength: int }
graph Duel(foe: string) returns heard {
  state { round: int = 0  heard: Json[] = [] }
  run ann = choose(foe) writes round { ${tell} }
  run bob = hear(inbox) writes heard
  start -> ann -> bob
}`;

type Told = { readonly kind: string; readonly payload: unknown };

async function played(tell: string, strength: unknown = 3) {
  const session = newSession();
  const scope = {
    choose: () => strength,
    hear: (inbox: readonly Told[]) => inbox.map(({ kind, payload }) => ({ kind, payload })),
  };
  const { run, ir } = runWith(duel(tell), scope, { session, input: { foe: "cem" } });
  return { session, run, ir };
}

test("what is told is an object of the result, the fields as written, and the parameters", async () => {
  const { session, run, ir } = await played(
    "tell bob as Attack { target: `${foe} ${round}`, strength: result + 1 }",
  );
  const attack = { target: "cem 3", strength: 4 };
  expect(await run.output).toEqual({ heard: [{ kind: "Attack", payload: attack }] });
  expect(run.replay()).toMatchObject({ ok: true });
  const records = session.store.read(run.id);
  expect(foldLog(link(ir), records).output).toEqual(await run.output);
  const rows = await (await session.traces()).query(
    "SELECT sender, recipient, kind, content FROM messages WHERE run_id = $1",
    [run.id],
  );
  expect(rows).toEqual([{ sender: "ann", recipient: "bob", kind: "Attack", content: attack }]);
});

test.each([
  [
    "tell * as Attack { ...{ target: foe }, strength: 1 }",
    { target: "cem", strength: 1 },
    "Attack",
  ],
  ["tell bob as task { of: [foe] }", { of: ["cem"] }, "task"],
  ["tell bob as review", 3, "review"],
])("%s", async (tell, payload, kind) => {
  const { run } = await played(tell);
  expect(await run.output).toEqual({ heard: [{ kind, payload }] });
});

test("an object that is not of the type fails the node, and is not told", async () => {
  const { session, run } = await played(
    "tell bob as Attack { target: foe, strength: result / 2 }",
    7,
  );
  await expect(run.output).rejects.toThrow(
    "what `ann` tells does not fit: at `strength`: expected an integer",
  );
  const sent = session.store.read(run.id).filter((record) => "messages" in record);
  expect(sent).toEqual([]);
});
