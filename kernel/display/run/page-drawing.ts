/** Shows the page of an agent's browser below the drawing of its run, in one display that follows at most twice a second. */
import type { LivePage } from "../../../runtime/index.ts";
import type { CellOutput } from "../../cell-output.ts";
import { pictureOfPage } from "./artifact-bundle.ts";
import { Pace, type Schedule } from "./pace.ts";

const UPDATE_MS = 500;

/** The drawings whose picture is older than their page. */
const behind = new Set<PageDrawing>();
const drawing = new Set<Promise<void>>();

/** Takes the pictures that wait for their turn, and resolves when all are shown. */
export async function pagesReady(): Promise<void> {
  for (const one of [...behind]) one.catchUp();
  while (drawing.size > 0) await Promise.all(drawing);
}

interface PageDisplay {
  readonly displayId: string;
  readonly show: (output: CellOutput) => void;
  readonly schedule: Schedule;
}

export class PageDrawing {
  readonly #display: PageDisplay;
  readonly #pace: Pace;
  #isShown = false;
  #page: LivePage | undefined;

  constructor(display: PageDisplay) {
    this.#display = display;
    this.#pace = new Pace(display.schedule, UPDATE_MS);
  }

  take(page: LivePage): void {
    if (page.isEnding) {
      this.catchUp();
      return;
    }
    this.#page = page;
    behind.add(this);
    if (this.#pace.isRested) this.catchUp();
    else this.#pace.drawSoon(() => this.catchUp());
  }

  /** Takes a picture of the page where it has changed since the last one. */
  catchUp(): void {
    const page = this.#page;
    if (page === undefined) return;
    this.#page = undefined;
    behind.delete(this);
    this.#pace.drawn();
    const drawn = this.#draw(page)
      .catch(() => {
        // The display may be gone from the notebook, which is no reason to stop the run.
      })
      .finally(() => drawing.delete(drawn));
    drawing.add(drawn);
  }

  async #draw(page: LivePage): Promise<void> {
    const picture = await page.picture();
    if (picture === undefined) return;
    const { displayId, show } = this.#display;
    const kind = this.#isShown ? "update" : "display";
    this.#isShown = true;
    show({ kind, displayId, bundle: pictureOfPage(picture) });
  }
}
