/** Reports the findings of a check, with the nearest name where one is unknown. */
import type { Code } from "../codes.ts";
import type { Finding } from "../diagnostics/diagnostic.ts";
import type { Span } from "../diagnostics/source.ts";
import { nearest } from "../names/nearest.ts";

/** Takes what a check finds. */
export type Report = (finding: Finding) => void;

/** A word that nothing is called by. */
export interface UnknownWord {
  readonly code: Code;
  /** The kind of thing that was looked for: `node`, `field`. */
  readonly what: string;
  readonly word: string;
  readonly span: Span;
  /** Asked for, like `otherwise`, when somebody reads the hint: in a large graph that is long, and few hints are read. */
  readonly candidates: readonly string[];
  /** The hint where no known name is similar. */
  readonly otherwise?: string | undefined;
}

/** Reports a name that nobody declares, with the nearest one that somebody does. */
export function reportUnknown(report: Report, unknown: UnknownWord): void {
  const { code, what, word, span } = unknown;
  report({ code, message: `no ${what} is called \`${word}\``, span, hint: () => hintFor(unknown) });
}

function hintFor(unknown: UnknownWord): string | undefined {
  const { word, candidates } = unknown;
  const near = nearest(word, candidates);
  return near === undefined
    ? (unknown.otherwise ?? listed(candidates))
    : `did you mean \`${near}\`?`;
}

/** `there is: a, b, c` for short lists. */
export function listed(candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || candidates.length > 8) return undefined;
  return `there ${candidates.length === 1 ? "is" : "are"} ${quoted(candidates)}`;
}

/** Names in backticks, with commas. */
export function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
