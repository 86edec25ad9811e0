/** Checks a word against a closed list, and suggests the one that was probably meant. */
import { nearest } from "../../names/nearest.ts";
import type { Name } from "../../syntax/tree/ast.ts";
import { quoted, type Report } from "../report.ts";

const OLD_WORDS: Readonly<Record<string, string>> = {
  fail: "error",
  failure: "error",
  failed: "error",
  exception: "error",
  catch: "error",
  timeout: "limit",
  budget: "limit",
  denied: "deny",
  reject: "deny",
  rejected: "deny",
  rate_limit: "transport",
  network: "transport",
  validation: "invalid",
  schema: "invalid",
};

/** Reports a word that is none of a closed list, with the one that was probably meant. */
export function checkWord(
  name: Name,
  words: readonly string[],
  kind: { readonly code: "M4102" | "M4103" | "M4910"; readonly what: string },
  report: Report,
): void {
  if (words.includes(name.text)) return;
  const old = Object.hasOwn(OLD_WORDS, name.text) ? OLD_WORDS[name.text] : undefined;
  const near = old !== undefined && words.includes(old) ? old : nearest(name.text, words);
  const hint = near === undefined ? `there are ${quoted(words)}` : `did you mean \`${near}\`?`;
  report({
    code: kind.code,
    message: `no ${kind.what} is called \`${name.text}\``,
    span: name.span,
    hint,
  });
}
