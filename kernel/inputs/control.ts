/** Declares the controls that a page shows for inputs, and the values that each of them takes. */
import { RunError } from "../../runtime/index.ts";
import { counted, cut, visibleLine } from "../display/visible.ts";

/** A control as the page is told of it; `state` goes into the model of its widget. */
export interface InputControl<T> {
  readonly kind:
    | "range"
    | "number"
    | "dropdown"
    | "text"
    | "lines"
    | "date"
    | "checkbox"
    | "button";
  readonly state: Readonly<Record<string, unknown>>;
  readonly initial: T;
  /** Says why a value is none of this control; undefined for one that is. */
  readonly refuses: (value: unknown) => string | undefined;
  /** Returns the value for what the page sent, or for a parameter; undefined for what is none. */
  readonly read: (given: unknown) => T | undefined;
  /** Returns the value as the page has it. */
  readonly write: (value: T) => unknown;
  /** Returns the value as people read it. */
  readonly text: (value: T) => string;
}

const plain = { write: (value: unknown) => value, text: (value: unknown) => textOfValue(value) };

function textOfValue(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return cut(visibleLine(text), 200);
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

export function numberControl(
  kind: "range" | "number",
  { min, max, step, value }: Bounds & { readonly value: number },
): InputControl<number> {
  for (const [name, bound] of Object.entries({ min, max, step, value })) {
    if (bound !== undefined && !Number.isFinite(bound)) throw impossible(`${name} is ${bound}`);
  }
  if (step !== undefined && step <= 0) throw impossible(`step is ${step}, and has to be above 0`);
  if (min !== undefined && max !== undefined && min > max)
    throw impossible(`min is ${min}, which is above max, ${max}`);
  const refuses = (given: unknown) => {
    if (typeof given !== "number" || !Number.isFinite(given)) return "it takes a number";
    if (min !== undefined && given < min) return `it begins at ${min}`;
    return max !== undefined && given > max ? `it ends at ${max}` : undefined;
  };
  return checked({
    ...plain,
    kind,
    state: { min: min ?? null, max: max ?? null, step: step ?? "any" },
    initial: value,
    refuses,
    read: (given) => (refuses(given) === undefined ? (given as number) : undefined),
  });
}

export function textControl(value: string, lines: number, hint: string): InputControl<string> {
  const refuses = (given: unknown) => (typeof given === "string" ? undefined : "it takes a text");
  return checked({
    ...plain,
    kind: lines > 1 ? "lines" : "text",
    state: { lines, hint },
    initial: value,
    refuses,
    read: (given) => (typeof given === "string" ? given : undefined),
  });
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export function dateControl(
  value: string,
  { min, max }: { readonly min?: string; readonly max?: string },
): InputControl<string> {
  const isDay = (given: unknown): given is string =>
    typeof given === "string" &&
    DAY.test(given) &&
    !Number.isNaN(Date.parse(given)) &&
    new Date(given).toISOString().startsWith(given);
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound !== undefined && !isDay(bound)) throw impossible(`${name} is no day: ${bound}`);
  }
  if (min !== undefined && max !== undefined && min > max)
    throw impossible(`min is ${min}, which is after max, ${max}`);
  const refuses = (given: unknown) => {
    // A page sends an empty text where nothing is chosen.
    if (!isDay(given) && given !== "") return "it takes a day, as 2026-01-31";
    if (given !== "" && min !== undefined && given < min) return `it begins on ${min}`;
    return given !== "" && max !== undefined && given > max ? `it ends on ${max}` : undefined;
  };
  return checked({
    ...plain,
    kind: "date",
    state: { min: min ?? "", max: max ?? "" },
    initial: value,
    refuses,
    read: (given) => (refuses(given) === undefined ? (given as string) : undefined),
  });
}

export function checkboxControl(value: boolean): InputControl<boolean> {
  return checked({
    ...plain,
    kind: "checkbox",
    state: {},
    initial: value,
    refuses: (given) => (typeof given === "boolean" ? undefined : "it takes true or false"),
    read: (given) => (typeof given === "boolean" ? given : undefined),
  });
}

/** Its value is how often it was pressed. */
export function buttonControl(): InputControl<number> {
  return {
    ...numberControl("number", { min: 0, step: 1, value: 0 }),
    kind: "button",
    text: (value) => `pressed ${counted(value, "time")}`,
  };
}

export interface DropdownChoice<T> {
  readonly label: string;
  readonly value: T;
}

export function dropdownControl<T>(
  choices: readonly DropdownChoice<T>[],
  initial: T,
): InputControl<T> {
  if (choices.length === 0) throw impossible("there is nothing to choose");
  const labels = choices.map(({ label }) => label);
  if (new Set(labels).size < labels.length) throw impossible("two options read alike");
  const at = (value: unknown) => {
    const index = choices.findIndex((choice) => Object.is(choice.value, value));
    return index === -1 ? labels.indexOf(String(value)) : index;
  };
  const listed = labels.slice(0, 20).map((label) => `\`${cut(visibleLine(label), 60)}\``);
  const refuses = (given: unknown) =>
    at(given) === -1 ? `it is one of ${listed.join(", ")}` : undefined;
  return checked({
    kind: "dropdown",
    state: { labels: labels.map((label) => cut(visibleLine(label), 200)) },
    initial,
    refuses,
    // A page sends the number of the option in a list.
    read: (given) => choices[Array.isArray(given) ? Number(given[0]) : at(given)]?.value,
    write: (value) => [at(value)],
    text: (value) => choices[at(value)]?.label ?? textOfValue(value),
  });
}

function checked<T>(control: InputControl<T>): InputControl<T> {
  const why = control.refuses(control.initial);
  if (why === undefined) return control;
  throw impossible(`its value is ${textOfValue(control.initial)}, and ${why}`);
}

export function impossible(why: string): RunError {
  return new RunError("M7842", `there is no such input: ${why}`, {
    hint: "give options that fit each other, as in slider({ min: 0, max: 10, value: 3 })",
  });
}
