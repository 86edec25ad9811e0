/** The timeline of a run in a notebook: words for who only reads it, a panel that acts on the run where there are widgets. */
import { expect, test } from "vitest";
import { openTestNotebook, type TestNotebook, useTypes } from "./notebook.ts";
import { page } from "./widget-page.ts";

useTypes();

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

async function walking(): Promise<TestNotebook> {
  const notebook = openTestNotebook();
  await notebook.run(`const hostile = "<img src=x onerror=alert(1)>\\u202e";
const planned = (topic: string) => "plan " + topic + hostile;
const seen = (draft: string) => ["saw " + draft];`);
  await notebook.run(TEXT);
  return notebook;
}

interface Panel {
  readonly places: number;
  readonly head: string;
  readonly isOver: boolean;
  readonly fault: string;
  readonly note: string;
  readonly busy: string;
  readonly page: {
    readonly index: number;
    readonly title: string;
    readonly drawing: string;
    readonly alt: string;
    readonly said: readonly { readonly by: string; readonly text: string }[];
    readonly changes: readonly Readonly<Record<string, string>>[];
    readonly caption: string;
  };
}

test("who only reads a notebook has the drawing of the last place, and a line for each", async () => {
  const notebook = await walking();
  await notebook.run('const run = Walk.run({ topic: "x" }); await run.output;');
  const said = await notebook.run("run.timeline()");
  expect(said).toMatch(/timeline of run \S+ of Walk: succeeded, 3 steps/);
  expect(said).toMatch(/step 3: again#1\s+notes\[1\] = "saw plan x<img/);
  expect(said).not.toContain("\u202e");
  expect(notebook.sent).toEqual([]);
  expect(await notebook.run("run.timeline().at(1).changes[0]?.before")).toContain("none");
  expect(await notebook.run("run.timeline().at(9)")).toContain("M5456");
});

test("where there are widgets, a panel shows each place when it is asked for, and acts on the run", async () => {
  const notebook = await walking();
  const { open, say, widget } = page(notebook);
  await open();
  await notebook.run('const held = Walk.debug({ topic: "x" }); await held.step();');
  await notebook.run("held.timeline()");
  const { id } = widget();
  const panel = () => widget().state as unknown as Panel;
  const act = async (content: Readonly<Record<string, unknown>>) => {
    await say(id, { method: "custom", content });
    expect(panel().busy).toBe("");
    return panel();
  };
  expect(panel()).toMatchObject({ places: 2, isOver: false, page: { index: 1 } });
  expect(panel().page.title).toBe("step 1: plan#1");
  expect(panel().page.drawing).toContain('data-marked="plan"');
  expect(panel().page.alt).toBe("graph Walk at step 1: plan#1: plan succeeded");
  expect(panel().page.changes).toEqual([
    {
      path: "draft",
      op: "replace",
      before: '"none"',
      after: '"plan x<img src=x onerror=alert(1)>⟨U+202E⟩"',
    },
  ]);
  const stepped = await act({ act: "step" });
  expect([stepped.places, stepped.page.title]).toEqual([3, "step 2: look#1"]);
  const before = await act({ go: 0 });
  expect([before.places, before.page.title, before.page.caption]).toEqual([
    3,
    "start",
    "the state did not change",
  ]);
  const ended = await act({ act: "continue" });
  expect([ended.places, ended.isOver, ended.page.title]).toEqual([4, true, "step 3: again#1"]);
  expect((await act({ act: "step" })).fault).toMatch(/^M5004 .*\nhint: go back/s);
  const back = await act({ act: "back" });
  expect([back.places, back.isOver, back.fault]).toEqual([3, false, ""]);
  await act({ go: 1 });
  const rewound = await act({ act: "rewind" });
  expect([rewound.places, rewound.page.title]).toEqual([2, "step 1: plan#1"]);
  // What can't be is no place of it; nothing of the run moves.
  expect((await act({ go: 99 })).page.index).toBe(1);
  expect((await act({ act: "explode" })).places).toBe(2);
});

test("a fork from a place has a panel of its own, held there", async () => {
  const notebook = await walking();
  const { open, say, widget } = page(notebook);
  await open();
  await notebook.run('const first = Walk.run({ topic: "x" }); await first.output;');
  await notebook.run("first.timeline()");
  const { id } = widget();
  await say(id, { method: "custom", content: { go: 2 } });
  await say(id, { method: "custom", content: { act: "fork" } });
  const from = widget().state as unknown as Panel;
  expect(from.note).toMatch(/^forked at step 2: run \S+, held there/);
  expect(from.page.index).toBe(2);
  const branch = widget("last");
  expect(branch.count).toBe(2);
  const forked = branch.state as unknown as Panel;
  expect([forked.places, forked.isOver]).toEqual([3, false]);
  await say(branch.id, { method: "custom", content: { act: "continue" } });
  expect((widget("last").state as unknown as Panel).head).toMatch(/of Walk · succeeded · 3 steps/);
});
