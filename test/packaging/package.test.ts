/** The package as npm gets it: what is in it, and that it works where nothing of the project's sources is. */
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { models } from "../../runtime/index.ts";
import { projectNode, projectRoot } from "../support/child.ts";
import { startLabIn } from "../support/jupyter-lab.ts";
import { executeByNbclient } from "../support/nbclient.ts";
import { missing } from "../support/python-env.ts";
import { smallModel } from "../support/small-model.ts";
import {
  type InstalledPackage,
  installCheckers,
  installLlama,
  installNode,
  installPackage,
  run,
} from "./installed-package.ts";

let installed: InstalledPackage;
beforeAll(() => {
  installed = installPackage();
}, 600_000);
afterAll(() => rmSync(dirname(installed.folder), { recursive: true, force: true }));

const inPackage = (...names: readonly string[]) =>
  join(installed.folder, "node_modules", "madrigal", ...names);

describe("what is in the package", () => {
  let checkers: string;
  beforeAll(() => {
    checkers = installCheckers(installed);
  }, 300_000);

  test("is under 5 MB and has no source of ours", () => {
    expect(installed.tarballBytes).toBeLessThan(5_000_000);
    const files = readdirSync(inPackage(), { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
    expect(files.filter((name) => name.includes("test"))).not.toContain("test");
  });

  test("is right by publint", () => {
    const { code, text } = run(
      join(checkers, "publint"),
      [installed.tarball, "--strict"],
      projectRoot,
    );
    expect(text).toMatch(/All good!/);
    expect(code).toBe(0);
  });

  test("has types that every resolution of modules finds", () => {
    const { code, text } = run(
      join(checkers, "attw"),
      [installed.tarball, "--profile", "esm-only", "--format", "ascii"],
      projectRoot,
    );
    expect(text).toMatch(/node16 \(from ESM\).*\(ESM\)/s);
    expect(code).toBe(0);
  });

  test("has a bill of materials and notices of every package that it depends on", () => {
    const { dependencies } = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
    const { components } = JSON.parse(readFileSync(inPackage("sbom.cdx.json"), "utf8"));
    const notices = readFileSync(inPackage("THIRD-PARTY-NOTICES.md"), "utf8");
    const listed = components.map((one: { name: string; group?: string }) => one.name);
    for (const [alias, version] of Object.entries<string>(dependencies)) {
      expect(listed).toContain(alias);
      // `npm:typescript@6.0.3` is that package under another name.
      const name = /^npm:(.+)@/.exec(version)?.[1] ?? alias;
      expect(notices).toContain(`| ${name} |`);
    }
  });
});

const PROGRAM = `graph Add(n: number) returns sum {
  state { sum: number }
  run add = plusOne(n) writes sum
  start -> add -> end
}
`;
const SCRIPT = `const { Add } = compile(${JSON.stringify(PROGRAM)}, { scope: { plusOne } });
if (Add === undefined) throw new Error("no graph called Add");
Add.run({ n: 41 }).output.then(({ sum }) => console.log("sum", sum));
`;
const CELLS = [
  "const plusOne = (n: number) => n + 1;",
  PROGRAM,
  "(await (await Add.run({ n: 41 })).output).sum",
];
const plusOne = "export function plusOne(n: number): number {\n  return n + 1;\n}\n";

describe.each(["22.18.0", "24.21.0"])("on Node %s", (version) => {
  let node: string;
  beforeAll(() => {
    node = version.startsWith("24") ? projectNode : installNode(version, installed);
  }, 300_000);

  const madrigal = (...args: readonly string[]) =>
    run(node, [inPackage("kernel", "madrigal.js"), ...args], installed.folder);

  test("the command tells its version", () => {
    const { version: packed } = JSON.parse(readFileSync(inPackage("package.json"), "utf8"));
    expect(madrigal("--version")).toEqual({ code: 0, text: `${packed}\n` });
  });

  test("the command checks and runs a program with a TypeScript function", () => {
    writeFileSync(join(installed.folder, "add.ts"), plusOne);
    const program = `import { plusOne } from "./add.ts"\n\n${PROGRAM}`;
    writeFileSync(join(installed.folder, "add.madrigal"), program);
    expect(madrigal("check", "add.madrigal")).toEqual({
      code: 0,
      text: "1 file: 0 errors, 0 warnings\n",
    });
    const ran = madrigal("run", "add.madrigal", "--input", '{"n": 41}');
    expect(ran.code).toBe(0);
    expect(ran.text).toContain("sum:\n42");
    expect(ran.text).not.toContain("Warning");
    expect(madrigal("show", "last").text).toContain("add");
    expect(madrigal("trace", "SELECT count(*) AS runs FROM runs").text).toContain("runs");
  });

  test("the types of the program are checked", () => {
    writeFileSync(join(installed.folder, "add.ts"), plusOne.replace("n: number", "n: string"));
    const { code, text } = madrigal("check", "add.madrigal");
    expect(code).toBe(1);
    expect(text).toMatch(/M35\d\d/);
  });

  test.each([
    ["imports it as a module", "caller.mjs", 'import { compile } from "madrigal";'],
    ["requires it", "caller.cjs", 'const { compile } = require("madrigal");'],
  ])("a script that %s compiles and runs a graph", (_, file, load) => {
    const define = "const plusOne = (n) => n + 1;\n";
    writeFileSync(join(installed.folder, file), `${load}\n${define}${SCRIPT}`);
    const { code, text } = run(node, [file], installed.folder);
    expect(text).toContain("sum 42");
    expect(code).toBe(0);
  });

  test("graphs of the library are imported, and the command runs them by name", () => {
    const script = `import { close, scripted } from "madrigal";
      import { Debate } from "madrigal/library";
      const models = { debater: scripted(["ours", "theirs"]), judge: scripted([{ winner: "buy", reason: "time" }]) };
      console.log((await Debate.invoke({ question: "?", sides: ["build", "buy"], rounds: 1 }, { models })).winner);
      await close();`;
    writeFileSync(join(installed.folder, "library.mjs"), script);
    // Node 22 warns that its SQLite may change.
    const imported = run(node, ["library.mjs"], installed.folder);
    expect(imported).toEqual({ code: 0, text: expect.stringMatching(/^buy$/m) });
    expect(madrigal("check", "madrigal/library/eko")).toEqual({
      code: 0,
      text: "1 file: 0 errors, 0 warnings\n",
    });
  });

  test("a notebook is executed", () => {
    cpSync(
      join(projectRoot, "notebooks", "cells-and-magics.ipynb"),
      join(installed.folder, "cells-and-magics.ipynb"),
    );
    const { code, text } = madrigal("exec", "cells-and-magics.ipynb");
    expect(text).not.toMatch(/failed/);
    expect(code).toBe(0);
  });
});

const noModel = await missing("small-model");

describe.skipIf(noModel !== undefined)("with node-llama-cpp beside it", () => {
  test("a model on this machine answers", () => {
    const [{ file = "" } = {}] = models.fetchedModels(smallModel);
    installLlama(installed);
    const command = inPackage("kernel", "madrigal.js");
    const args = [command, "models", "--model", `small=gguf/${file}`, "--try"];
    const { code, text } = run(projectNode, args, installed.folder);
    const version = models.LLAMA_VERSION;
    expect(text).toContain(`node-llama-cpp ${version} in ${installed.folder}`);
    expect(text).toMatch(/^small .*\$0 in, \$0 out +\d+\.\d\ds, \d+ \+ \d+ tokens: \S/m);
    expect(code).toBe(0);
  }, 300_000);
});

const noJupyter = (await missing("python-env")) ?? (await missing("chromium"));

describe.skipIf(noJupyter !== undefined)("in Jupyter", () => {
  beforeAll(() => {
    // A user's is made by `madrigal lab`, from the same list of packages.
    symlinkSync(join(projectRoot, ".venv"), join(installed.folder, ".venv"));
    mkdirSync(join(installed.folder, "home"));
    writeFileSync(join(installed.folder, "cells.ipynb"), JSON.stringify(notebookOf(CELLS)));
  });

  test("the kernel that `madrigal install` offers executes cells by nbclient", async () => {
    const { folder } = installed;
    const env = { PATH: process.env.PATH ?? "", HOME: join(folder, "home"), MADRIGAL_HOME: folder };
    const install = [inPackage("kernel", "madrigal.js"), "install"];
    expect(run(projectNode, install, folder, env)).toMatchObject({ code: 0 });
    const { ok, notebook } = await executeByNbclient("cells.ipynb", folder, env);
    expect(ok).toBe(true);
    expect(JSON.stringify(notebook.cells.at(-1))).toContain("42");
  }, 120_000);

  test("JupyterLab opens with the kernel and runs a cell", async () => {
    const lab = await startLabIn(installed.folder, inPackage("kernel", "madrigal.js"));
    try {
      const opened = await lab.open("cells.ipynb");
      await opened.runAll();
      const shown = opened.cell(CELLS.length - 1).locator(".jp-OutputArea-output");
      // Whole, since an id of a run may hold these digits.
      await shown.getByText("42", { exact: true }).first().waitFor();
    } finally {
      await lab.close();
    }
  }, 180_000);
});

/** A notebook with these code cells. */
function notebookOf(sources: readonly string[]) {
  const code = { cell_type: "code", metadata: {}, outputs: [], execution_count: null };
  const kernelspec = { name: "madrigal", display_name: "Madrigal", language: "typescript" };
  return {
    cells: sources.map((source, index) => ({ ...code, id: `cell-${index}`, source })),
    metadata: { kernelspec },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

// TypeScript 7.0 finds faults in the declarations of Node with `skipLibCheck: false`, whoever imports them.
describe.each([
  ["typescript-6", { skipLibCheck: false }],
  ["typescript", { skipLibCheck: true }],
])("in a project with strict types of %s", (compiler, { skipLibCheck }) => {
  const typeErrors = (source: string) => {
    writeFileSync(join(installed.folder, "typed.mts"), source);
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
      ...{ module: "nodenext", target: "es2024", types: ["node"], noEmit: true, skipLibCheck },
    };
    const config = JSON.stringify({ compilerOptions, files: ["typed.mts"] });
    writeFileSync(join(installed.folder, "tsconfig.json"), config);
    const tsc = join(projectRoot, "node_modules", compiler, "bin", "tsc");
    return run(projectNode, [tsc, "-p", "."], installed.folder);
  };

  test("a caller is typed, without a fault in our declarations", () => {
    const source = `import { compile } from "madrigal";\nconst plusOne = (n: number) => n + 1;\n${SCRIPT}`;
    expect(typeErrors(source)).toEqual({ code: 0, text: "" });
  });

  test("graphs of the library are typed", () => {
    const debate = (sides: string) =>
      `import { Debate } from "madrigal/library";\nexport const one: Promise<{ winner: string }> = Debate.invoke({ question: "?", sides: ${sides} });\n`;
    expect(typeErrors(debate('["a"]'))).toEqual({ code: 0, text: "" });
    expect(typeErrors(debate("41")).text).toContain("TS2322");
  });

  test("what does not fit is an error", () => {
    const { code, text } = typeErrors('import { compile } from "madrigal";\ncompile(41);\n');
    expect(text).toContain("TS2345");
    expect(code).not.toBe(0);
  });
});
