/** Represents an input: a value that a person changes in the page, and code reads, awaits and subscribes to. */
import { CurrentValue, RunError } from "../../runtime/index.ts";
import type { Bundle } from "../cell-output.ts";
import { bundleOf, HTML, PLAIN } from "../display/bundle.ts";
import { escapeMarkup } from "../display/escape.ts";
import { LiveValue } from "../display/live-value.ts";
import { cut, visibleLine } from "../display/visible.ts";
import { currentHost } from "../host.ts";
import type { Widget, WidgetState } from "../widgets/widgets.ts";
import { parameterOf } from "./parameters.ts";

/** An input of a cell. */
export interface Input<T> extends AsyncIterable<T> {
  /** The value as it is now. Setting one that the control can't have throws M7843. */
  value: T;
  /** The value as it is now, and each later one. */
  readonly value$: CurrentValue<T>["value$"];
  readonly label: string;
}

/** The functions by which an input is checked and shown. */
export interface InputRules<T> {
  readonly label: string;
  /** The name by which `--param` sets it. */
  readonly name: string | undefined;
  readonly initial: T;
  readonly refuses: (value: unknown) => string | undefined;
  /** Returns the value for a parameter. */
  readonly read: (given: unknown) => T | undefined;
  readonly text: (value: T) => string;
}

export abstract class InputValue<T> extends LiveValue implements Input<T> {
  readonly label: string;
  protected readonly parts: InputRules<T>;
  readonly #current: CurrentValue<T>;
  #widget: Widget | undefined;
  /** The outputs show an earlier value. */
  #isChanged = false;
  /** Resolves once the cells that run again by the last change have run. */
  #rerun: Promise<void> | undefined;

  constructor(parts: InputRules<T>) {
    super();
    this.parts = parts;
    this.label = cut(visibleLine(parts.label), 200);
    this.#current = new CurrentValue(beginning(parts));
  }

  get value(): T {
    return this.#current.value;
  }

  set value(value: T) {
    this.set(value);
    this.showAgain();
  }

  get value$(): CurrentValue<T>["value$"] {
    return this.#current.value$;
  }

  /** The value as it is now, then later ones; who is slower than the person gets the last. */
  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this.#current[Symbol.asyncIterator]();
  }

  protected override showAgain(): void {
    this.#isChanged = false;
    super.showAgain();
  }

  toMimeBundle(): Bundle {
    const text = `${this.label}: ${this.parts.text(this.value)}`;
    const words = this.words();
    const widgets = currentHost()?.widgets;
    // All outputs that show the input are places of one widget.
    if (widgets?.isSupported === true) this.#widget ??= this.open();
    return bundleOf({ [HTML]: this.#widget?.placed(words) ?? words, [PLAIN]: text });
  }

  /** Opens the widget; undefined where the page has none. */
  protected abstract open(): Widget | undefined;
  /** The state of the widget that stands for the value. */
  protected abstract state(): WidgetState;

  /** The value as HTML, for pages without a kernel. */
  protected words(): string {
    return `<div class="madrigal-input-static">${escapeMarkup(this.label)}: <b>${escapeMarkup(this.parts.text(this.value))}</b></div>`;
  }

  /** Takes what a view says: a value, or that the person has left the control, so that the saved output may change under it. */
  protected async take(
    content: Readonly<Record<string, unknown>>,
    read: (given: unknown) => T | undefined,
  ): Promise<void> {
    if ("value" in content) {
      const value = read(content.value);
      if (value !== undefined && this.parts.refuses(value) === undefined) this.set(value);
    }
    if (content.done === true && this.#isChanged) this.showAgain();
    await this.#rerun;
  }

  protected set(value: T): void {
    const why = this.parts.refuses(value);
    if (why !== undefined) throw wrongValue(this.parts, value, why);
    this.#isChanged = true;
    this.#current.value = value;
    this.#widget?.update(this.state());
    this.#rerun = currentHost()?.changed?.(this);
  }
}

function beginning<T>(parts: InputRules<T>): T {
  const set = parts.name === undefined ? undefined : parameterOf(parts.name);
  if (set === undefined) return parts.initial;
  const value = parts.read(set.value);
  const why = parts.refuses(value ?? set.value);
  if (why !== undefined || value === undefined)
    throw wrongValue(parts, set.value, why ?? "it takes another kind of value");
  return value;
}

function wrongValue<T>(parts: InputRules<T>, value: unknown, why: string): RunError {
  const text = cut(visibleLine(JSON.stringify(value) ?? String(value)), 100);
  return new RunError("M7843", `\`${parts.name ?? parts.label}\` can't be ${text}: ${why}`, {
    hint: "an input takes the values that its control can show",
  });
}
