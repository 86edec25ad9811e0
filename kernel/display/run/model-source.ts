/** Names who answered in a run: a model, rules or a script. */

const WORDS: Readonly<Record<string, string>> = {
  live: "a live model",
  cassette: "a recorded model",
  scripted: "a script, not a model",
  rules: "rules, not a model",
};

/** `answers by rules, not a model`. */
export function sourceText(sources: Iterable<string>): string {
  const words = [...new Set(sources)].sort().map((source) => WORDS[source] ?? source);
  return words.length === 0 ? "no model called" : `answers by ${words.join(" and ")}`;
}
