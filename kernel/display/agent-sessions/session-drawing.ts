/** Shows what the strong agents of a run say, do and ask, below the drawing of the run, as it comes. */
import { type DrivenRun, type RunEvent, SessionTally } from "../../../runtime/index.ts";
import type { CellOutput } from "../../cell-output.ts";
import { currentHost } from "../../host.ts";
import { bundleOf, HTML, PLAIN } from "../bundle.ts";
import { Pace, type Schedule } from "../run/pace.ts";
import { LIVE_ROOM, turnsHtml } from "./session-html.ts";
import { SessionPanel } from "./session-panel.ts";
import { turnsText } from "./session-text.ts";
import { shownTurn } from "./shown-turn.ts";

/** The items that are shown of each node run: nobody reads more while it goes on. */
const ITEMS_KEPT = 60;
const LINES_SHOWN = 20;

/** The drawings that are older than what was told, and those whose last state is in their panel alone. */
const behind = new Set<SessionDrawing>();
const unsaved = new Set<SessionDrawing>();

/** Draws what waits for its turn, and keeps in the notebook what the panels show. */
export function sessionsReady(): void {
  for (const one of [...behind]) one.catchUp();
  for (const one of [...unsaved]) one.save();
}

interface SessionDisplay {
  readonly displayId: string;
  readonly show: (output: CellOutput) => void;
  readonly schedule: Schedule;
}

export class SessionDrawing {
  readonly #display: SessionDisplay;
  readonly #run: DrivenRun;
  readonly #pace: Pace;
  #tally = new SessionTally({ keep: ITEMS_KEPT });
  #isShown = false;
  #panel: SessionPanel | undefined;
  #last: { readonly html: string; readonly plain: string } | undefined;

  constructor(run: DrivenRun, display: SessionDisplay) {
    this.#run = run;
    this.#display = display;
    this.#pace = new Pace(display.schedule);
  }

  /** The run tells its past once more. */
  begin(): void {
    this.#tally = new SessionTally({ keep: ITEMS_KEPT });
  }

  take(event: RunEvent): void {
    const isTold = this.#tally.take(event);
    const isStanding = event.kind === "run.finished" || event.kind === "run.paused";
    if (this.#tally.turns.length === 0 || !(isTold || isStanding || event.kind === "run.resumed"))
      return;
    behind.add(this);
    if (this.#pace.isRested) this.catchUp();
    else this.#pace.drawSoon(() => this.catchUp());
  }

  catchUp(): void {
    if (!behind.delete(this)) return;
    this.#pace.drawn();
    const turns = this.#tally.turns.map((turn) => shownTurn(turn, this.#run));
    const html = turnsHtml(turns, LIVE_ROOM);
    const plain = turnsText(turns.slice(-LIVE_ROOM.turns), LINES_SHOWN);
    if (html === this.#last?.html && this.#panel === undefined) return;
    this.#last = { html, plain };
    unsaved.add(this);
    const { widgets } = currentHost() ?? {};
    if (this.#panel === undefined && widgets?.isSupported === true)
      this.#panel = new SessionPanel(this.#run, widgets);
    this.#panel?.show(html, turns);
    // An output that is shown anew would take a panel from under the person's hands.
    if (this.#panel === undefined || !this.#isShown) this.save();
  }

  /** Shows it in the output of the cell, which the notebook keeps. */
  save(): void {
    if (this.#last === undefined || !unsaved.delete(this)) return;
    const { html, plain } = this.#last;
    const { displayId, show } = this.#display;
    const kind = this.#isShown ? "update" : "display";
    this.#isShown = true;
    const placed = this.#panel?.placed(html) ?? html;
    try {
      show({ kind, displayId, bundle: bundleOf({ [HTML]: placed, [PLAIN]: plain }) });
    } catch {
      // The display may be gone from the notebook, which is no reason to stop the run.
    }
  }
}
