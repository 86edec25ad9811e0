/** The tables of the guide, row by row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { GraphBuilder, parse } from "../../../dsl/index.ts";
import { manual } from "./chapter.ts";

/** The rows below a heading: the code in each of their cells. */
function rowsBelow(chapter: string, heading: string): readonly (readonly (readonly string[])[])[] {
  const text = readFileSync(join(manual, chapter), "utf8");
  const [, table = ""] = text.split(heading);
  const rows = table.slice(0, table.indexOf("\n\n")).split("\n");
  return rows
    .filter((row) => row.startsWith("| ") && !row.startsWith("|--"))
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(codeOf),
    );
}

function codeOf(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replaceAll("\\|", "|"));
}

describe("what a line of the language is in the builder", () => {
  const rows = rowsBelow("10-builder.md", "\n| language | builder |");
  const pairs = rows.flatMap(([lines = [], calls = []]) =>
    lines.map((line, index) => [line, calls[index] ?? ""] as const),
  );
  test("there are many", () => expect(pairs.length).toBeGreaterThan(30));

  test.each(pairs)("%s is %s", (line, call) => {
    const builder = new GraphBuilder({ name: "G", parts: [], uses: [] }, () => "");
    const built = new Function("builder", `return builder${call}`)(builder);
    expect(oneLine(built.text())).toContain(line);
    expect(
      built
        .check({ allowNotYet: true })
        .filter(({ code }: { code: string }) => code.startsWith("M1")),
    ).toEqual([]);
  });
});

describe("the forms of arrows can be read", () => {
  const forms = rowsBelow("04-flow.md", "\n| form | meaning |").flatMap(([first = []]) => first);
  test("there are many", () => expect(forms.length).toBeGreaterThan(10));

  test.each(forms)("%s", (form) => {
    const { ast, findings } = parse({ file: "form", text: `graph G {\n${form}\n}` });
    expect(findings).toEqual([]);
    const [graph] = ast.items;
    expect(graph?.kind === "graph" ? graph.items.map(({ kind }) => kind) : []).toEqual(["flow"]);
  });
});

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
