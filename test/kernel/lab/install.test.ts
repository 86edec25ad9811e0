/** `madrigal install` and `uninstall`: one kernelspec, where Jupyter looks for it. */
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { searchedDataFolders, userDataFolder } from "../../../kernel/lab/data-folder.ts";
import { kernelspec } from "../../../kernel/lab/kernelspec.ts";
import { projectNode, projectRoot } from "../../support/child.ts";
import { document, said, workspace } from "../cli/calling.ts";

const KERNEL = "kernels/madrigal";
const EXTENSION = "labextensions/madrigal";

function files(home: string, folder: string): readonly string[] {
  return existsSync(join(home, folder)) ? readdirSync(join(home, folder)).sort() : [];
}

test("contract: install writes exactly one kernelspec and one extension, and uninstall removes all of it", async () => {
  const home = workspace();
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  expect(await said(home, ["install"], { env })).toBe(
    `exit 0\nkernel \`madrigal\` (Madrigal (TypeScript)): HOME/data/${KERNEL}\nextension for JupyterLab: HOME/data/${EXTENSION}`,
  );
  expect(files(home, "data/kernels")).toEqual(["madrigal"]);
  expect(files(home, `data/${KERNEL}`)).toEqual(["kernel.json", "logo-svg.svg"]);
  expect(JSON.parse(readFileSync(join(home, "data", KERNEL, "kernel.json"), "utf8"))).toEqual({
    argv: [
      realpathSync(projectNode),
      "--no-force-async-hooks-checks",
      join(projectRoot, "kernel/madrigal.js"),
      "kernel",
      "{connection_file}",
    ],
    display_name: "Madrigal (TypeScript)",
    language: "typescript",
    interrupt_mode: "message",
    kernel_protocol_version: "5.5",
    metadata: { debugger: true },
    env: {
      UV_THREADPOOL_SIZE: "16",
      MALLOC_ARENA_MAX: "2",
      MALLOC_TRIM_THRESHOLD_: "131072",
    },
  });
  expect(files(home, `data/${EXTENSION}`)).toEqual(["package.json", "static"]);
  expect(await said(home, ["uninstall"], { env })).toBe(
    `exit 0\nremoved: HOME/data/${KERNEL}\nremoved: HOME/data/${EXTENSION}`,
  );
  expect(files(home, "data/labextensions")).toEqual([]);
  expect(files(home, "data/kernels")).toEqual([]);
  expect(await said(home, ["uninstall"], { env })).toMatch(/^exit 0\nnothing to remove/);
});

test("contract: install --prefix writes below the prefix, --user below the home", async () => {
  const home = workspace();
  const { exit, json } = await document(home, ["install", "--prefix", "env"]);
  expect({ exit, folder: json.folder }).toEqual({
    exit: 0,
    folder: `HOME/env/share/jupyter/${KERNEL}`,
  });
  await said(home, ["install", "--user"], { env: { XDG_DATA_HOME: join(home, "xdg") } });
  const user = process.platform === "darwin" ? "Library/Jupyter" : "xdg/jupyter";
  expect(files(home, `${user}/${KERNEL}`)).toContain("kernel.json");
  expect(await said(home, ["install", "--user", "--prefix", "env"])).toMatch(/^exit 2\n.*M7104/);
});

test("installing again replaces an older installation of ours, also of another clone", async () => {
  const argv = ["/gone/node", "/gone/kernel/madrigal.js", "kernel", "{connection_file}"];
  const home = workspace({ [`data/${KERNEL}/kernel.json`]: JSON.stringify({ argv }) });
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  expect(await said(home, ["install"], { env })).toMatch(/^exit 0/);
  expect(readFileSync(join(home, "data", KERNEL, "kernel.json"), "utf8")).not.toContain("/gone/");
});

test.each([
  ["kernel.json", JSON.stringify({ argv: ["python", "-m", "other"] })],
  ["kernel.json", "no JSON"],
  ["notes.txt", "mine"],
])("what is not ours is neither replaced nor removed: %s", async (name, content) => {
  const home = workspace({ [`data/${KERNEL}/${name}`]: content });
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  for (const command of ["install", "uninstall"]) {
    expect(await said(home, [command], { env })).toMatch(/^exit 1\n! error\[M7721\]/);
  }
  expect(files(home, `data/${KERNEL}`)).toEqual([name]);
  expect(readFileSync(join(home, "data", KERNEL, name), "utf8")).toBe(content);
});

test("an extension of somebody else with our name is neither replaced nor removed", async () => {
  const home = workspace({ [`data/${EXTENSION}/package.json`]: '{ "name": "other" }' });
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  for (const command of ["install", "uninstall"]) {
    expect(await said(home, [command], { env })).toMatch(/! error\[M7721\].*labextensions/);
  }
  expect(files(home, `data/${EXTENSION}`)).toEqual(["package.json"]);
});

test("a data folder that can't be made is told", async () => {
  const home = workspace({ data: "a file" });
  const env = { JUPYTER_DATA_DIR: join(home, "data") };
  expect(await said(home, ["install"], { env })).toMatch(/^exit 1\n! error\[M7720\]/);
});

test("Node 22 needs a flag more", () => {
  const of = { node: "/n", launcher: "/k/madrigal.js" };
  expect(kernelspec({ ...of, nodeMajor: 22 }).argv.slice(1, 3)).toEqual([
    "--no-force-async-hooks-checks",
    "--experimental-async-context-frame",
  ]);
  expect(kernelspec({ ...of, nodeMajor: 26 }).argv).not.toContain(
    "--experimental-async-context-frame",
  );
});

test("JUPYTER_PATH is searched before the user's own folder", () => {
  const env = { HOME: "/h", JUPYTER_PATH: "/a:/b" };
  expect(searchedDataFolders(env).slice(0, 3)).toEqual(["/a", "/b", userDataFolder(env)]);
});
