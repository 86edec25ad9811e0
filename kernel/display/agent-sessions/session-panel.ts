/** Shows the strong agents of a run as a widget in which a person can tell them something, stop the run and let it go on. */
import { type DrivenRun, messageOf } from "../../../runtime/index.ts";
import type { Widget, Widgets } from "../../widgets/widgets.ts";
import { visible } from "../visible.ts";
import type { ShownTurn } from "./shown-turn.ts";

export class SessionPanel implements Pick<Widget, "placed"> {
  readonly #widget: Widget;
  readonly #run: DrivenRun;

  constructor(run: DrivenRun, widgets: Widgets) {
    this.#run = run;
    this.#widget = widgets.open({
      view: "agent-sessions.js",
      state: { html: "", nodes: [], runState: "", fault: "", status: "" },
      take: (asked) => this.#take(asked),
    });
  }

  placed(html: string): string {
    return this.#widget.placed(html);
  }

  show(html: string, turns: readonly ShownTurn[]): void {
    const open = turns.filter(({ status }) => status === "working" || status === "asking");
    const nodes = [...new Set(open.map(({ node }) => node))];
    this.#widget.update({ html, nodes, runState: this.#runState() });
  }

  #runState(): string {
    const { status } = this.#run;
    if (status === "paused") return "paused";
    return status === "running" || status === "waiting" ? "working" : "over";
  }

  async #take({ steer, to, stop, go }: Readonly<Record<string, unknown>>): Promise<void> {
    this.#widget.update({ fault: "", status: "" });
    try {
      if (typeof steer === "string" && steer.trim() !== "") {
        await this.#run.steer(steer, typeof to === "string" ? { to } : {});
        this.#widget.update({ status: "It was told so." });
      } else if (stop === true) {
        await this.#run.pause({ now: true, reason: "stopped in the cell" });
      } else if (go === true) await this.#run.resume();
    } catch (thrown) {
      this.#widget.update({ fault: visible(messageOf(thrown)) });
    }
    this.#widget.update({ runState: this.#runState() });
  }
}
