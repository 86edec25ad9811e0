/** The questions of a run as widgets below its drawing, where the front end has them: answered there, at any time. */
import { readFileSync } from "node:fs";
import type { GraphRun, Interrupt } from "../../runtime/index.ts";
import type { CellOutput } from "../cell-output.ts";
import type { Widget, Widgets } from "../widgets/widgets.ts";
import { aboutText, answerBy } from "./ask-person.ts";
import { questionForm } from "./question-form.ts";

interface Places {
  readonly widgets: Widgets;
  readonly show: (output: CellOutput) => void;
}

/** Shows each question once nothing else can go on, and closes it when somebody has answered, here or elsewhere. */
export function showQuestions(run: GraphRun, places: Places): void {
  const shown = new Map<string, Widget>();
  const look = (kind: string) => {
    const open = new Map(run.interrupts.map((interrupt) => [interrupt.id, interrupt]));
    for (const [id, widget] of shown) {
      if (open.has(id)) continue;
      shown.delete(id);
      widget.update({ isOpen: false, fault: "", closed: "answered, or not asked any more" });
    }
    if (kind !== "run.waiting" || !places.widgets.isSupported) return;
    for (const [id, interrupt] of open) {
      if (!shown.has(id)) shown.set(id, showOne(interrupt, run, places));
    }
  };
  let isReplaying = true;
  run.events$.subscribe(({ kind }) => {
    if (!isReplaying && (kind.startsWith("run.") || kind.startsWith("interrupt."))) look(kind);
  });
  isReplaying = false;
  look(`run.${run.status}`);
}

function showOne(interrupt: Interrupt, run: GraphRun, { widgets, show }: Places): Widget {
  const { node, question } = interrupt;
  const about = aboutText(interrupt);
  const widget = widgets.open({
    view: view(),
    state: {
      question: `${node} asks: ${question}`,
      shown: about.split("\n").slice(1).join("\n").trim(),
      ...questionForm(interrupt),
      isOpen: true,
      fault: "",
      closed: "",
    },
    plain: about.trimEnd(),
    take: async ({ answer }) => {
      const fault = await answerBy(String(answer), interrupt, run);
      if (fault !== undefined) widget.update({ fault });
    },
  });
  show({ kind: "display", bundle: widget.bundle });
  return widget;
}

let loaded: string | undefined;

function view(): string {
  loaded ??= readFileSync(new URL("../widgets/question-view.js", import.meta.url), "utf8");
  return loaded;
}
