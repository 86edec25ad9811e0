/** The notebook of the main job, executed by our client and by nbclient, and the page that is made of it. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ProgramEnd, runProgram } from "../../kernel/lab/run-program.ts";
import { type ComparableCell, comparable } from "../../kernel/notebook/comparable-outputs.ts";
import { isCode, type NotebookFile } from "../../kernel/notebook/notebook.ts";
import { readNotebook } from "../../kernel/notebook/read-notebook.ts";
import { projectNode, projectRoot } from "../support/child.ts";
import { executeByNbclient } from "../support/nbclient.ts";
import { missing } from "../support/python-env.ts";
import { stored } from "./scene.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NOTEBOOK = "notebooks/deep-search.ipynb";
const reason = await missing("python-env");

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A clone's folder as far as the notebook can tell. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-notebook-"));
  folders.push(folder);
  mkdirSync(join(folder, "notebooks"));
  cpSync(join(projectRoot, NOTEBOOK), join(folder, NOTEBOOK));
  writeFileSync(join(folder, "package.json"), "{}\n");
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  return folder;
}

function read(path: string): NotebookFile {
  return readNotebook(readFileSync(path, "utf8"), path);
}

let home: string;
let started: ProgramEnd;
let executed: NotebookFile;
let page: string;

beforeAll(async () => {
  home = clone();
  const env = { PATH: process.env.PATH ?? "", HOME: home, MADRIGAL_HOME: home };
  const command = [projectNode, join(projectRoot, "kernel/start.ts")];
  started = await runProgram(command, { env, cwd: home });
  const paths = /notebook: (.*)\npage: (.*)\n$/.exec(started.text);
  executed = read(paths?.[1] ?? "");
  page = readFileSync(paths?.[2] ?? "", "utf8");
});

test("contract: npm start prints where notebook and page lie as its last two lines", () => {
  expect(started.ok).toBe(true);
  expect(started.text.trimEnd().split("\n").slice(-2)).toEqual([
    `notebook: ${join(home, ".madrigal/out/deep-search.ipynb")}`,
    `page: ${join(home, ".madrigal/out/deep-search.html")}`,
  ]);
});

test("it tells each cell and node, and the report with its quotes", () => {
  expect(started.text).toMatch(/^cell 4\/14 ok \d+\.\d\ds$/m);
  expect(started.text).toMatch(/^ {2}node search#2 succeeded \d+\.\d\ds$/m);
  expect(started.text).toMatch(/^1\. “To avoid a `try\/catch` block, you can use the/m);
  expect(started.text).toMatch(/^ {3}— zod · zod\/README\.md · Basic usage > Handling errors$/m);
});

describe("the outputs", () => {
  let ours: readonly ComparableCell[];

  beforeAll(async () => {
    ours = await comparable(executed, home);
  });

  test("every output that comes of a run says which kind of model answered", () => {
    const ids = ["run", "step-1", "back", "sql-nodes", "sql-messages", "sql-retries"];
    const charts = ["chart-waterfall", "chart-tokens", "chart-state"];
    for (const id of [...ids, ...charts]) {
      const cell = executed.cells.find((one) => one.id === id);
      expect(cell && isCode(cell) ? JSON.stringify(cell.outputs) : "", id).toMatch(/\brules\b/);
    }
  });

  // Which packages are there, and so how rare a word is among them, differs from platform to platform.
  test.runIf(process.platform === "linux" && process.arch === "x64")(
    "are those that the notebook was stored with",
    async () => {
      expect(ours).toEqual(await comparable(read(join(projectRoot, NOTEBOOK)), projectRoot));
    },
  );

  test.skipIf(reason !== undefined)("are the same when nbclient executes it", async () => {
    const folder = clone();
    const { ok, text, notebook } = await executeByNbclient(join(folder, NOTEBOOK), folder);
    expect({ ok, text: ok ? "" : text }).toEqual({ ok: true, text: "" });
    expect(await comparable(notebook, folder)).toEqual(ours);
  });

  test("differ as soon as one digit of a token count does", async () => {
    const text = JSON.stringify(executed);
    const count = /"input_tokens":(\d+)/.exec(text)?.[1] ?? "";
    const other = String(Number(count) + 1);
    const changed = JSON.parse(text.replace(`"input_tokens":${count}`, `"input_tokens":${other}`));
    expect(await comparable(changed, home)).not.toEqual(ours);
    const drawn = JSON.parse(
      text.replace(/(\d) tok</, (_, digit) => `${(Number(digit) + 1) % 10} tok<`),
    );
    expect(await comparable(drawn, home)).not.toEqual(ours);
  });
});

describe("the page", () => {
  const drawings = () => page.split("<svg").slice(1);

  test("loads nothing from anywhere and runs no script", () => {
    expect(page).not.toMatch(/(?:src|href)\s*=\s*["']?\s*(?:https?:)?\/\//i);
    expect(page).not.toMatch(/<script|javascript:|\son\w+\s*=/i);
    expect(page).not.toMatch(/url\(\s*["']?https?:/i);
  });

  test("has as many bars in each chart as its query has rows", () => {
    const charts = executed.cells
      .flatMap((cell) => (isCode(cell) ? cell.outputs : []))
      .flatMap((output) => ("data" in output ? [output.data] : []))
      .flatMap((data) => data["application/vnd.vegalite.v5+json"] ?? []) as {
      readonly data: { readonly values: readonly unknown[] };
    }[];
    const marks = drawings()
      .filter((svg) => svg.includes("aria-roledescription"))
      .map((svg) => svg.split('aria-roledescription="bar"').length - 1);
    expect(charts).toHaveLength(3);
    expect(marks).toEqual(charts.map(({ data }) => data.values.length));
  });

  test("draws each node with the status that it has in node_runs", async () => {
    const { sql } = stored(home);
    const rows = await sql(
      "SELECT node, status FROM node_runs WHERE run_id = (SELECT min(run_id) FROM runs) GROUP BY ALL ORDER BY node",
    );
    const drawn = drawings().find((svg) =>
      svg.includes('data-node="plan" data-status="succeeded"'),
    );
    const boxes = [...(drawn ?? "").matchAll(/data-node="(\w+)" data-status="(\w+)"/g)]
      .map(([, node, status]) => ({ node, status }))
      .sort((a, b) => String(a.node).localeCompare(String(b.node)));
    expect(rows).toHaveLength(4);
    expect(boxes).toEqual(rows);
  });
});
