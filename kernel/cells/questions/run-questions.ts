/** Shows the questions of a run as forms in each cell that draws it, where the front end has widgets. */
import {
  ANSWER_BYTES_MAX,
  type DrivenRun,
  GraphRun,
  type Interrupt,
  type RunEvent,
} from "../../../runtime/index.ts";
import type { CellOutput } from "../../cell-output.ts";
import { showForms } from "../../display/index.ts";
import { timeText } from "../../display/numbers.ts";
import { graphAt } from "../../display/values/plans-of-run.ts";
import type { Widget, Widgets } from "../../widgets/widgets.ts";
import { answerBy, answerByUpload, answeredIn } from "./answer-by.ts";
import { checkPlan, performersIn } from "./plan-review.ts";
import { type AskedQuestion, answeredText, questionBundle } from "./question-bundle.ts";
import { questionForm } from "./question-form.ts";
import { Upload } from "./upload.ts";

type ShowQuestion = (output: CellOutput) => void;

const kept = new WeakMap<DrivenRun, RunQuestions>();

/** Shows the questions of the run in one more cell, from now on. */
export function showQuestions(run: DrivenRun, widgets: Widgets, show: ShowQuestion): void {
  const questions = kept.get(run) ?? new RunQuestions(run, widgets);
  kept.set(run, questions);
  questions.showIn(show);
}

/** Returns whether a cell shows a form for the question. */
export function hasForm(run: DrivenRun, { id }: Interrupt): boolean {
  return kept.get(run)?.hasForm(id) ?? false;
}

interface ShownForm {
  readonly asked: AskedQuestion;
  readonly widget: Widget;
  readonly displayId: string;
}

/** A form in a cell, which is renewed by its id. */
type DisplayedForm = CellOutput & { readonly kind: "display"; readonly displayId: string };

class RunQuestions {
  readonly #run: DrivenRun;
  readonly #widgets: Widgets;
  readonly #cells = new Set<ShowQuestion>();
  readonly #forms = new Map<string, ShownForm>();
  readonly #opened = new Map<string, Pick<RunEvent, "at" | "path">>();
  #isReplaying = false;
  #unfollow = () => {};

  constructor(run: DrivenRun, widgets: Widgets) {
    this.#run = run;
    this.#widgets = widgets;
  }

  /**
   * Shows the questions in one more cell; also called when the run continues, since its events end
   * each time that it ends.
   */
  showIn(show: ShowQuestion): void {
    this.#follow();
    if (!this.#cells.has(show)) {
      this.#cells.add(show);
      for (const form of this.#forms.values()) show(this.#display(form));
    }
    if (this.#run.status === "waiting") void this.#askPeople();
  }

  #follow(): void {
    this.#unfollow();
    this.#isReplaying = true;
    const subscription = this.#run.events$.subscribe((event) => this.#take(event));
    this.#isReplaying = false;
    this.#unfollow = () => subscription.unsubscribe();
  }

  hasForm(id: string): boolean {
    this.#open();
    return this.#forms.has(id);
  }

  #take(event: RunEvent): void {
    if (event.kind === "interrupt.opened") this.#opened.set(event.interrupt, event);
    if (this.#isReplaying) return;
    if (event.kind === "interrupt.answered") {
      const where = answeredIn(this.#run, event.interrupt);
      this.#close(event.interrupt, answeredText(event, this.#run, where));
    }
    // One of several has answered: the form is for the others now.
    const isLeft = event.kind === "interrupt.opened" && saidCount(event) > 0;
    if (event.kind === "run.waiting" || isLeft) void this.#askPeople();
    else if (event.kind.startsWith("run.") || event.kind === "attempt.finished") {
      this.#closeLeft(event.at);
    }
  }

  /** Shows what is open once those who answer by themselves have left it to people. */
  async #askPeople(): Promise<void> {
    try {
      // Outside of any cell: the getter in a cell would make that cell wait for the run.
      if (this.#run.isUnderWay) await GraphRun.prototype.settled.call(this.#run);
    } catch {
      return; // The run itself tells what became of it.
    }
    this.#open();
  }

  #open(): void {
    if (!this.#widgets.isSupported || this.#run.status !== "waiting") return;
    const before = this.#forms.size;
    for (const interrupt of this.#run.interrupts) {
      const form = this.#forms.get(interrupt.id);
      if (form === undefined) this.#openOne(interrupt);
      else if (saidCount(interrupt) > 0) this.#renew(form, interrupt);
    }
    if (this.#forms.size > before) showForms(this.#run, new Set(this.#forms.keys()));
  }

  #openOne(interrupt: Interrupt): void {
    const run = this.#run;
    const { at: askedAt = 0, path = [] } = this.#opened.get(interrupt.id) ?? {};
    const graph = graphAt(run.ir, path);
    const upload = new Upload();
    const widget: Widget = this.#widgets.open({
      view: "question-form.js",
      state: {
        ...questionForm(interrupt),
        plan: performersIn(interrupt.shown, graph),
        ...{ isOpen: true, fault: "", closed: "", bytesMax: ANSWER_BYTES_MAX },
      },
      take: async ({ answer, ask, check, piece, uploaded }) => {
        if (piece !== undefined || uploaded !== undefined) {
          const fault = await answerByUpload({ piece, uploaded }, upload, { interrupt, run });
          widget.send({ answer: ask, ...(fault === undefined ? {} : { fault }) });
          return;
        }
        if (typeof check === "string") {
          widget.send({ answer: ask, ...checkPlan(check, graph) });
          return;
        }
        const fault = await answerBy(String(answer), interrupt, { run, where: "form" });
        if (fault !== undefined) widget.update({ fault });
      },
    });
    const displayId = `question-${run.id}-${interrupt.id}`;
    const form = { asked: { run, interrupt, askedAt }, widget, displayId };
    this.#forms.set(interrupt.id, form);
    for (const show of this.#cells) show(this.#display(form));
  }

  #renew({ asked, ...form }: ShownForm, interrupt: Interrupt): void {
    if (saidCount(asked.interrupt) === saidCount(interrupt)) return;
    const renewed = { ...form, asked: { ...asked, interrupt } };
    this.#forms.set(interrupt.id, renewed);
    form.widget.update({ ...questionForm(interrupt), fault: "" });
    const { displayId, bundle } = this.#display(renewed);
    const [show] = this.#cells;
    show?.({ kind: "update", displayId, bundle });
  }

  #display({ asked, widget, displayId }: ShownForm): DisplayedForm {
    return { kind: "display", displayId, bundle: questionBundle(asked, widget) };
  }

  /**
   * Closes the forms of questions that were withdrawn: the run ended, or was rewound to before
   * them.
   */
  #closeLeft(at: number): void {
    const open = new Set(this.#run.interrupts.map(({ id }) => id));
    for (const id of [...this.#forms.keys()]) {
      if (open.has(id)) continue;
      this.#close(
        id,
        `not asked any more since ${timeText(at)} UTC: the run is ${this.#run.status}`,
      );
    }
  }

  #close(id: string, ending: string): void {
    const form = this.#forms.get(id);
    if (form === undefined) return;
    this.#forms.delete(id);
    const { asked, widget, displayId } = form;
    widget.update({ isOpen: false, fault: "", closed: ending.replaceAll("`", "") });
    const [show] = this.#cells;
    show?.({ kind: "update", displayId, bundle: questionBundle(asked, { ending }) });
  }
}

/** The number of those of several persons who have answered. */
function saidCount({ agreed = [], declined = [] }: Pick<Interrupt, "agreed" | "declined">): number {
  return agreed.length + declined.length;
}
