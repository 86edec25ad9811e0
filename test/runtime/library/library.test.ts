/**
 * The programs that come with Madrigal: each is imported by its name, passes tests through all arrows, and has its page. The tests of
 * `magentic` stand in `notebooks/systems`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { check, LIBRARY_GRAPHS, mermaid } from "../../../dsl/index.ts";
import { projectRoot } from "../../support/child.ts";
import { madrigal } from "../../support/warm/madrigal.ts";

const home = mkdtempSync(join(tmpdir(), "madrigal-library-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const folder = join(projectRoot, "runtime/library");
const programs = readdirSync(folder).filter((name) => name.endsWith(".madrigal"));

test.each(programs)(
  "%s checks without a warning and stands in the form of `madrigal fmt`",
  async (name) => {
    const file = join(folder, name);
    const checked = await madrigal(["check", file], { home });
    expect(`${checked.stdout}${checked.stderr}`).toContain("1 file: 0 errors, 0 warnings");
    const formatted = await madrigal(["fmt", "--check", file], { home });
    expect(`${formatted.stdout}${formatted.stderr}`).toContain("1 file: 0 would change");
  },
);

test("each program is known by the graph that it is there for", () => {
  const files = Object.values(LIBRARY_GRAPHS).map((name) => `${name}.madrigal`);
  expect(files.toSorted()).toEqual(programs.toSorted());
});

test.each(programs)("the page of %s shows the program's first graph", (name) => {
  const text = readFileSync(join(folder, name), "utf8");
  const page = readFileSync(join(folder, name.replace(/madrigal$/, "md")), "utf8");
  const programs = (from: string) => ({
    file: from,
    text: readFileSync(join(folder, from), "utf8"),
  });
  const [graph] = check({ file: name, text }, { programs }).graphs;
  if (graph === undefined) throw new Error("no graph");
  expect(page).toContain(`\`\`\`mermaid\n${mermaid(graph).trimEnd()}\n\`\`\``);
});

test.each([
  ["A114 a planner, workers side by side, a reducer", "plan-work-reduce"],
  ["A115 a researcher, a critic until nothing is missing, a writer", "research-critique"],
  [
    "S11 S12 S24 the router runs after each role, errors lead to a new plan, completed ends",
    "routed",
  ],
  [
    "A113 a planner, a coder whose code is run, a reviewer who sends it back once",
    "plan-code-review",
  ],
  ["looks until a judge finds that it holds", "sentinel"],
  ["M79 a web surfer and the person take turns until the person has it", "round-robin"],
  ["M126 an agent of the web, alone", "web-surfer"],
  ["M126 an agent of files, alone", "file-surfer"],
  ["M42 a persona never tells the answer that it knows", "persona"],
  ["sides argue in rounds, and a judge decides", "debate"],
  ["M35 M37 M39 M126 code that is mended, summed up, or not approved", "coder"],
  ["a run that has been is read, and what it teaches proposed", "learn"],
  ["searches side by side, and quotes that were verified", "deep-search"],
  ["E51 chat first, planned as XML, confirmed, done, planned anew", "eko"],
  ["E82 a conversation with a page and a memory", "chat"],
  ["items side by side, and their results in rounds", "map-reduce"],
])("%s: imported from madrigal/library, through all arrows", async (_, program) => {
  const { code, stdout, stderr } = await madrigal(["test", `${program}.madrigal`, "--coverage"], {
    home,
    cwd: import.meta.dirname,
  });
  expect(`${stdout}${stderr}`).toMatch(/^\d+ tests?: \d+ passed, 0 failed$/m);
  expect(code).toBe(0);
  // The programs that it calls have tests of their own.
  expect(stdout).toMatch(
    /^\w+: (\d+) of \1 arrows(?:, (\d+) of \2 choices)?(?:, (\d+) of \3 failure arrows?)?$/m,
  );
});
