/** Exports the inputs of cells: `slider`, `number`, `dropdown`, `text`, `date`, `checkbox`, `button`, `pickRows` and `form`. */
import type { Row } from "../../runtime/index.ts";
import { inertRows } from "../display/table/inert.ts";
import { plainRows } from "../display/table/plain-rows.ts";
import { columnsOf, Rows } from "../display/table/rows.ts";
import { tableHtml, tableOfPage } from "../display/table/table.ts";
import { openViewer } from "../display/values/table-viewer.ts";
import { counted } from "../display/visible.ts";
import { currentHost } from "../host.ts";
import type { Widget, WidgetState } from "../widgets/widgets.ts";
import {
  type Bounds,
  buttonControl,
  checkboxControl,
  type DropdownChoice,
  dateControl,
  dropdownControl,
  type InputControl,
  impossible,
  numberControl,
  textControl,
} from "./control.ts";
import { type Input, InputValue } from "./input-value.ts";
import { variableAtCall } from "./parameters.ts";

/** Options of every input. */
export interface InputOptions {
  /** The text before it; the name of its variable if absent. */
  readonly label?: string;
  /** The name by which `madrigal exec --param` sets it; that of its variable if absent. */
  readonly name?: string;
}

/** A slider, from 0 to 100 unless it is said. */
export function slider(
  options: InputOptions & Bounds & { readonly value?: number } = {},
): Input<number> {
  const { min = 0, max = 100, step = 1, value = min } = options;
  return made("slider", options, numberControl("range", { min, max, step, value }));
}

/** A field for a number. */
export function number(
  options: InputOptions & Bounds & { readonly value?: number } = {},
): Input<number> {
  const { value = Math.max(options.min ?? 0, Math.min(options.max ?? 0, 0)) } = options;
  return made("number", options, numberControl("number", { ...options, value }));
}

/** One of several options: a list of values, or values by what stands for them. The first one unless it is said. */
export function dropdown<const T>(
  choices: readonly T[] | Readonly<Record<string, T>>,
  options: InputOptions & { readonly value?: NoInfer<T> } = {},
): Input<T> {
  const listed: readonly DropdownChoice<T>[] = Array.isArray(choices)
    ? choices.map((value: T) => ({ label: String(value), value }))
    : Object.entries(choices as Readonly<Record<string, T>>).map(([label, value]) => ({
        label,
        value,
      }));
  const initial = "value" in options ? (options.value as T) : (listed[0]?.value as T);
  return made("dropdown", options, dropdownControl(listed, initial));
}

/** A line of text, or several. */
export function text(
  options: InputOptions & {
    readonly value?: string;
    readonly lines?: number;
    readonly hint?: string;
  } = {},
): Input<string> {
  const { value = "", lines = 1, hint = "" } = options;
  return made("text", options, textControl(value, lines, hint));
}

/** A day, as `2026-01-31`; an empty text where none is chosen. */
export function date(
  options: InputOptions & {
    readonly value?: string;
    readonly min?: string;
    readonly max?: string;
  } = {},
): Input<string> {
  return made("date", options, dateControl(options.value ?? "", options));
}

/** A box to tick. */
export function checkbox(
  options: InputOptions & { readonly value?: boolean } = {},
): Input<boolean> {
  return made("checkbox", options, checkboxControl(options.value ?? false));
}

/** A button; its value counts how often it was pressed. */
export function button(label: string, options: Pick<InputOptions, "name"> = {}): Input<number> {
  return made("button", { ...options, label }, buttonControl());
}

/** Inputs side by side, whose values are taken together when the person presses the button. */
export function form<const T extends Readonly<Record<string, Input<unknown>>>>(
  inputs: T,
  options: InputOptions & { readonly submit?: string } = {},
): Input<{ readonly [K in keyof T]: T[K] extends Input<infer V> ? V : never }> {
  type Values = { readonly [K in keyof T]: T[K] extends Input<infer V> ? V : never };
  const fields = Object.entries(inputs);
  const controls = fields.map(([key, input]) => {
    if (input instanceof ControlInput && input.control.kind !== "button")
      return [key, input] as const;
    throw impossible(
      `\`${key}\` of the form is no slider, number, dropdown, text, date or checkbox`,
    );
  });
  if (controls.length === 0) throw impossible("the form has no inputs");
  const name = options.name ?? variableAtCall("form");
  const label = options.label ?? name ?? "form";
  return new FormInput({
    label,
    name,
    fields: controls,
    submit: options.submit ?? "Submit",
  }) as unknown as Input<Values>;
}

/** Rows of a table that a person ticks: none at first, one or any number. */
export function pickRows<T extends object>(
  rows: readonly T[],
  options: InputOptions & { readonly several?: boolean } = {},
): Input<readonly T[]> {
  const table = rows as readonly Row[];
  if (!(rows instanceof Rows) && plainRows(rows) === undefined)
    throw impossible("pickRows takes an array of plain objects");
  const name = options.name ?? variableAtCall("pickRows");
  const label = options.label ?? name ?? "rows";
  const picked = new RowsInput({ label, name, rows: table, several: options.several ?? false });
  return picked as unknown as Input<readonly T[]>;
}

function made<T>(called: string, options: InputOptions, control: InputControl<T>): Input<T> {
  const name = options.name ?? variableAtCall(called);
  return new ControlInput({ label: options.label ?? name, called, name }, control);
}

class ControlInput<T> extends InputValue<T> {
  readonly control: InputControl<T>;

  /** Absent where neither a label nor a variable names it; in a form, its key does. */
  readonly ownLabel: string | undefined;

  constructor(
    named: {
      readonly label: string | undefined;
      readonly called: string;
      readonly name: string | undefined;
    },
    control: InputControl<T>,
  ) {
    const { label, called, name } = named;
    super({ ...control, label: label ?? called, name });
    this.control = control;
    this.ownLabel = label;
  }

  /** The control as it is now, as a part of a form too. */
  field(): WidgetState {
    const { kind, state, write } = this.control;
    return { ...state, kind, label: this.label, value: write(this.value) };
  }

  protected state(): WidgetState {
    return { fields: [this.field()] };
  }

  protected open(): Widget | undefined {
    return currentHost()?.widgets?.open({
      view: "inputs.js",
      state: { ...this.state(), submit: "" },
      take: ({ values, ...content }) => {
        const sent = Array.isArray(values) ? { value: values[0] as unknown } : {};
        return this.take({ ...content, ...sent }, this.control.read);
      },
    });
  }
}

type FieldValues = Readonly<Record<string, unknown>>;

interface FormParts {
  readonly label: string;
  readonly name: string | undefined;
  readonly fields: readonly (readonly [string, ControlInput<unknown>])[];
  readonly submit: string;
}

class FormInput extends InputValue<FieldValues> {
  readonly #form: FormParts;

  constructor(form: FormParts) {
    const { fields, label, name } = form;
    super({
      label,
      name,
      initial: Object.fromEntries(fields.map(([key, input]) => [key, input.value])),
      refuses: (given) => {
        const whys = fields.map(([key, input]) => {
          const why = input.control.refuses((given as FieldValues | undefined)?.[key]);
          return why === undefined ? undefined : `${key}: ${why}`;
        });
        return whys.find((why) => why !== undefined);
      },
      // A parameter may set some of the fields.
      read: (given) =>
        typeof given === "object" && given !== null
          ? Object.fromEntries(
              fields.map(([key, input]) => [
                key,
                key in given ? input.control.read((given as FieldValues)[key]) : input.value,
              ]),
            )
          : undefined,
      text: (values) =>
        fields.map(([key, input]) => `${key} ${input.control.text(values[key])}`).join(", "),
    });
    this.#form = form;
  }

  protected state(): WidgetState {
    const values = this.value;
    return {
      fields: this.#form.fields.map(([key, input]) => ({
        ...input.field(),
        label: input.ownLabel ?? key,
        value: input.control.write(values[key]),
      })),
    };
  }

  protected open(): Widget | undefined {
    const { fields, submit } = this.#form;
    return currentHost()?.widgets?.open({
      view: "inputs.js",
      state: { ...this.state(), submit },
      take: ({ values, ...content }) => {
        if (!Array.isArray(values)) return this.take(content, () => undefined);
        const read = fields.map(
          ([key, { control }], at) => [key, control.read(values[at])] as const,
        );
        const value = Object.fromEntries(read);
        return this.take({ ...content, value }, () => value);
      },
    });
  }
}

interface PickParts {
  readonly label: string;
  readonly name: string | undefined;
  readonly rows: readonly Row[];
  readonly several: boolean;
}

class RowsInput extends InputValue<readonly Row[]> {
  readonly #pick: PickParts;

  constructor(pick: PickParts) {
    const { rows, several, label, name } = pick;
    const numbered = (given: unknown) =>
      Array.isArray(given) && given.every((one) => rows[one as number] !== undefined)
        ? given.map((one) => rows[one as number] as Row)
        : undefined;
    super({
      label,
      name,
      initial: [],
      refuses: (given) => {
        if (!Array.isArray(given) || !given.every((one) => rows.includes(one as Row)))
          return "it takes rows of its table; a parameter names them by their numbers, from 0";
        return !several && given.length > 1
          ? "it takes one row; `several: true` takes more"
          : undefined;
      },
      read: numbered,
      text: (chosen) =>
        chosen.length === 0
          ? "no row"
          : `${counted(chosen.length, "row")}, ${chosen
              .map((row) => rows.indexOf(row))
              .slice(0, 20)
              .join(", ")}`,
    });
    this.#pick = pick;
  }

  protected state(): WidgetState {
    const { rows } = this.#pick;
    return { chosen: this.value.map((row) => rows.indexOf(row)) };
  }

  protected override words(): string {
    const { rows } = this.#pick;
    const table = rows instanceof Rows ? rows : new Rows(inertRows(rows));
    return `${super.words()}${tableHtml(tableOfPage({ rows: table, number: 1 }))}`;
  }

  protected open(): Widget | undefined {
    const { rows: all, several } = this.#pick;
    const rows = inertRows(all);
    const columns = all instanceof Rows ? all.columns : columnsOf(rows);
    return openViewer(
      { rows, columns },
      {
        chooses: several ? "several" : "one",
        state: this.state(),
        take: ({ choose, done }) =>
          this.take({ ...(choose === undefined ? {} : { value: choose }), done }, this.parts.read),
      },
    );
  }
}
