/** Checks `for any …` and `in any order` of a test. */
import { toJsonSchema } from "../../ir/json-schema.ts";
import { printType } from "../../ir/types.ts";
import { lowerType } from "../../lower/lower-type.ts";
import { type GeneratedName, generatedNames } from "../../names/generated-inputs.ts";
import type { GraphSymbols } from "../../names/symbol-tables.ts";
import { testScope } from "../../names/test-scope.ts";
import type { AssignAst, TestDecl } from "../../syntax/tree/ast.ts";
import { checkCondition } from "../expressions/conditions.ts";
import { type Report, reportUnknown } from "../report.ts";

/** Reports a second `in any order`. */
export function checkAnyOrder({ items }: TestDecl, report: Report): void {
  const [first, ...more] = items.filter(({ kind }) => kind === "any-order");
  for (const { span } of first === undefined ? [] : more)
    report({
      code: "M3601",
      message: "`in any order` stands here twice",
      span,
      hint: "leave one of them out",
      related: first === undefined ? [] : [{ span: first.span, message: "the first one" }],
    });
}

interface GivenInTest {
  readonly symbols: GraphSymbols;
  readonly givens: readonly AssignAst[];
}

/** Checks what is generated, and returns its names. */
export function checkAnyInput(
  test: TestDecl,
  { symbols, givens }: GivenInTest,
  report: Report,
): readonly string[] {
  const [item, ...more] = test.items.filter((one) => one.kind === "any-input");
  if (item === undefined) return [];
  for (const { span } of more)
    report({
      code: "M3601",
      message: "`for any` stands here twice",
      span,
      hint: "name all of it in one line: `for any a, b`",
      related: [{ span: item.span, message: "the first one" }],
    });
  const names = generatedNames(item, test, symbols);
  if (names.length === 0)
    report({
      code: "M3760",
      message: `\`${test.of.text}\` has no parameter left to generate`,
      span: item.span,
      hint: "leave the line out, or name fields: `for any draft`",
    });
  const given = new Set(givens.map(({ field }) => field.text));
  for (const [index, name] of names.entries()) {
    const isTwice = names.findIndex(({ text }) => text === name.text) < index;
    if (isTwice || given.has(name.text)) reportAgain(name, isTwice, report);
    else checkGenerated(name, symbols, report);
  }
  if (item.when !== undefined) checkCondition(item.when, testScope(symbols), report);
  return names.map(({ text }) => text);
}

function reportAgain({ text, span }: GeneratedName, isTwice: boolean, report: Report): void {
  report({
    code: "M3760",
    message: isTwice
      ? `\`${text}\` stands here twice`
      : `\`${text}\` is given, so it is not generated`,
    span,
    hint: isTwice ? "leave one of them out" : `leave out \`given ${text}\`, or this`,
  });
}

/** Reports a name that is none of the graph, and a type of which the language has no values. */
function checkGenerated(
  { text, span }: GeneratedName,
  symbols: GraphSymbols,
  report: Report,
): void {
  const { params, fields, file } = symbols;
  const declared = params.get(text) ?? fields.get(text)?.decl;
  if (declared === undefined) {
    const candidates = [...params.keys(), ...fields.keys()];
    const otherwise = "`for any input` stands for all parameters";
    const what = "field or parameter";
    reportUnknown(report, { code: "M2102", what, word: text, span, candidates, otherwise });
    return;
  }
  const { unsupported } = toJsonSchema(lowerType(declared.type), file.types);
  const [type] = unsupported;
  if (type === undefined) return;
  report({
    code: "M3761",
    message: `values of \`${type}\` can't be generated`,
    span,
    hint: `\`${text}: ${printType(lowerType(declared.type))}\` needs a value: \`given ${text} = …\``,
  });
}
