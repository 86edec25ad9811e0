/** Numbers the values that a front end can open; the numbers end when their run continues. */

import { conversations } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { conversationLines } from "../display/values/conversation.ts";
import type { Paging, Variable } from "../jupyter/debug/protocol.ts";
import { preview, typeOf } from "./preview.ts";

export interface ReferenceEntry {
  readonly name: string;
  readonly value: unknown;
  /** The expression that gives it. */
  readonly expression?: string;
  /** Instead of a look at the value. */
  readonly text?: string;
}

interface OpenedValue {
  readonly owner: number;
  entries(): readonly ReferenceEntry[];
}

/** More than this is shown in parts, each to be opened by itself. */
const PART = 100;

export class ValueReferences {
  readonly #kept = new Map<number, OpenedValue>();
  #last = 0;

  /** A number for what is worked out when somebody looks. */
  keep(owner: number, entries: () => readonly ReferenceEntry[]): number {
    this.#last += 1;
    this.#kept.set(this.#last, { owner, entries });
    return this.#last;
  }

  forget(owner: number): void {
    for (const [number, kept] of this.#kept) if (kept.owner === owner) this.#kept.delete(number);
  }

  /** M7763 for a number that is gone. */
  variables(reference: number, { start = 0, count }: Paging): readonly Variable[] {
    const kept = this.#kept.get(reference);
    if (kept === undefined) throw referenceGoneError(reference);
    const entries = kept.entries();
    if (start === 0 && count === undefined && entries.length > PART) {
      return this.#parts(kept.owner, entries);
    }
    const wanted = entries.slice(start, count === undefined ? undefined : start + count);
    return wanted.map((entry) => this.shown(kept.owner, entry));
  }

  shown(owner: number, entry: ReferenceEntry): Variable {
    const { name, value, expression, text } = entry; // The value is worked out here, once.
    return {
      name,
      value: text ?? preview(value),
      type: typeOf(value),
      ...(expression === undefined ? {} : { evaluateName: expression }),
      variablesReference: this.inside(owner, {
        value,
        ...(expression === undefined ? {} : { expression }),
      }),
    };
  }

  /** 0 for what has nothing inside. */
  inside(
    owner: number,
    { value, expression }: Pick<ReferenceEntry, "value" | "expression">,
  ): number {
    if (typeof value !== "object" || value === null) return 0;
    const isEmpty = Object.keys(value).length === 0;
    return isEmpty ? 0 : this.keep(owner, () => entriesOf(value, expression));
  }

  #parts(owner: number, entries: readonly ReferenceEntry[]): readonly Variable[] {
    const size = PART ** Math.max(1, Math.ceil(Math.log(entries.length) / Math.log(PART)) - 1);
    const starts = Array.from({ length: Math.ceil(entries.length / size) }, (_, at) => at * size);
    return starts.map((start) => {
      const part = entries.slice(start, start + size);
      const [first, last] = [part[0]?.name, part.at(-1)?.name];
      return {
        name: `[${first} … ${last}]`,
        value: `${part.length} of ${entries.length}`,
        type: "part",
        variablesReference: this.keep(owner, () => part),
      };
    });
  }
}

function entriesOf(value: object, expression: string | undefined): readonly ReferenceEntry[] {
  const isList = Array.isArray(value);
  const lines = conversations.isConversation(value) ? conversationLines(value) : [];
  return Object.entries(value).map(([name, inside], at) => ({
    name,
    value: inside,
    ...(lines[at] === undefined ? {} : { text: lines[at] }),
    ...(expression === undefined ? {} : { expression: memberOf(expression, name, isList) }),
  }));
}

function memberOf(expression: string, name: string, isList: boolean): string {
  if (isList) return `${expression}[${name}]`;
  const isWord = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name);
  return isWord ? `${expression}.${name}` : `${expression}[${JSON.stringify(name)}]`;
}

function referenceGoneError(reference: number): CommandError {
  return new CommandError("M7763", `the variable ${reference} is gone: its run has continued`, {
    hint: "choose a frame of the current call stack",
  });
}
