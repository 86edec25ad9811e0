/** The manual of the traces, done as it says: each query is asked, and what it gives stands below it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tableMacros } from "../../../../runtime/trace/macros/macros.ts";
import type { Row } from "../../../../runtime/trace/trace-store.ts";
import { views } from "../../../../runtime/trace/views/views.ts";
import { projectRoot } from "../../../support/child.ts";
import { failedRun, NOON, readingRun, searchRun, sourceOf, tellingRun } from "../sample.ts";
import { traced } from "../store.ts";
import { talkingRun } from "../talking-run.ts";

const FILE = join(projectRoot, "runtime", "trace", "MANUAL.md");
const EXAMPLE = /```sql\n([^`]*)\n```\n\n```text\n[^`]*```/g;

test("every example gives what stands below it", async () => {
  const found = { title: "of ducks. ".repeat(120), book: "of ponds. ".repeat(8_000) };
  const traces = await traced(
    sourceOf([
      searchRun("r1"),
      failedRun("r2"),
      tellingRun("r3"),
      readingRun("r4", { found }, NOON - 1_000),
      talkingRun("r5", NOON - 2_000),
    ]),
  );
  const text = readFileSync(FILE, "utf8");
  let rendered = "";
  let at = 0;
  for (const found of text.matchAll(EXAMPLE)) {
    const [, sql = ""] = found;
    const shown = table(await traces.query(sql));
    rendered += `${text.slice(at, found.index)}\`\`\`sql\n${sql}\n\`\`\`\n\n\`\`\`text\n${shown}\n\`\`\``;
    at = found.index + found[0].length;
  }
  await expect(rendered + text.slice(at)).toMatchFileSnapshot(FILE);
});

test("every view and every macro has its place and an example that names it", () => {
  const text = readFileSync(FILE, "utf8");
  const sections = text.split(/^### /m).slice(1);
  const named = sections.map((section) => section.split("\n", 1)[0]);
  expect(named.toSorted()).toEqual(
    [...Object.keys(views), "quarantine", ...Object.keys(tableMacros)].toSorted(),
  );
  for (const section of sections) {
    const [name = ""] = section.split("\n", 1);
    const [, sql = ""] = /```sql\n([^`]*)/.exec(section) ?? [];
    expect(sql, name).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

function table(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return "no rows";
  const lines = [Object.keys(first), ...rows.map((row) => Object.values(row).map(cell))];
  const widths = Object.keys(first).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cell(value: unknown): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? value : JSON.stringify(value);
}
