/** `--help`: of all commands, of each, and of what is no command. */
import { describe, expect, test } from "vitest";
import { commands } from "../../../kernel/cli/commands.ts";
import { HELP_TEXTS } from "../../../kernel/cli/help-texts.ts";
import { said, workspace } from "./calling.ts";

const OPTION = /--[a-z][a-z\d-]*/g;

test("every command has its help, and every help its command", () => {
  expect(Object.keys(HELP_TEXTS).sort()).toEqual(Object.keys(commands).sort());
});

describe.each(Object.entries(HELP_TEXTS))(
  "%s",
  (name, { summary, usage, details = [], examples }) => {
    test("is said in one plain line, and shown by two calls of it", () => {
      expect(summary).toMatch(/^[A-Z][^.]{10,69}$/);
      for (const call of [...usage, ...examples]) expect(call).toMatch(new RegExp(`^${name}\\b`));
    });

    test("names each of its options, and no others", async () => {
      const { command } = (await commands[name]?.()) ?? {};
      const has = Object.keys(command?.options ?? {}).map((option) => `--${option}`);
      const named = [...usage.join(" ").matchAll(OPTION)].map(([option]) => option);
      expect([...new Set([...named, "--json"])].sort()).toEqual(
        [...new Set([...has, "--json"])].sort(),
      );
      const shown = [...[...details, ...examples].join(" ").matchAll(OPTION)].map(
        ([option]) => option,
      );
      expect(shown.filter((option) => !named.includes(option))).toEqual([]);
    });
  },
);

test("help lists the commands that are there", async () => {
  expect(await said(workspace(), ["--help"])).toMatchSnapshot();
});

test("help of one command", async () => {
  expect(await said(workspace(), ["resume", "--help"])).toMatchSnapshot();
  expect(await said(workspace(), ["help", "resume"])).toMatch(/^exit 0\nContinue a run/);
});

test.each([
  ["chek", "--help"],
  ["help", "chek"],
])("help of what is no command: %s %s", async (...words) => {
  const text = await said(workspace(), words);
  expect(text).toContain("M7101");
  expect(text).toContain("did you mean `check`?");
});
