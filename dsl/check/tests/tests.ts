/** Checks the `test` declarations of a file. */

import type { Finding } from "../../diagnostics/diagnostic.ts";
import { calledFunctions } from "../../ir/called-functions.ts";
import { calledGraph } from "../../ir/called-graphs.ts";
import { findByName } from "../../ir/find-by-name.ts";
import type { Ir, TypeIr } from "../../ir/ir.ts";
import { isNodeTarget } from "../../ir/targets-in.ts";
import { isMessagesType, printType, resolveType } from "../../ir/types.ts";
import { lowerType } from "../../lower/lower-type.ts";
import { isOffered } from "../../names/scope.ts";
import type { FileSymbols, GraphOfTest, GraphSymbols } from "../../names/symbol-tables.ts";
import { testScope } from "../../names/test-scope.ts";
import { PLAN_GRAPH } from "../../plan/plan.ts";
import type {
  AssignAst,
  ExprAst,
  FileAst,
  Name,
  TestDecl,
  TestItem,
} from "../../syntax/tree/ast.ts";
import { checkMessageKind } from "../clauses/words.ts";
import type { FindGraph } from "../context.ts";
import { checkExpression } from "../expressions/check-expression.ts";
import { checkCondition } from "../expressions/conditions.ts";
import { cannotFit } from "../expressions/fits.ts";
import { type Report, reportUnknown } from "../report.ts";
import { checkAnyInput, checkAnyOrder } from "./every-input.ts";
import { checkScript, checkScriptValues } from "./scripts.ts";

/** Checks the `test` declarations of a file; of a graph whose text is not known nothing is said. */
export function checkTests(
  ast: FileAst,
  file: FileSymbols,
  graphOf: FindGraph,
): readonly Finding[] {
  const findings: Finding[] = [];
  const report = (finding: Finding) => findings.push(finding);
  const tests = ast.items.filter((item) => item.kind === "test");
  for (const test of tests) checkTest(test, { file, graphOf, report });
  return findings;
}

interface TestsOfFile {
  readonly file: FileSymbols;
  readonly graphOf: FindGraph;
  readonly report: Report;
}

function checkTest(test: TestDecl, { file, graphOf, report }: TestsOfFile): void {
  const { text, span } = test.of;
  const graph = graphOf(text);
  if (graph !== undefined) {
    checkItems(test, graph, report);
    return;
  }
  if (file.imports.has(text) || isOffered(file.scope, text)) return;
  reportUnknown(report, {
    code: "M2112",
    what: "graph",
    word: text,
    span,
    candidates: [...file.graphs.keys(), ...file.imports.keys()],
    otherwise: `import it: \`import { ${text} } from "./file.madrigal"\``,
  });
}

function checkItems(test: TestDecl, { symbols, ir }: GraphOfTest, report: Report): void {
  const givens = test.items.flatMap((item) => (item.kind === "given" ? item.assigns : []));
  for (const given of givens) checkGiven(given, symbols, report);
  reportTwice(
    givens.map((given) => given.field),
    report,
  );
  checkAnyOrder(test, report);
  const generated = checkAnyInput(test, { symbols, givens }, report);
  reportMissing(test, [...givens.map((given) => given.field.text), ...generated], symbols, report);
  const scripts = test.items.filter((item) => item.kind === "script");
  for (const script of scripts) checkScriptOf(script, { symbols, ir }, report);
  reportTwice(
    scripts.map(({ node, inside }) => ({
      ...node,
      text: [node, ...inside].map(({ text }) => text).join("/"),
    })),
    report,
  );
  checkExpectations(test, symbols, report);
}

function checkScriptOf(
  script: TestItem & { readonly kind: "script" },
  { symbols, ir }: GraphOfTest,
  report: Report,
): void {
  const { node, inside } = script;
  if (!isScriptable(node, symbols, inside.length > 0 ? [] : calledFunctions(ir), report)) return;
  let [graph, name] = [ir, node];
  for (const next of inside) {
    if (runsPlan(graph, name)) {
      // Its steps are known when the test runs.
      checkScriptValues(script, symbols, report);
      return;
    }
    const called = graphBehind(graph, name, report);
    if (called === undefined) return;
    [graph, name] = [called, next];
    if (findByName(graph.nodes, name.text) !== undefined) continue;
    const candidates = graph.nodes.map((one) => one.name);
    reportUnknown(report, {
      code: "M2101",
      what: "node",
      word: name.text,
      span: name.span,
      candidates,
    });
    return;
  }
  const types = inside.length > 0 ? typesOf(graph) : symbols.file.types;
  checkScript(script, { symbols, ir: graph, name: name.text, types }, report);
}

function typesOf({ types }: Ir): ReadonlyMap<string, TypeIr> {
  return new Map(types.map(({ name, type }) => [name, type]));
}

/** Returns whether a node carries out a plan. */
function runsPlan(ir: Ir, { text }: Name): boolean {
  const callee = findByName(ir.nodes, text)?.call?.callee.join(".");
  return callee === PLAN_GRAPH && calledGraph(ir, PLAN_GRAPH) === undefined;
}

/** The graph that a node calls; reports a node that calls none that is known before the run. */
function graphBehind(ir: Ir, name: Name, report: Report): Ir | undefined {
  const { call } = findByName(ir.nodes, name.text) ?? {};
  const called = call === undefined ? undefined : calledGraph(ir, call.callee.join("."));
  if (called !== undefined) return called;
  report({
    code: "M3609",
    message: `\`${name.text}\` calls no graph that is known here, so nothing inside it can be scripted`,
    span: name.span,
    hint: `script the node as a whole: \`${name.text} says …\``,
  });
  return undefined;
}

function checkGiven({ field, value, via }: AssignAst, symbols: GraphSymbols, report: Report): void {
  const { params, fields, file } = symbols;
  if (via !== undefined)
    report({
      code: "M3305",
      message: `\`given\` puts \`${field.text}\` as it is, so no reducer meets it`,
      span: via.span,
      hint: `leave \`via ${via.name.text}\` out`,
    });
  const given = checkExpression(value, testScope(symbols), report);
  const declared = params.get(field.text) ?? fields.get(field.text)?.decl;
  if (declared === undefined) {
    reportUnknown(report, {
      code: "M2102",
      what: "field or parameter",
      word: field.text,
      span: field.span,
      candidates: [...params.keys(), ...fields.keys()],
    });
    return;
  }
  const wanted = lowerType(declared.type);
  // Messages are read in many forms when the run begins.
  if (given === undefined || isMessagesType(wanted, file.types)) return;
  if (!cannotFit(given, wanted, file.types)) return;
  report({
    code: "M3603",
    message: `\`${printType(given)}\` does not fit \`${field.text}: ${printType(wanted)}\``,
    span: value.span,
    hint: "give a value of that type",
  });
}

function reportTwice(names: readonly Name[], report: Report): void {
  const seen = new Map<string, Name>();
  for (const name of names) {
    const before = seen.get(name.text);
    seen.set(name.text, before ?? name);
    if (before === undefined) continue;
    report({
      code: "M3601",
      message: `\`${name.text}\` stands here twice`,
      span: name.span,
      hint: "merge the two lines",
      related: [{ span: before.span, message: "the first one" }],
    });
  }
}

function reportMissing(
  test: TestDecl,
  known: readonly string[],
  { params }: GraphSymbols,
  report: Report,
): void {
  const missing = [...params.values()]
    .filter(({ optional, value }) => !optional && value === undefined)
    .map(({ name }) => name.text)
    .filter((name) => !known.includes(name));
  const [first] = missing;
  if (first === undefined) return;
  report({
    code: "M3602",
    message: `\`${test.of.text}\` needs ${missing.map((name) => `\`${name}\``).join(", ")}`,
    span: test.of.span,
    hint: `write \`given ${first} = …\``,
  });
}

function isScriptable(
  name: Name,
  symbols: GraphSymbols,
  functions: readonly string[],
  report: Report,
): boolean {
  if (symbols.nodes.has(name.text) || functions.includes(name.text)) return true;
  if (name.text !== "start" && isNodeTarget(name.text)) return isNode(name, symbols, report);
  report({
    code: "M3609",
    message: `\`${name.text}\` is no node, so it can't be scripted`,
    span: name.span,
    hint: "script the nodes between `start` and `end`",
  });
  return false;
}

function isNode(name: Name, { nodes }: GraphSymbols, report: Report): boolean {
  if (nodes.has(name.text)) return true;
  const { text: word, span } = name;
  reportUnknown(report, { code: "M2101", what: "node", word, span, candidates: [...nodes.keys()] });
  return false;
}

function checkExpectations(test: TestDecl, symbols: GraphSymbols, report: Report): void {
  const expects = test.items.filter(isExpectation);
  for (const expect of expects) {
    if (expect.kind === "expect-path") checkPath(expect.path, symbols, report);
    else if (expect.kind === "expect-told") checkTold(expect, symbols, report);
    else checkHolds(expect.condition, symbols, report);
  }
  if (expects.length > 0) return;
  report({
    code: "M3606",
    severity: "warning",
    message: `\`${test.title.value}\` expects nothing`,
    span: test.title.span,
    hint: "write `expect path …`, or `expect` and what must be true at the end",
  });
}

function isExpectation(
  item: TestItem,
): item is TestItem & { kind: "expect" | "expect-path" | "expect-told" } {
  return item.kind === "expect" || item.kind === "expect-path" || item.kind === "expect-told";
}

function checkTold(
  { node, as, payload }: TestItem & { kind: "expect-told" },
  symbols: GraphSymbols,
  report: Report,
): void {
  const { types } = symbols.file;
  isNode(node, symbols, report);
  checkMessageKind(as, types, report);
  const given = payload && checkExpression(payload, testScope(symbols), report);
  const shape = resolveType({ kind: "named", name: as.text, args: [] }, types);
  if (payload === undefined || given === undefined || shape?.kind !== "object") return;
  // Members that are not named may be anything.
  const members = shape.members.map((member) => ({ ...member, optional: true }));
  const isKnown = (name: string) => members.some((member) => member.name === name);
  const isPart = given.kind !== "object" || given.members.every(({ name }) => isKnown(name));
  if (isPart && !cannotFit(given, { ...shape, members }, types)) return;
  report({
    code: "M3603",
    message: `\`${printType(given)}\` is no part of what is told as \`${as.text}\`: \`${printType(shape)}\``,
    span: payload.span,
    hint: "name members of that type; those that are not named may be anything",
  });
}

function checkPath(path: readonly Name[], symbols: GraphSymbols, report: Report): void {
  for (const [index, name] of path.entries()) {
    if (name.text !== "start" && name.text !== "end") isNode(name, symbols, report);
    else if (index !== (name.text === "start" ? 0 : path.length - 1))
      report({
        code: "M3607",
        message: `nothing comes ${name.text === "start" ? "before" : "behind"} \`${name.text}\``,
        span: name.span,
        hint: "name the nodes in the order in which they end",
      });
  }
}

function checkHolds(condition: ExprAst, symbols: GraphSymbols, report: Report): void {
  checkCondition(condition, testScope(symbols), report);
  if (namesNothing(condition))
    report({
      code: "M3605",
      severity: "warning",
      message: "this has the same value whatever the graph does",
      span: condition.span,
      hint: "name a field, `path`, `visits(node)`, `toolCalls`, `cost`, `steps`, `status` or `error`",
    });
}

function namesNothing(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return true;
  if ("kind" in part && part.kind === "name") return false;
  return Object.values(part).every(namesNothing);
}
