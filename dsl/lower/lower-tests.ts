/** Lowers a checked `test` declaration. */
import { positionAt, type Source } from "../diagnostics/source.ts";
import { defined } from "../ir/defined.ts";
import type { AnyInputIr, ExpectIr, GivenIr, ScriptIr, TestIr } from "../ir/test-ir.ts";
import { generatedNames } from "../names/generated-inputs.ts";
import type { GraphOfTest, GraphSymbols } from "../names/symbol-tables.ts";
import { testScope } from "../names/test-scope.ts";
import type { TestDecl, TestItem } from "../syntax/tree/ast.ts";
import { lowerExpression, spanOf } from "./lower-expression.ts";

/** A checked test as plain JSON. */
export function lowerTest(test: TestDecl, { symbols, ir }: GraphOfTest, source: Source): TestIr {
  return {
    name: test.title.value,
    graph: test.of.text,
    ir,
    source: { file: source.file, text: source.text },
    line: positionAt(source, test.title.span.start).line,
    span: spanOf(test.title.span),
    givens: test.items.flatMap((item) => lowerGiven(item, symbols)),
    scripts: test.items.flatMap((item) => lowerScript(item, symbols)),
    ...defined({
      anyInput: lowerAnyInput(test, symbols),
      anyOrder: test.items
        .filter(({ kind }) => kind === "any-order")
        .map((item) => ({ span: spanOf(item.span) }))[0],
    }),
    expects: test.items.flatMap((item) => lowerExpect(item, symbols)),
  };
}

function lowerGiven(item: TestItem, symbols: GraphSymbols): readonly GivenIr[] {
  if (item.kind !== "given") return [];
  return item.assigns.map(({ field, value, span }) => ({
    name: field.text,
    of: symbols.params.has(field.text) ? "param" : "field",
    value: lowerExpression(value, testScope(symbols)),
    span: spanOf(span),
  }));
}

function lowerAnyInput(test: TestDecl, symbols: GraphSymbols): AnyInputIr | undefined {
  const item = test.items.find((one) => one.kind === "any-input");
  if (item === undefined) return undefined;
  const { when, span } = item;
  return {
    inputs: generatedNames(item, test, symbols).map(({ text }) => ({
      name: text,
      of: symbols.params.has(text) ? "param" : "field",
    })),
    ...defined({ when: when && lowerExpression(when, testScope(symbols)) }),
    span: spanOf(span),
  };
}

function lowerScript(item: TestItem, symbols: GraphSymbols): readonly ScriptIr[] {
  if (item.kind !== "script") return [];
  const scope = testScope(symbols);
  const lines = item.lines.map(({ how, value }) => ({ how, value: lowerExpression(value, scope) }));
  const node = [item.node, ...item.inside].map(({ text }) => text).join("/");
  return [{ node, lines, span: spanOf(item.span) }];
}

function lowerExpect(item: TestItem, symbols: GraphSymbols): readonly ExpectIr[] {
  if (item.kind === "expect-path") {
    const nodes = item.path.map((name) => name.text);
    return [{ kind: "path", nodes, span: spanOf(item.span) }];
  }
  if (item.kind === "expect-told") {
    const payload = item.payload && lowerExpression(item.payload, testScope(symbols));
    const [node, as] = [item.node.text, item.as.text];
    return [{ kind: "told", node, as, ...defined({ payload }), span: spanOf(item.span) }];
  }
  if (item.kind !== "expect") return [];
  const condition = lowerExpression(item.condition, testScope(symbols));
  return [{ kind: "holds", condition, span: spanOf(item.condition.span) }];
}
