/** The page about a run: all of it is there, nothing in it acts or loads, and commands write it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { reportPage } from "../../../../kernel/report/report-page.ts";
import { useSession } from "../../../../kernel/session.ts";
import type { Session } from "../../../../runtime/index.ts";
import { generatedTraces } from "../../../support/traces/fill-traces.ts";
import { HOSTILE } from "../../display/hostile.ts";
import { graphOf, SEARCH, searching } from "../../display/runs.ts";
import { document, said, workspace } from "../calling.ts";

const TAGS = new Set(
  `!doctype html head meta title style body main h1 h2 h3 h4 h5 h6 section dl dt dd p pre code span div strong em s hr br
  table thead tbody tr th td details summary figure ul ol li blockquote
  svg g path rect circle ellipse line polyline polygon text tspan title desc defs clipPath use`.split(
    /\s+/,
  ),
);

/** Only tags that show something, and no attribute that acts or leads anywhere. */
function expectHarmless(page: string): void {
  const [, body = ""] = page.split("</style>");
  for (const [, tag = ""] of page.matchAll(/<\/?([!a-zA-Z][\w-]*)/g)) expect(TAGS).toContain(tag);
  for (const [tag] of body.matchAll(/<[a-zA-Z][^>]*>/g)) {
    expect(tag).not.toMatch(/\s(?:on\w+|src|href|xlink:href|srcset|action|formaction)\s*=/i);
    expect(tag).not.toMatch(/url\(\s*["']?(?!#)/i);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
}

function headings(page: string): readonly string[] {
  return [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title = ""]) => title);
}

async function generated() {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-report-"));
  const traces = await generatedTraces({ folder, seed: 5, runs: 120 });
  useSession({
    findRunId: async (word: string) => word,
    traces: async () => traces,
  } as unknown as Session);
  onTestFinished(async () => {
    await traces.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const rows = await traces.query("SELECT run_id, status FROM runs ORDER BY ts");
  return (status: string) => String(rows.find((row) => row.status === status)?.run_id);
}

test("a run that succeeded, one that failed and one under way are each told whole", async () => {
  const first = await generated();
  const succeeded = await reportPage(first("succeeded"));
  expect(headings(succeeded).filter((title) => title !== "Failed attempts")).toEqual([
    "Input",
    "Output",
    "The graph",
    "Charts",
    "Nodes",
    "Steps and what they changed",
    "Messages",
    "Artifacts",
    "Final state",
  ]);
  expect(succeeded).toContain("<dt>models</dt><dd>answers by a script, not a model</dd>");
  expect(succeeded).toContain('data-node="write" data-status="succeeded"');
  const [, steps] = /<dt>steps<\/dt><dd>(\d+)</.exec(succeeded) ?? [];
  expect(succeeded.match(/<summary>step \d+: /g)).toHaveLength(Number(steps));
  const failed = await reportPage(first("failed"));
  expect(headings(failed)).toContain("Failed attempts");
  expect(failed).toMatch(/<p class="error"><strong>M\d{4}<\/strong> at <code>\w+<\/code>: /);
  const open = await reportPage(first("running"));
  expect(open).toContain("<dd>is under way</dd>");
  expect(headings(open)).toContain("State so far");
  for (const page of [succeeded, failed, open]) {
    expectHarmless(page);
    expect(page).toContain("@media screen and (prefers-color-scheme:dark){.picture [fill=");
  }
});

describe("texts of others", () => {
  test("are shown and do nothing, wherever they stand", async () => {
    const text = HOSTILE.join("\n");
    const graph = await graphOf(SEARCH, { looked: () => [{ text, size: 1 }] });
    const run = searching(graph, { plan: [...HOSTILE], write: text });
    await run.output;
    const page = await reportPage(run.id);
    expectHarmless(page);
    expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(headings(page)).toContain("Final state");
  });

  test("that are long are cut, and where the rest is is said", async () => {
    const graph = await graphOf(SEARCH, { looked: () => [{ text: "x".repeat(9_000), size: 1 }] });
    const run = searching(graph);
    await run.output;
    const page = await reportPage(run.id);
    expect(page).not.toContain("x".repeat(4_000));
    expect(page).toContain(`SELECT output, patches FROM steps WHERE run_id = &#39;${run.id}&#39;`);
  });
});

test("a run that nobody traced has no page", async () => {
  await graphOf(SEARCH, { looked: () => [] });
  await expect(reportPage("nothing")).rejects.toMatchObject({ code: "M7606" });
});

const TWICE = `graph Twice(n: int) returns m {
  state { m: int = 0 }
  run double = doubled(n) writes m
  start -> double -> end
}`;

test("madrigal chart and madrigal report write a picture and a page", async () => {
  const home = workspace({
    "twice.madrigal": TWICE,
    "scope.ts": "export const doubled = (n: number) => n * 2;\n",
  });
  const run = ["run", "twice.madrigal", "--scope", "scope.ts", "--input", '{"n":21}'];
  await said(home, run, { cwd: home });
  const svg = join(home, "pictures/waterfall.svg");
  const chart = await document(home, ["chart", "waterfall", "--svg", svg], { cwd: home });
  expect(chart.json).toMatchObject({ version: 1, chart: "waterfall", runs: ["RUN"] });
  expect(chart.json.rows).toHaveLength(1);
  expect(readFileSync(svg, "utf8")).toMatch(/^<svg [\s\S]*<title>When each node ran<\/title>/);
  const report = await document(home, ["report", "last"], { cwd: home });
  expect(report.json).toMatchObject({ run_id: "RUN", file: "HOME/.madrigal/out/report-RUN.html" });
  const out = join(home, "page.html");
  expect(await said(home, ["report", "last", "--out", out])).toBe("exit 0\nreport: HOME/page.html");
  expect(readFileSync(out, "utf8")).toContain("<pre>42</pre>");
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

test.each<readonly [string, readonly string[]]>([
  ["M7611", ["chart", "waterfal"]],
  ["M7612", ["chart", "trajectories", "last"]],
  ["M7614", ["chart", "latencies", "--by", "moon"]],
])("%s: madrigal %s", async (code, words) => {
  const home = workspace();
  expect(await said(home, words)).toMatch(
    new RegExp(`^exit 2\\n! error\\[${code}\\]: .*\\n!   hint: `),
  );
  expect(existsSync(join(home, ".madrigal"))).toBe(false);
});
