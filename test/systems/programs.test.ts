/** The programs of `notebooks/systems`: each checks without a warning, stands in its form, and is tested through every arrow. */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { projectRoot } from "../support/child.ts";
import { madrigal } from "../support/warm/madrigal.ts";

const home = mkdtempSync(join(tmpdir(), "madrigal-systems-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const folder = join(projectRoot, "notebooks/systems");
const programs = globSync("*/*.madrigal", { cwd: folder });

test.each(programs)("%s checks without a warning, in the form of `madrigal fmt`", async (name) => {
  const checked = await madrigal(["check", name], { home, cwd: folder });
  expect(`${checked.stdout}${checked.stderr}`).toContain("1 file: 0 errors, 0 warnings");
  const formatted = await madrigal(["fmt", "--check", name], { home, cwd: folder });
  expect(`${formatted.stdout}${formatted.stderr}`).toContain("1 file: 0 would change");
});

test.each([
  [
    "S11 S12 S16 S17 S18 S20 S24 S26 S28 the nine keys; errors lead to a plan that begins at its first open step",
    "shared-state",
  ],
  [
    "E44 E45 E49 E51 E72 E81 a plan that is confirmed, refused, changed and made anew; an agent and all of Eko as tools",
    "eko",
  ],
  [
    "W23 W24 W28 W37 W43 no task, several, a second round, a sub-context that fails; a plan of AWorld's, done until there is an answer",
    "aworld-deep-search",
  ],
  [
    "A53 A61 A67 A91 A113 A114 A115 A116 three patterns of strong agents, a desk that chooses one, research in stages",
    "agent-world",
  ],
  [
    "M65 M68 M71 M93 M94 M126 the order of a round, each of its ends, a plan made anew, followers by the hour, thirty daily reports, one agent alone",
    "magentic",
  ],
])("%s: through all arrows", async (_, system) => {
  const files = globSync(join(system, "*-tests.madrigal"), { cwd: folder }).toSorted();
  const { code, stdout, stderr } = await madrigal(["test", ...files, "--coverage"], {
    home,
    cwd: folder,
  });
  expect(`${stdout}${stderr}`).toMatch(/^\d+ tests?: \d+ passed, 0 failed$/m);
  expect(code).toBe(0);
  const covered = stdout.split("\n").filter((line) => / of \d+ arrows/.test(line));
  expect(covered.length).toBeGreaterThan(0);
  for (const line of covered)
    expect(line).toMatch(
      /: (\d+) of \1 arrows(?:, (\d+) of \2 choices)?(?:, (\d+) of \3 failure arrows?)?$/,
    );
});
