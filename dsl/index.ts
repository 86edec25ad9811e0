/** The door of the language: a text goes in, checked graphs and diagnostics come out. Nothing else of dsl/ is imported from outside. */

export type { BuiltProgram } from "./build/build.ts";
export { type Finish, GraphBuilder } from "./build/graph-builder.ts";
export type { CallOptions, Hop, NodeOptions } from "./build/options.ts";
export { BUILT_IN_TOOLS } from "./built-in-functions.ts";
export { calledFunctions } from "./called-functions.ts";
export { calledGraph } from "./calls.ts";
export { type OrderSensitivity, orderSensitivity } from "./check/state/order.ts";
export type { Effect, UntoldTool } from "./check/surroundings.ts";
export { untoldText } from "./check/tools/tool-parameters.ts";
export type { Code, CodePage } from "./codes.ts";
export { codes } from "./codes.ts";
export type { Checked, CheckOptions, NamedType } from "./compile.ts";
export { check } from "./compile.ts";
export type { Diagnostic, Finding, Related } from "./diagnostic.ts";
export { sortDiagnostics, toDiagnostic } from "./diagnostic.ts";
export { expressionIn, type ReadExpression } from "./expression-in.ts";
export { type Formatted, format, type Refusal } from "./format/format.ts";
export { type Framed, renderDiagnostic } from "./frame.ts";
export { canonicalJson, hashIr, sha256, withoutSpans } from "./hash.ts";
export type { ProgramImports, ScriptImport } from "./imports/script-imports.ts";
export type * from "./ir.ts";
export { isRecord } from "./is-record.ts";
export { memberOfResult, outputTypeOf } from "./lower/output.ts";
export { mermaid } from "./mermaid.ts";
export { MESSAGE_KINDS } from "./message-kinds.ts";
export { arrayMethods, numberMethods, stringMethods } from "./methods.ts";
export { readModelId } from "./model-ids.ts";
export { nearest } from "./nearest.ts";
export type { Done } from "./plan/plan.ts";
export {
  isPlan,
  PLAN_GRAPH,
  type Plan,
  type PlanProblem,
  type PlanStep,
  planLevels,
  readPlan,
} from "./plan/plan.ts";
export {
  isGraph,
  planArguments,
  planGraph,
  planProblems,
} from "./plan/plan-graph.ts";
export { type PrintedPrograms, print, printPrograms } from "./print/print.ts";
export { printDuration, printExpression } from "./print/print-expression.ts";
export { printAssigns, printCount } from "./print/print-flow.ts";
export { BUILT_IN_REDUCERS, type ReducerName, reducerFacts } from "./reducers.ts";
export { type Role, type RoleWrite, rolesOf } from "./roles.ts";
export { routesBehind } from "./routes-behind.ts";
export { toJsonSchema } from "./schema.ts";
export type { Position, Source, Span } from "./source.ts";
export { positionAt } from "./source.ts";
export { parse } from "./syntax/parse.ts";
export { languageWords, type WordPage, wordPage } from "./syntax/word-pages.ts";
export type * from "./test-ir.ts";
export { BUILT_IN_TYPES, KNOWN_TYPES, printType } from "./types.ts";
