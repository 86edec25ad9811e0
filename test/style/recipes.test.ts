/** Holds that the recipes of the documents name files, folders, functions and scripts that exist. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../support/child.ts";
import { findMissingInRecipes, type Project, recipesIn } from "./recipes.ts";
import { documents, readFiles, sourceFiles } from "./sources.ts";

const recipe =
  "# A\n\nAbsent here: `gone.ts`.\n\n## How to add …\n\n**a check**: SPAN.\n\n## After\n";

describe("a recipe", () => {
  const project: Project = {
    paths: ["dsl/check/checks.ts", "test/dsl/report.ts"],
    sourceText: "export function createPerformer() {}\nconst KIND_FACTS = {};\n",
    scripts: ["grammar"],
  };
  const missingIn = (span: string) =>
    findMissingInRecipes({ path: "dsl/README.md", text: recipe.replace("SPAN", span) }, project);

  test.each([
    "`check/limits.ts`",
    "`limits/`",
    "`createPerformers`",
    "`IN_RUNS`",
    "`perform()`",
    "`npm run rooms`",
  ])("names %s, which is missing", (span) => {
    expect(missingIn(span)).toEqual([span.slice(1, -1)]);
  });

  test.each([
    "`check/checks.ts`",
    "`test/dsl/report.ts`",
    "`check/`",
    "`createPerformer`",
    "`KIND_FACTS`",
    "`npm run grammar`",
    "`on error`",
  ])("names %s, which is there", (span) => {
    expect(missingIn(span)).toEqual([]);
  });
});

describe("of the documents", () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  const project: Project = {
    paths: readFiles(
      "{*,.ci/*,{dsl,runtime,kernel,test,notebooks}/**/*.{ts,js,py,md,madrigal,ipynb,txt}}",
    ).map(({ path }) => path),
    sourceText: sourceFiles.map(({ text }) => text).join("\n"),
    scripts: Object.keys(scripts),
  };
  const withRecipes = documents.filter(({ text }) => recipesIn(text) !== "");

  test("there are recipes to look at", () => {
    expect(withRecipes.length).toBeGreaterThan(4);
  });

  test.each(withRecipes.map((document) => [document.path, document] as const))(
    "%s names what exists",
    (_, document) => {
      expect(findMissingInRecipes(document, project)).toEqual([]);
    },
  );
});
