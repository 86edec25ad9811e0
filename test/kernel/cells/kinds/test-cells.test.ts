/** `test` declarations in graph cells. */
import { expect, test } from "vitest";
import { openTestNotebook, useTypes } from "../notebook.ts";

useTypes();

const GRAPH = `model m = "rules"
graph Ask(q: string) returns a {
  state { a: string = "" }
  agent think { model m; prompt \`\${q}\`; writes a }
  run shout = upper(a) writes a
  start -> think -> shout -> end
}`;
const UPPER = "const upper = (text: string) => text.toUpperCase()";

const passing = `test "it shouts" of Ask {
  given q = "why?"
  think says "because"
  expect a == "BECAUSE"
}`;

/** Times are not the same twice. */
async function shown(...cells: readonly string[]): Promise<string> {
  const notebook = openTestNotebook();
  let last = "";
  for (const cell of cells) last = await notebook.run(cell);
  return last.replaceAll(/\d+(\.\d+)? (ms|µs|s)\b/g, "TIME").replaceAll(/ +/g, " ");
}

test("a graph cell runs its tests and shows how they came out", async () => {
  const text = await shown(UPPER, `${GRAPH}\n${passing}`);
  expect(text).toContain("graph Ask(q) returns a");
  expect(text).toMatch(/✓ it shouts Ask .* think → shout → end/);
  expect(text).toContain("1 of 1 passed");
});

test("a later cell may test a graph of an earlier one", async () => {
  expect(await shown(UPPER, GRAPH, passing)).toMatch(/✓ it shouts Ask .* think → shout → end/);
});

test("a later cell may test a graph that calls what its own cell imports, by `%test` too", async () => {
  const imports = 'import { normalize as upper } from "node:path"';
  const normal = passing.replace('"because"', '"a//b"').replace("BECAUSE", "a/b");
  const text = await shown(`${imports}\n${GRAPH}`, normal);
  expect(text).toMatch(/✓ it shouts Ask .* think → shout → end/);
  const again = await shown(`${imports}\n${GRAPH}`, normal, "%test Ask");
  expect(again).toMatch(/✓ it shouts Ask .* think → shout → end/);
});

test("a test that fails fails the cell, as an assertion does, behind the table", async () => {
  const text = await shown(UPPER, `${GRAPH}\n${passing.replace("BECAUSE", "SO")}`);
  expect(text).toContain("0 of 1 passed");
  expect(text).toMatchInlineSnapshot(`
    "result [image/svg+xml] graph Ask(q) returns a
     agent think
     run shout
     start -> think
     think -> shout
     shout -> end
    display [text/html, text/markdown] test graph time path
    ✗ it shouts Ask TIME think → shout → end
    0 of 1 passed
    error M5701: it shouts: \`a == "SO"\` does not hold
    error[M5701]: \`a == "SO"\` does not hold
     ┌─ Cell[2]:11:10
    11 │ expect a == "SO"
     │ ^^^^^^^^^
     a is "BECAUSE""
  `);
});

test("how often a test ran stands in the table, and what breaks it in the error", async () => {
  const any = `test "it always shouts" of Ask {
  for any input
  in any order
  expect a == a
}
test "it has a word" of Ask {
  for any q
  expect a != ""
}`;
  const text = await shown(UPPER, `${GRAPH}\n${any}`);
  expect(text).toMatch(/✓ it always shouts Ask TIME 100 inputs, 1 order think → shout → end/);
  expect(text).toMatch(/✗ it has a word Ask TIME 1 input think → shout → end/);
  expect(text).toContain(
    'a is ""\n the smallest input found that breaks it\n given q = ""\n think says ""',
  );
});

test("what is wrong with a test is told before anything runs", async () => {
  expect(await shown(UPPER, `${GRAPH}\n${passing.replace("think says", "thnk says")}`)).toContain(
    "no node is called `thnk`",
  );
});

const VOTE = `graph Vote(n: int) returns word {
  state { word: string = "" }
  run low = upper("low") writes word
  run high = upper("high") writes word
  run sorry = upper("sorry") writes word
  start -> { n < 3 -> low, else -> high }
  low -> sorry on error
}`;
const low = `test "small numbers are low" of Vote {
  given n = 1
  expect word == "LOW"
}`;

test("%test runs what cells declared, and shows the coverage as a table and a drawing", async () => {
  const notebook = openTestNotebook();
  for (const cell of [UPPER, `${GRAPH}\n${passing}`, VOTE, low]) await notebook.run(cell);
  const all = await notebook.run("%test");
  expect(all).toMatch(/✓ +it shouts +Ask[\s\S]*✓ +small numbers are low +Vote/);
  expect(all).toContain("2 of 2 passed");
  const text = await notebook.run("%test Vote --coverage");
  expect(
    text.replaceAll(/\d+(\.\d+)? (ms|µs|s)\b/g, "TIME").replaceAll(/ +/g, " "),
  ).toMatchInlineSnapshot(`
      "display [text/html, text/markdown] test graph time path
      ✓ small numbers are low Vote TIME low → end
      1 of 1 passed
      display [text/html, text/markdown] arrow where place taken
      start -> low n < 3 Cell[3]:6 1
      start -> high else Cell[3]:6 0
      low -> sorry on error Cell[3]:7 0
      Vote: 1 of 2 arrows, 0 of 1 failure arrow
      display [image/svg+xml] Vote: 1 of 2 arrows, 0 of 1 failure arrow"
    `);
});

test("%test tests the newest graph, and forgets the tests of a cell that has none any more", async () => {
  const notebook = openTestNotebook();
  await notebook.run(UPPER);
  await notebook.run(VOTE, { cellId: "graph" });
  await notebook.run(low, { cellId: "tests" });
  await notebook.run(VOTE.replace('upper("low")', 'upper("down")'), { cellId: "graph" });
  expect(await notebook.run("%test Vote")).toMatch(/✗ +small numbers[\s\S]*word is "DOWN"/);
  await notebook.run('model other = "rules"', { cellId: "tests" });
  expect(await notebook.run("%test Vote")).toContain("M7210");
  expect(await notebook.run("%test Vot")).toMatch(/M2112[\s\S]*did you mean `Vote`/);
});
