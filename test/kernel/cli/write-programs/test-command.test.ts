/** `madrigal test`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { document, said, workspace } from "../calling.ts";

const review = `import { lint } from "./lint.ts"
model m = "openai/gpt-4o"
graph Review(patch: string) returns verdict {
  state {
    clean: boolean = false
    verdict: "ship" | "revise" = "revise"
  }
  run check = lint(patch) writes clean
  agent judge { model m; prompt \`\${patch} \${clean}\`; writes verdict }
  start -> check -> { clean -> judge, else -> end }
}
`;
const lint = 'export const lint = (patch: string) => !patch.includes("TODO");\n';
const tests = `import { Review } from "./review.madrigal"

test "a clean patch is judged" of Review {
  given patch = "x"
  judge says "ship"
  expect path check -> judge -> end
}

test "one with a note is not" of Review {
  given patch = "TODO"
  expect path check -> judge -> end
  expect verdict == "ship"
}
`;
const files = { "review.madrigal": review, "lint.ts": lint, "review-tests.madrigal": tests };

test("tells each test, and what is wrong with those that fail", async () => {
  expect(await said(workspace(files), ["test", "review-tests.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    review-tests.madrigal
      ✓ a clean patch is judged TIME
      ✗ one with a note is not TIME
    2 tests: 1 passed, 1 failed
    ! error[M5702]: the run took another path
    !    ┌─ review-tests.madrigal:11:3
    ! 11 │   expect path check -> judge -> end
    !    │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    !   expected  check -> judge -> end
    !   actual    check -> ·     -> end
    !                      ^^^^^
    ! error[M5701]: \`verdict == "ship"\` does not hold
    !    ┌─ review-tests.madrigal:12:10
    ! 12 │   expect verdict == "ship"
    !    │          ^^^^^^^^^^^^^^^^^
    !   verdict is "revise""
  `);
});

test("contract: test --json", async () => {
  const { exit, json } = await document(workspace(files), ["test", "review-tests.madrigal"]);
  expect(exit).toBe(1);
  const of = { graph: "Review", file: "review-tests.madrigal" };
  expect(json).toEqual({
    version: 1,
    tests: [
      {
        ...of,
        name: "a clean patch is judged",
        line: 3,
        ok: true,
        path: ["check", "judge", "end"],
      },
      {
        ...of,
        name: "one with a note is not",
        line: 9,
        ok: false,
        expected: ["check", "judge", "end"],
        actual: ["check", "end"],
        path: ["check", "end"],
      },
    ],
  });
});

test("contract: exit 0 when all tests hold, 1 when the text has errors, 2 when there is no file", async () => {
  const broken = tests.replace("judge says", "jugde says");
  const home = workspace({
    ...files,
    "good.madrigal": `${tests.split("\n\ntest")[0]}\n\ntest${tests.split("\n\ntest")[1]}`,
    "broken.madrigal": broken,
  });
  expect(await said(home, ["test", "good.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    good.madrigal
      ✓ a clean patch is judged TIME
    1 test: 1 passed, 0 failed"
  `);
  expect(await said(home, ["test", "broken.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    broken.madrigal
      ✗ one with a note is not TIME
    2 tests: 0 passed, 1 failed, 1 not run
    ! error[M2101]: no node is called \`jugde\`
    !   ┌─ broken.madrigal:5:3
    ! 5 │   jugde says "ship"
    !   │   ^^^^^
    !   hint: did you mean \`judge\`?
    ! error[M5702]: the run took another path
    !    ┌─ broken.madrigal:11:3
    ! 11 │   expect path check -> judge -> end
    !    │   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    !   expected  check -> judge -> end
    !   actual    check -> ·     -> end
    !                      ^^^^^
    ! error[M5701]: \`verdict == "ship"\` does not hold
    !    ┌─ broken.madrigal:12:10
    ! 12 │   expect verdict == "ship"
    !    │          ^^^^^^^^^^^^^^^^^
    !   verdict is "revise""
  `);
  expect(await said(home, ["test", "none.madrigal"])).toMatch(/^exit 2/);
});

test("orders and generated inputs: how many, what breaks, and the seed that repeats it", async () => {
  const program = `graph Vote(topic: string) returns votes {
  state { votes: string[] = [] via append }
  run a = ask(topic) writes votes
  run b = ask(topic) writes votes
  start -> [a, b]
  [a, b] need 1 -> end
}
test "some vote" of Vote {
  given topic = "x"
  a says "A"
  b says "B"
  in any order
  expect votes.length == 1
}
test "one vote" of Vote {
  for any topic when topic.length < 5
  a says "A"
  b says "B"
  in any order
  expect votes[0] == "A" || topic == ""
}
`;
  const home = workspace({ "vote.madrigal": program });
  const words = ["test", "vote.madrigal", "--no-types", "--seed"];
  expect(await said(home, [...words, "3"])).toMatchInlineSnapshot(`
    "exit 1
    vote.madrigal
      ✓ some vote TIME  2 orders
      ✗ one vote TIME  3 inputs, 2 orders
    2 tests: 1 passed, 1 failed
    ! error[M5701]: \`votes[0] == "A" || topic == ""\` does not hold
    !    ┌─ vote.madrigal:20:10
    ! 20 │   expect votes[0] == "A" || topic == ""
    !    │          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    !   votes[0] is "B"
    !   topic is "a"
    !   if they end as b
    !   it holds if as a
    !   in the debugger: order b
    !   the smallest input found that breaks it
    !     given topic = "a"
    !   input 3 of 100; --seed 3 generates the same ones"
  `);
  const { json } = await document(home, [...words, "3", "--json"]);
  expect(json.tests).toMatchObject([
    { ok: true, orders: { tried: 2, total: 2, complete: true } },
    { ok: false, orders: { broken: ["b"] }, inputs: { seed: 3, broken: ['given topic = "a"'] } },
  ]);
  expect(await said(home, [...words, "x"])).toContain("! error[M7103]: `--seed` needs");
});

test("functions that can't be loaded are told where a test comes to them", async () => {
  const home = workspace({ "review.madrigal": review, "review-tests.madrigal": tests });
  const text = await said(home, ["test", "review-tests.madrigal"]);
  expect(text).toContain("no function is called `lint`");
  expect(text).toContain("warning[M7204]: `./lint.ts` can't be loaded");
});

test("contract: one document, whatever is wrong with a file; the others are tested", async () => {
  const home = workspace(files);
  const { exit, json } = await document(home, ["test", "gone.madrigal", "review-tests.madrigal"]);
  const alone = await document(home, ["test", "review-tests.madrigal"]);
  expect({ exit, json }).toEqual({ exit: 2, json: alone.json });
  expect(alone.json.tests).not.toEqual([]);
  expect(await document(home, ["test", "gone.madrigal", "lost.madrigal"])).toMatchObject({
    exit: 2,
    json: { version: 1, error: { code: "M7201" } },
  });
  expect(await document(home, ["test", "review.madrigal"])).toMatchObject({
    exit: 1,
    json: { version: 1, error: { code: "M7210" } },
  });
});

test("a file without tests is told so", async () => {
  expect(await said(workspace(files), ["test", "review.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    ! error[M7210]: there is no test in \`review.madrigal\`
    !   hint: a test is \`test "what is so" of GRAPH { … }\`; it may stand in a file of its own"
  `);
});

test("--coverage tells the arrows that no test took, also of graphs without a test", async () => {
  const only = `${tests.split("\n\ntest")[0]}\n\ntest${tests.split("\n\ntest")[1]}`;
  const home = workspace({ ...files, "good.madrigal": only });
  const words = ["test", "good.madrigal", "--coverage", "--coverage-min", "90"];
  expect(await said(home, words)).toMatchInlineSnapshot(`
    "exit 1
    good.madrigal
      ✓ a clean patch is judged TIME
    1 test: 1 passed, 0 failed
    Review: 2 of 3 arrows
      not taken     where  line
      check -> end  else   review.madrigal:10
    ! error[M7211]: tests took 66.6 % of the arrows, not 90 %
    !   hint: the tables above name the arrows that no test took"
  `);
  expect(await said(home, ["test", "good.madrigal", "--coverage-min", "66"])).toMatch(/^exit 0/);
  expect(await said(home, ["test", "good.madrigal", "--coverage-min", "all"])).toMatch(/^exit 2/);
});

test("contract: test --coverage --json, and the drawing", async () => {
  const only = `${tests.split("\n\ntest")[0]}\n\ntest${tests.split("\n\ntest")[1]}`;
  const home = workspace({ ...files, "good.madrigal": only });
  const words = ["test", "good.madrigal", "--json", "--coverage-svg", "pictures"];
  const { json } = await document(home, words);
  expect((json as { readonly coverage: unknown }).coverage).toMatchInlineSnapshot(`
    [
      {
        "arrows": [
          {
            "from": "start",
            "kind": "arrow",
            "label": "",
            "line": 10,
            "times": 1,
            "to": "check",
          },
          {
            "from": "check",
            "kind": "arrow",
            "label": "clean",
            "line": 10,
            "times": 1,
            "to": "judge",
          },
          {
            "from": "check",
            "kind": "arrow",
            "label": "else",
            "line": 10,
            "times": 0,
            "to": "end",
          },
        ],
        "file": "review.madrigal",
        "graph": "Review",
        "tests": 1,
      },
    ]
  `);
  const svg = readFileSync(join(home, "pictures", "Review.svg"), "utf8");
  expect(svg.match(/data-arrow="[^"]*" data-taken="\d+"/g)).toMatchInlineSnapshot(`
    [
      "data-arrow="start → node check" data-taken="1"",
      "data-arrow="node check → node judge" data-taken="1"",
      "data-arrow="node check → end" data-taken="0"",
    ]
  `);
});
