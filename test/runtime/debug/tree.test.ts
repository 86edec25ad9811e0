/** The branch tree of a thread: which run left which, where, and what is another in it. */
import { expect, test } from "vitest";
import type { DrivenRun } from "../../../runtime/index.ts";
import { Session } from "../../../runtime/index.ts";

const TEXT = `graph Walk(topic: string) returns notes {
  state {
    draft: string = "none"
    notes: string[] = [] via append
  }
  run plan = planned(topic) writes draft
  run look = seen(draft) writes notes
  run again = seen(draft) writes notes
  start -> plan -> look -> again -> end
}`;

async function branching() {
  const session = new Session({ store: "memory" });
  const scope = { planned: (topic: string) => `plan ${topic}`, seen: (draft: string) => [draft] };
  const graph = session.compile(TEXT, { scope }).Walk;
  const run = graph?.run({ topic: "x" }) as unknown as DrivenRun;
  await run.output;
  const branch = run.fork(1, { draft: "mine" });
  await branch.output;
  const twig = branch.fork(2, { notes: [] });
  await twig.output;
  await run.rewind(2);
  const names = new Map([
    [run.id, "RUN"],
    [branch.id, "BRANCH"],
    [twig.id, "TWIG"],
  ]);
  const named = (text: string) =>
    [...names].reduce((said, [id, name]) => said.replaceAll(id.slice(-8), name), text);
  return { session, run, branch, twig, named };
}

test("a thread's runs stand below those that they left, with the step, what is another, and where a run went back", async () => {
  const { session, run, named } = await branching();
  const tree = session.tree(run.id);
  expect(named(String(tree))).toMatchInlineSnapshot(`
    "thread of run RUN
    RUN of Walk: paused (rewind), 2 steps
      went back from step 3 to step 2
    └─ from step 1: BRANCH of Walk: succeeded, 3 steps; only in B, the fork set draft
       └─ from step 2: TWIG of Walk: succeeded, 3 steps; only in B, the fork set notes"
  `);
  expect(String(session.tree(run.thread))).toBe(String(tree));
  expect(JSON.parse(JSON.stringify(tree))).toMatchObject({
    thread: run.thread,
    left: 0,
    runs: [
      {
        run_id: run.id,
        status: "paused",
        forked_from: null,
        rewinds: [{ from: 3, to: 2 }],
        branches: [
          {
            forked_from: { run_id: run.id, step: 1 },
            differs: { step: 1, cause: "edit" },
            rewinds: [],
            branches: [{ differs: { step: 2, cause: "edit" }, branches: [] }],
          },
        ],
      },
    ],
  });
});

test("a run that is not there is M5107", async () => {
  const { session } = await branching();
  expect(() => session.tree("nowhere")).toThrow(expect.objectContaining({ code: "M5107" }));
});
