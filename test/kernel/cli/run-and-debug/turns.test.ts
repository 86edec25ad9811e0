/** Earlier turns of a thread, on the command line. */
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, workspace } from "../calling.ts";

const chat = {
  "chat.madrigal": `import { echo } from "./echo.ts"
graph Chat(text: string) returns talk {
  state thread { talk: string[] = [] via append }
  run say = echo(text) writes talk
  start -> say
}
`,
  "echo.ts": "export const echo = (text: string) => text;\n",
};

test("a stored turn that others followed is forked, and gone on from by the beginning of its id", async () => {
  const home = workspace(chat);
  const said = (text: string) => ["--input", JSON.stringify({ text })];
  const run = ["run", "chat.madrigal", "--json"];
  const first = await madrigal([...run, "--thread", "t", ...said("one")], { home });
  const { run_id: id } = JSON.parse(first.stdout);
  await madrigal([...run, "--thread", "t", ...said("two")], { home });
  expect(await document(home, ["fork", id, "0"])).toMatchObject({
    exit: 0,
    json: { output: { talk: ["one"] } },
  });
  // Ids begin with the time.
  const from = ["--from", id.slice(0, 23)];
  expect(await document(home, ["run", "chat.madrigal", ...from, ...said("zwei")])).toMatchObject({
    exit: 0,
    json: { output: { talk: ["one", "zwei"] }, thread_id: "t" },
  });
  const { json } = await document(home, ["runs", "tree", id]);
  expect(json).toMatchObject({
    thread: "t",
    runs: [
      { branches: [{ forked_from: { step: 0 }, follows: null }, { follows: "RUN" }] },
      { branches: [] },
    ],
  });
  const other = ["run", "chat.madrigal", "--thread", "u", "--from", id, ...said("x")];
  expect(await madrigal(other, { home })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("M5357"),
  });
});
