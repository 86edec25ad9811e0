/** Records runs from the command line and replays them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAiServer } from "../../../support/openai-server.ts";
import { document, put, said, workspace } from "../calling.ts";

const program = `
model fast = "openai-compatible/tiny"

graph Ask(question: string) returns answer {
  state { answer: string }
  agent tell "tells" {
    model  fast
    prompt question
    writes answer
  }
  start -> tell -> end
}
`;

const key = "k-3f9a61e2d7b84c05";
const question = ["--input", '{"question": "What is it?"}'];

test("a run is recorded into a file, replayed without its model, and a run of the log is a cassette, too", async () => {
  const server = await openAiServer([{ text: `It is ${key}.`, usage: { input: 7, output: 3 } }]);
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url, OPENAI_COMPATIBLE_API_KEY: key };
  const home = workspace({ "sub/ask.madrigal": program });
  const recorded = await document(
    home,
    ["run", "sub/ask.madrigal", ...question, "--record", "tapes/ask.jsonl"],
    { env, cwd: home },
  );
  await server.close();
  expect(recorded.exit).toBe(0);
  const tape = readFileSync(join(home, "tapes/ask.jsonl"), "utf8");
  expect(tape).not.toContain(key);
  expect(JSON.parse(tape)).toMatchObject({ model: "openai-compatible/tiny", origin: "live" });
  const exported = await said(home, ["export", "last", "tapes/log.jsonl", "--cassette"], {
    cwd: home,
  });
  expect(exported).toBe("exit 0\nRUN: 1 model call in tapes/log.jsonl");
  for (const file of ["ask", "log"]) {
    const model = `fast=cassette:tapes/${file}.jsonl`;
    const replayed = await document(
      home,
      ["run", "sub/ask.madrigal", ...question, "--model", model],
      { cwd: home },
    );
    expect(replayed.exit).toBe(0);
    expect(replayed.json.output).toEqual({ answer: "It is ⟦secret:OPENAI_COMPATIBLE_API_KEY⟧." });
    expect(await said(home, ["show", "last"], { cwd: home })).toContain(
      "models answered by: cassette",
    );
  }
  // A program names it from its own folder.
  const own = program.replace("openai-compatible/tiny", "cassette:../tapes/ask.jsonl");
  put(home, "sub/own.madrigal", own);
  expect((await document(home, ["run", "sub/own.madrigal", ...question], { cwd: home })).exit).toBe(
    0,
  );
  const other = ['{"question": "What was it?"}'];
  const missed = await said(home, ["run", "sub/own.madrigal", "--input", ...other], { cwd: home });
  expect(missed).toContain(
    'error[M8160]: `cassette:../tapes/ask.jsonl` has no answer to this request; the nearest one it has, of line 1, differs in message 2 (user), which was "What is it?" and is "What was it?"',
  );
  const gone = program.replace("openai-compatible/tiny", "cassette:gone.jsonl");
  put(home, "sub/gone.madrigal", gone);
  expect(await said(home, ["run", "sub/gone.madrigal", ...question], { cwd: home })).toContain(
    "M8161",
  );
});
