/** JupyterLab as a person has it: `madrigal lab`, and Chromium with mouse, keyboard and what can be seen. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { projectNode, projectRoot } from "./child.ts";
import { CHROMIUM } from "./python-env.ts";

export interface Lab {
  /** What JupyterLab shows as its root. */
  readonly folder: string;
  /** Opens a notebook of the folder in a page of its own, its kernel idle. */
  open(notebook: string): Promise<Notebook>;
  /** Opens a new notebook of our kernel under this path, with no cell of code in it. */
  openEmpty(notebook: string): Promise<Notebook>;
  close(): Promise<void>;
}

/** Starts JupyterLab over a folder of its own with the project's notebooks and packages. */
export async function startLab(): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-lab-"));
  const closing = new AsyncDisposableStack();
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  cpSync(join(projectRoot, "notebooks"), join(folder, "notebooks"), { recursive: true });
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "home"));
  return await startLabIn(folder, join(projectRoot, "kernel/madrigal.js"), closing);
}

/** Starts JupyterLab over a folder, by the command whose script is `launcher`; `home` in the folder is the user's. */
export async function startLabIn(
  folder: string,
  launcher: string,
  closing = new AsyncDisposableStack(),
): Promise<Lab> {
  try {
    return await openLab(folder, launcher, closing);
  } catch (thrown) {
    await closing.disposeAsync();
    throw thrown;
  }
}

async function openLab(
  folder: string,
  launcher: string,
  closing: AsyncDisposableStack,
): Promise<Lab> {
  const url = await startServer(folder, launcher, closing);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    env: { PATH: process.env.PATH ?? "", HOME: join(folder, "home"), LANG: "C.UTF-8" },
  });
  closing.defer(() => browser.close());
  const open = (notebook: string) =>
    openNotebook(browser, `${url.replace(/\/lab\b/, `/lab/tree/${notebook}`)}&reset`);
  return {
    folder,
    open,
    openEmpty(notebook) {
      const kernelspec = { name: "madrigal", display_name: "Madrigal (TypeScript)" };
      const empty = { cells: [], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
      writeFileSync(join(folder, notebook), JSON.stringify(empty));
      return open(notebook);
    },
    close: () => closing.disposeAsync(),
  };
}

// Ends what it runs once its own input ends: with these tests, also when those are killed.
const KEEPER = '"$@" & exec > /dev/null 2>&1; cat; kill $!; wait $!';

/** Its address; what was started is ended by `closing`, also when it never answers. */
async function startServer(
  folder: string,
  launcher: string,
  closing: AsyncDisposableStack,
): Promise<string> {
  const command = [projectNode, launcher, "lab", "--no-browser"];
  const child = spawn("sh", ["-c", KEEPER, "sh", ...command], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: join(folder, "home"),
      MADRIGAL_HOME: folder,
      LANG: "C.UTF-8",
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  closing.defer(async () => {
    child.stdin.end();
    await ended;
  });
  let said = "";
  return await new Promise<string>((resolve, reject) => {
    const look = (chunk: string) => {
      said += chunk;
      const found = /https?:\/\/127\.0\.0\.1:\d+\/lab\S*token=\w+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    };
    child.stdout.setEncoding("utf8").on("data", look);
    child.stderr.setEncoding("utf8").on("data", look);
    child.stdout.once("end", () => reject(new Error(`madrigal lab ended:\n${said}`)));
  });
}

async function openNotebook(browser: Browser, url: string): Promise<Notebook> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  page.setDefaultTimeout(20_000);
  const notebook = new Notebook(page);
  await page.goto(url, { timeout: 60_000 });
  await notebook.connected();
  return notebook;
}

/** One notebook on a page: what a person does to it, and what they see. */
export class Notebook {
  readonly page: Page;
  /** The host of each request of the page. */
  readonly asked: string[] = [];
  /** What scripts of the page said by `alert` and the like. */
  readonly dialogs: string[] = [];
  readonly #panel: Locator;

  constructor(page: Page) {
    this.page = page;
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith("http") || protocol.startsWith("ws")) this.asked.push(hostname);
    });
    page.on("dialog", (dialog) => {
      this.dialogs.push(dialog.message());
      void dialog.dismiss(); // Gone with the page, at worst.
    });
    this.#panel = page.locator(".jp-NotebookPanel:visible");
  }

  /**
   * Resolves once the notebook has its kernel. Before it has one, JupyterLab shows it as idle, too, and what is run then
   * is silently not run: only the status bar tells "No Kernel | Initializing" from "Madrigal (TypeScript) | Idle".
   */
  async connected(): Promise<void> {
    const text = /^Madrigal \(TypeScript\) \| Idle$/;
    await this.page.locator("#jp-main-statusbar").getByText(text).waitFor({ timeout: 60_000 });
    await this.idle();
  }

  /** Resolves once the kernel says that it waits. */
  async idle(): Promise<void> {
    await this.#status("idle");
  }

  async busy(): Promise<void> {
    await this.#status("busy");
  }

  async #status(status: string): Promise<void> {
    await this.#panel
      .locator(`.jp-Notebook-ExecutionIndicator[data-status="${status}"]`)
      .waitFor({ state: "attached", timeout: 60_000 });
  }

  /** A code cell, from 0. */
  cell(index: number): Locator {
    return this.#panel.locator(".jp-CodeCell").nth(index);
  }

  cells(): Promise<number> {
    return this.#panel.locator(".jp-CodeCell").count();
  }

  /** `Run ▸ Run All Cells`, by mouse. */
  async runAll(): Promise<void> {
    await this.menu("Run", "Run All Cells");
    await this.busy();
    await this.finished();
  }

  async menu(name: string, item: string): Promise<void> {
    await this.page.locator(".lm-MenuBar-item", { hasText: new RegExp(`^${name}$`) }).click();
    await this.page.locator(".lm-Menu-itemLabel", { hasText: new RegExp(`^${item}…?$`) }).click();
  }

  /** Resolves once no cell of the notebook is under way or waits for its turn. */
  async finished(): Promise<void> {
    const waiting = this.#panel.locator(".jp-InputPrompt", { hasText: "*" });
    await waiting.first().waitFor({ state: "detached", timeout: 90_000 });
    await this.idle();
  }

  /** Types a new cell at the end. */
  async type(code: string): Promise<Locator> {
    const index = await this.cells();
    await this.#panel.locator(".jp-Notebook-footer").click();
    const cell = this.cell(index);
    await cell.locator(".cm-content").click();
    await this.page.keyboard.insertText(code);
    return cell;
  }

  /** Takes away what is typed in a cell. */
  async empty(cell: Locator): Promise<void> {
    await cell.locator(".cm-content").click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.press("Delete");
  }

  /** Types a new cell at the end and starts it. */
  async start(code: string): Promise<Locator> {
    const cell = await this.type(code);
    await this.page.keyboard.press("Control+Enter");
    await promptOf(cell, "[*]:").waitFor();
    return cell;
  }

  /** Types a new cell at the end and runs it to its end. */
  async run(code: string): Promise<Locator> {
    const cell = await this.type(code);
    await this.again(cell);
    return cell;
  }

  /** Runs the cell that has the cursor to its end. */
  async again(cell: Locator): Promise<void> {
    const before = await cell.locator(".jp-InputPrompt").textContent();
    await this.page.keyboard.press("Control+Enter");
    await promptOf(cell, before ?? "").waitFor({ state: "detached", timeout: 60_000 });
    await this.finished();
  }

  /** Writes the notebook to its file, by keyboard. */
  async save(): Promise<void> {
    await this.page.keyboard.press("Control+s");
    await this.unchanged();
  }

  /** Resolves once the notebook has nothing that its file does not have. */
  async unchanged(): Promise<void> {
    await this.page
      .locator(".lm-DockPanel-tabBar .lm-TabBar-tab.lm-mod-current.jp-mod-dirty")
      .waitFor({ state: "detached" });
  }

  /** Whether it has something that its file does not have. */
  async isChanged(): Promise<boolean> {
    const tab = ".lm-DockPanel-tabBar .lm-TabBar-tab.lm-mod-current.jp-mod-dirty";
    return (await this.page.locator(tab).count()) > 0;
  }

  /** The browser's reload. The kernel lives on. */
  async reload(): Promise<void> {
    await this.page.reload({ timeout: 60_000 });
    await this.connected();
  }

  /** Ends the kernel and closes the page. */
  async shutDown(): Promise<void> {
    await this.menu("File", "Close and Shut Down Notebook");
    await this.page.locator(".jp-Dialog .jp-mod-accept").click();
    await this.#panel.waitFor({ state: "detached" });
    await this.page.close();
  }

  /** The stop button of the toolbar. */
  async interrupt(): Promise<void> {
    await this.#panel
      .locator('[data-command="notebook:interrupt-kernel"], jp-button[title*="Interrupt"]')
      .first()
      .click();
  }

  async restart(): Promise<void> {
    await this.menu("Kernel", "Restart Kernel");
    // The old kernel was idle as well.
    const restarting = this.#panel
      .locator(`.jp-Notebook-ExecutionIndicator:not([data-status="idle"])`)
      .waitFor({ state: "attached", timeout: 60_000 });
    await this.page.locator(".jp-Dialog .jp-mod-accept").click();
    await restarting;
    await this.connected();
  }

  /** Scrolls until this is what a person sees at its place, and no longer moves. */
  async show(what: Locator): Promise<void> {
    await what.click({ trial: true });
    // A trial leaves the mouse there, and what it hovers looks different.
    await this.page.mouse.move(0, 0);
  }

  async outputText(cell: Locator): Promise<string> {
    return (await cell.locator(".jp-OutputArea-output").allInnerTexts()).join("\n");
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }
}

function promptOf(cell: Locator, text: string): Locator {
  return cell.locator(".jp-InputPrompt").getByText(text, { exact: true });
}
