/** Builds text that keeps where each piece stands in the person's text, and what it is for. */
import type { Span } from "../../../../dsl/index.ts";
import { rangesAround } from "./ranges-around.ts";

/**
 * The purpose of generated TypeScript around a piece of a graph; it decides the code and the words
 * of a diagnostic.
 */
export type Purpose =
  | "argument"
  | "condition"
  | "shown"
  | "items"
  | "write"
  /** One of several fields that a function returns the values of. */
  | "member"
  | "default"
  | "reducer"
  | "case"
  | "missing-case"
  | "tool"
  /** The name that a node's function gives back to say where the run goes on. */
  | "route"
  | "pause"
  | "comparison"
  /** The engine's context behind the arguments of a `run` node's function, in a call for trial. */
  | "context"
  | "import"
  | "value";

/** TypeScript that is made of a graph, with a map from its pieces to the text that they stand for. */
export interface MappedText {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** The ranges of the text that check a node or a graph, by its name. */
  readonly sections: readonly Segment[];
  /**
   * Ranges whose errors count only if the text at `span` has none: the body of an `each`, by its
   * items.
   */
  readonly dependents: readonly Segment[];
  /** Comparisons with a literal, whose place `span` is: it is at fault where the two sides can't be equal. */
  readonly comparisons: readonly Segment[];
}

export interface Segment {
  /** Offsets in the TypeScript, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** The place in the person's text; absent for an echo, in which no error is reported. */
  readonly span?: Span;
  readonly purpose?: Purpose;
}

/** Writes a `MappedText` piece by piece. */
export class TextWriter {
  #text = "";
  readonly #segments: Segment[] = [];
  readonly #sections: Segment[] = [];
  readonly #dependents: Segment[] = [];
  readonly #comparisons: Segment[] = [];

  get result(): MappedText {
    return {
      text: this.#text,
      segments: this.#segments,
      sections: this.#sections,
      dependents: this.#dependents,
      comparisons: this.#comparisons,
    };
  }

  /** Text that stands for nothing in the graph. */
  raw(text: string): this {
    this.#text += text;
    return this;
  }

  /** Text that stands for a span of the graph. */
  mapped(text: string, span: Span | undefined): this {
    return this.within(span, () => void this.raw(text));
  }

  /** All that `write` writes stands for a span, where its own pieces are not more exact. */
  within(span: Span | undefined, write: () => void): this {
    return this.#segment(span === undefined ? undefined : { span }, write);
  }

  /** All that `write` writes serves a purpose. */
  for(purpose: Purpose, span: Span | undefined, write: () => void): this {
    return this.#segment(span === undefined ? undefined : { span, purpose }, write);
  }

  /**
   * Writes text that repeats another part for its effect on types; an error in it is reported at
   * that part.
   */
  echo(write: () => void): this {
    return this.#segment({}, write);
  }

  /** All that `write` writes is the check of what is named here. */
  section(name: Span | undefined, write: () => void): this {
    return this.#range(this.#sections, name, write);
  }

  /**
   * Marks the text of `write` as dependent: its errors follow from those in the text at `cause`, if
   * there are any.
   */
  dependent(cause: Span | undefined, write: () => void): this {
    return this.#range(this.#dependents, cause, write);
  }

  /** Marks the text of `write` as a comparison with the literal at a span. */
  comparison(literal: Span | undefined, write: () => void): this {
    return this.#range(this.#comparisons, literal, write);
  }

  #range(ranges: Segment[], span: Span | undefined, write: () => void): this {
    const start = this.#text.length;
    write();
    if (span !== undefined) ranges.push({ start, end: this.#text.length, span });
    return this;
  }

  #segment(about: Pick<Segment, "span" | "purpose"> | undefined, write: () => void): this {
    const start = this.#text.length;
    write();
    if (about !== undefined) this.#segments.push({ start, end: this.#text.length, ...about });
    return this;
  }
}

export interface PlaceInGraph {
  readonly span: Span;
  /** `value` unless the whole of what serves a purpose is meant. */
  readonly purpose: Purpose;
  /** The purpose of the whole that this may be a part of. */
  readonly within: Purpose;
}

/** The place in the graph, and the purpose, of a range of the TypeScript. Undefined for text that stands for nothing. */
export function findPlaceInGraph(
  { segments }: MappedText,
  start: number,
  length: number,
): PlaceInGraph | "echo" | undefined {
  const around = (end: number) => rangesAround(segments, start, end);
  const touching = around(start + Math.min(length, 1));
  if (touching.some(({ span }) => span === undefined)) return "echo";
  const whole = around(start + length);
  const [nearest] = whole.length > 0 ? whole : touching;
  if (nearest?.span === undefined) return undefined;
  const served = whole.find((segment) => segment.purpose !== undefined);
  const isWhole = served?.start === start && served.end === start + length;
  const purpose = isWhole || served?.purpose === "argument" ? served?.purpose : "value";
  const within = served?.purpose ?? "value";
  return { span: nearest.span, purpose: purpose ?? "value", within };
}

/** The literal of a comparison that stands at exactly this range of the TypeScript. */
export function literalAt(
  { comparisons }: MappedText,
  start: number,
  length: number,
): Span | undefined {
  return comparisons.find((one) => one.start === start && one.end === start + length)?.span;
}

/** The callees that are called for trial with the engine's context, by the place of that context in the TypeScript. */
export function trialsIn({ segments }: MappedText): ReadonlyMap<number, Span> {
  const trials = segments.flatMap(({ purpose, start, span }) =>
    purpose === "context" && span !== undefined ? [[start, span] as const] : [],
  );
  return new Map(trials);
}

/** The texts in which something is wrong already if something is wrong at this place of the TypeScript. */
export function causesOf({ dependents }: MappedText, start: number): readonly Span[] {
  return dependents.flatMap((one) =>
    one.start <= start && one.end > start && one.span !== undefined ? [one.span] : [],
  );
}

/** The name of what a place in the TypeScript is the check of. */
export function sectionOf({ sections }: MappedText, start: number): Span | undefined {
  return rangesAround(sections, start, start + 1)[0]?.span;
}
