/** `madrigal diff` and `madrigal runs tree`. */
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, greet, hello, said, workspace } from "../calling.ts";

/** A workspace with two runs, and the ids of these. */
async function greeted(...names: readonly string[]) {
  const home = workspace({ "greet.madrigal": greet, "hello.ts": hello });
  const ids: string[] = [];
  for (const name of names) {
    const call = ["run", "greet.madrigal", "--input", JSON.stringify({ name }), "--json"];
    const { stdout } = await madrigal(call, { home });
    ids.push(String((JSON.parse(stdout) as { run_id: string }).run_id));
  }
  return { home, ids };
}

test("two runs part where they first differ, and exit 1; a run is itself", async () => {
  const { home, ids } = await greeted("Ada", "Bob");
  const [ada = "", bob = ""] = ids;
  const text = await said(home, ["diff", ada, bob]);
  expect(text.replace(/\d+ ms/g, "TIME").replace(/\([+-]TIME\)/, "(TIME)")).toMatchInlineSnapshot(`
    "exit 1
    A  run RUN of Greet: succeeded
    B  run RUN of Greet: succeeded
    part behind step 0 (input): input.name is "Ada" in A and "Bob" in B
    steps:
      ! step 1: greet#1 (output)
      ! step 2: wish#1 (asked)
    state:
      greeting: "hello Ada" → "hello Bob"
      wish: "Nothing was found that answers this: Wish Ada a good day." → "Nothing was found that answers this: Wish Bob a good day."
    output:
      greeting: "hello Ada" → "hello Bob"
      wish: "Nothing was found that answers this: Wish Ada a good day." → "Nothing was found that answers this: Wish Bob a good day."
    took:
      time: TIME → TIME (TIME)"
  `);
  const { exit, json } = await document(home, ["diff", ada, bob]);
  expect({ exit, json }).toMatchObject({
    exit: 1,
    json: { version: 1, same: false, divergence: { cause: "input", path: "input.name" } },
  });
  const { json: tree } = await document(home, ["runs", "tree", bob]);
  expect(tree).toMatchObject({
    left: 0,
    runs: [{ run_id: "RUN", graph: "Greet", status: "succeeded", steps: 2, branches: [] }],
  });
});
