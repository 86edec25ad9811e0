/** Reads the texts by which `skills` names skills, and which of them are of a server: `docs:refunds`. */
import type { ExprIr } from "../ir/ir.ts";

/** A skill of a declared server: its name, the end of its path or its address there; `*` for all that the server lists. */
export interface ServerSkillName {
  readonly server: string;
  readonly skill: string;
}

/** Returns undefined for the name of a folder, which has no colon. */
export function serverSkillName(text: string): ServerSkillName | undefined {
  const [, server, skill] = /^([A-Za-z_]\w*):(.+)$/s.exec(text) ?? [];
  return server === undefined || skill === undefined ? undefined : { server, skill };
}

/** Returns the names in an expression of `skills` that is a text, or a list of texts. */
export function plainSkillNames(expression: ExprIr): readonly string[] {
  if (expression.kind === "list") return expression.items.flatMap(plainSkillNames);
  const isText = expression.kind === "literal" && typeof expression.value === "string";
  return isText ? [String(expression.value)] : [];
}
