/** The tables of the guide, row by row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CodePage, codes, GraphBuilder, KNOWN_TYPES, parse } from "../../../dsl/index.ts";
import { reservedWords } from "../../../dsl/syntax/words.ts";
import {
  BUILT_IN_REDUCERS,
  REDUCERS,
  type ReducerFacts,
} from "../../../dsl/vocabulary/reducers.ts";
import { HELP_TEXTS } from "../../../kernel/cli/help-texts.ts";
import { reportGraph } from "../report.ts";
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
        .check({ allowUnreadPrograms: true })
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

describe("the cheat sheet's words are the language's", () => {
  const sheet = (heading: string) =>
    rowsBelow("cheat-sheet.md", `\n| ${heading} | |`).flatMap(([first = []]) => first);
  const body = (code: string, inside: string) => code.replace("{ … }", `{ ${inside} }`);
  const inNode = (code: string) => `graph G {\nagent x { ${body(code, "n: int = 0")} }\n}`;
  /** What stands behind a target, or an item of a flow. */
  const inFlow = (code: string) => {
    const flow = body(code, "b(x)");
    const isWhole = flow.includes("->") && !/^(each|match)\b/.test(flow);
    const leads = isWhole || /^(each|match)\b/.test(flow);
    return `graph G {\n${isWhole ? "" : leads ? "a -> " : "a -> b "}${flow}\n}`;
  };
  const callWords = ["run", "tool", "reduce", "graph"];
  const inGraph = (code: string) => {
    if (/^\w+$/.test(code)) {
      const form = sheet("graph").find((one) =>
        callWords.includes(code) ? one.startsWith("name = ") : one.startsWith("name("),
      );
      return `graph G {\n${code} ${body(form ?? "", "")}\n}`;
    }
    return code.startsWith("name") ? "" : `graph G {\n${body(code, "n: int = 0")}\n}`;
  };
  const ofFile = (code: string) => body(code, "start -> end").replace("= …", "= { a: int }");
  const texts = [
    ...sheet("file").map(ofFile),
    ...sheet("graph").map(inGraph),
    // A clause that is named alone has its form in its chapter; `tool(…)` is TypeScript.
    ...sheet("node")
      .filter((code) => code.includes(" ") && !code.startsWith("tool("))
      .map((code) => inNode(code.replace("ask …", "ask `Who?`"))),
    ...sheet("arrows").map(inFlow),
  ].filter((text) => text !== "");
  test("there are many", () => expect(texts.length).toBeGreaterThan(50));

  test.each(texts)("%s", (text) => {
    expect(parse({ file: "sheet", text }).findings).toEqual([]);
  });

  test("each option of a command is one that it has", () => {
    const named = sheet("command");
    expect(named.length).toBeGreaterThan(12);
    let command = "";
    for (const code of named) {
      command = /^madrigal (\w+)/.exec(code)?.[1] ?? command;
      const usage = HELP_TEXTS[command]?.usage.join("\n") ?? "";
      expect(usage, code).not.toBe("");
      for (const [option] of code.matchAll(/--\w+/g)) expect(usage, code).toContain(option);
    }
  });

  test("the reserved words and the reducers are these", () => {
    const text = readFileSync(join(manual, "cheat-sheet.md"), "utf8");
    const [, reducers = "", reserved = ""] =
      /^Reducers: (.*)\. Reserved: `(.*)`\.$/m.exec(text) ?? [];
    expect(reserved.split(" ").sort()).toEqual([...reservedWords].sort());
    expect(reducers.match(/(?<=`)\w+/g)?.sort()).toEqual([...BUILT_IN_REDUCERS].sort());
  });
});

describe("the texts that list reducers list all of them, and no others", () => {
  const where = (holds: (facts: ReducerFacts) => boolean) =>
    BUILT_IN_REDUCERS.filter((name) => holds(REDUCERS[name]));
  const chapter = readFileSync(join(manual, "02-state.md"), "utf8");
  const userField = "state user { a: string }\nrun x = f() writes a\nstart -> x";
  const cells = rowsBelow("02-state.md", "\n| reducer | a write |").map(([first = []]) => first);
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join();

  test.each([
    ["the table of chapter 2", code(cells.flat()), BUILT_IN_REDUCERS],
    [
      "chapter 2 on fields of a user",
      /which only (`[^.]*) can do/.exec(chapter)?.[1],
      where(({ isMerging }) => isMerging),
    ],
    ["the page of M3301", codes.M3301.why, where(({ isMerging }) => isMerging)],
    ["the hint of M3301", reportGraph(userField), where(({ isMerging }) => isMerging)],
    ["the page of M3302", codes.M3302.why, where(({ on }) => on !== "any")],
    ["the page of M3303", codes.M3303.why, BUILT_IN_REDUCERS],
  ])("%s", (_, text = "", wanted) => {
    const named = [...text.matchAll(/`(?:via )?(\w+)(?:\([^`]*\))?`/g)].map(([, name]) => name);
    const found = BUILT_IN_REDUCERS.filter((name) => named.includes(name));
    expect(found).toEqual(wanted);
  });
});

test("chapter 6 names the types that need no declaration, and no others", () => {
  const [, list = ""] = readFileSync(join(manual, "06-types.md"), "utf8").split("\n\n");
  const named = list.match(/(?<=`)[A-Za-z]+(?=[`<])/g)?.filter((name) => name !== "type");
  // `any`, `null` and the two ways of TypeScript to write a list go without saying.
  const unsaid = ["any", "null", "Array", "ReadonlyArray"];
  const wanted = KNOWN_TYPES.filter((name) => !unsaid.includes(name));
  expect([...new Set(named)].sort()).toEqual([...wanted].sort());
});

describe("what the guide says of codes", () => {
  const prefixes = rowsBelow("08-errors.md", "\n| codes | are about |")
    .flatMap(([first = []]) => first)
    .map((prefix) => prefix.replace("…", ""));

  test("every code is of one of the rows, and each row has codes", () => {
    const all = Object.keys(codes);
    expect(prefixes.length).toBe(9);
    expect(all.filter((code) => !prefixes.some((prefix) => code.startsWith(prefix)))).toEqual([]);
    expect(prefixes.filter((prefix) => !all.some((code) => code.startsWith(prefix)))).toEqual([]);
  });

  test("each code of the language's own checks has a bad program and a good one", () => {
    const pages = Object.entries<CodePage>(codes);
    // M35 is of the TypeScript beside a program, which its text alone does not always show.
    const ofPrograms = pages.filter(([code]) => /^M[1-4]/.test(code) && !code.startsWith("M35"));
    expect(ofPrograms.length).toBeGreaterThan(100);
    const without = ofPrograms.filter(([, { bad }]) => bad === undefined);
    expect(without.map(([code]) => code)).toEqual([]);
    const halved = pages.filter(
      ([, { bad, good }]) => (bad === undefined) !== (good === undefined),
    );
    expect(halved.map(([code]) => code)).toEqual([]);
  });
});

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
