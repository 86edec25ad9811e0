/** Checks the setting `guard` of a file: its members, its judge, and who writes what it trusts. */
import { nearest } from "../../names/nearest.ts";
import { configEntries } from "../../names/symbols.ts";
import type { Clause, ExprAst, GraphDecl, Name, StringLiteral } from "../../syntax/tree/ast.ts";
import { GUARD, guardFaults } from "../../vocabulary/guard-members.ts";
import { constantOf, placeIn, writtenValue } from "../clauses/constant-object.ts";
import type { FileCheck } from "../context.ts";
import type { Report } from "../report.ts";

/** Reports M4191 for what is no member of a `guard`, and M4192 for a trusted value that something besides people writes. */
export function checkGuard({ ast, file, report }: FileCheck): void {
  for (const { key, value } of configEntries(ast)) {
    if (key.text !== GUARD) continue;
    for (const { path, isKey, message, hint } of guardFaults(constantOf(value)))
      report({ code: "M4191", message, span: placeIn(value, path, isKey), hint });
    checkJudge(memberOf(value, "judge"), [...file.models.keys()], report);
    const graphs = ast.items.filter((item) => item.kind === "graph");
    if (graphs.length > 0) checkTrust(memberOf(value, "trust"), graphs, report);
  }
}

function checkJudge(judge: ExprAst | undefined, models: readonly string[], report: Report): void {
  if (judge === undefined || (judge.kind === "name" && models.includes(judge.text))) return;
  const written = judge.kind === "name" ? judge.text : undefined;
  const near = written === undefined ? undefined : nearest(written, models);
  report({
    code: "M4191",
    message: "`guard.judge` is no model of the file",
    span: judge.span,
    hint:
      near === undefined
        ? 'declare it: `model small = "…"`, and write `judge: small`'
        : `did you mean \`${near}\`?`,
  });
}

function checkTrust(
  trust: ExprAst | undefined,
  graphs: readonly GraphDecl[],
  report: Report,
): void {
  if (trust?.kind !== "list") return;
  const names = new Set(graphs.flatMap(valuesOf).map(({ text }) => text));
  for (const item of trust.items) {
    if (item.kind !== "string") continue;
    if (!names.has(item.value)) reportUnknownValue(item, [...names], report);
    else reportWriter(item, graphs, report);
  }
}

function reportUnknownValue(
  { value, span }: Pick<StringLiteral, "value" | "span">,
  names: readonly string[],
  report: Report,
): void {
  const near = nearest(value, names);
  report({
    code: "M4191",
    message: `no graph of the file has a parameter or field \`${value}\``,
    span,
    hint:
      near === undefined ? `there are ${names.join(", ") || "none"}` : `did you mean \`${near}\`?`,
  });
}

/** Reports a trusted value that a model or a tool may write: it then says what they were told. */
function reportWriter(
  { value, span }: Pick<StringLiteral, "value" | "span">,
  graphs: readonly GraphDecl[],
  report: Report,
): void {
  const writer = graphs
    .flatMap(({ items }) => items)
    .filter((item) => item.kind === "node" || item.kind === "call")
    .find((node) => {
      if (node.kind === "node" && node.word === "human") return false;
      const inline = node.kind === "call" && node.writes !== undefined ? [node.writes] : [];
      return [...inline, ...node.clauses].some((clause) => isWriting(clause, value));
    });
  if (writer === undefined) return;
  report({
    code: "M4192",
    message: `\`${value}\` can't be trusted: \`${writer.name.text}\` writes it`,
    span,
    hint: "trust parameters, and fields that only `human` nodes write",
  });
}

function isWriting(clause: Clause, field: string): boolean {
  if (clause.kind === "writes") return clause.writes.some((write) => write.field.text === field);
  if (clause.kind === "set") return clause.assigns.some((assign) => assign.field.text === field);
  return false;
}

function valuesOf({ params, items }: GraphDecl): readonly Name[] {
  const fields = items.flatMap((item) => (item.kind === "state" ? item.fields : []));
  return [...params, ...fields].map(({ name }) => name);
}

function memberOf(object: ExprAst, key: string): ExprAst | undefined {
  if (object.kind !== "object") return undefined;
  const entry = object.entries.find((one) => one.key.text === key);
  return entry && writtenValue(entry);
}
