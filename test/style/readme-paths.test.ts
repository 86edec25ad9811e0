/** The files that a folder's README names exist. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../support/child.ts";

const files = globSync("{dsl,runtime,kernel,notebooks,test}/**", { cwd: projectRoot });
const readmes = files.filter((path) =>
  /^(dsl|runtime|kernel)\/.*(README|MANUAL|front-ends)\.md$/.test(path),
);

/** Names in READMEs that are no files of this project: of other projects, or examples. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "kernel/manual/front-ends.md": [
    "src/kernels/execution/helpers.ts",
    "src/kernels/execution/cellExecutionMessageHandler.ts",
    "kernelCompletionProvider.ts",
    "cellLanguageService.ts",
    "helper.ts",
    "ipywidgets/kernel/index.ts",
    "rendermime/factories.ts",
  ],
  "kernel/types/cells/README.md": ["Converted.js"],
  "kernel/types/files/README.md": ["dir/a.madrigal.check.ts"],
};

/** The paths between backticks in `readme` that end like a source file and name no file. */
function findMissingPaths(readme: string): readonly string[] {
  const text = readFileSync(join(projectRoot, readme), "utf8");
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|js|py))`/g)].map(([, path = ""]) => path);
  return named.filter((path) => {
    const beside = normalize(join(dirname(readme), path));
    return !files.some((file) => file === beside || `/${file}`.endsWith(`/${path}`));
  });
}

test("there are READMEs to look at", () => {
  expect(readmes.length).toBeGreaterThan(5);
});

test.each([...readmes, "CONTRIBUTING.md"])("%s names files that exist", (readme) => {
  expect(findMissingPaths(readme)).toEqual(ELSEWHERE[readme] ?? []);
});

test.each(["README.md", "CONTRIBUTING.md", ...readmes])(
  "%s links to files that exist",
  (readme) => {
    const text = readFileSync(join(projectRoot, readme), "utf8");
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    const missing = local.filter((link) => !existsSync(join(projectRoot, dirname(readme), link)));
    expect(missing).toEqual([]);
  },
);
