/** `madrigal threads`: what threads and users keep, shown and changed between runs; `--user` of a run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const talk = (type: string, more = "") => `import { echo } from "./echo.ts"
${more}
graph Talk(text: Json) returns talk {
  state thread { talk: ${type}[] = [] via append }
  run say = echo(text) writes talk
  start -> say -> end
}
`;
const files = {
  "talk.madrigal": talk("string"),
  "echo.ts": "export const echo = (text: any) => text;\n",
  "lines.ts":
    "export default ({ talk }) => ({ talk: talk.map((who) => ({ who })) });\n" +
    "export const wrong = () => ({ talk: [1] });\n" +
    "export const same = (kept) => kept;\n",
};
const speak = (home: string, text: unknown, ...more: readonly string[]) => {
  const input = JSON.stringify({ text });
  return madrigal(["run", "talk.madrigal", "--thread", "t", "--input", input, ...more], { home });
};

test("contract: a thread that does not fit any more is shown, migrated, edited and reset", async () => {
  const home = workspace(files);
  await speak(home, "hello");
  writeFileSync(join(home, "talk.madrigal"), talk("Line", "type Line = { who: string }"));
  const { code, stderr } = await speak(home, { who: "me" });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(
    /error\[M5351\]: .*`talk` for thread `t` does not fit the field: at `\[0\]`: .*; run `[0-9a-f-]+` wrote it, at `say`\n.*`madrigal threads show t`/,
  );
  expect(await said(home, ["threads", "show", "t"])).toMatch(
    /^exit 0\nthread t\n\ntalk \(written .* by run RUN\):\n\[\n {2}"hello"\n\]$/,
  );
  const migrate = ["threads", "migrate", "t", "--for", "talk.madrigal", "--with"];
  expect(await said(home, [...migrate, "lines.ts#wrong"])).toMatch(
    /^exit 1\n! error\[M5358\]: the value of `talk` does not fit: at `\[0\]`: expected an object/,
  );
  expect(await said(home, [...migrate, "lines.ts#none"])).toContain("M7104");
  expect(await said(home, [...migrate, "lines.ts"])).toContain('"who": "hello"');
  expect((await speak(home, { who: "me" })).code).toBe(0);
  const edit = ["threads", "edit", "t", "--for", "talk.madrigal", "--set"];
  expect(await said(home, [...edit, '{"talk": ["no line"]}'])).toContain("M5358");
  expect(await said(home, [...edit, '{"tlak": []}'])).toBe(
    "exit 1\n! error[M5358]: `Talk` keeps no field `tlak` for a thread\n!   hint: did you mean `talk`?",
  );
  expect(await said(home, [...edit, '{"text": "x"}'])).toContain("hint: it keeps `talk`");
  const { json } = await document(home, [...edit, '{"talk": [{"who": "ann"}]}']);
  expect(json).toMatchObject({
    scope: "thread",
    id: "t",
    fields: [{ name: "talk", value: [{ who: "ann" }], run_id: null }],
  });
  expect(await said(home, ["threads"])).toMatch(
    /^exit 0\nof +id +keeps +written.*\nthread +t +talk/,
  );
  expect(await said(home, ["threads", "reset", "t"])).toBe(
    "exit 0\nthread t keeps nothing: its fields begin anew",
  );
  expect(await said(home, ["threads"])).toBe("exit 0\nno thread and no user keeps anything");
});

test("contract: a graph with fields of a user runs for the user that --user says, and keeps each one's apart", async () => {
  const home = workspace({
    ...files,
    "known.madrigal": `import { echo } from "./echo.ts"
graph P(text: string) returns known {
  state user { known: string[] = [] via append }
  run say = echo(text) writes known
  start -> say -> end
}
`,
  });
  const run = (...more: readonly string[]) =>
    document(home, ["run", "known.madrigal", "--input", '{"text": "a card"}', ...more]);
  const nobody = await said(home, ["run", "known.madrigal", "--input", '{"text": "a card"}']);
  expect(nobody).toMatch(/error\[M5359\]: `P` keeps fields of a user \(`known`\).*\n.*`--user ID`/);
  expect((await run("--user", "ann")).json).toMatchObject({ output: { known: ["a card"] } });
  expect((await run("--user", "bob")).json).toMatchObject({ output: { known: ["a card"] } });
  expect(await said(home, ["threads", "reset", "--user", "ann", "known"])).toBe(
    "exit 0\nuser ann keeps nothing: its fields begin anew",
  );
  expect((await run("--user", "bob")).json).toMatchObject({
    output: { known: ["a card", "a card"] },
  });
  expect((await run("--user", "ann")).json).toMatchObject({ output: { known: ["a card"] } });
});

test("a thread is forked with its runs, and both go on by themselves", async () => {
  const home = workspace(files);
  await speak(home, "hello");
  const fork = ["threads", "fork", "t", "u"];
  expect(await said(home, fork)).toMatch(/^exit 0\nthread u\n[\s\S]*hello/);
  await speak(home, "again", "--thread", "u");
  expect(await said(home, ["threads", "show", "t"])).not.toContain("again");
  expect(await said(home, ["threads", "show", "u"])).toMatch(/hello[\s\S]*again/);
  const { json } = await document(home, ["runs", "--json"]);
  expect((json as { runs: { thread_id: string }[] }).runs.map((run) => run.thread_id)).toEqual([
    "u",
    "u",
    "t",
  ]);
  expect(await said(home, fork)).toContain("error[M");
  expect(await said(home, fork.slice(0, 3))).toContain("needs THREAD and the name of the new one");
  expect(await said(home, [...fork, "v"])).toContain("`v` is one argument too many");
  expect(await said(home, ["threads", "fork", "none", "w"])).toContain("error[M");
});

test("what is private stays hidden when a person changes it, and when the run that wrote it is gone", async () => {
  const home = workspace({ ...files, "talk.madrigal": talk("Private<string>") });
  await speak(home, "Ada Lovelace");
  await speak(home, "Grace Hopper");
  const hidden = await said(home, ["threads", "show", "t"]);
  expect(hidden).toContain("$private");
  const edit = ["threads", "edit", "t", "--set", '{"talk": ["Ada Lovelace", "Mary Shelley"]}'];
  const same = ["threads", "migrate", "t", "--with", "lines.ts#same"];
  for (const words of [edit, same, ["threads", "show", "t"], ["threads", "show", "t", "--json"]]) {
    const shown = await said(home, words);
    expect(shown).toContain("$private");
    expect(shown).not.toMatch(/Ada|Grace|Mary/);
  }
  // Nor is what a person typed, where it does not fit.
  const wrong = '{"talk": ["Ada Lovelace", 4917]}';
  const refused = await said(home, [...edit.slice(0, -1), wrong, "--for", "talk.madrigal"]);
  expect(refused).toMatch(/M5358.*: at `\[1\]`: expected a string, found a private value/);
  expect(refused).not.toContain("4917");
  await speak(home, "Emmy Noether");
  writeFileSync(join(home, "talk.madrigal"), talk("Private<int>"));
  const { stderr } = await speak(home, 1);
  expect(stderr).toMatch(/M5351.*: expected an integer, found a private value; /);
  await madrigal(["runs", "delete", "last"], { home });
  expect(await said(home, ["threads", "show", "t"])).not.toMatch(/Ada|Grace|Mary|Emmy/);
  // No program is left that says so.
  const { json } = await document(home, ["runs"]);
  const { length } = json.runs as unknown[];
  for (let left = length; left > 0; left -= 1) await madrigal(["runs", "delete", "last"], { home });
  expect((await document(home, ["runs"])).json).toMatchObject({ runs: [] });
  for (const words of [["threads", "show", "t"], edit, ["threads", "show", "t", "--json"]]) {
    const shown = await said(home, words);
    expect(shown).toContain("$private");
    expect(shown).not.toMatch(/Ada|Grace|Mary|Emmy/);
  }
});

test.each<[readonly string[], string]>([
  [["shew", "t"], "error[M7103]: there is no command `madrigal threads shew`"],
  [["show"], "error[M7103]: `madrigal threads show` needs THREAD or --user ID"],
  [["show", "t", "talk"], "error[M7103]: `talk` is one argument too many"],
  [["show", "t", "--set", "{}"], "error[M7103]: `madrigal threads show` takes no `--set`"],
  [["edit", "t"], "error[M7103]: `--set JSON` is missing"],
  [["edit", "t", "--set", "[]"], "error[M7104]: `--set` is not a JSON object"],
  [["migrate", "t"], "error[M7103]: `--with FILE.ts` is missing"],
  [["migrate", "t", "--with", "none.ts"], "error[M7201]: there is no file `none.ts`"],
  [["show", "t"], "error[M5358]: thread `t` keeps nothing"],
])("madrigal threads %j says what is wrong", async (words, message) => {
  expect(await said(workspace(), ["threads", ...words])).toContain(message);
});

test("contract: answers that a thread remembers are listed and taken back", async () => {
  const home = workspace({
    "pay.madrigal":
      "graph Pay() returns ok { state { ok: boolean = false }\n" +
      "  human pay { ask `Pay?`; writes ok }\n  start -> pay -> end }\n",
  });
  const pay = ["run", "pay.madrigal", "--thread", "t"];
  const none = "exit 0\nno thread remembers an answer";
  expect(await said(home, ["threads", "answers"])).toBe(none);
  await madrigal(pay, { home });
  await madrigal(["answer", "last", "pay", "yes", "--remember", "thread"], { home });
  expect((await madrigal(pay, { home })).code).toBe(0);
  expect(await said(home, ["threads", "answers", "t"])).toMatch(
    /^exit 0\nid +thread +node +question +answer .*\nRUN +t +Pay\.pay +Pay\? +true /,
  );
  expect(await said(home, ["threads", "answers", "other"])).toBe(none);
  const { stdout } = await madrigal(["threads", "answers", "--json"], { home });
  const json = JSON.parse(stdout);
  const [{ id }] = json.answers;
  expect(json).toMatchObject({
    answers: [{ graph: "Pay", answer: { kind: "value", value: true } }],
  });
  expect(await said(home, ["threads", "forget"])).toContain("M7103");
  expect(await said(home, ["threads", "answers", "t", "u"])).toContain("M7103");
  expect(await said(home, ["threads", "forget", "nothing"])).toContain("M5358");
  expect(await said(home, ["threads", "forget", id])).toBe(
    "exit 0\n1 answer taken back; runs that start from now on ask again",
  );
  expect(await said(home, ["threads", "answers"])).toBe(none);
  expect((await madrigal(pay, { home })).code).toBe(3);
});
