/** The door of the language: a text goes in, checked graphs and diagnostics come out. Nothing else of dsl/ is imported from outside. */

export type { BuiltProgram } from "./build/build.ts";
export { type Finish, GraphBuilder } from "./build/graph-builder.ts";
export type { CallOptions, Hop, NodeOptions } from "./build/options.ts";
export { type OrderSensitivity, orderSensitivity } from "./check/state/order.ts";
export type { ApiReading, DescribedTool, Effect, UntoldTool } from "./check/surroundings.ts";
export { describeMissingOperation } from "./check/tools/api-operations.ts";
export { untoldText } from "./check/tools/tool-parameters.ts";
export type { Code, CodePage } from "./codes.ts";
export { codes } from "./codes.ts";
export type { Checked, CheckOptions, NamedType } from "./compile.ts";
export { check } from "./compile.ts";
export type { Diagnostic, Finding, Related } from "./diagnostics/diagnostic.ts";
export { sortDiagnostics, toDiagnostic } from "./diagnostics/diagnostic.ts";
export { type Framed, renderDiagnostic } from "./diagnostics/render-diagnostic.ts";
export type { LinePosition, Source, Span } from "./diagnostics/source.ts";
export { positionAt } from "./diagnostics/source.ts";
export { expressionIn, type ReadExpression } from "./expression-in.ts";
export { type FormatRefusal, type Formatted, format } from "./format/format.ts";
export type { ProgramImports, ScriptImport } from "./imports/script-imports.ts";
export { calledFunctions } from "./ir/called-functions.ts";
export { calledGraph, graphsAmong, isGraphTool } from "./ir/called-graphs.ts";
export { findByName } from "./ir/find-by-name.ts";
export { parametersSchema, resultsSchema } from "./ir/graph-schemas.ts";
export { canonicalJson, hashIr, sha256, useSha256, withoutSpans } from "./ir/hash.ts";
export type * from "./ir/ir.ts";
export { FILE_SCHEMA, toJsonSchema } from "./ir/json-schema.ts";
export type { MemorySettings } from "./ir/memory-settings.ts";
export { memorySettings } from "./ir/memory-settings.ts";
export { type NodeRole, type RoleWrite, rolesOf } from "./ir/roles.ts";
export { routesBehind } from "./ir/routes-behind.ts";
export { isForOthers, isNodeTarget, RETURN, routeFrom, targetsIn } from "./ir/targets-in.ts";
export type * from "./ir/test-ir.ts";
export {
  BUILT_IN_TYPES,
  isMessagesType,
  KNOWN_TYPES,
  printType,
  resolveType,
} from "./ir/types.ts";
export { isPart, walk } from "./ir/visit-tree.ts";
export { isRecord } from "./is-record.ts";
export { memberOfResult, outputTypeOf } from "./lower/output.ts";
export { type MigratedText, migrate, type RewrittenPlace } from "./migrate/migrate.ts";
export { nearest } from "./names/nearest.ts";
export { once } from "./once.ts";
export { planName } from "./plan/compile-plan.ts";
export type { FinishedSteps } from "./plan/plan.ts";
export {
  isPlan,
  PLAN_GRAPH,
  type Plan,
  type PlanNote,
  type PlanProblem,
  type PlanStep,
  planLevels,
  readPlan,
} from "./plan/plan.ts";
export {
  holdsPlan,
  isGraph,
  planArguments,
  planGraph,
  planProblems,
} from "./plan/plan-graph.ts";
export { planPerformers } from "./plan/step-problems.ts";
export { mermaid } from "./print/mermaid.ts";
export { type PrintedPrograms, print, printPrograms } from "./print/print.ts";
export { printDuration, printExpression } from "./print/print-expression.ts";
export { printAssigns, printCount } from "./print/print-flow.ts";
export { printApproval, printLimit, printNode } from "./print/print-node.ts";
export { type AgentSlots, putAgents } from "./put-agents.ts";
export { type PromptTexts, putPrompts } from "./put-prompts.ts";
export { parse } from "./syntax/parse.ts";
export { languageWords, type WordPage, wordPage } from "./syntax/word-pages.ts";
export { BUILT_IN_TOOLS, MEMORY_TOOLS } from "./vocabulary/built-in-functions.ts";
export { CONTEXT_MEMBERS, contextFaults } from "./vocabulary/context-members.ts";
export {
  CONTROLLER_OPTIONS,
  type ControllerOption,
  type ControllerOptionKind,
  controllerOptions,
  isBuiltInController,
} from "./vocabulary/controllers.ts";
export { type Directory, isDirectory } from "./vocabulary/directory.ts";
export {
  type ApprovalPolicy,
  GUARD,
  guardFaults,
} from "./vocabulary/guard-members.ts";
export { isProgram, LIBRARY, LIBRARY_GRAPHS, libraryFile } from "./vocabulary/library-programs.ts";
export { LIMITS } from "./vocabulary/limits.ts";
export { type ListedPrice, listedPrice, listedWindow } from "./vocabulary/listed-models.ts";
export { MESSAGE_KINDS } from "./vocabulary/message-kinds.ts";
export { arrayMethods, numberMethods, stringMethods } from "./vocabulary/methods.ts";
export { type ModelId, PROVIDERS, type Provider, readModelId } from "./vocabulary/model-ids.ts";
export { CASSETTE_MODES, MODEL_SETTINGS, modelSettingFault } from "./vocabulary/model-settings.ts";
export { MODES } from "./vocabulary/modes.ts";
export { countedNode, type NodeCount, nodeCounts } from "./vocabulary/node-counts.ts";
export { callsFunction, isAnswerRepaired, NODE_KINDS } from "./vocabulary/node-kinds.ts";
export { isConversion, pureFunctions } from "./vocabulary/pure-functions.ts";
export { BUILT_IN_REDUCERS, type ReducerName, reducerFacts } from "./vocabulary/reducers.ts";
export {
  type DeclaredServer,
  type DescribedApi,
  isServerAddress,
  readServer,
  type ServerAddress,
  type ServerCommand,
} from "./vocabulary/servers.ts";
export {
  plainSkillNames,
  type ServerSkillName,
  serverSkillName,
} from "./vocabulary/skill-names.ts";
