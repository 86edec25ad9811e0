/** Files by the dozen and a benchmark, as somebody writes them: a program, one command, a question in SQL. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitCode, workspace } from "../kernel/cli/calling.ts";
import { projectRoot } from "../support/child.ts";
import { madrigal } from "../support/warm/madrigal.ts";

const PAGES = `import { headings } from "./pages.ts"

type Page = { name: string, headings: int }

graph Pages(names: string[]) returns pages {
  state { pages: Page[] = [] via append }

  tool read(name: string) = folder.read(path: name) writes text = result.text
  run count(name: string) = headings(name, text) writes pages

  start -> each name of names parallel 4 {
    state { text: string = "" }
    read(name) -> count(name) -> end
  } -> end
}
`;

const COUNT = `export function headings(name: string, text: string): { name: string; headings: number } {
  return { name, headings: text.match(/^#/gm)?.length ?? 0 };
}
`;

test("M133 twenty real files are read and counted, four at a time, each once", async () => {
  const chapters = ["01-first-graph", "02-state", "03-nodes", "04-flow", "05-expressions"];
  const files = Array.from({ length: 20 }, (_, at) => {
    const chapter = chapters[at % chapters.length];
    const text = readFileSync(join(projectRoot, `dsl/manual/${chapter}.md`), "utf8");
    // Within one stretch of `folder.read`.
    return [`pages/${at}-${chapter}.md`, text.slice(0, 8_000 + at)] as const;
  });
  const home = workspace({
    "pages.madrigal": PAGES,
    "pages.ts": COUNT,
    ...Object.fromEntries(files),
  });
  const names = files.map(([name]) => name);
  const input = JSON.stringify({ names });
  const ended = await madrigal(["run", "pages.madrigal", "--json", "--input", input], { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  const wanted = files.map(([name, text]) => ({ name, headings: text.match(/^#/gm)?.length }));
  expect(JSON.parse(ended.stdout).output.pages).toEqual(wanted);
});

const BENCH = `import { answer } from "./answer.ts"

type Row = { question: string, wanted: string }
type Mark = { question: string, isRight: boolean }

graph Solve(question: string) returns said {
  state { said: string = "" }

  run think = answer(question) writes said

  start -> think -> end
}

graph Bench(rows: Row[]) returns marks {
  state { marks: Mark[] = [] via append }

  graph solve(row: Row) = Solve(row.question)
    writes marks = { question: row.question, isRight: result == row.wanted }

  start -> each row of rows parallel 4 {
    solve(row) -> end
    solve -> end on error set marks = { question: row.question, isRight: false }
  } -> end
}
`;

const ANSWER = `export function answer(question: string): string {
  const [, a = "", b = ""] = /(\\d+) plus (\\d+)/.exec(question) ?? [];
  if (a === "") throw new Error("I can only add.");
  return String(Number(a) + Number(b));
}
`;

test("M121 a benchmark is rows through a graph: its marks are the output, and SQL keeps how each row went", async () => {
  const home = workspace({ "bench.madrigal": BENCH, "answer.ts": ANSWER });
  const rows = [
    { question: "1 plus 2", wanted: "3" },
    { question: "2 plus 2", wanted: "5" },
    { question: "who?", wanted: "me" },
  ];
  const input = JSON.stringify({ rows });
  const run = ["run", "bench.madrigal", "Bench", "--json", "--input", input];
  const ended = await madrigal(run, { home });
  expect(exitCode(ended), ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout).output.marks).toEqual([
    { question: "1 plus 2", isRight: true },
    { question: "2 plus 2", isRight: false },
    { question: "who?", isRight: false },
  ]);
  const asked = `SELECT status, count(*) AS times FROM node_runs WHERE node = 'solve' GROUP BY status ORDER BY status`;
  const told = await madrigal(["sql", asked, "--csv"], { home });
  expect(told.stdout.trim().split("\n")).toEqual(["status,times", "failed,1", "succeeded,2"]);
});
