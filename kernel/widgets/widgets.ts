/** Keeps the kernel's own widgets, a model each, alike on both ends by a comm. */
import { randomUUID } from "node:crypto";
import type { Comm, CommMessage } from "../comms/comm.ts";
import type { Comms } from "../comms/comms.ts";
import { viewModule } from "./view-module.ts";

export type WidgetState = Readonly<Record<string, unknown>>;

export interface WidgetParts {
  /** The file of its view, in this folder. */
  readonly view: string;
  readonly state: WidgetState;
  /** Takes a message of its view. */
  readonly take: (content: Readonly<Record<string, unknown>>) => unknown;
}

export interface Widget {
  /** HTML in the place of which the view is shown, wherever a page that has the model shows it. */
  placed(html: string): string;
  update(changes: WidgetState): void;
  /** Tells its views something that is no part of its state. */
  send(content: WidgetState): void;
  /** Every page shows the words alone from then on. */
  close(): void;
}

const TARGET = "jupyter.widget";
const VERSION = { version: "2.1.0" };
/** A front end that is opened later asks for these; of older ones it shows the words alone. */
const KEPT = 200;

interface Model {
  readonly comm: Comm;
  state: WidgetState;
}

export class Widgets {
  readonly #comms: Comms;
  readonly #models = new Map<string, Model>();
  #isSupported = false;

  constructor(comms: Comms) {
    this.#comms = comms;
    // What ipywidgets' manager opens first on every page that has it.
    comms.target(`${TARGET}.control`, (control) => {
      this.#isSupported = true;
      control.onMessage(({ data }) => {
        if (isMethod(data, "request_states")) control.send(this.#states());
      });
    });
  }

  /** True if some front end of this kernel has widgets. */
  get isSupported(): boolean {
    return this.#isSupported;
  }

  open({ view, state, take }: WidgetParts): Widget {
    const id = randomUUID();
    const place = `madrigal-place-${id}`;
    const layout = this.#create(LAYOUT);
    const _esm = viewModule(view);
    const made = { ...ANYWIDGET, layout: `IPY_MODEL_${layout.comm.id}`, _esm, place, ...state };
    const model = this.#create(made, id);
    model.comm.onMessage((message) => receive(message, model, take));
    return {
      placed: (html) => `<div class="${place}"><div class="madrigal-words">${html}</div></div>`,
      update(changes) {
        model.state = { ...model.state, ...changes };
        if (model.comm.isOpen) model.comm.send(updateOf(changes));
      },
      send(content) {
        if (model.comm.isOpen) model.comm.send({ method: "custom", content });
      },
      close: () => {
        for (const one of [model, layout]) this.#forget(one.comm.id, one);
      },
    };
  }

  #create(state: WidgetState, id: string = randomUUID()): Model {
    const data = { state, buffer_paths: [] };
    const model = { comm: this.#comms.open(TARGET, data, { id, metadata: VERSION }), state };
    this.#models.set(id, model);
    const [oldest] = this.#models;
    if (this.#models.size > KEPT && oldest !== undefined) this.#forget(...oldest);
    return model;
  }

  /** Pages show its words alone from then on. */
  #forget(id: string, { comm }: Model): void {
    this.#models.delete(id);
    comm.close();
  }

  /** All that a page needs that was opened after them. */
  #states() {
    const states = [...this.#models].map(([id, { state }]) => {
      const { _model_name, _model_module, _model_module_version } = state;
      const names = {
        model_name: _model_name,
        model_module: _model_module,
        model_module_version: _model_module_version,
      };
      return [id, { ...names, state }] as const;
    });
    return { method: "update_states", states: Object.fromEntries(states), buffer_paths: [] };
  }
}

const LAYOUT: WidgetState = {
  _model_module: "@jupyter-widgets/base",
  _model_module_version: "2.0.0",
  _model_name: "LayoutModel",
  _view_module: "@jupyter-widgets/base",
  _view_module_version: "2.0.0",
  _view_name: "LayoutView",
  _view_count: null,
};

/** Any version of anywidget; one before 0.9 calls no `initialize`, and the page shows the words alone. */
const ANYWIDGET: WidgetState = {
  _model_module: "anywidget",
  _model_module_version: "*",
  _model_name: "AnyModel",
  _view_module: "anywidget",
  _view_module_version: "*",
  _view_name: "AnyView",
  _view_count: null,
  _dom_classes: [],
  tabbable: null,
  tooltip: null,
  _css: "",
};

function receive({ data }: CommMessage, model: Model, take: WidgetParts["take"]): unknown {
  if (isMethod(data, "request_state")) return model.comm.send(updateOf(model.state));
  // Our views change nothing by themselves: what they keep is theirs.
  if (!isMethod(data, "custom")) return undefined;
  const { content } = data;
  return typeof content === "object" && content !== null ? take({ ...content }) : undefined;
}

function updateOf(state: WidgetState) {
  return { method: "update", state, buffer_paths: [] };
}

function isMethod(data: unknown, method: string): data is { readonly content?: unknown } {
  return typeof data === "object" && data !== null && "method" in data && data.method === method;
}
