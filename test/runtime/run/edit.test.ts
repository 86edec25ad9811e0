/** `run.edit`: a person changes the state between two records. */
import { expect, test } from "vitest";
import { foldLog } from "../../../runtime/scheduler/fold.ts";
import { shownState } from "../../../runtime/scheduler/lookup.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { newSession, runWith } from "../scoped-run.ts";

const text = `type Note = { text: string, rank?: int }
graph G(n: int = 2) returns word, notes {
  state {
    word: string = "a"
    notes: Note[] = [] via append
  }
  state thread { kept: string[] = [] via append }
  run x = take(word, notes) writes word { state { own: int = 0 } set own = own + 1 }
  run y = take(word, notes) writes word { set notes = [{ text: word }] }
  run z(step: int) = take(word, notes) writes mine
  start -> x -> y -> each step of [1] when n > 2 {
    state { mine: string = "" }
    z(step)
  }
}`;

const take = (word: string, notes: readonly { text: string }[]) =>
  `${word}${notes.map(({ text }) => text).join("")}!`;

function held() {
  return runWith(text, { take }, { breakpoints: ["y"], thread: "t" });
}

test("W11 an edited run goes on with what it was given, and its log says who changed what", async () => {
  const { run, records, ir } = held();
  await run.continue();
  expect(run.state).toMatchObject({ word: "a!", notes: [] });
  await run.edit({ word: "b", notes: [{ text: "c" }] }, "a better word");
  expect(run.state).toMatchObject({ word: "b", notes: [{ text: "c" }] });
  await run.continue();
  expect(await run.output).toEqual({ word: "bc!", notes: [{ text: "c" }, { text: "bc!" }] });
  expect(records().filter(({ kind }) => kind === "edit")).toMatchObject([
    { values: { word: "b", notes: [{ text: "c" }] }, reason: "a better word" },
  ]);
  const program = link(ir);
  expect(shownState(program, foldLog(program, records()))).toEqual(run.state);
  expect(run.replay()).toMatchObject({ ok: true });
});

test("a function may change a draft of the state", async () => {
  const { run } = held();
  await run.continue();
  await run.edit((state) => {
    (state.notes as { text: string }[]).push({ text: "pushed" });
  });
  await run.continue();
  expect(await run.output).toMatchObject({ word: "a!pushed!" });
});

test("going back undoes an edit behind the step, and keeps one before it", async () => {
  const { run } = held();
  await run.continue();
  await run.edit({ word: "b" });
  await run.continue();
  await run.rewind(2).catch(() => {});
  await run.rewind(1);
  expect(run.state).toMatchObject({ word: "a!" });
});

test("a failed run is edited where it stands, and resumes with that", async () => {
  const session = newSession();
  const picky = (word: string) => {
    if (word === "a") throw new Error("not a");
    return `${word}!`;
  };
  const { run } = runWith(text, { take: picky }, { session, thread: "t" });
  await run.output.catch(() => {});
  await run.edit({ word: "z" });
  expect([run.status, run.state.word]).toEqual(["failed", "z"]);
  await run.resume();
  expect(await run.output).toMatchObject({ word: "z!!" });
});

test("the thread has what was edited of its fields", async () => {
  const session = newSession();
  const { run } = runWith(text, { take }, { session, breakpoints: ["y"], thread: "t" });
  await run.continue();
  await run.edit({ kept: ["by hand"] });
  await run.continue();
  await run.output;
  const [kept] = session.store.kept({ scope: "thread", owner: "t" });
  expect(kept).toMatchObject({ field: "kept", value: ["by hand"] });
});

const cycle: { self?: object } = {};
cycle.self = cycle;

test.each<[string, object, string]>([
  ["a field that is not there", { wrd: "b" }, "`G` has no field `wrd`"],
  ["a parameter", { n: 3 }, "`n` is a parameter"],
  ["an agent's own field", { own: 3 }, "`own` belongs to `x` alone"],
  ["a field of items", { mine: "b" }, "`mine` belongs to the items of `each step`"],
  ["another type", { word: 3 }, "the new value of `word` does not fit"],
  ["another type inside", { notes: [{ text: 3 }] }, "the new value of `notes` does not fit"],
  ["a Map", { notes: new Map() }, "the new value of `notes` is not JSON: a Map"],
  ["a Date inside", { notes: [{ text: new Date() }] }, "is not JSON: a Date at `[0].text`"],
  ["a cycle", { notes: [cycle] }, "is not JSON: a cycle at `[0].self`"],
  ["no object", ["b"], "an edit is an object of fields"],
])("%s is refused, and nothing is done", async (_, edit, said) => {
  const { run } = held();
  await run.continue();
  const before = run.state;
  await expect(run.edit(edit)).rejects.toMatchObject({
    code: "M5354",
    message: expect.stringContaining(said),
  });
  expect(run.state).toEqual(before);
});

test("a run that succeeded stays as it is", async () => {
  const { run } = runWith(text, { take }, { thread: "t" });
  await run.output;
  await expect(run.edit({ word: "b" })).rejects.toMatchObject({ code: "M5004" });
});
