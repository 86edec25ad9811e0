/** Shows the page of an agent's browser as a widget in which a person can take it over and hand it back. */
import {
  type LivePage,
  messageOf,
  type PersonAct,
  type TakenPage,
} from "../../../runtime/index.ts";
import type { Widget, Widgets } from "../../widgets/widgets.ts";
import { visible } from "../visible.ts";
import { PICTURE_TEXT, pictureSource } from "./artifact-bundle.ts";

const WAITING = "Waiting for the agent's action to end.";
const TAKEN =
  "The browser is yours: click into the picture and type. The agent waits until you hand it back, at most half an hour.";

export class PagePanel implements Pick<Widget, "placed"> {
  readonly #widget: Widget;
  #page: LivePage | undefined;
  #taken: TakenPage | undefined;
  #isDrawing = false;
  #isBehind = false;

  constructor(widgets: Widgets) {
    this.#widget = widgets.open({
      view: "live-page.js",
      state: {
        alt: PICTURE_TEXT,
        picture: "",
        url: "",
        taken: false,
        isOver: false,
        status: "",
        fault: "",
      },
      take: (asked) => this.#take(asked),
    });
  }

  placed(html: string): string {
    return this.#widget.placed(html);
  }

  show(page: LivePage, picture: Uint8Array): void {
    this.#page = page;
    this.#widget.update({ picture: pictureSource("image/jpeg", picture) });
  }

  /** The browser ends: nobody can take it any more. */
  end(): void {
    this.#page = undefined;
    this.#widget.update({ isOver: true });
  }

  async #take({ take, give, act }: Readonly<Record<string, unknown>>): Promise<void> {
    this.#widget.update({ fault: "" });
    try {
      if (take === true) await this.#takeOver();
      else if (give === true) this.#taken?.handBack();
      else if (isAct(act)) await this.#taken?.act(act);
    } catch (thrown) {
      this.#widget.update({ fault: visible(messageOf(thrown)) });
    }
    if (this.#taken !== undefined) await this.#draw(this.#taken);
  }

  async #takeOver(): Promise<void> {
    if (this.#page === undefined || this.#taken !== undefined) return;
    this.#widget.update({ status: WAITING });
    try {
      const taken = await this.#page.takeOver();
      this.#taken = taken;
      this.#widget.update({ taken: true, status: TAKEN });
      if (taken.over.aborted) this.#handedBack();
      else taken.over.addEventListener("abort", () => this.#handedBack(), { once: true });
    } catch (thrown) {
      this.#widget.update({ status: "" });
      throw thrown;
    }
  }

  #handedBack(): void {
    this.#taken = undefined;
    this.#widget.update({ taken: false, status: "You handed the browser back." });
  }

  /** One picture at a time: after the last thing that was done there is always one more. */
  async #draw(taken: TakenPage): Promise<void> {
    this.#isBehind = true;
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    try {
      while (this.#isBehind) {
        this.#isBehind = false;
        const picture = await taken.picture();
        const shown =
          picture === undefined ? {} : { picture: pictureSource("image/jpeg", picture) };
        this.#widget.update({ ...shown, url: taken.url });
      }
    } finally {
      this.#isDrawing = false;
    }
  }
}

const KINDS: ReadonlySet<unknown> = new Set<PersonAct["kind"]>([
  "click",
  "scroll",
  "key",
  "text",
  "visit",
  "back",
]);

/** The view is ours, and sends nothing else. */
function isAct(given: unknown): given is PersonAct {
  return typeof given === "object" && given !== null && "kind" in given && KINDS.has(given.kind);
}
