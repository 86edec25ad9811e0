/** Shows the page of an agent's browser below the drawing of its run, in one display that follows at most twice a second. */
import type { LivePage } from "../../../runtime/index.ts";
import type { CellOutput } from "../../cell-output.ts";
import { currentHost } from "../../host.ts";
import { pictureOfPage } from "./artifact-bundle.ts";
import { Pace, type Schedule } from "./pace.ts";
import { PagePanel } from "./page-panel.ts";

const UPDATE_MS = 500;

/** The drawings whose picture is older than their page. */
const behind = new Set<PageDrawing>();
const drawing = new Set<Promise<void>>();
/** The drawings whose last picture is in their panel alone. */
const unsaved = new Set<PageDrawing>();

/** Takes the pictures that wait for their turn, and resolves when all are shown. */
export async function pagesReady(): Promise<void> {
  for (const one of [...behind]) one.catchUp();
  while (drawing.size > 0) await Promise.all(drawing);
  for (const one of [...unsaved]) one.save();
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
  #isEnding = false;
  #page: LivePage | undefined;
  #picture: Uint8Array | undefined;
  /** The panel in which a person can take the page over, where the front end has widgets. */
  #panel: PagePanel | undefined;

  constructor(display: PageDisplay) {
    this.#display = display;
    this.#pace = new Pace(display.schedule, UPDATE_MS);
  }

  take(page: LivePage): void {
    if (page.isEnding) {
      this.#isEnding = true;
      this.catchUp();
      this.save();
      this.#panel?.end();
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
    if (this.#panel === undefined) {
      const { widgets } = currentHost() ?? {};
      if (widgets?.isSupported === true) this.#panel = new PagePanel(widgets);
    }
    this.#picture = picture;
    unsaved.add(this);
    this.#panel?.show(page, picture);
    // An output that is shown anew would take a panel from under the person's hands.
    if (this.#panel === undefined || !this.#isShown || this.#isEnding) this.save();
  }

  /** Shows the last picture in the output of the cell, which the notebook keeps. */
  save(): void {
    const picture = this.#picture;
    if (picture === undefined || !unsaved.delete(this)) return;
    const { displayId, show } = this.#display;
    const kind = this.#isShown ? "update" : "display";
    this.#isShown = true;
    show({ kind, displayId, bundle: pictureOfPage(picture, this.#panel) });
  }
}
