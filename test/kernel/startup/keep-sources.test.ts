import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { projectRoot } from "../../support/child.ts";

const home = mkdtempSync(join(tmpdir(), "madrigal-kept-"));
const folder = join(home, "ours");
const kept = join(home, "cache", "sources");
afterAll(() => rmSync(home, { recursive: true }));

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(home, "cache"), { recursive: true, force: true });
  put(
    "begin.js",
    `import { keepSources } from ${JSON.stringify(keeper.href)};
keepSources({ file: process.argv[2], folders: [new URL("ours/", import.meta.url).href] });
await import("./ours/one.ts");
`,
  );
  put(
    "ours/one.ts",
    'import { two } from "./two.ts";\nconst said: string = two;\nconsole.log(said);\n',
  );
  put("ours/two.ts", 'export type Two = string;\nexport const two: Two = "grün";\n');
});

const keeper = new URL("../../../kernel/startup/keep-sources.js", import.meta.url);

function put(name: string, text: string): void {
  const file = join(home, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What a process says that loads `one.ts`. */
function run(file = kept): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(home, "begin.js"), file], {
    encoding: "utf8",
  });
  return stderr === "" ? stdout : stderr;
}

describe("files are kept stripped of their types", () => {
  test("a second process finds them in one file, and says the same", () => {
    expect(run()).toBe("grün\n");
    expect(readFileSync(kept, "utf8")).toContain('const two      = "grün"');
    // What is kept is what runs, as the size and the time of the file are the same.
    writeFileSync(kept, readFileSync(kept, "utf8").replace("grün", "gelb"));
    const [line = "", ...rest] = readFileSync(kept, "utf8").split("\n");
    const shorter = line.replace(
      /(two\.ts".*?)(\d+)\]\]/,
      (_all, before, bytes) => `${before}${bytes - 1}]]`,
    );
    writeFileSync(kept, [shorter, ...rest].join("\n"));
    expect(run()).toBe("gelb\n");
  });

  test("a file that has changed is read anew, and kept", () => {
    run();
    put("ours/two.ts", 'export const two: string = "another";\n');
    expect(run()).toBe("another\n");
    expect(readFileSync(kept, "utf8")).toContain("another");
    expect(readFileSync(kept, "utf8")).not.toContain("grün");
  });

  test("a file that is added is kept with the others", () => {
    run();
    put("ours/three.ts", "export const three: number = 3;\n");
    put("ours/one.ts", 'import { three } from "./three.ts";\nconsole.log(three);\n');
    expect(run()).toBe("3\n");
    expect(readFileSync(kept, "utf8")).toContain("const three ");
    expect(readFileSync(kept, "utf8")).toContain("const two ");
  });

  test.each([
    ["empty", ""],
    ["no JSON", "{\n"],
    ["another's", '{"a":1}\n'],
  ])("a cache that is damaged (%s) is made anew", (_what, text) => {
    run();
    writeFileSync(kept, text);
    expect(run()).toBe("grün\n");
    expect(readFileSync(kept, "utf8")).toContain("two.ts");
  });

  test("where nothing can be kept, all the same runs", () => {
    put("taken", "a file");
    expect(run(join(home, "taken", "sources"))).toBe("grün\n");
    expect(readdirSync(home)).not.toContain("cache");
  });

  test("errors stand at their places", () => {
    put(
      "ours/two.ts",
      "type Unused = {\n  a: string;\n};\nexport const two: string = (null as never as { x: string }).x;\n",
    );
    run();
    expect(run()).toContain(`${pathToFileURL(join(folder, "two.ts")).href}:4:`);
    expect(run()).toMatch(/two\.ts:4:\d+/);
  });

  test("a package of many files is loaded as the one that it has too, with all its names", () => {
    symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    put(
      "ours/one.ts",
      `import { createRequire } from "node:module";
import { EmbeddedActionsParser } from "chevrotain";
import * as all from "rxjs";
const require = createRequire(import.meta.url);
const loaded = Object.keys(require.cache).filter((name) => name.includes("/rxjs/"));
all.of(typeof EmbeddedActionsParser).subscribe((kind: string) => console.log(kind));
console.log(loaded.map((name) => name.split("/").at(-1)).join());
console.log(Object.keys(require("rxjs")).filter((name) => !(name in all)).join());
`,
    );
    expect(run()).toBe("function\nrxjs.umd.js\n\n");
    expect(run()).toBe("function\nrxjs.umd.js\n\n");
  });

  test("a missing file is named", () => {
    rmSync(join(folder, "two.ts"));
    expect(run()).toMatch(/ENOENT.*two\.ts/);
  });
});
