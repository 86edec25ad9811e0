/** What becomes of what is stopped when a front end leaves: `disconnect` looks the same for "off" and for "Terminate". */

/** JupyterLab's button "Terminate" comes back at once; somebody who turns the debugger off does not. */
const BACK_MS = 500;

export class Leave {
  readonly #goOn: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  /** What is stopped goes on, unless somebody comes back before. */
  begin(): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#goOn();
    }, BACK_MS);
    this.#timer.unref();
  }

  /** Whether somebody had just left. */
  cancel(): boolean {
    const wasLeaving = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return wasLeaving;
  }
}
