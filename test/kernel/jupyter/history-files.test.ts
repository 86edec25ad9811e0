/** The history of a workspace: sessions of several kernels, one after the other and at once. */
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionHistory } from "../../../kernel/jupyter/history/history.ts";
import { HistoryFiles } from "../../../kernel/jupyter/history/history-files.ts";
import type { Dict } from "../../../kernel/jupyter/wire/message.ts";
import { temporaryFolder } from "../../support/child.ts";

function session(folder: string, inputs: readonly string[] = []): SessionHistory {
  const history = new SessionHistory(new HistoryFiles(Promise.resolve(folder)));
  for (const [index, input] of inputs.entries()) history.add(index + 1, input);
  return history;
}

/** `SESSION:LINE INPUT`, joined. */
async function asked(history: SessionHistory, content: Dict): Promise<string> {
  const { history: found } = await history.answer(content);
  return (found as [number, number, string][])
    .map(([number, line, text]) => `${number}:${line} ${text}`)
    .join(" | ");
}

const TAIL = { hist_access_type: "tail" };

test("a session knows the inputs and results of those before it", async () => {
  const folder = temporaryFolder();
  const first = session(folder, ["a", "b"]);
  first.setOutput(2, "2");
  await first.close();
  const second = session(folder, ["c"]);
  expect(await asked(second, TAIL)).toBe("1:1 a | 1:2 b | 2:1 c");
  expect(await asked(second, { ...TAIL, n: 2, output: true })).toBe("1:2 b,2 | 2:1 c,");
  const range = { hist_access_type: "range", start: 1, stop: 9 };
  expect(await asked(second, { ...range, session: 0 })).toBe("2:1 c");
  expect(await asked(second, { ...range, session: -1 })).toBe("1:1 a | 1:2 b");
  expect(await asked(second, { ...range, session: 1, stop: 2 })).toBe("1:1 a");
  expect(await asked(second, { hist_access_type: "search", pattern: "[a-b]" })).toBe("");
  expect(await asked(second, { hist_access_type: "search", pattern: "?", n: 2 })).toBe(
    "1:2 b | 2:1 c",
  );
});

test("two kernels at once have two numbers, and read each other", async () => {
  const folder = temporaryFolder();
  const [one, two] = [session(folder, ["one"]), session(folder, ["two"])];
  await Promise.all([one.close(), two.close()]);
  expect(readdirSync(folder).sort()).toEqual(["1.jsonl", "2.jsonl"]);
  const [a, b] = await Promise.all([asked(one, TAIL), asked(two, TAIL)]);
  expect([a, b].map((text) => text.replaceAll(/\d:\d /g, "")).sort()).toEqual([
    "one | two",
    "two | one",
  ]);
});

test("a kernel that ran nothing leaves nothing, and still reads", async () => {
  const folder = temporaryFolder();
  await session(folder, ["a"]).close();
  const reader = session(folder);
  expect(await asked(reader, TAIL)).toBe("1:1 a");
  await reader.close();
  expect(readdirSync(folder)).toEqual(["1.jsonl"]);
});

test("a line that a killed kernel left half, and files of others, are passed over", async () => {
  const folder = temporaryFolder();
  await session(folder, ["a"]).close();
  appendFileSync(join(folder, "1.jsonl"), '{"line":2,"inp');
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(folder, "7.jsonl"), '{"line":"x","input":"b"}\n[]\nnull\n');
  const next = session(folder, ["c"]);
  expect(await asked(next, TAIL)).toBe("1:1 a | 8:1 c");
});

test("only the newest hundred sessions are kept", async () => {
  const folder = temporaryFolder();
  for (let number = 1; number <= 120; number += 1) {
    writeFileSync(join(folder, `${number}.jsonl`), `{"line":1,"input":"${number}"}\n`);
  }
  await session(folder, ["new"]).close();
  const kept = readdirSync(folder).map((name) => Number.parseInt(name, 10));
  expect([kept.length, Math.min(...kept), Math.max(...kept)]).toEqual([100, 22, 121]);
});

test("a folder that can't be written harms nobody", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const history = session(join(file, "history"), ["a"]);
  await history.close();
  expect(await asked(history, TAIL)).toBe("1:1 a");
});
