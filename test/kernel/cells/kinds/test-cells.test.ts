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

test("a graph that runs only with scripted nodes is tested, and not declared yet", async () => {
  const graph = `graph Sign(q: string) returns ok {
  state { ok: boolean = false }
  agent look { model "rules"; prompt \`Look.\`; writes ok }
  agent sign { model "rules"; tools look; prompt \`\${q}\`; writes ok }
  start -> look -> sign -> end
}
test "somebody signs" of Sign { given q = "?"; look says false; sign says true; expect ok }`.replaceAll(
    "; ",
    "\n",
  );
  const notebook = openTestNotebook();
  const text = await notebook.run(graph);
  expect(text).toContain("warning[M4900]");
  expect(text).toContain("1 of 1 passed");
  expect(await notebook.run("typeof Sign")).toContain("error");
});

test("what is wrong with a test is told before anything runs", async () => {
  expect(await shown(UPPER, `${GRAPH}\n${passing.replace("think says", "thnk says")}`)).toContain(
    "no node is called `thnk`",
  );
});
