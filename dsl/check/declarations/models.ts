/** Checks the prices of declared models, and the lists of models that are asked in turn. */
import { nearest } from "../../names/nearest.ts";
import type { FileSymbols } from "../../names/symbol-tables.ts";
import type { ExprAst, ModelDecl, Name, PricePart } from "../../syntax/tree/ast.ts";
import type { FileCheck } from "../context.ts";
import type { Report } from "../report.ts";

/** Reports M2120 for a price that names `in` and `out` not once each, or that belongs to no one model. */
export function checkModelPrices({ ast, report }: FileCheck): void {
  for (const decl of ast.items) {
    if (decl.kind !== "model" || decl.price === undefined) continue;
    const [first] = decl.price;
    if (first === undefined) continue;
    const fault = priceFault(decl, decl.price);
    if (fault === undefined) continue;
    const hint = "write `price in $3, out $15`, or with `, cached $0.3` behind it";
    report({ code: "M2120", span: first.span, hint, ...fault });
  }
}

const PARTS = ["in", "out", "cached"];

type PriceFault = {
  readonly message: string;
  readonly span?: Name["span"];
  readonly hint?: string;
};

function priceFault({ value }: ModelDecl, price: readonly PricePart[]): PriceFault | undefined {
  for (const [index, { lead, part, span }] of price.entries()) {
    const word = lead?.text ?? "";
    if (word !== (index === 0 ? "price" : "")) {
      const found = lead ?? part;
      return { message: `\`${found.text}\` stands where no price begins or goes on`, span };
    }
    if (!PARTS.includes(part.text)) return unknownPart(part);
    if (price.findIndex((one) => one.part.text === part.text) < index)
      return { message: `\`${part.text}\` of the price is said twice`, span };
  }
  const missing = ["in", "out"].find((word) => price.every(({ part }) => part.text !== word));
  if (missing !== undefined) return { message: `the price does not say what \`${missing}\` costs` };
  if (value.kind !== "list") return undefined;
  const hint = "declare each of them as a model of its own, with its price, and list their names";
  return { message: "several models have no price in common", hint };
}

function unknownPart({ text, span }: Name): PriceFault {
  const meant = nearest(text, PARTS);
  const message = `\`${text}\` is no part of a price`;
  return meant === undefined
    ? { message, span }
    : { message, span, hint: `did you mean \`${meant}\`?` };
}

/** Reports M2121 for a list with nothing to ask, M2122 for models that lead back to themselves, M2123 for a model that is asked twice. */
export function checkModelLists({ ast, file, report }: FileCheck): void {
  for (const decl of ast.items) {
    if (decl.kind !== "model") continue;
    if (decl.value.kind === "list") checkItems(decl.value, file, report);
    const circle = circleFrom(decl, file);
    if (circle !== undefined) reportCircle(decl, circle, report);
  }
}

function checkItems(
  list: ExprAst & { readonly kind: "list" },
  file: FileSymbols,
  report: Report,
): void {
  const hint = 'list ids and declared models: `["anthropic/claude-haiku-4-5", other, "rules"]`';
  if (list.items.length === 0)
    report({ code: "M2121", message: "the list names no model", span: list.span, hint });
  const known = new Set<string>();
  for (const item of list.items) {
    const text = itemText(item);
    // A name that nothing declares is reported as one.
    const isModel =
      item.kind !== "name" || file.models.has(item.text) || !isDeclared(item.text, file);
    if (text === undefined || !isModel) {
      report({
        code: "M2121",
        message: "this is neither the id nor the name of a model",
        span: item.span,
        hint,
      });
      continue;
    }
    if (known.has(text)) reportRepeated(item, report);
    known.add(text);
  }
}

function isDeclared(name: string, { imports, config, memories }: FileSymbols): boolean {
  return imports.has(name) || config.has(name) || memories.has(name);
}

/** Returns the model that an item asks as a text that no other item has: an id in quotes or a name. */
function itemText(item: ExprAst): string | undefined {
  if (item.kind === "string") return JSON.stringify(item.value.trim());
  return item.kind === "name" ? item.text : undefined;
}

function reportRepeated(item: ExprAst, report: Report): void {
  report({
    code: "M2123",
    severity: "warning",
    message: "this model is asked before in the same list",
    span: item.span,
    hint: "leave it out: a call that may succeed later is repeated before the next model is asked",
  });
}

/** The names of models by which one leads back to itself, itself first and last. */
function circleFrom(decl: ModelDecl, { models }: FileSymbols): readonly string[] | undefined {
  const start = decl.name.text;
  const seen = new Set<string>();
  const from = (name: string, way: readonly string[]): readonly string[] | undefined => {
    for (const next of named(models.get(name))) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = from(next, [...way, next]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return from(start, [start]);
}

function named(decl: ModelDecl | undefined): readonly string[] {
  if (decl === undefined) return [];
  const items = decl.value.kind === "list" ? decl.value.items : [decl.value];
  return items.flatMap((item) => (item.kind === "name" ? [item.text] : []));
}

function reportCircle({ name }: ModelDecl, circle: readonly string[], report: Report): void {
  report({
    code: "M2122",
    message: `\`${name.text}\` leads back to itself: ${circle.map((one) => `\`${one}\``).join(" → ")}`,
    span: name.span,
    hint: "let one of them name ids only",
  });
}
