/** `madrigal answer RUN QUESTION PATH`: files as answers at the command line. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { madrigal } from "../../../support/warm/madrigal.ts";
import { document, said, workspace } from "../calling.ts";

const upload = `graph Upload() returns paper {
  state { paper: Artifact }
  human ask { ask "Which paper?"; writes paper }
  start -> ask -> end
}
`;

async function waiting(program = upload): Promise<string> {
  const home = workspace({ "upload.madrigal": program });
  mkdirSync(join(home, "folder"));
  writeFileSync(join(home, "my report.pdf"), "%PDF");
  writeFileSync(join(home, "b.txt"), "b");
  writeFileSync(join(home, "empty.pdf"), "");
  const { code, stdout } = await madrigal(["run", "upload.madrigal"], { home });
  expect(code).toBe(3);
  expect(stdout).toMatch(/madrigal answer \S+ ask-0 \.\/FILE/);
  return home;
}

test.each([
  ["the path as one word", ["./my report.pdf"]],
  ["the word `file` before it", ["file", "my report.pdf"]],
])("a file is given by its path: %s", async (_, words) => {
  const home = await waiting();
  await said(home, ["answer", "last", "ask-0", ...words]);
  expect((await document(home, ["show", "last"])).json).toMatchObject({
    status: "succeeded",
    output: { paper: { name: "my report.pdf", mime: "application/pdf", bytes: 4 } },
  });
});

test("an answer that is kept for later has the file, too", async () => {
  const home = await waiting();
  await said(home, ["answer", "last", "ask-0", "b.txt", "--later"]);
  await said(home, ["resume", "last"]);
  expect((await document(home, ["show", "last"])).json).toMatchObject({
    output: { paper: { name: "b.txt" } },
  });
});

test("several files are so many paths", async () => {
  const home = await waiting(upload.replace("paper: Artifact", "paper: Artifact[] = []"));
  await said(home, ["answer", "last", "ask-0", "b.txt", "./my report.pdf"]);
  expect((await document(home, ["show", "last"])).json).toMatchObject({
    output: { paper: [{ name: "b.txt" }, { name: "my report.pdf" }] },
  });
});

test.each([
  ["missing.pdf", "can't be read"],
  ["folder", "is a folder"],
  ["empty.pdf", "is empty"],
])("%s is refused with code and hint, and the question stays open", async (path, words) => {
  const home = await waiting();
  const text = await said(home, ["answer", "last", "ask-0", path]);
  expect(text).toContain("error[M5317]");
  expect(text).toContain(words);
  expect(text).toContain("hint: ");
  expect((await document(home, ["show", "last"])).json).toMatchObject({ status: "waiting" });
});

test("a no is a no, and no file of that name", async () => {
  const home = await waiting();
  const text = await said(home, ["answer", "last", "ask-0", "deny:", "no", "paper"]);
  expect(text).toContain("no paper");
});
