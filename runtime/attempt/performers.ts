/** Chooses the performer of each kind of node, with the names of the node's file. */
import type { Ir, NodeIr } from "../../dsl/index.ts";
import { createAgentPerformer } from "../agents/agent.ts";
import type { SummarizerOf } from "../agents/agent-loop.ts";
import {
  noRun,
  type RunVerbs,
  runTools,
  withRunTools,
} from "../agents/built-in-tools/run-tools.ts";
import type { AskTraces } from "../agents/built-in-tools/trace-tools.ts";
import { madeOf } from "../agents/cache-key.ts";
import {
  createFunctionCaller,
  type FunctionCallerOptions,
} from "../agents/functions/call-function.ts";
import { createFunctionPerformer } from "../agents/functions/function.ts";
import { createHumanPerformer } from "../agents/human.ts";
import { createJudge } from "../agents/judges/judge.ts";
import type { McpServers } from "../agents/mcp/mcp-servers.ts";
import { createEmbedder } from "../agents/memory/embed-query.ts";
import {
  createMemoryTools,
  type MemoryTools,
  type MemoryToolsOptions,
} from "../agents/memory/memory-tools.ts";
import type { Limiter } from "../agents/models/limiter.ts";
import type { OpenSessions } from "../agents/operator/open-sessions.ts";
import { createOperatorPerformer, type OperatorOptions } from "../agents/operator/operator.ts";
import type { Scope } from "../agents/scope/scope.ts";
import { createToolSet } from "../agents/scope/tools.ts";
import type { SkillPlaces } from "../agents/skills/find-skill.ts";
import { skillHash } from "../agents/skills/skill-hashes.ts";
import type { OpenResources } from "../agents/tools/tool-caller.ts";
import { createToolPerformer } from "../agents/tools/tool-node.ts";
import { keeping } from "../agents/values/keeping.ts";
import type { EngineParts } from "../engine/engine-parts.ts";
import type { Performer } from "../performer.ts";
import type { LoggedCall } from "../records/records.ts";
import type { Redactor } from "../redaction/redact.ts";
import { hashIn } from "../rerun/code.ts";
import type { RunStatus } from "../run-status.ts";
import type { Artifacts } from "../store/run-store.ts";
import type { RunModels } from "./models.ts";
import { OfferedStreams } from "./streams.ts";

type RunArtifacts = Pick<Artifacts, "put" | "putPieces" | "get">;

/** The parts of which the performers of a run are made. */
export interface PerformedWith {
  readonly models: () => RunModels;
  /** Returns the scope of a graph of this file; without a file, the run's own. */
  readonly scope: (file?: string) => Scope;
  readonly artifacts?: RunArtifacts;
  readonly sessions: OpenSessions;
  readonly servers: McpServers;
  /** The variables of the session. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly skillPlaces: (ir: Pick<Ir, "source">) => SkillPlaces;
  readonly open: OpenResources;
  readonly redactor: Redactor;
  readonly limiter: Limiter;
  /** The run itself, once there is one. */
  readonly run: () => PerformedRun | undefined;
  readonly traces: AskTraces;
  readonly memories: Pick<MemoryToolsOptions, "runId" | "memories" | "space" | "recall">;
  /** The hashes of interceptors, where there are some: what they change is another output. */
  readonly interceptorCode?: Readonly<Record<string, string>>;
}

/** The run, as far as its performers need it. */
export type PerformedRun = RunVerbs & { readonly status: RunStatus };

/** Performs nodes, judges what they come to, and calls functions in expressions. */
export function createPerformers(
  of: PerformedWith,
): Pick<EngineParts, "performer" | "call" | "embed" | "offered"> {
  const { models, limiter, scope, interceptorCode } = of;
  const embed = createEmbedder({
    ...of.memories,
    model: (ir, name) => models().embedder(ir, name),
    limiter,
  });
  const redact = (text: string) => of.redactor.redactText(text);
  const memories = createMemoryTools({ ...of.memories, embed, redact });
  return {
    performer: {
      ...byFile((file) => inFile({ ...of, memories }, () => scope(file))),
      madeOf: (attempt) => {
        const model = (node: NodeIr, ir: Ir) => models().of(node, ir);
        const summarizer = (asked: SummarizerOf) => models().judge(asked);
        const skill = (name: string) => skillHash(name, of.skillPlaces(attempt.ir));
        const made = madeOf(attempt, { model, summarizer, scope, codeOf: hashIn, skill });
        return interceptorCode === undefined ? made : { made, interceptorCode };
      },
      judge: createJudge({ model: (by) => models().judge(by), limiter }),
    },
    ...callsIn(scope, of.memories.recall),
    embed,
  };
}

function inFile(
  of: Omit<PerformedWith, "memories"> & { readonly memories: MemoryTools },
  scope: () => Scope,
): Performer {
  const {
    models,
    artifacts,
    sessions,
    servers,
    memories,
    skillPlaces,
    open,
    redactor,
    limiter,
    run,
    env,
    traces,
  } = of;
  const own = runTools(() => run() ?? noRun(), traces);
  const { redactPieces } = redactor;
  const keep = artifacts && keeping(artifacts, redactor);
  const kept = keep === undefined ? {} : { keep };
  return createPerformer({
    agent: createAgentPerformer({
      model: (node, ir) => models().of(node, ir),
      tools: createToolSet(() => withRunTools(scope(), own), keep),
      servers,
      memories,
      skillPlaces,
      open,
      summarizer: (asked) => models().judge(asked),
      scope,
      limiter,
      redactPieces,
      ...(artifacts === undefined ? {} : { bytesOf: (hash) => artifacts.get(hash) }),
    }),
    run: createFunctionPerformer({ scope, ...kept }),
    reduce: createFunctionPerformer({ scope, isPure: true }),
    tool: createToolPerformer({ scope, servers, memories, ...kept }),
    operator: createOperatorPerformer({
      scope,
      sessions,
      isPaused: () => ["paused", "waiting"].includes(run()?.status ?? ""),
      servers,
      skillPlaces,
      redact: (text) => redactor.redactText(text),
      redactPieces,
      ...(keep === undefined ? {} : { keepMade: keep }),
      surroundings: (ir) => ({
        env,
        open,
        folder: skillPlaces(ir).folder,
        ...(artifacts === undefined ? {} : { bytesOf: (hash) => artifacts.get(hash) }),
      }),
      ...(artifacts === undefined ? {} : rawKeeping(artifacts)),
    }),
    human: createHumanPerformer(),
  });
}

/** Calls of functions in expressions, and the streams that some of them give. */
function callsIn(
  scope: (file?: string) => Scope,
  recall: NonNullable<FunctionCallerOptions["recall"]>,
): Pick<EngineParts, "call" | "offered"> {
  const offered = new OfferedStreams();
  const streamed = ({ key }: LoggedCall, source: unknown) => offered.offer(key, source);
  return { offered, call: createFunctionCaller({ scope, streamed, recall }) };
}

/** Keeps the raw output of strong agents: large pieces as they come, and all of it at the end. */
function rawKeeping(artifacts: RunArtifacts): Pick<OperatorOptions, "keep" | "rawStore"> {
  return {
    rawStore: {
      put: (bytes) => artifacts.put(bytes, RAW_STREAM).hash,
      get: (hash) => artifacts.get(hash),
    },
    keep: async (raw, producer) =>
      (await artifacts.putPieces(raw, { ...RAW_STREAM, producer })).hash,
  };
}

/** The artifact that keeps the raw output of strong agents as it comes. */
const RAW_STREAM = { kind: "log", mime: "text/plain" } as const;

type PerformedKind = "agent" | "run" | "reduce" | "tool" | "operator" | "human";

/** One performer for all nodes: each kind's own. */
function createPerformer(of: Readonly<Record<PerformedKind, Performer>>): Performer {
  return {
    perform: (attempt, context) => {
      const { kind } = attempt.node;
      if (kind === "agent" || kind === "router") return of.agent.perform(attempt, context);
      if (kind !== "graph") return of[kind].perform(attempt, context);
      throw new Error("M9000: the scheduler calls graphs itself; no performer has one");
    },
  };
}

/** One performer a file: each graph sees the names of its own. */
function byFile(create: (file: string | undefined) => Performer): Performer {
  const performers = new Map<string | undefined, Performer>();
  return {
    perform: (attempt, context) => {
      const file = attempt.ir.source?.file;
      const performer = performers.get(file) ?? create(file);
      performers.set(file, performer);
      return performer.perform(attempt, context);
    },
  };
}
