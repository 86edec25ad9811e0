/** The table of all checks: stage, codes and function of each. */
import type { Code } from "../codes.ts";
import type { NodeKind } from "../ir/ir.ts";
import { nodeKindsWhere } from "../vocabulary/node-kinds.ts";
import { checkAskedPersons, checkListedPersons } from "./clauses/asked-persons.ts";
import { checkAttended } from "./clauses/attended.ts";
import { checkCacheable, checkCachedByDefault } from "./clauses/cacheable.ts";
import { checkClausesOfNode, checkDefaultsClauses } from "./clauses/check-clauses.ts";
import { checkCountedCost } from "./clauses/counted-cost.ts";
import { checkDefaultAnswers } from "./clauses/default-answers.ts";
import { checkForeignClauses, checkForeignDefaults } from "./clauses/foreign-clauses.ts";
import { checkHumanLimits } from "./clauses/human-limits.ts";
import { checkConsentJudges, checkHolesInQuotes, checkJudges } from "./clauses/judges.ts";
import {
  checkControllerThere,
  checkModelThere,
  checkPromptThere,
  checkQuestionThere,
} from "./clauses/missing-clauses.ts";
import { checkRecalled, checkRecalledCounts } from "./clauses/recalled.ts";
import { checkReminders } from "./clauses/reminders.ts";
import { checkRepeatedInGraph, checkRepeatedInNode } from "./clauses/repeated-clauses.ts";
import { checkStops } from "./clauses/stops.ts";
import { checkTwiceListed } from "./clauses/twice-listed.ts";
import { checkUnits } from "./clauses/units.ts";
import {
  checkEdgeWords,
  checkMessageKinds,
  checkRetryClasses,
  checkToldTypes,
} from "./clauses/words.ts";
import { checkArrivals } from "./concurrency/arrivals.ts";
import { checkDetachedJoins } from "./concurrency/detached.ts";
import { checkExclusiveJoins } from "./concurrency/exclusive-joins.ts";
import { checkQuorums } from "./concurrency/quorums.ts";
import type {
  FileCheck,
  FlowCheck,
  GraphCheck,
  NodeCheck,
  SoundFile,
  SoundGraph,
  TestCheck,
} from "./context.ts";
import { checkCall } from "./declarations/calls.ts";
import { checkDuplicatesInFile, checkDuplicatesInGraph } from "./declarations/duplicates.ts";
import { checkDeclarations } from "./declarations/file-declarations.ts";
import {
  checkFields,
  checkGraphParams,
  checkMemories,
  checkReturns,
} from "./declarations/graph-header.ts";
import { checkGuard } from "./declarations/guard.ts";
import { checkModelIds } from "./declarations/model-ids.ts";
import { checkModelSettings } from "./declarations/model-settings.ts";
import { checkModelLists, checkModelPrices } from "./declarations/models.ts";
import { checkModes } from "./declarations/modes.ts";
import { checkNodeParams } from "./declarations/node-params.ts";
import { checkServers } from "./declarations/servers.ts";
import { checkCircularTypes } from "./expressions/circular-types.ts";
import { checkAlternatives } from "./flow/alternatives.ts";
import { checkArrows } from "./flow/arrows.ts";
import { checkMatches } from "./flow/check-match.ts";
import { checkCycles } from "./flow/cycles.ts";
import { checkDeciding } from "./flow/deciding.ts";
import { checkEnds, checkReservedName } from "./flow/ends.ts";
import { checkHandedArguments } from "./flow/handed-arguments.ts";
import { checkItems } from "./flow/items.ts";
import { checkLoopRounds } from "./flow/loop-rounds.ts";
import { checkMisplacedOn } from "./flow/misplaced-on.ts";
import { checkScopes } from "./flow/node-scopes.ts";
import { checkReachable } from "./flow/reachable.ts";
import { checkReturnTargets } from "./flow/returns.ts";
import { checkRouterChoice } from "./flow/router-choice.ts";
import { checkSharedRoutes } from "./flow/shared-routes.ts";
import { checkUnseenAnswers } from "./flow/unseen-answers.ts";
import { checkWayOut } from "./flow/way-out.ts";
import { checkConcurrentWriters } from "./state/concurrent-writers.ts";
import { checkOutputs } from "./state/outputs.ts";
import { checkEarlierReads, checkRacingReads } from "./state/racing-reads.ts";
import { checkReadsListed } from "./state/reads-listed.ts";
import { checkStaleIndex } from "./state/stale-index.ts";
import { checkUnsetReturns } from "./state/unset-returns.ts";
import { checkUnwritten } from "./state/unwritten.ts";
import { checkTests } from "./tests/tests.ts";
import { checkApiDescriptions, checkApiOperations } from "./tools/api-operations.ts";
import { checkApprovedTools } from "./tools/approved-tools.ts";
import { checkExemptTools } from "./tools/exempt-tools.ts";
import { checkMemoryTools } from "./tools/memory-tools.ts";
import { checkSkills } from "./tools/skills.ts";
import { checkToolEffects } from "./tools/tool-effects.ts";
import { checkToolDescriptions, checkToolParameters } from "./tools/tool-parameters.ts";
import { checkUsableTools } from "./tools/usable-tools.ts";
import { checkChatField } from "./unused/chat-field.ts";
import { checkConstantEnd } from "./unused/constant-end.ts";
import { checkSpareMax } from "./unused/spare-max.ts";
import { checkUnusedDefaults, checkUnusedMemories, checkUnusedParams } from "./unused/unused.ts";
import { checkNeverRead, checkNeverWritten } from "./unused/unused-fields.ts";
import { checkUnusedInFile } from "./unused/unused-in-file.ts";

/**
 * The time at which a check runs, and its argument: `file` and `tests` of a file; `names` of a
 * graph and `node` of each node of some kinds; `flow` once the names hold; `use` and `file use`
 * once nothing is wrong.
 */
type Stage =
  | { readonly stage: "file"; readonly run: (check: FileCheck) => void }
  | { readonly stage: "tests"; readonly run: (check: TestCheck) => void }
  | { readonly stage: "names"; readonly run: (check: GraphCheck) => void }
  | {
      readonly stage: "node";
      readonly of: readonly NodeKind[];
      readonly run: (check: NodeCheck) => void;
    }
  | { readonly stage: "flow"; readonly run: (check: FlowCheck) => void }
  | { readonly stage: "use"; readonly run: (check: SoundGraph) => void }
  | { readonly stage: "file use"; readonly run: (check: SoundFile) => void };

/** One check of a text. */
export type Check = Stage & {
  readonly name: string;
  /** The codes of the findings that the check may report. */
  readonly codes: readonly Code[];
  /** It is left out where one of these was found in the graph: it would only report what follows from that. */
  readonly unless?: readonly Code[];
};

const CALLS = nodeKindsWhere(({ form }) => form === "call");
const MODELS = nodeKindsWhere(({ worker }) => worker === "model");
const CONTROLLED = nodeKindsWhere(({ worker }) => worker === "controller");
const PEOPLE = nodeKindsWhere(({ worker }) => worker === "person");
const EVERY = nodeKindsWhere(() => true);

/** The codes of the findings in an expression, in any clause. */
const EXPRESSION = [
  "M2101",
  "M2002",
  "M2103",
  "M2106",
  "M2110",
  "M2111",
  "M2113",
  "M2114",
  "M2150",
  "M2302",
  "M3210",
  "M3604",
] as const;
const TYPE = ["M2104", "M3401"] as const;
const ARGUMENTS = ["M2201", "M2202", "M2203", "M3104"] as const;
const REDUCER = ["M2203", "M3302", "M3303", "M3720"] as const;

/** Every check, in the order in which they are made. */
export const CHECKS: readonly Check[] = [
  { name: "names of a file", stage: "file", codes: ["M2001"], run: checkDuplicatesInFile },
  {
    name: "declarations of a file",
    stage: "file",
    codes: [...TYPE, ...EXPRESSION, "M4980"],
    run: checkDeclarations,
  },
  { name: "circular types", stage: "file", codes: ["M3403"], run: checkCircularTypes },
  { name: "ids of models", stage: "file", codes: ["M2115"], run: checkModelIds },
  { name: "settings of models", stage: "file", codes: ["M2116"], run: checkModelSettings },
  { name: "prices of models", stage: "file", codes: ["M2120"], run: checkModelPrices },
  { name: "descriptions of APIs", stage: "file", codes: ["M2125"], run: checkApiDescriptions },
  { name: "servers of tools", stage: "file", codes: ["M2124"], run: checkServers },
  {
    name: "lists of models",
    stage: "file",
    codes: ["M2121", "M2122", "M2123"],
    run: checkModelLists,
  },
  { name: "modes", stage: "file", codes: ["M4190"], run: checkModes },
  { name: "guard", stage: "file", codes: ["M4191", "M4192"], run: checkGuard },

  { name: "names of a graph", stage: "names", codes: ["M2001"], run: checkDuplicatesInGraph },
  {
    name: "graph parameters",
    stage: "names",
    codes: [...TYPE, "M3103", ...EXPRESSION],
    run: checkGraphParams,
  },
  { name: "results", stage: "names", codes: ["M2102"], run: checkReturns },
  {
    name: "fields",
    stage: "names",
    codes: [...TYPE, "M3103", ...REDUCER, ...EXPRESSION],
    run: checkFields,
  },
  {
    name: "memories",
    stage: "names",
    codes: [...TYPE, ...EXPRESSION, "M4980"],
    run: checkMemories,
  },
  { name: "lists of names", stage: "names", codes: ["M2003"], run: checkTwiceListed },

  { name: "reserved names", stage: "node", of: EVERY, codes: ["M3203"], run: checkReservedName },
  {
    name: "node parameters",
    stage: "node",
    of: EVERY,
    codes: [...TYPE, "M3103", ...EXPRESSION],
    run: checkNodeParams,
  },
  {
    name: "limits of questions",
    stage: "node",
    of: PEOPLE,
    codes: ["M4110"],
    run: checkHumanLimits,
  },
  {
    name: "asked persons",
    stage: "node",
    of: PEOPLE,
    codes: ["M4990"],
    run: checkAskedPersons,
  },
  {
    name: "default answers",
    stage: "node",
    of: PEOPLE,
    codes: ["M3103", ...EXPRESSION],
    run: checkDefaultAnswers,
  },
  {
    name: "calls",
    stage: "node",
    of: CALLS,
    codes: ["M2106", "M2405", ...ARGUMENTS, ...EXPRESSION],
    run: checkCall,
  },
  {
    name: "clauses",
    stage: "node",
    of: EVERY,
    codes: [
      "M2101",
      "M2102",
      "M2103",
      "M2104",
      "M2105",
      "M2107",
      "M2108",
      "M2109",
      "M3101",
      "M3102",
      "M3104",
      "M3218",
      "M3305",
      "M3721",
      "M4112",
      "M4116",
      ...REDUCER,
      ...EXPRESSION,
    ],
    run: checkClausesOfNode,
  },
  {
    name: "defaults",
    stage: "names",
    codes: ["M2103", "M2104", "M2105", "M2107", "M2109", "M3218", "M3721", "M4112", ...EXPRESSION],
    run: checkDefaultsClauses,
  },
  {
    name: "repeated clauses",
    stage: "node",
    of: EVERY,
    codes: ["M4003"],
    run: checkRepeatedInNode,
  },
  {
    name: "repeated clauses of graphs and arrows",
    stage: "names",
    codes: ["M4003"],
    run: checkRepeatedInGraph,
  },
  { name: "foreign clauses", stage: "node", of: EVERY, codes: ["M4004"], run: checkForeignClauses },
  { name: "foreign defaults", stage: "names", codes: ["M4004"], run: checkForeignDefaults },
  { name: "model", stage: "node", of: MODELS, codes: ["M4001"], run: checkModelThere },
  { name: "prompt", stage: "node", of: MODELS, codes: ["M4002"], run: checkPromptThere },
  { name: "question", stage: "node", of: PEOPLE, codes: ["M4002"], run: checkQuestionThere },
  {
    name: "controller",
    stage: "node",
    of: CONTROLLED,
    codes: ["M4002"],
    run: checkControllerThere,
  },
  { name: "reads", stage: "node", of: EVERY, codes: ["M3106"], run: checkReadsListed },
  {
    name: "operations of APIs",
    stage: "node",
    of: EVERY,
    codes: ["M2107"],
    run: checkApiOperations,
  },
  {
    name: "tools of memories",
    stage: "node",
    of: EVERY,
    codes: ["M4914"],
    run: checkMemoryTools,
  },
  { name: "skills", stage: "node", of: EVERY, codes: ["M4970"], run: checkSkills },
  { name: "usable tools", stage: "names", codes: ["M2117"], run: checkUsableTools },
  { name: "effects", stage: "node", of: EVERY, codes: ["M4105"], run: checkToolEffects },
  // The tools of an operator are its controller's.
  {
    name: "tool parameters",
    stage: "node",
    of: MODELS,
    codes: ["M4109"],
    run: checkToolParameters,
  },
  {
    name: "tool descriptions",
    stage: "node",
    of: MODELS,
    codes: ["M4113"],
    run: checkToolDescriptions,
  },
  {
    name: "approved tools",
    stage: "node",
    of: MODELS,
    codes: ["M4108"],
    run: checkApprovedTools,
  },
  {
    name: "exempt tools",
    stage: "node",
    of: MODELS,
    codes: ["M4112"],
    run: checkExemptTools,
  },
  { name: "what is kept", stage: "node", of: EVERY, codes: ["M4912"], run: checkCacheable },
  { name: "kept by default", stage: "use", codes: ["M4913"], run: checkCachedByDefault },
  { name: "judges", stage: "names", codes: ["M4104"], run: checkJudges },
  { name: "holes in quotes", stage: "names", codes: ["M3227"], run: checkHolesInQuotes },
  { name: "recalled counts", stage: "names", codes: ["M3226"], run: checkRecalledCounts },
  { name: "units", stage: "names", codes: ["M4101"], run: checkUnits },
  { name: "reminders", stage: "names", codes: ["M4150"], run: checkReminders },
  { name: "listed persons", stage: "names", codes: ["M4991", "M4992"], run: checkListedPersons },
  { name: "retry classes", stage: "names", codes: ["M4102"], run: checkRetryClasses },
  { name: "message kinds", stage: "names", codes: ["M4910"], run: checkMessageKinds },
  {
    name: "types of what is told",
    stage: "node",
    of: EVERY,
    codes: ["M3241"],
    run: checkToldTypes,
  },
  { name: "somebody to answer", stage: "names", codes: ["M4106"], run: checkAttended },
  { name: "judges of approvals", stage: "names", codes: ["M4107"], run: checkConsentJudges },

  {
    name: "arrows",
    stage: "names",
    codes: [
      "M2101",
      "M2109",
      "M3101",
      "M3102",
      "M3104",
      "M3218",
      "M3302",
      "M3303",
      "M3305",
      "M3720",
      ...ARGUMENTS,
      ...EXPRESSION,
    ],
    run: checkArrows,
  },
  { name: "start and end", stage: "names", codes: ["M3203"], run: checkEnds },
  { name: "lists of each", stage: "names", codes: ["M3105"], run: checkItems },
  { name: "cases", stage: "names", codes: ["M3209", "M3210"], run: checkMatches },
  { name: "branches never tried", stage: "names", codes: ["M3217"], run: checkAlternatives },
  { name: "words behind on", stage: "names", codes: ["M4103"], run: checkEdgeWords },
  { name: "on behind no node", stage: "names", codes: ["M3213"], run: checkMisplacedOn },
  {
    name: "approve, break, end when",
    stage: "names",
    codes: ["M2101", "M3218", ...EXPRESSION],
    run: checkStops,
  },
  { name: "outputs", stage: "names", codes: ["M3402"], unless: ["M2104"], run: checkOutputs },

  { name: "recalled memories", stage: "flow", codes: ["M4981"], run: checkRecalled },
  { name: "scopes of nodes", stage: "flow", codes: ["M3204"], run: checkScopes },
  { name: "shared arrows", stage: "flow", codes: ["M3212"], run: checkSharedRoutes },
  { name: "who decides", stage: "flow", codes: ["M3211"], run: checkDeciding },
  {
    name: "arguments of picked nodes",
    stage: "flow",
    codes: ["M3780"],
    unless: ["M3211"],
    run: checkHandedArguments,
  },
  { name: "choice of a router", stage: "flow", codes: ["M3215"], run: checkRouterChoice },
  { name: "answers that lead nowhere", stage: "use", codes: ["M3228"], run: checkUnseenAnswers },
  { name: "arrivals", stage: "flow", codes: ["M3214"], run: checkArrivals },
  { name: "reachable", stage: "flow", codes: ["M3201", "M3202"], run: checkReachable },
  { name: "returns", stage: "flow", codes: ["M3781"], run: checkReturnTargets },
  { name: "cycles", stage: "flow", codes: ["M3205"], run: checkCycles },
  { name: "ways out", stage: "flow", codes: ["M3219"], unless: ["M3205"], run: checkWayOut },
  { name: "rounds", stage: "flow", codes: ["M3240", "M3604"], run: checkLoopRounds },
  { name: "quorums", stage: "flow", codes: ["M3220"], run: checkQuorums },
  { name: "joins", stage: "flow", codes: ["M3221"], unless: ["M3211"], run: checkExclusiveJoins },
  { name: "joins and what is detached", stage: "flow", codes: ["M4911"], run: checkDetachedJoins },
  {
    name: "concurrent writers",
    stage: "flow",
    codes: ["M3301", "M3304"],
    run: checkConcurrentWriters,
  },
  { name: "unwritten reads", stage: "flow", codes: ["M3207"], run: checkUnwritten },
  { name: "racing reads", stage: "flow", codes: ["M3216"], run: checkRacingReads },
  { name: "earlier reads", stage: "flow", codes: ["M3242"], run: checkEarlierReads },
  { name: "stale index", stage: "flow", codes: ["M3223"], run: checkStaleIndex },

  { name: "never read", stage: "use", codes: ["M3208"], run: checkNeverRead },
  { name: "never written", stage: "use", codes: ["M3206"], run: checkNeverWritten },
  { name: "returned fields", stage: "use", codes: ["M3243"], run: checkUnsetReturns },
  { name: "unused parameters", stage: "use", codes: ["M2301"], run: checkUnusedParams },
  { name: "unused memories", stage: "use", codes: ["M2301"], run: checkUnusedMemories },
  { name: "unused defaults", stage: "use", codes: ["M2301"], run: checkUnusedDefaults },
  { name: "counted cost", stage: "use", codes: ["M4111"], run: checkCountedCost },
  { name: "constant end", stage: "use", codes: ["M3225"], run: checkConstantEnd },
  { name: "spare max", stage: "use", codes: ["M3222"], run: checkSpareMax },
  { name: "chat in a field", stage: "use", codes: ["M3224"], run: checkChatField },

  {
    name: "tests",
    stage: "tests",
    codes: ["M2101", "M2102", "M2112"],
    run: ({ ast, file, graphOf, report }) => {
      for (const finding of checkTests(ast, file, graphOf)) report(finding);
    },
  },
  { name: "unused in the file", stage: "file use", codes: ["M2301"], run: checkUnusedInFile },
];
