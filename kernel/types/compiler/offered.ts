/** Ranks what a compiler offers in a TypeScript cell, and shows it in the form of front ends. */
import type { CompletionItem } from "../service.ts";

/** An entry of a compiler's list. */
export interface OfferedEntry {
  readonly name: string;
  /** TypeScript's kind of it: `const`, `function`, `property`, `keyword` … */
  readonly kind: string;
  readonly sortText: string;
}

export interface WrittenPart {
  /** The part of the replaced name that stands before the cursor. */
  readonly written: string;
  /** Nothing but these is wanted. */
  readonly only?: ReadonlySet<string> | undefined;
}

/** Best first: what begins as written, then what holds it; with their types as far as anybody looks. */
export function toItems<Entry extends OfferedEntry>(
  entries: readonly Entry[],
  { written, only }: WrittenPart,
  signaturesOf: (entries: readonly Entry[]) => readonly (string | undefined)[],
): readonly CompletionItem[] {
  const ranked = entries
    .filter(({ name }) => only === undefined || only.has(name))
    .map((entry) => ({ entry, rank: rankOf(entry.name, written) }))
    .filter(({ rank }) => rank < NO_MATCH)
    .sort((a, b) => a.rank - b.rank || byOrder(a.entry, b.entry))
    .map(({ entry }) => entry);
  const signatures = signaturesOf(ranked.slice(0, SIGNATURES_MAX));
  return ranked.map(({ name, kind }, index): CompletionItem => {
    const signature = signatures[index];
    const shown = signature === undefined ? {} : { signature: shortened(signature) };
    return { text: name, type: kind || "text", ...shown };
  });
}

/** Working out a type costs; nobody reads further down a list. */
const SIGNATURES_MAX = 50;
const NO_MATCH = 3;

function rankOf(name: string, written: string): number {
  if (name.startsWith(written)) return 0;
  const [lower, looked] = [name.toLowerCase(), written.toLowerCase()];
  if (lower.startsWith(looked)) return 1;
  return lower.includes(looked) ? 2 : NO_MATCH;
}

function byOrder(one: OfferedEntry, other: OfferedEntry): number {
  return one.sortText.localeCompare(other.sortText) || one.name.localeCompare(other.name);
}

const SIGNATURE_CHARACTERS = 200;

function shortened(text: string): string {
  return text.length <= SIGNATURE_CHARACTERS ? text : `${text.slice(0, SIGNATURE_CHARACTERS)}…`;
}

/** The place of the name at the cursor. */
export function nameAround(code: string, offset: number): { start: number; end: number } {
  const name = /[\p{L}\p{N}_$]*$/u.exec(code.slice(0, offset))?.[0] ?? "";
  const rest = /^[\p{L}\p{N}_$]*/u.exec(code.slice(offset))?.[0] ?? "";
  return { start: offset - name.length, end: offset + rest.length };
}
