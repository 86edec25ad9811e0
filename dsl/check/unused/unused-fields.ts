/** Warns of fields that nothing reads or nothing writes. */
import { declaredFields } from "../../names/symbols.ts";
import type { Name } from "../../syntax/tree/ast.ts";
import type { SoundGraph } from "../context.ts";
import { seesWholeState } from "../state/reading.ts";

/** Warns of a field that somebody writes, and nobody reads or returns. */
export function checkNeverRead(check: SoundGraph): void {
  for (const { decl } of declaredFields(check.symbols.graph))
    if (!isRead(decl.name, check))
      check.report({
        code: "M3208",
        severity: "warning",
        message: `\`${decl.name.text}\` is never read`,
        span: decl.name.span,
        hint: "read it, return it, or remove it",
      });
}

/** Warns of a field that somebody reads, and nobody gives a value. */
export function checkNeverWritten(check: SoundGraph): void {
  const written = new Set(check.writers.map((writer) => writer.field));
  for (const { decl, scope } of declaredFields(check.symbols.graph)) {
    const isWritten = written.has(decl.name.text) || decl.value !== undefined;
    if (isWritten || scope === "agent" || decl.optional || !isRead(decl.name, check)) continue;
    check.report({
      code: "M3206",
      severity: "warning",
      message: `nothing writes \`${decl.name.text}\``,
      span: decl.name.span,
      hint: `write it in a node: \`writes ${decl.name.text}\`; or make it a parameter of the graph`,
    });
  }
}

function isRead({ text }: Name, { reading, listed }: SoundGraph): boolean {
  return reading.names.has(text) || listed.has(text) || seesWholeState(reading);
}
