/** `madrigal lab`: starts JupyterLab with our kernel, in an environment of its own. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { workspaceAt } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT, exitCodeOf } from "../../../exit-codes.ts";
import { type LabOptions, type LabServer, startLab } from "../../../lab/jupyter-lab.ts";
import { ensurePythonEnv, pythonEnvRoot } from "../../../lab/python-env.ts";
import type { CliCommand } from "../../command.ts";
import { listenForStop, type StopSignal } from "../../exec/stop-signals.ts";
import { print, tell } from "../../output.ts";

export const command: CliCommand = {
  options: { port: "text", "no-browser": "flag" },
  arguments: ["[NOTEBOOK…]"],
  async run(call) {
    const port = readPort(call.text("port"));
    const notebooks = call.arguments.map(existing);
    const workspace = workspaceAt(process.cwd(), process.env);
    const pythonEnv = await ensurePythonEnv(pythonEnvRoot(workspace.root), { tell });
    const rootFolder = commonFolder(notebooks);
    const labFolder = join(workspace.dataDir, "lab");
    const paths = notebooks.map((file) => relative(rootFolder, file));
    const options = { pythonEnv, labFolder, rootFolder, port };
    const signal = await serve(options, (server) => {
      const addresses = (paths.length === 0 ? [""] : paths).map(server.addressOf);
      for (const address of addresses) print(address);
      if (!call.flag("no-browser")) openInBrowser(addresses[0] ?? server.url, labFolder);
    });
    return signal === undefined ? EXIT.done : exitCodeOf(signal);
  },
};

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port;
  throw new CommandError("M7104", `\`--port ${text}\` is no port`, {
    hint: "a whole number from 1 to 65535",
  });
}

function existing(file: string): string {
  if (existsSync(file)) return resolve(file);
  throw new CommandError("M7201", `there is no file \`${file}\``, {
    hint: `the working folder is ${process.cwd()}; without a name, JupyterLab can make a new one`,
    place: { file },
  });
}

/** The working folder, or the nearest one above it that holds all notebooks. */
function commonFolder(files: readonly string[]): string {
  let folder = process.cwd();
  while (files.some((file) => relative(folder, file).startsWith(".."))) folder = dirname(folder);
  return folder;
}

/** Until the server ends, or a signal ends it: from before its start, or it would outlive us. */
async function serve(
  options: LabOptions,
  opened: (server: LabServer) => void,
): Promise<StopSignal | undefined> {
  const stop = listenForStop({ onFirst: () => tell("madrigal: stopping JupyterLab") });
  try {
    tell("madrigal: starting JupyterLab");
    const server = await startLab({ ...options, signal: stop.signal });
    opened(server);
    tell("madrigal: Ctrl-C stops JupyterLab and its kernels");
    await server.ended;
  } catch (thrown) {
    if (!stop.signal.aborted) throw thrown;
  } finally {
    stop.release();
  }
  return stop.received();
}

/** Opens an address in the system's browser; where that fails, the terminal shows it. */
function openInBrowser(address: string, labFolder: string): void {
  // The arguments of a process are for all to see, and the address holds the token: it goes by a file.
  const page = join(labFolder, "open.html");
  const meta = `<meta http-equiv="refresh" content="0; url=${address}">`;
  writeFileSync(page, `<!doctype html>${meta}\n`, { mode: 0o600 });
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  spawn(opener, [page], { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}
