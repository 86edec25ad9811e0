/** What is too long to be shown: shown and file together are what was printed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RestFiles } from "../../../kernel/jupyter/execution/rest-files.ts";
import { temporaryFolder } from "../../support/child.ts";

test("each stream's text is shown up to its limit, and its file holds the rest", () => {
  const root = temporaryFolder();
  const part = fc.record({
    id: fc.constantFrom("1", "2"),
    name: fc.constantFrom("stdout" as const, "stderr" as const),
    text: fc.string({ unit: "grapheme", maxLength: 12 }),
  });
  let runs = 0;
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      runs += 1;
      const folder = join(root, String(runs));
      const rests = new RestFiles(() => folder, { max: 20, nameOf: (id) => `cell-${id}` });
      const shown = new Map<string, string>();
      const files: string[] = [];
      for (const each of parts) {
        const { text, file } = rests.take(each);
        const key = `cell-${each.id}-${each.name}.txt`;
        shown.set(key, (shown.get(key) ?? "") + text);
        if (file !== undefined) files.push(file);
      }
      for (const [key, text] of shown) {
        const whole = parts.filter(({ id, name }) => key === `cell-${id}-${name}.txt`);
        const isLong = files.includes(join(folder, key));
        const rest = isLong ? readFileSync(join(folder, key), "utf8") : "";
        expect(text + rest).toBe(whole.map((each) => each.text).join(""));
        expect(text.length).toBeLessThanOrEqual(20);
      }
      if (files.length > 0) expect(readdirSync(folder)).toHaveLength(files.length);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["nowhere", () => undefined],
  ["a folder that can't be made", () => "/dev/null/out"],
])("with %s to write to, all is shown", (_what, folder) => {
  const rests = new RestFiles(folder, { max: 3, nameOf: () => "cell" });
  expect(rests.take({ id: "1", name: "stdout", text: "abcdef" })).toEqual({ text: "abcdef" });
  expect(rests.take({ id: "1", name: "stdout", text: "g" })).toEqual({ text: "g" });
});
