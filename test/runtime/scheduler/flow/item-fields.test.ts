/** Fields of an `each`'s items: one value an item, seen by the nodes of its body, gone with the item. */
import { expect, test } from "vitest";
import type { Failure } from "../../../../runtime/failure.ts";
import { endsAlike } from "../../../support/any-schedule.ts";
import { runText, type Says } from "../../../support/run-graph.ts";

const broken: Failure = { class: "tool", code: "M8301", message: "broken" };

const graph = (flow: string, more = "") => `import { f } from "./f.ts"
model m = "scripted"
graph G(rows: string[] = ["a", "b", "c"]) returns log {
  state {
    log: string[] = [] via append
    rounds: int = 0
  }
  agent fetch(row: string) { model m; prompt \`\${row}\`; writes text }
  agent tidy { model m; prompt \`\${text}\`; writes text; set tries = tries + 1 }
  agent store { model m; prompt \`\${text} \${tries}\`; writes log }
  agent bury(row: string) { model m; prompt \`\${row} \${text} \${tries}\`; writes log }
  agent next { model m; prompt \`\`; writes log }
  ${more}
  ${flow}
}`;

const body = `each row of rows parallel 2 {
    state {
      text: string = "none"
      tries: int = 0
    }
    fetch(row) -> tidy -> { tries < 2 -> tidy max 9, else -> store }
    fetch | tidy -> bury(row) on error
  }`;

const joined: Says = ({ prompt }) => prompt;
const says = {
  fetch: (({ prompt }) => `text of ${prompt}`) as Says,
  tidy: (({ prompt }) => `${prompt}!`) as Says,
  store: joined,
  bury: joined,
  next: "next",
};

test("each item has its own value, which its nodes replace; people see none of them", () => {
  const text = graph(`start -> ${body} -> next`);
  const { state } = runText(text, { says });
  expect(state).toEqual({
    log: ["text of a!! 2", "text of b!! 2", "text of c!! 2", "next"],
    rounds: 0,
  });
  expect(endsAlike(text, { says }).state).toEqual(state);
});

test("a node for failures sees how far its item had come", () => {
  const fails = (node: string, _: number, ordinal: number) =>
    (node === "fetch" && ordinal === 1) || (node === "tidy" && ordinal === 2) ? broken : undefined;
  const { state } = runText(graph(`start -> ${body} -> next`), { says, fails, durationMs: 1 });
  expect(state.log).toHaveLength(4);
  expect(state.log).toContain("a none 0");
  expect((state.log as string[]).filter((line) => line.endsWith(" 1"))).toEqual(["b text of b! 1"]);
});

test("what an item gives is set where it ends, in the order of the items; one that fails gives nothing", () => {
  const text = `import { f } from "./f.ts"
model m = "scripted"
graph G(rows: string[] = ["a", "b", "c"]) returns texts, count {
  state {
    texts: string[] = [] via append
    count: int = 0 via sum
  }
  agent fetch(row: string) { model m; prompt \`\${row}\`; writes text }
  agent check { model m; prompt \`\${text}\`; writes isGood }
  start -> each row of rows on error skip {
    state {
      text:   string = ""
      isGood: boolean = false
    }
    fetch(row) -> check
    check -> end set texts = text, count = 1
  }
}`;
  const fails = (node: string, _: number, ordinal: number) =>
    node === "fetch" && ordinal === 2 ? broken : undefined;
  const script = { says: { fetch: says.fetch, check: true }, fails };
  expect(endsAlike(text, script).state).toEqual({ texts: ["text of a", "text of c"], count: 2 });
});

test("in a loop each round begins with the defaults", () => {
  const text = graph(
    `start -> ${body} -> { rounds < 1 -> again max 2, else -> next }\n  again -> each row of rows { state { seen: int = 7 }\n fetch2(row) } `,
    "run again = f() { set rounds = rounds + 1 }\n  agent fetch2(row: string) { model m; prompt `${row} ${seen}`; writes log; set seen = seen + 1 }",
  );
  const looped = graph(
    `start -> again -> ${body} -> { rounds < 2 -> again max 2, else -> next }`,
    "run again = f() { set rounds = rounds + 1 }",
  );
  const two = ["text of a!! 2", "text of b!! 2", "text of c!! 2"];
  expect(runText(looped, { says: { ...says, again: "" } }).state.log).toEqual([
    ...two,
    ...two,
    "next",
  ]);
  const { log } = runText(text, { says: { ...says, again: "", fetch2: joined } }).state;
  expect(log).toEqual([...two, "a 7", "b 7", "c 7"]);
});

test("branches of an item meet in its field, and items of an inner `each` in that of the outer one", () => {
  const text = `import { f } from "./f.ts"
model m = "scripted"
graph G(rows: string[] = ["a", "b"], parts: string[] = ["1", "2"]) returns log {
  state { log: string[] = [] via append }
  agent left(row: string) { model m; prompt \`\${row}\`; writes found }
  agent right(row: string) { model m; prompt \`\${row}\`; writes found }
  agent look(part: string) { model m; prompt \`\${part} \${last}\`; writes found; set last = part }
  agent store { model m; prompt \`\${found}\`; writes log }
  start -> each row of rows {
    state { found: string[] = [] via append }
    [left(row), right(row)] -> each part of parts {
      state { last: string = "-" }
      look(part)
    } -> store
  }
}`;
  const by =
    (word: string): Says =>
    ({ prompt }) =>
      `${word} ${prompt}`;
  const ends = {
    left: by("left"),
    right: by("right"),
    look: by("look"),
    store: (({ prompt }) => (JSON.parse(prompt) as string[]).join(", ")) as Says,
  };
  expect(runText(text, { says: ends }).state.log).toEqual([
    "left a, right a, look 1 -, look 2 -",
    "left b, right b, look 1 -, look 2 -",
  ]);
});
