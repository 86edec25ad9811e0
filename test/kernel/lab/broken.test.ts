/** What `madrigal doctor` says of each thing that can be wrong: each broken on purpose. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { examineLibrary } from "../../../kernel/lab/examine.ts";
import {
  examineExtension,
  examineJupyterLab,
  examineKernelspec,
  examinePython,
} from "../../../kernel/lab/examine-jupyter.ts";
import type { DoctorFinding } from "../../../kernel/lab/finding.ts";
import { installExtension } from "../../../kernel/lab/install-extension.ts";
import { installKernelspec } from "../../../kernel/lab/install-kernelspec.ts";
import { ownKernelspec } from "../../../kernel/lab/kernelspec.ts";
import { put, workspace } from "../cli/calling.ts";

const KERNEL = "data/kernels/madrigal/kernel.json";
const EXTENSION = "data/labextensions/madrigal";

/** A home whose Jupyter has our kernel and extension, all well; nothing of this machine's is seen. */
function installed(): string {
  const home = workspace();
  vi.stubEnv("JUPYTER_DATA_DIR", join(home, "data"));
  vi.stubEnv("JUPYTER_PATH", "");
  installKernelspec(join(home, "data"), ownKernelspec());
  installExtension(join(home, "data"));
  return home;
}

/** A program of this home's, in front of all others. */
function program(home: string, name: string, script: string): string {
  put(home, `bin/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(home, "bin", name), 0o755);
  return join(home, "bin", name);
}

const line = ({ part, health, found, hint }: DoctorFinding, home: string) =>
  `${health} ${part}: ${found}${hint === undefined ? "" : ` — ${hint}`}`.replaceAll(home, "HOME");

const kernel = (change: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ ...ownKernelspec(), ...change });

test("what is well is ok", async () => {
  const home = installed();
  expect(line(await examineKernelspec(), home)).toBe("ok kernelspec: HOME/data/kernels/madrigal");
  expect(line(examineExtension(), home)).toBe(`ok extension: HOME/${EXTENSION}`);
});

const [, ...words] = ownKernelspec().argv;

test.each([
  ["no JSON", "{", "is damaged: its kernel.json is no JSON"],
  ["no command", kernel({ argv: "node" }), "says no command"],
  [
    "a Node that is gone",
    kernel({ argv: ["/gone/node", ...words] }),
    "starts a Node that is gone: /gone/node",
  ],
  [
    "another kernel",
    kernel({ argv: [process.execPath, "other.js"] }),
    "starts another program than Madrigal",
  ],
  [
    "a Madrigal that is gone",
    kernel({ argv: [process.execPath, "/gone/kernel/madrigal.js"] }),
    "starts a Madrigal that is gone: /gone/kernel/madrigal.js",
  ],
  ["no debugger", kernel({ metadata: {} }), "is of another version of Madrigal"],
  ["signals", kernel({ interrupt_mode: "signal" }), "is of another version of Madrigal"],
])("a kernelspec with %s", async (_, text, said) => {
  const home = installed();
  put(home, KERNEL, text);
  expect(line(await examineKernelspec(), home)).toBe(
    `wrong kernelspec: HOME/data/kernels/madrigal ${said} — run: madrigal install`,
  );
});

test.each([
  ["echo v20.20.2", "starts Node v20.20.2, and Madrigal needs 22.18 or newer"],
  ["echo no", "starts a program that is not Node: HOME/bin/node"],
])("a kernelspec whose Node says `%s`", async (script, said) => {
  const home = installed();
  const node = program(home, "node", script);
  put(home, KERNEL, kernel({ argv: [node, ...words] }));
  expect(line(await examineKernelspec(), home)).toBe(
    `wrong kernelspec: HOME/data/kernels/madrigal ${said} — run: madrigal install`,
  );
});

test("no kernelspec at all", async () => {
  const home = workspace();
  vi.stubEnv("JUPYTER_DATA_DIR", join(home, "data"));
  vi.stubEnv("JUPYTER_PATH", "");
  expect(line(await examineKernelspec(), home)).toBe(
    "note kernelspec: there is none at HOME/data/kernels/madrigal — only for a JupyterLab or VS Code of your own: run: madrigal install",
  );
  expect(line(examineExtension(), home)).toMatch(
    new RegExp(`^note extension: there is none at HOME/${EXTENSION} — .*run: madrigal install$`),
  );
});

test.each([
  ["package.json", "{}", "is not Madrigal's"],
  [
    "package.json",
    '{"name":"madrigal","jupyterlab":{"_build":{"load":"static/0/entry.js"}}}',
    "is damaged, or of another version: `package.json`",
  ],
])("an extension whose %s is %s", (name, text, said) => {
  const home = installed();
  put(home, `${EXTENSION}/${name}`, text);
  expect(line(examineExtension(), home)).toBe(
    `note extension: HOME/${EXTENSION} ${said} — only for the colours of graphs and SQL in JupyterLab: run: madrigal install`,
  );
});

test.each([
  ["exit 127", "note Python: there is no `python3` on the PATH"],
  ['echo "3 8 /usr/bin/python3.8"', "note Python: 3.8 at /usr/bin/python3.8 is too old"],
])("a Python that says `%s`", async (script, said) => {
  const home = workspace();
  for (const name of ["python3", "python"]) program(home, name, script);
  vi.stubEnv("PATH", `${join(home, "bin")}:/usr/bin:/bin`);
  expect(line(await examinePython(), home)).toBe(
    `${said} — only for JupyterLab: install Python 3.10 or newer`,
  );
});

test.each([
  ["echo 3.6.1", "3.6.1, yours, is too old for our extension; cells work, as TypeScript"],
  [
    'echo "ImportError: cannot import name x" >&2; exit 1',
    "can't be started: ImportError: cannot import name x",
  ],
  ["exit 127", "is not installed"],
])("a JupyterLab that says `%s`", async (script, said) => {
  const home = workspace();
  program(home, "jupyter", script);
  vi.stubEnv("PATH", `${join(home, "bin")}:/usr/bin:/bin`);
  const finding = await examineJupyterLab({ root: home });
  expect(line(finding, home)).toContain(`note JupyterLab: ${said} — `);
  expect(finding.hint).toContain("`madrigal lab` installs it");
});

test("a library that can't be loaded", async () => {
  expect(line(await examineLibrary("not-a-library-of-ours"), "/nowhere")).toMatch(
    /^wrong not-a-library-of-ours: can't be loaded: .*Error.* — run `npm install` in \//,
  );
});
