/** `check`, `graph` and `explain`: commands that run nothing. */
import { expect, test } from "vitest";
import { document, greet, hello, said, workspace } from "../calling.ts";

const files = {
  "hello.ts": hello,
  "greet.madrigal": greet,
  "name.madrigal": greet.replace("-> wish", "-> wihs"),
  "unused.madrigal": greet.replace('model m = "rules"', 'model m = "rules"\nmodel n = "rules"'),
};

test("check shows every file's frames, also of those after one that isn't there", async () => {
  const home = workspace(files);
  const words = ["check", "gone.madrigal", "name.madrigal", "unused.madrigal", "greet.madrigal"];
  expect(await said(home, words)).toMatchInlineSnapshot(`
    "exit 2
    4 files: 2 errors, 1 warning
    ! error[M7201]: there is no file \`gone.madrigal\`
    !   at gone.madrigal
    !   hint: the working folder is HOME
    ! error[M2101]: no node is called \`wihs\`
    !    ┌─ name.madrigal:10:21
    ! 10 │   start -> greet -> wihs -> end
    !    │                     ^^^^
    !    hint: did you mean \`wish\`?
    ! warning[M2301]: nothing uses the model \`n\`
    !   ┌─ unused.madrigal:3:7
    ! 3 │ model n = "rules"
    !   │       ^
    !   hint: use it, or remove it"
  `);
});

test.each([
  [99, []],
  [100, []],
  [101, ["! and 1 more error in many.madrigal"]],
  [1250, ["! and 1,150 more errors in many.madrigal"]],
])(
  "of %i errors check tells the first hundred, and how many more there are",
  async (count, rest) => {
    const hops = Array.from({ length: count }, (_, index) => `  wish -> unknown_${index}`);
    const text = greet.replace("greet -> wish", `greet -> wish\n${hops.join("\n")}\n  wish`);
    const home = workspace({ "many.madrigal": text });
    const lines = (await said(home, ["check", "many.madrigal"])).split("\n");
    const told = lines.filter((line) => line.startsWith("! error["));
    expect(lines[0]).toBe("exit 1");
    expect(told).toEqual(
      hops.slice(0, 100).map((hop) => `! error[M2101]: no node is called \`${hop.slice(10)}\``),
    );
    expect(lines.filter((line) => line.startsWith("! and "))).toEqual(rest);
  },
);

test("of a text that ends in the middle, check says only that", async () => {
  const home = workspace({ "half.madrigal": "graph X(" });
  expect(await said(home, ["check", "half.madrigal"])).toMatchInlineSnapshot(`
    "exit 1
    1 file: 1 error, 0 warnings
    ! error[M1101]: expected \`)\` after \`(\`, found the end of the text
    !   ┌─ half.madrigal:1:9
    ! 1 │ graph X(
    !   │         ^"
  `);
});

test("contract: check --json", async () => {
  const home = workspace(files);
  expect(
    await document(home, ["check", "unused.madrigal", "name.madrigal"]),
  ).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "json": {
        "diagnostics": [
          {
            "code": "M2101",
            "column": 21,
            "endColumn": 25,
            "endLine": 10,
            "file": "name.madrigal",
            "hint": "did you mean \`wish\`?",
            "line": 10,
            "message": "no node is called \`wihs\`",
            "severity": "error",
          },
          {
            "code": "M2301",
            "column": 7,
            "endColumn": 8,
            "endLine": 3,
            "file": "unused.madrigal",
            "hint": "use it, or remove it",
            "line": 3,
            "message": "nothing uses the model \`n\`",
            "severity": "warning",
          },
        ],
        "files": 2,
        "version": 1,
      },
    }
  `);
});

test("contract: check exits 0 when there are only warnings, 1 for an error", async () => {
  const home = workspace({ ...files, "empty.madrigal": "// nothing yet\n" });
  expect((await document(home, ["check", "unused.madrigal"])).exit).toBe(0);
  expect(await document(home, ["check", "empty.madrigal"])).toMatchInlineSnapshot(`
    {
      "exit": 1,
      "json": {
        "diagnostics": [
          {
            "code": "M7203",
            "column": 1,
            "endColumn": 1,
            "endLine": 1,
            "file": "empty.madrigal",
            "hint": "a program has at least one \`graph NAME { … }\`",
            "line": 1,
            "message": "this file is empty",
            "severity": "error",
          },
        ],
        "files": 1,
        "version": 1,
      },
    }
  `);
});

test("graph --mermaid draws a program; graph --json is the IR", async () => {
  const home = workspace(files);
  expect(await said(home, ["graph", "greet.madrigal", "--mermaid"])).toMatchInlineSnapshot(`
    "exit 0
    flowchart TD
      start(["start"])
      n_greet("run <b>greet</b>")
      n_wish["agent <b>wish</b>"]
      finish(["end"])
      start --> n_greet
      n_greet --> n_wish
      n_wish --> finish"
  `);
  const { json } = await document(home, ["graph", "greet.madrigal"]);
  expect(json).toMatchObject({
    version: 1,
    graphs: [{ irVersion: 1, hash: "HASH", name: "Greet" }],
  });
});

test("explain prints the page of a code", async () => {
  expect(await said(workspace(), ["explain", "m2101"])).toMatchInlineSnapshot(`
    "exit 0
    M2101: no node of this name

    An arrow, an \`approve\` or a \`tell\` names a node that the graph does not declare.

    Wrong:

      model m = "openai/gpt-4o"
      graph G() returns a {
        state { a: string }
        agent write { model m; prompt \`Write.\`; writes a }
        start -> writer
      }

    Right:

      model m = "openai/gpt-4o"
      graph G() returns a {
        state { a: string }
        agent write { model m; prompt \`Write.\`; writes a }
        start -> write
      }

    Not wrong, one word or sign away:

      model m = "openai/gpt-4o"
      graph G() returns a {
        state { a: string }
        agent writer { model m; prompt \`Write.\`; writes a }
        start -> writer
      }"
  `);
});
