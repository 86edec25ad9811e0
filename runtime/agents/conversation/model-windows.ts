/** Knows how many tokens models can read at once, where their makers have said so. */

/**
 * The tokens that models can read at least, by the beginning of their names; the first that fits counts. As their makers
 * state them: platform.openai.com/docs/models, docs.claude.com (models overview), ai.google.dev/gemini-api/docs/models.
 * A family that some accounts may use with more has the number that all have.
 */
const WINDOWS: readonly (readonly [name: string, tokens: number])[] = [
  ["gpt-4o", 128_000],
  ["gpt-4.1", 1_047_576],
  ["gpt-5", 400_000],
  ["o1", 200_000],
  ["o3", 200_000],
  ["o4-mini", 200_000],
  ["claude-", 200_000],
  ["gemini-2", 1_048_576],
];

/** Returns the tokens that a model can read at least, by its id; undefined where that is not known. */
export function windowOf(id: string): number | undefined {
  const name = id.slice(id.lastIndexOf("/") + 1);
  return WINDOWS.find(([known]) => name.startsWith(known))?.[1];
}
