/** The real papermill, from its registry, runs notebooks of ours with parameters once it was taught them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { examinePapermill } from "../../../kernel/lab/examine-papermill.ts";
import { runProgram } from "../../../kernel/lab/run-program.ts";
import { missing, pythonEnv } from "../../support/python-env.ts";
import { document, said, workspace } from "../cli/calling.ts";

// It is installed, and runs real kernels on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const reason = await missing("python-env");
// What it needs besides what JupyterLab needs.
const PACKAGES = [
  "papermill==2.7.0",
  "entrypoints==0.4",
  "tenacity==9.1.2",
  "tqdm==4.67.1",
  "click==8.3.1",
];

interface Env {
  readonly home: string;
  readonly prefix: string;
  readonly python: string;
  readonly packages: string;
  /** What a program says in the end. */
  run(...command: readonly string[]): Promise<string>;
}

/** A virtual environment with papermill, which borrows the rest of `.venv`. */
const LOOK = `from papermill import inspect_notebook
from papermill.translators import translate_parameters
for parameter in inspect_notebook("in.ipynb").values():
    print(*parameter.values(), sep=" | ")
try:
    translate_parameters("madrigal", "typescript", {"two words": 1})
except Exception as thrown:
    print(thrown)`;

async function papermillEnv(): Promise<Env> {
  const folder = "it's v1.2 ünï";
  const home = join(workspace({ [`${folder}/in.ipynb`]: JSON.stringify(NOTEBOOK) }), folder);
  const prefix = join(home, "env");
  const python = join(prefix, "bin", "python");
  const own = pythonEnv().python;
  const run = async (...command: readonly string[]) => {
    const env = { PATH: process.env.PATH ?? "", HOME: home };
    const { ok, text } = await runProgram(command, { cwd: home, env });
    return ok ? text.trim() : `failed: ${text}`;
  };
  const where = "import sysconfig; print(sysconfig.get_path('purelib'))";
  await run(own, "-m", "venv", "--without-pip", prefix);
  const packages = await run(python, "-c", where);
  writeFileSync(join(packages, "lab.pth"), `${await run(own, "-c", where)}\n`);
  const pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run(...pip, "--no-deps", "--target", packages, ...PACKAGES);
  return { home, prefix, python, packages, run };
}

const code = (source: string, tags: readonly string[] = []) => ({
  ...{ cell_type: "code", metadata: { tags }, source, execution_count: null, outputs: [] },
});

const NOTEBOOK = {
  cells: [
    code('const question = "What?"; // what is asked\nconst limit: number = 2;\nlet who;', [
      "parameters",
    ]),
    code("console.log(JSON.stringify([question, limit + 1, who]));"),
  ],
  metadata: { kernelspec: { name: "madrigal", display_name: "Madrigal", language: "typescript" } },
  nbformat: 4,
  nbformat_minor: 4,
};

/** What the last cell of a notebook that papermill wrote has printed. */
function printed(path: string): unknown {
  const { cells } = JSON.parse(readFileSync(path, "utf8"));
  return JSON.parse(cells.at(-1).outputs[0].text.join(""));
}

test.skipIf(reason !== undefined)(
  "papermill that was not taught says that it has no translator; taught, it sets parameters, and no more after uninstall",
  async () => {
    const { home, prefix, python, packages, run } = await papermillEnv();
    const installing = ["--papermill", "--prefix", "env"];
    const yaml = '{limit: 41, who: {name: "Ann", since: 2020-01-01, left: null}}';
    const words = "-m papermill in.ipynb out.ipynb -p question".split(" ");
    const command = [python, ...words, 'say "é\n"', "-y", yaml];
    expect(await run(...command)).toContain(
      "No parameter translator functions specified for kernel 'madrigal' or language 'typescript'",
    );
    const { exit, json } = await document(home, ["install", ...installing]);
    expect(exit).toBe(0);
    expect(existsSync(String(json.translator).replace("HOME", home))).toBe(true);
    expect(await run(...command)).not.toContain("failed");
    const who = { name: "Ann", since: "2020-01-01", left: null };
    expect(printed(join(home, "out.ipynb"))).toEqual(['say "é\n"', 42, who]);
    expect(await run(python, "-c", LOOK)).toMatchInlineSnapshot(`
      "question | None | "What?" | what is asked
      limit | number | 2 | 
      error[M7104]: the parameter \`two words\` can't be a name in TypeScript
        hint: a name has letters, digits, \`_\` and \`$\`, and does not begin with a digit"
    `);

    // What `doctor` says of it, which finds it by the PATH.
    writeFileSync(join(prefix, "bin", "papermill"), `#!${python}\n`, { mode: 0o755 });
    const env = { PATH: join(prefix, "bin") };
    expect(await examinePapermill({ env })).toMatchObject([{ part: "papermill", health: "ok" }]);
    writeFileSync(join(packages, "papermill_madrigal.py"), "# older\n");
    const older = { health: "note", found: expect.stringContaining("of another version") };
    expect(await examinePapermill({ env })).toMatchObject([older]);

    await said(home, ["uninstall", ...installing]);
    const left = readdirSync(packages).filter((name) => name.includes("papermill_madrigal"));
    expect(left).toEqual([]);
    const hint = expect.stringContaining("madrigal install --papermill");
    expect(await examinePapermill({ env })).toMatchObject([{ health: "note", hint }]);
  },
);

test("without papermill, `install --papermill` says so and writes nothing", async () => {
  const empty = workspace();
  const words = ["install", "--papermill", "--prefix", "nowhere"];
  expect(await said(empty, words)).toMatch(
    /^exit 4\n! error\[M7750\]: there is no papermill below/,
  );
  expect(readdirSync(empty)).toEqual([]);
});
