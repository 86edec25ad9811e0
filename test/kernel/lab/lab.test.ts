/** `madrigal lab`: a real JupyterLab, asked over HTTP. */
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startLab } from "../../../kernel/lab/jupyter-lab.ts";
import { startMadrigal } from "../../support/child.ts";
import { missing, pythonEnv } from "../../support/python-env.ts";
import { exitCode, put, said, workspace } from "../cli/calling.ts";
import { fileOf } from "../notebook/cells.ts";

// Real kernels and servers on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const reason = await missing("python-env");
const skipped = reason === undefined ? "" : ` (${reason})`;

interface Specs {
  readonly default: string;
  readonly kernelspecs: Readonly<
    Record<string, { readonly spec: { readonly display_name: string } }>
  >;
}

test.skipIf(reason !== undefined)(
  `JupyterLab serves our kernel and the notebook to who has the token${skipped}`,
  async () => {
    const home = workspace({ "a b.ipynb": fileOf("1") });
    const options = { pythonEnv: pythonEnv(), labFolder: join(home, "lab"), rootFolder: home };
    const server = await startLab(options);
    try {
      const address = new URL(server.addressOf("a b.ipynb"));
      expect(address.pathname).toBe("/lab/tree/a%20b.ipynb");
      const status = async (url: string) => (await fetch(url, { redirect: "manual" })).status;
      expect(await status(address.href)).toBe(200);
      expect(await status(`${server.url}/api/contents`)).toBe(403);
      const specs = await fetch(`${server.url}/api/kernelspecs?token=${server.token}`);
      const { default: first, kernelspecs } = (await specs.json()) as Specs;
      expect(first).toBe("madrigal");
      expect(kernelspecs.madrigal?.spec.display_name).toBe("Madrigal (TypeScript)");
    } finally {
      await server.stop();
    }
    await expect(fetch(server.url)).rejects.toThrow();
  },
);

test.skipIf(reason !== undefined)(
  `of servers that start at once each tells its own address${skipped}`,
  async () => {
    const start = (home: string) =>
      startLab({ pythonEnv: pythonEnv(), labFolder: join(home, "lab"), rootFolder: home });
    const home = workspace();
    const first = start(home);
    // It has chosen its port, and does not listen yet.
    await vi.waitUntil(() => processes().includes(`root_dir=${home}`), { interval: 1 });
    const servers = await Promise.all([first, start(workspace())]);
    try {
      expect(new Set(servers.map(({ url }) => url)).size).toBe(2);
      for (const { url, token } of servers)
        expect((await fetch(`${url}/api/status?token=${token}`)).status).toBe(200);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
);

test.skipIf(reason !== undefined)(
  `madrigal lab prints the address and stops by Ctrl-C${skipped}`,
  async () => {
    const home = workspace({ "n.ipynb": fileOf("1") });
    const child = startMadrigal(["lab", "n.ipynb", "--no-browser"], { home });
    await child.said("Ctrl-C stops JupyterLab");
    child.signal("SIGINT");
    const ended = await child.ended;
    expect(exitCode(ended)).toBe(130);
    expect(ended.stdout).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/lab\/tree\/n\.ipynb\?token=\w{48}\n$/,
    );
  },
);

/** The command lines of all processes of this machine. `ps` writes letters outside ASCII only where the locale has them. */
function processes(): string {
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  return spawnSync("ps", ["-A", "-o", "args"], { env }).stdout.toString();
}

test.skipIf(reason !== undefined)(
  `killed, madrigal lab leaves no server, whatever its folder is called${skipped}`,
  async () => {
    const home = join(workspace(), "v1.2", "100%20 #h", "it's [x]* ünï");
    put(home, "n [1] #2.ipynb", fileOf("1"));
    const child = startMadrigal(["lab", "n [1] #2.ipynb", "--no-browser"], { home });
    await child.said("Ctrl-C stops JupyterLab");
    expect(processes()).toContain(home);
    child.signal("SIGKILL");
    const { stdout } = await child.ended;
    expect(stdout).toContain("/lab/tree/n%20%5B1%5D%20%232.ipynb?token=");
    await vi.waitFor(() => expect(processes()).not.toContain(home), { timeout: 60_000 });
  },
);

test("a server that is given up while it starts is ended", async () => {
  const home = workspace();
  const pipe = join(home, "pid");
  spawnSync("mkfifo", [pipe]);
  // Never answers.
  put(home, "python", `#!/bin/sh\necho $$ > "${pipe}"\nexec sleep 600\n`);
  chmodSync(join(home, "python"), 0o755);
  const given = new AbortController();
  const starting = startLab({
    pythonEnv: { folder: home, python: join(home, "python") },
    labFolder: join(home, "lab"),
    rootFolder: home,
    signal: given.signal,
  });
  const refused = expect(starting).rejects.toMatchObject({ name: "AbortError" });
  const pid = Number(await readFile(pipe, "utf8"));
  given.abort();
  await refused;
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test.skipIf(reason !== undefined)(
  `madrigal lab stops by Ctrl-C while JupyterLab starts, and leaves nothing${skipped}`,
  async () => {
    const home = workspace();
    const child = startMadrigal(["lab", "--no-browser"], { home });
    await child.said("starting JupyterLab");
    child.signal("SIGINT");
    const ended = await child.ended;
    expect({ exit: exitCode(ended), stdout: ended.stdout }).toEqual({ exit: 130, stdout: "" });
    expect(processes()).not.toContain(home);
  },
);

test.each([
  [["lab", "gone.ipynb"], "M7201"],
  [["lab", "--port", "http"], "M7104"],
] as const)("madrigal %j is a wrong call", async (words, code) => {
  expect(await said(workspace(), words)).toMatch(new RegExp(`^exit 2\\n! error\\[${code}\\]`));
});
