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
  const shown = new Map<string, Shown>();
  const look = (kind: string) => {
    const open = new Map(run.interrupts.map((interrupt) => [interrupt.id, interrupt]));
    for (const [id, { close }] of shown) {
      if (open.has(id)) continue;
      shown.delete(id);
      close();
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

interface Shown {
  /** Leaves words in its place, which a saved notebook shows wherever it is read. */
  readonly close: () => void;
}

const CLOSED = "answered, or not asked any more";

function showOne(interrupt: Interrupt, run: GraphRun, { widgets, show }: Places): Shown {
  const { node, question } = interrupt;
  const about = aboutText(interrupt);
  const widget: Widget = widgets.open({
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
  const displayId = `question-${run.id}-${interrupt.id}`;
  show({ kind: "display", displayId, bundle: widget.bundle });
  return {
    close() {
      widget.update({ isOpen: false, fault: "", closed: CLOSED });
      const data = { "text/plain": `${about.trimEnd()}\n(${CLOSED})` };
      show({ kind: "update", displayId, bundle: { data, metadata: {} } });
    },
  };
}

let loaded: string | undefined;

function view(): string {
  loaded ??= readFileSync(new URL("../widgets/question-view.js", import.meta.url), "utf8");
  return loaded;
}
