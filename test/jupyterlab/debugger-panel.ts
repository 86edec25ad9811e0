/** JupyterLab's debugger as a person has it: its panel beside the notebook, and its console. */
import type { Locator } from "playwright-core";
import type { Notebook } from "../support/jupyter-lab.ts";

export class DebuggerPanel {
  readonly #notebook: Notebook;
  readonly #side: Locator;

  constructor(notebook: Notebook) {
    this.#notebook = notebook;
    this.#side = notebook.page.locator(".jp-DebuggerSidebar");
  }

  /** Switches debugging on by the button with the bug; resolves once the cells have the margin for breakpoints. */
  async open(): Promise<void> {
    await this.#bug.click();
    await this.#margins.first().waitFor({ state: "attached" });
  }

  /**
   * Switches debugging off; resolves once the margins are gone. JupyterLab takes them away some time after the click,
   * and would take away those of a panel that was opened in between.
   */
  async close(): Promise<void> {
    await this.#bug.click();
    await this.#margins.first().waitFor({ state: "detached" });
  }

  get #bug(): Locator {
    return this.#notebook.page.locator(".jp-DebuggerBugButton:visible");
  }

  get #margins(): Locator {
    return this.#notebook.page.locator(".jp-NotebookPanel:visible .cm-breakpoint-gutter");
  }

  /** A click into the margin of a cell; resolves once the red dot is there and the panel lists it. */
  async breakAt(cell: Locator, line: number): Promise<void> {
    // The first element is the measure of the margin's width.
    const margin = cell.locator(".cm-gutter.cm-breakpoint-gutter > .cm-gutterElement");
    await margin.nth(line).click();
    await margin.nth(line).locator(".cm-breakpoint-icon").waitFor();
    // It reads `Cell [13]7`: the number of the line comes last.
    const listed = { hasText: new RegExp(`\\]\\s*${line}\\s*$`) };
    await this.#side.locator(".jp-DebuggerBreakpoint", listed).waitFor();
  }

  /** Resolves once this frame is the chosen one. */
  async stoppedAt(frame: string | RegExp): Promise<void> {
    await this.#side.locator("li.jp-DebuggerCallstackFrame.selected", { hasText: frame }).waitFor();
  }

  /** Resolves once the panel shows a variable with this value. */
  async shows(name: string, value: string): Promise<void> {
    const row = this.#side.locator("jp-tree-item", { hasText: name });
    await row.getByText(value, { exact: true }).first().waitFor();
  }

  async scope(name: string): Promise<void> {
    await this.#side.locator("select").selectOption(name);
  }

  /** A button above the call stack. */
  async press(command: "continue" | "next" | "stepIn" | "stepOut"): Promise<void> {
    const button = this.#side.locator(`jp-button[data-command="debugger:${command}"]`);
    await button.click();
  }

  /** Opens the Debug Console, or closes it. */
  async toggleConsole(): Promise<void> {
    await this.#side.locator('jp-button[data-command="debugger:evaluate"]').click();
  }

  /** Types a line into the Debug Console; resolves once it has answered so. */
  async say(line: string, answer: string | RegExp): Promise<void> {
    const { page } = this.#notebook;
    const console = page.locator(".jp-DebugConsole");
    await console.locator(".jp-CodeConsole-promptCell .cm-content").click();
    await page.keyboard.insertText(line);
    await page.keyboard.press("Shift+Enter");
    await console
      .locator(".jp-OutputArea-output")
      .getByText(answer, { exact: true })
      .last()
      .waitFor();
  }
}
