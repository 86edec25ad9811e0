/** Says the parts of a plan's step as text. */
import type { PlanNote } from "../../dsl/index.ts";

/** One line a part; parts within others are indented. */
export function detailsOf(notes: readonly PlanNote[]): string {
  const [only] = notes;
  if (notes.length === 1 && only !== undefined && isPlain(only)) return only.text;
  return linesOf(notes, "").join("\n");
}

function isPlain(note: PlanNote): note is PlanNote & { readonly text: string } {
  return "text" in note && note.input === undefined && note.output === undefined;
}

function linesOf(notes: readonly PlanNote[], indent: string): readonly string[] {
  return notes.flatMap((note, at) => {
    const line = `${indent}${at + 1}. `;
    if ("text" in note) return [`${line}${note.text}${variablesOf(note)}`];
    if ("each" in note) {
      return [`${line}For each of ${note.each}:`, ...linesOf(note.notes, `${indent}   `)];
    }
    const when = note.loop === true ? "Whenever" : "Once";
    return [
      `${line}${when} this happens (${note.watch}): ${note.description}`,
      ...linesOf(note.notes, `${indent}   `),
    ];
  });
}

function variablesOf({ input, output }: { readonly input?: string; readonly output?: string }) {
  const parts = [
    ...(input === undefined ? [] : [`reads ${input}`]),
    ...(output === undefined ? [] : [`writes ${output}`]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
