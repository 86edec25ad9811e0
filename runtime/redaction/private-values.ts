/**
 * `Private<T>`: values that the log has, so that a run replays exactly, and that nobody is shown: traces, exports and displays have their hash
 * and length. Known by the names of the fields, parameters and members that are typed so, wherever those stand, and by their texts,
 * wherever they were put: into a prompt, an answer, an error.
 */
import { createHash } from "node:crypto";
import type { CalledIr, Ir, NodeIr, TypeIr } from "../../dsl/index.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import { isTransient } from "../events/transient.ts";

/** The replacement of a private value. */
interface Hidden {
  readonly $private: string;
  readonly length: number;
}

/** A shorter text is likelier a word of another text than the private one in it. */
const TEXT_LENGTH_MIN = 4;

/** Members of events that are words; all other texts in them are names of places, kinds and codes. */
const SAID = new Set([
  ...["reason", "message", "question", "text", "explanation"],
  ...["input", "request", "shown", "task", "feedback", "content"],
]);
/** Members of events that are what a node, or a call in it, came to. */
const OUTPUTS = new Set(["output", "value", "answer"]);

/** Members of records and events that are places and counts, whatever numbers are private. */
const COUNTS = new Set([
  ...["seq", "at", "id", "step", "attempt", "call", "item", "ordinal", "path", "usage"],
  ...["durationMs", "flow", "frame", "scope", "ir", "steps", "from", "to", "number"],
]);

/** The private values of one run. */
export class PrivateValues {
  readonly #names: ReadonlySet<string>;
  /** Nodes whose output is private, or a part of it. */
  readonly #nodes: ReadonlySet<string>;
  readonly #texts = new Map<string, string>();
  #pattern: RegExp | undefined;

  private constructor(names: ReadonlySet<string>, nodes: ReadonlySet<string>) {
    this.#names = names;
    this.#nodes = nodes;
  }

  /** Undefined for a program in which nothing is private, as in most. */
  static of(ir: Ir): PrivateValues | undefined {
    const graphs: readonly CalledIr[] = [ir, ...(ir.graphs ?? [])];
    const names = new Set(graphs.flatMap(privateNames));
    if (names.size === 0) return undefined;
    const nodes = graphs.flatMap((graph) => graph.nodes.filter((node) => tells(node, names)));
    return new PrivateValues(names, new Set(nodes.map(({ name }) => name)));
  }

  /** Looks for private values, by the names under which they stand. */
  learn(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const isNamed = this.#isNamed(value);
    for (const [key, part] of Object.entries(value)) {
      if (this.#names.has(key) || (isNamed && key === "value")) this.#keep(part);
      else this.learn(part);
    }
  }

  /** The same in what is told of a run; before anybody is told of it. */
  learnEvent(event: RunEvent): void {
    for (const part of Object.values(event)) this.learn(part);
    if (!("node" in event) || !this.#isOf(event.node)) return;
    if (event.kind === "model.response" || event.kind === "function.result")
      this.#learnAnswer(event.value);
    if (event.kind === "interrupt.answered" && "value" in event.answer)
      this.#keep(event.answer.value);
    if (event.kind === "commit" && !this.#hasNames(event.output)) this.#keep(event.output);
  }

  /** The value for people. */
  hide(value: unknown): unknown {
    if (typeof value === "string") return this.#hideText(value);
    if (typeof value === "number") return this.#texts.has(String(value)) ? hidden(value) : value;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.hide(item));
    const isNamed = this.#isNamed(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        const isPrivate = this.#names.has(key) || (isNamed && key === "value");
        if (isPrivate) return [key, hidden(part)];
        return [key, COUNTS.has(key) ? part : this.hide(part)];
      }),
    );
  }

  /** The event for people: what names places stays, and what a private node came to is hidden whole. */
  hideEvent<E extends RunEvent>(event: E): E {
    const isPrivate = "node" in event && this.#isOf(event.node);
    // It comes in pieces, before anybody knows what it is.
    if (isPrivate && isTransient(event) && event.text !== undefined)
      return { ...event, text: markOf(event.text) };
    const entries = Object.entries(event).map(([key, part]) => {
      if (isPrivate && OUTPUTS.has(key)) return [key, this.#hideOutput(part)];
      const isPlain = typeof part !== "object" || COUNTS.has(key);
      if (isPlain && !SAID.has(key) && !OUTPUTS.has(key)) return [key, part];
      return [key, this.hide(part)];
    });
    // The same shape with other values in it.
    return Object.fromEntries(entries) as E;
  }

  /** Hides the private parts of an output: of a model's answer, of a list of fields. */
  #hideOutput(value: unknown): unknown {
    if (this.#hasNames(value)) return this.hide(value);
    if (typeof value !== "object" || value === null) return hidden(value);
    if ("text" in value) return { ...Object(this.hide(value)), text: markOf(String(value.text)) };
    if ("kind" in value && "value" in value)
      return { ...value, value: this.#hideOutput(value.value) };
    return hidden(value);
  }

  #hasNames(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return false;
    return Object.keys(value).some((key) => this.#names.has(key));
  }

  /** Returns the mark for a node's output that is private as a whole, as text; undefined where it is not. */
  wholeOf(node: string | undefined, text: string): string | undefined {
    return this.#isOf(node) ? markOf(text) : undefined;
  }

  #isOf(node: string | undefined): boolean {
    return node !== undefined && this.#nodes.has(node);
  }

  /** Tells whether a name beside its value says that it is private: a write's field, a name in a patch's path. */
  #isNamed(value: object): boolean {
    if ("field" in value && typeof value.field === "string") return this.#names.has(value.field);
    if (!("path" in value) || !Array.isArray(value.path)) return false;
    return value.path.some((part: unknown) => typeof part === "string" && this.#names.has(part));
  }

  /** Learns the private values in the whole answer of a model or function, which may be JSON inside other text. */
  #learnAnswer(value: unknown): void {
    this.#keep(value);
    const text =
      typeof value === "object" && value !== null && "text" in value ? value.text : value;
    if (typeof text !== "string") return;
    try {
      this.#keep(JSON.parse(text));
    } catch {
      // It is the text itself.
    }
  }

  /** Keeps the texts of a private value, and its numbers where they are long enough to be known again. */
  #keep(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") this.#keepText(String(value));
    else if (typeof value === "object" && value !== null && !isHidden(value))
      for (const part of Object.values(value)) this.#keep(part);
  }

  #keepText(text: string): void {
    if (text.length < TEXT_LENGTH_MIN || this.#texts.has(text)) return;
    const mark = markOf(text);
    this.#texts.set(text, mark);
    this.#texts.set(JSON.stringify(text).slice(1, -1), mark);
    this.#pattern = undefined;
  }

  #hideText(text: string): string {
    if (this.#texts.size === 0) return text;
    this.#pattern ??= patternOf([...this.#texts.keys()]);
    return text.replace(this.#pattern, (found) => this.#texts.get(found) ?? found);
  }
}

/** The longest first: one may be the beginning of another. */
function patternOf(texts: readonly string[]): RegExp {
  const sorted = [...texts].sort((a, b) => b.length - a.length);
  return new RegExp(
    sorted.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"),
    "g",
  );
}

function markOf(text: string): string {
  return `⟦private:${digest(text)} ${text.length}⟧`;
}

/** Hidden once is hidden enough. */
/** Returns the replacement of a value that is private as a whole. */
export function hidden(value: unknown): unknown {
  if (value === undefined || value === null || isHidden(value)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { $private: digest(text), length: text.length } satisfies Hidden;
}

function isHidden(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$private" in value;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** The names of fields and parameters whose type is private, and of members of types that are. */
/** Tells whether a field's type has anything private in it. */
export function isPrivateField(
  field: { readonly name: string; readonly type: TypeIr },
  types: CalledIr["types"],
): boolean {
  const declared = new Map(types.map(({ name, type }) => [name, type]));
  return namesIn(field, declared, new Set()).length > 0;
}

function privateNames({ fields, params, nodes, types }: CalledIr): string[] {
  const declared = new Map(types.map(({ name, type }) => [name, type]));
  const typed = [...fields, ...params, ...nodes.flatMap((node) => node.params)];
  return typed.flatMap(({ name, type }) => namesIn({ name, type }, declared, new Set()));
}

function namesIn(
  { name, type }: { readonly name: string; readonly type: TypeIr },
  declared: ReadonlyMap<string, TypeIr>,
  seen: ReadonlySet<string>,
): string[] {
  const within = (inner: TypeIr, inside = seen) => namesIn({ name, type: inner }, declared, inside);
  switch (type.kind) {
    case "literal":
      return [];
    case "array":
      return within(type.of);
    case "tuple":
    case "union":
      return type.types.flatMap((each) => within(each));
    case "object":
      return type.members.flatMap((member) => namesIn(member, declared, seen));
    case "named": {
      if (type.name === "Private") return [name];
      const target = seen.has(type.name) ? undefined : declared.get(type.name);
      const inside = new Set([...seen, type.name]);
      return [...type.args, ...(target === undefined ? [] : [target])].flatMap((each) =>
        within(each, inside),
      );
    }
  }
}

function tells({ writes, output }: NodeIr, names: ReadonlySet<string>): boolean {
  if (writes.some(({ field }) => names.has(field))) return true;
  const text = JSON.stringify(output ?? {});
  return [...names].some((name) => text.includes(`${JSON.stringify(name)}:`));
}
