/**
 * Shows a timeline as a widget: a slider over its places, and buttons that act on the run. Each place is fetched when it
 * is looked at.
 */
import {
  type DrivenRun,
  messageOf,
  RunError,
  shortRunId,
  Timeline,
} from "../../../runtime/index.ts";
import type { Bundle } from "../../cell-output.ts";
import { currentHost, type Host } from "../../host.ts";
import type { Widget } from "../../widgets/widgets.ts";
import { counted, visible } from "../visible.ts";
import { shownPage, stepsText } from "./timeline-page.ts";

/**
 * Opens the panel of a timeline; undefined without widgets. `toBundle` shows the timeline of a fork
 * that is made in it.
 */
export async function openPanel(
  timeline: Timeline<DrivenRun>,
  toBundle: PanelParts["toBundle"],
): Promise<Pick<Widget, "placed"> | undefined> {
  const host = currentHost();
  if (host?.widgets?.isSupported !== true) return undefined;
  return await new Panel(timeline, { host, widgets: host.widgets, toBundle }).open();
}

interface PanelParts {
  readonly host: Host;
  readonly widgets: NonNullable<Host["widgets"]>;
  readonly toBundle: (timeline: Timeline<DrivenRun>) => Promise<Bundle>;
}

/** The actions of its buttons on the run. */
type Verb = "back" | "step" | "continue" | "rewind" | "fork";

class Panel {
  readonly #timeline: Timeline<DrivenRun>;
  readonly #parts: PanelParts;
  #widget: Widget | undefined;
  #index = 0;
  /** The number of places when it was last shown. */
  #places = 1;
  /** Numbers what is shown: the same place shown again is another answer. */
  #answers = 0;
  #isDue = false;

  constructor(timeline: Timeline<DrivenRun>, parts: PanelParts) {
    this.#timeline = timeline;
    this.#parts = parts;
  }

  async open(): Promise<Widget> {
    this.#index = this.#timeline.length - 1;
    const widget = this.#parts.widgets.open({
      view: "timeline-panel.js",
      state: { ...(await this.#shown()), fault: "", note: "", busy: "" },
      take: (asked) => this.#take(asked),
    });
    this.#widget = widget;
    this.#follow();
    return widget;
  }

  async #take({ go, act }: Readonly<Record<string, unknown>>): Promise<void> {
    if (typeof go === "number") return await this.#show(go);
    const verb = VERBS.find((one) => one === act);
    if (verb === undefined) return;
    this.#widget?.update({ busy: verb, fault: "", note: "" });
    try {
      const note = await this.#act(verb);
      this.#widget?.update({ note });
    } catch (thrown) {
      this.#widget?.update({ fault: visible(faultText(thrown)) });
    }
    this.#widget?.update({ busy: "" });
    await this.#show(verb === "fork" ? this.#index : Number.POSITIVE_INFINITY);
  }

  /** Performs an action on the run, and returns a text about its result. */
  async #act(verb: Verb): Promise<string> {
    const { run } = this.#timeline;
    const { step } = this.#timeline.at(this.#place(this.#index));
    switch (verb) {
      case "step":
        await run.step();
        return "";
      case "continue":
        return stoppedText((await run.continue()).kind);
      case "back":
        await run.back();
        return leftText(run.effectsLeftBehind.length);
      case "rewind":
        await run.rewind(step);
        return leftText(run.effectsLeftBehind.length);
      case "fork": {
        const branch = run.fork(step, undefined, { isHeld: true });
        const { host, toBundle } = this.#parts;
        host.output({ kind: "display", bundle: await toBundle(new Timeline(branch)) });
        return `forked at step ${step}: run ${shortRunId(branch.id)}, held there; its timeline is below`;
      }
    }
  }

  async #show(index: number): Promise<void> {
    this.#index = this.#place(index);
    this.#widget?.update(await this.#shown());
  }

  #place(index: number): number {
    const last = this.#timeline.length - 1;
    return Math.max(0, Math.min(last, Number.isNaN(index) ? last : index));
  }

  async #shown(): Promise<Readonly<Record<string, unknown>>> {
    const { run, length } = this.#timeline;
    const page = await shownPage(this.#timeline, this.#index);
    this.#answers += 1;
    this.#places = length;
    return {
      places: length,
      run: run.id,
      head: `run ${shortRunId(run.id)} of ${run.graph} · ${run.status} · ${stepsText(run.stepCount)}`,
      isOver: run.status === "succeeded" || run.status === "failed" || run.status === "aborted",
      page: { ...page, answer: this.#answers },
    };
  }

  /** The run may be moved from elsewhere: who looks at its end goes with it. */
  #follow(): void {
    let isReplaying = true;
    this.#timeline.run.events$.subscribe(({ kind }) => {
      if (isReplaying || this.#isDue) return;
      if (kind !== "commit" && !kind.startsWith("run.")) return;
      this.#isDue = true;
      // Ten times a second is as much as anybody sees.
      setTimeout(() => void this.#catchUp(), 100).unref();
    });
    isReplaying = false;
  }

  async #catchUp(): Promise<void> {
    this.#isDue = false;
    try {
      const isAtEnd = this.#index >= this.#places - 1;
      await this.#show(isAtEnd ? Number.POSITIVE_INFINITY : this.#index);
    } catch (thrown) {
      this.#widget?.update({ fault: visible(faultText(thrown)) });
    }
  }
}

const VERBS: readonly Verb[] = ["back", "step", "continue", "rewind", "fork"];

function stoppedText(kind: string): string {
  return kind === "end" ? "" : `stopped: ${kind}`;
}

function leftText(left: number): string {
  if (left === 0) return "";
  const stay = left === 1 ? "stays as it is" : "stay as they are";
  return `${counted(left, "call")} to the outside world ${stay}: run.effectsLeftBehind`;
}

function faultText(thrown: unknown): string {
  if (!(thrown instanceof RunError)) return messageOf(thrown);
  const hint = thrown.hint === undefined ? "" : `\nhint: ${thrown.hint}`;
  return `${thrown.code} ${thrown.message}${hint}`;
}
