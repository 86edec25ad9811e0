/** Whoever listens to a run late is told what the others were told, in the same order, text as it came too. */
import { take } from "rxjs";
import { expect, test } from "vitest";
import { type RunEvent, Session, scripted } from "../../../runtime/index.ts";

const text = `model m = "scripted"
graph G(n: int) returns notes {
  state { notes: string[] = [] via append }
  agent write { model m; prompt \`Write\`; writes notes }
  graph inner = H() writes notes
  start -> write -> inner -> { notes.length < n -> write, else -> end }
  limit 100 steps
}
graph H() returns said {
  state { said: string = "" }
  run say = word() writes said
  start -> say -> end
}`;

function start(n: number) {
  const session = new Session({ store: "memory", env: {} });
  const { G } = session.compile(text, { scope: { word: () => "so" } });
  if (G === undefined) throw new Error("no G");
  const m = scripted({ write: Array.from({ length: n }, () => "some words") });
  return { session, run: G.run({ n }, { models: { m } }) };
}

test("behind each event, in the midst of it, and behind the end", async () => {
  const { session, run } = start(6);
  const first: RunEvent[] = [];
  const others: RunEvent[][] = [];
  run.events$.subscribe((event) => {
    first.push(event);
    const heard: RunEvent[] = [];
    others.push(heard);
    run.events$.subscribe((one) => heard.push(one));
    // Told up to this one at once.
    expect(heard).toEqual(first);
  });
  await run.output;
  await run.settled();
  expect(first.filter(({ kind }) => kind === "model.delta").length).toBeGreaterThan(5);
  expect(first.length).toBeGreaterThan(50);
  for (const heard of others) expect(heard).toEqual(first);
  const last: RunEvent[] = [];
  let isOver = false;
  run.events$.subscribe({ next: (event) => last.push(event), complete: () => (isOver = true) });
  expect(last).toEqual(first);
  expect(isOver).toBe(true);
  await session.close();
});

test("one that has heard enough is told no more, and a rewound run tells on", async () => {
  const { session, run } = start(2);
  await run.output;
  await run.settled();
  const few: RunEvent[] = [];
  run.events$.pipe(take(3)).subscribe((event) => few.push(event));
  expect(few.map(({ kind }) => kind)).toEqual(["run.started", "route.chosen", "attempt.started"]);
  await run.rewind(1);
  const all: RunEvent[] = [];
  run.events$.subscribe((event) => all.push(event));
  await run.resume();
  await run.output;
  const ends = all.filter(({ kind }) => kind === "run.finished" || kind === "run.rewound");
  expect(ends.map(({ kind }) => kind)).toEqual(["run.finished", "run.rewound", "run.finished"]);
  await session.close();
});
