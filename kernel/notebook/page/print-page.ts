/** Prints the page of a notebook as PDF, and drawings as PNG, by an installed Chromium or Chrome. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { browsers } from "../../../runtime/index.ts";
import { CommandError } from "../../command-error.ts";
import { makeTemporaryFolder } from "../../temporary-folder.ts";
import { isCode, type NotebookFile, type Output } from "../notebook.ts";
import { nameOfNotebook, writeWhole } from "../save-executed.ts";
import { notebookPage } from "./page.ts";

const SVG = "image/svg+xml";
const PNG = "image/png";
const LIMIT_MS = 120_000;
/** The time in which the last words of a browser that has ended are read. */
const GRACE_MS = 1_000;

/** Throws M7707 where no browser is installed: before a notebook is executed for nothing. */
export function assertBrowser(env: NodeJS.ProcessEnv): string {
  const program = browsers.findBrowser(env);
  if (program !== undefined) return program;
  throw new CommandError("M7707", "there is no browser that prints the notebook", {
    hint: "install Chromium (Debian: `apt install chromium`) or Chrome, or name its program in MADRIGAL_BROWSER",
  });
}

interface PrintOptions {
  readonly file: string;
  readonly outDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stop?: AbortSignal;
}

/** The path of the PDF. */
export async function writePdf(
  notebook: NotebookFile,
  { file, outDir, env, stop }: PrintOptions,
): Promise<string> {
  const name = nameOfNotebook(file);
  const path = join(outDir, `${name}.pdf`);
  const options = ["--no-pdf-header-footer"];
  writeWhole(
    path,
    await printed(notebookPage(notebook, name), { env, kind: "pdf", options, stop }),
  );
  return path;
}

/** A PNG beside each SVG, in twice its size, so that it is sharp. */
export async function withPictures(
  notebook: NotebookFile,
  env: NodeJS.ProcessEnv,
): Promise<NotebookFile> {
  const cells: NotebookFile["cells"][number][] = [];
  for (const cell of notebook.cells) {
    if (!isCode(cell)) {
      cells.push(cell);
      continue;
    }
    const outputs: Output[] = [];
    for (const output of cell.outputs) outputs.push(await withPng(output, env));
    cells.push({ ...cell, outputs });
  }
  return { ...notebook, cells };
}

async function withPng(output: Output, env: NodeJS.ProcessEnv): Promise<Output> {
  if (!("data" in output)) return output;
  const svg = output.data[SVG];
  const size = typeof svg === "string" ? sizeOf(svg) : undefined;
  if (size === undefined || PNG in output.data) return output;
  const html = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"><style>body{margin:0}</style><img width="${size.width}" height="${size.height}" src="data:${SVG};base64,${Buffer.from(String(svg)).toString("base64")}">`;
  const options = [
    `--window-size=${size.width},${size.height}`,
    "--force-device-scale-factor=2",
    "--hide-scrollbars",
    "--default-background-color=00000000",
  ];
  const bytes = await printed(html, { env, kind: "png", options });
  return { ...output, data: { ...output.data, [PNG]: bytes.toString("base64") } };
}

/** In pixels; undefined for a drawing that does not say its size, and one that no screen is for. */
function sizeOf(svg: string): { readonly width: number; readonly height: number } | undefined {
  const [tag = ""] = /<svg\b[^>]*>/.exec(svg) ?? [];
  const [width, height] = ["width", "height"].map((name) =>
    Math.ceil(Number(new RegExp(`\\s${name}="([\\d.]+)(?:px)?"`).exec(tag)?.[1])),
  );
  if (width === undefined || height === undefined) return undefined;
  return width > 0 && height > 0 && width * height < 40_000_000 ? { width, height } : undefined;
}

interface BrowserTask {
  readonly env: NodeJS.ProcessEnv;
  readonly kind: "pdf" | "png";
  readonly options: readonly string[];
  /** Ends the browser; without it, a limit of time does. */
  readonly stop?: AbortSignal | undefined;
}

/** The bytes of a file that the browser makes of a page; the page has no script, and nothing is loaded. */
async function printed(
  html: string,
  { env, kind, options, stop = AbortSignal.timeout(LIMIT_MS) }: BrowserTask,
): Promise<Buffer> {
  const program = assertBrowser(env);
  const folder = makeTemporaryFolder("print");
  try {
    const [page, made] = [join(folder, "page.html"), join(folder, `made.${kind}`)];
    writeFileSync(page, html);
    const task = kind === "pdf" ? "--print-to-pdf" : "--screenshot";
    const output = await browse(
      program,
      [
        "--headless",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        `--user-data-dir=${join(folder, "profile")}`,
        // Chromium refuses its sandbox to root.
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        ...options,
        `${task}=${made}`,
        pathToFileURL(page).href,
      ],
      stop,
    );
    if (!existsSync(made)) throw notPrinted(output);
    return readFileSync(made);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with what it wrote when it has ended, and with it all that it started. */
async function browse(
  program: string,
  args: readonly string[],
  stop: AbortSignal,
): Promise<string> {
  // A group of its own: a browser is many processes, and each of them may hang.
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], detached: true });
  const endAll = () => endGroup(child.pid);
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output = `${output}${text}`.slice(-2_000);
  });
  process.once("exit", endAll);
  stop.addEventListener("abort", endAll, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.on("error", (cause) => reject(notPrinted(cause.message)));
      child.on("close", () => resolve());
      child.on("exit", () => {
        endAll();
        // A process that has left the group may hold the stream open.
        setTimeout(() => child.stderr.destroy(), GRACE_MS).unref();
      });
      if (stop.aborted) endAll();
    });
    return stop.aborted ? "it was not done in time, and was ended" : output;
  } finally {
    process.off("exit", endAll);
    stop.removeEventListener("abort", endAll);
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself.
  }
}

function notPrinted(output: string): CommandError {
  const [line = ""] = output.trim().split("\n").slice(-1);
  return new CommandError("M7707", `the browser has printed nothing: ${line}`, {
    hint: "`madrigal exec NB --html` writes the page, which any browser prints",
  });
}
