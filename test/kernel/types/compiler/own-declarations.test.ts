/** What the compiler reads of our own files in place of their whole text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownDeclarations } from "../../../../kernel/types/compiler/own-declarations.ts";
import { loadCompiler } from "../../../../kernel/types/compiler/tslab-converter.ts";
import { projectRoot } from "../../../support/child.ts";

const compiler = loadCompiler();
const read = (file: string) => ownDeclarations(compiler, join(projectRoot, file));

test("a file is read as what it declares, with its comments and without what only its bodies import", () => {
  const text = read("kernel/library/sql-tag.ts");
  expect(text).toMatch(/\/\*\*[\s\S]*export (declare|type|interface)/);
  expect(text).not.toMatch(/\breturn\b|=> \{/);
  expect(read("kernel/library/own-instance.ts")).toMatchInlineSnapshot(`
    "/** Throws M7301 when another copy of the package is loaded in this process. */
    export declare function assertOnlyInstance(): void;
    /** Makes \`import "madrigal"\` this very copy, whoever imports it and wherever the file lies. */
    export declare function serveOwnInstance(): void;
    "
  `);
});

test("a file whose types can't be told without other files is read whole", () => {
  const file = "dsl/codes.ts";
  expect(read(file)).toBe(readFileSync(join(projectRoot, file), "utf8"));
});
