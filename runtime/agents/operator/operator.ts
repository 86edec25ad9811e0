/** Performs `operator` nodes: one turn of a strong agent behind its controller, every step of it in the journal. */
import type { Ir } from "../../../dsl/index.ts";
import type { Made } from "../../artifact.ts";
import type { Cancellation } from "../../cancellation.ts";
import { type SleepClock, systemClock } from "../../clock.ts";
import { FailureError, messageOf } from "../../failure.ts";
import type {
  Attempt,
  EffectCall,
  EffectOutcome,
  Performer,
  PerformerContext,
} from "../../performer.ts";
import type { GuardFacts } from "../../records/call-records.ts";
import type {
  ControllerOutcome,
  TurnBegun,
  TurnEnded,
  TurnHeard,
} from "../../records/controller-values.ts";
import type { Redactor } from "../../redaction/redact.ts";
import { plainPieces } from "../../redaction/redact-pieces.ts";
import { untilCancelled } from "../abort.ts";
import type { AgentSurroundings } from "../controllers/process/process-controller.ts";
import { formatInstruction, type OutputPlan, outputPlan } from "../conversation/output.ts";
import type { Scope } from "../scope/scope.ts";
import { type SkillSources, skillsOf } from "../skills/agent-skills.ts";
import type { SkillPlaces } from "../skills/find-skill.ts";
import type { OfferedSkill } from "../skills/offered-skill.ts";
import { skillOpener } from "../skills/skill-tools.ts";
import { madeWith } from "../tools/call-tool.ts";
import type { KeepArtifact } from "../values/make-artifact.ts";
import { beginTurn, knownSession } from "./begin.ts";
import {
  type ApprovalAnswer,
  type Attachment,
  type Controller,
  type ControllerEvent,
  controllerLost,
  type SessionHandle,
  type StartRequest,
} from "./controller.ts";
import { findController } from "./find-controller.ts";
import { hiddenVariables } from "./hidden-variables.ts";
import { Listener } from "./listen.ts";
import { OpenSessions } from "./open-sessions.ts";
import { bytesOf, type RawStore } from "./raw-piece.ts";
import { outputOf, resultOf } from "./result.ts";
import { rightsOf } from "./rights.ts";
import { madeIn, routed } from "./routed.ts";
import { type OperatorTally, type TurnEnd, tallyOf, usageOf, withHeard } from "./tally.ts";
import { type InputQuestion, inputFor, leaveFor } from "./tool-permission.ts";

/** Dependencies of operators on their run. */
export interface OperatorOptions {
  /** Looked at anew at each attempt. */
  readonly scope: () => Scope;
  readonly clock?: SleepClock;
  /** Takes known secrets out of what an agent says, before anything is kept of it. */
  readonly redact?: (text: string) => string;
  /** The same for what it says while it says it. */
  readonly redactPieces?: Redactor["redactPieces"];
  /** Keeps the raw stream of an attempt that ended, where anything is kept; its result names it. */
  readonly keep?: (raw: Iterable<Uint8Array>, nodeRunId: string) => Promise<string>;
  /** Stores the large pieces of it while it comes. */
  readonly rawStore?: RawStore;
  /** Keeps what an agent says that it has made. */
  readonly keepMade?: KeepArtifact;
  /** Tells whether the run stands and goes on later, so that its agents need not stop. */
  readonly isPaused?: () => boolean;
  /** The longest silence of a controller, in milliseconds; 10 minutes by default. */
  readonly silenceMs?: number;
  /** The folders in which the skills of a graph are looked for. */
  readonly skillPlaces?: (ir: Ir) => SkillPlaces;
  /** The servers of the run, which may have skills. */
  readonly servers?: SkillSources["servers"];
  /** The surroundings of the controllers that come with Madrigal, for a graph. */
  readonly surroundings?: (ir: Ir) => AgentSurroundings;
  /** Those that the run has open; of its own if not said. */
  readonly sessions?: OpenSessions;
}

export function createOperatorPerformer(options: OperatorOptions): Performer {
  const open = options.sessions ?? new OpenSessions();
  return {
    perform: async (attempt, context) => {
      const places = options.skillPlaces?.(attempt.ir);
      const { servers } = options;
      const skills = places && (await skillsOf(attempt, context, { places, servers }));
      const turn = turnOf(attempt, context, { ...options, open, skills });
      try {
        return await perform(turn);
      } finally {
        turn.endSteering?.();
        await turn.listener?.leave({ isPaused: options.isPaused?.() ?? false });
        turn.free?.();
      }
    },
  };
}

const SILENCE_MS = 600_000;

/** One attempt while it goes on. */
interface OperatorTurn {
  readonly attempt: Attempt;
  readonly context: PerformerContext;
  readonly controller: Controller;
  readonly request: StartRequest;
  readonly plan: OutputPlan;
  readonly options: Required<
    Pick<OperatorOptions, "clock" | "redact" | "redactPieces" | "silenceMs">
  > &
    OperatorOptions;
  readonly open: OpenSessions;
  /** There once this process hears the controller; an attempt served from the journal has none. */
  listener?: Listener;
  /** Lets others have the session. */
  free?: () => void;
  endSteering?: () => void;
}

function turnOf(
  attempt: Attempt,
  context: PerformerContext,
  options: OperatorOptions & {
    readonly open: OpenSessions;
    readonly skills: readonly OfferedSkill[] | undefined;
  },
): OperatorTurn {
  const { clock = systemClock, redact = (text: string) => text, silenceMs = SILENCE_MS } = options;
  const { redactPieces = plainPieces } = options;
  const view = attempt.operator ?? { args: [], state: {} };
  const surroundings = options.surroundings?.(attempt.ir);
  const hidden = hiddenVariables(attempt, surroundings?.env);
  const plan = outputPlan(attempt.node, attempt.ir.fields);
  return {
    attempt,
    context,
    controller: findController(attempt, options.scope(), {
      args: view.args,
      ...surroundings,
      ...skillFilesFor(attempt, options),
    }),
    request: requestOf(attempt, plan, options.skills),
    plan,
    options: { ...options, clock, silenceMs, ...redacting({ redact, redactPieces }, hidden) },
    open: options.open,
  };
}

/** Opens the files of the node's skills, for a controller that offers them to its agent. */
function skillFilesFor(
  { ir }: Attempt,
  {
    skills,
    skillPlaces,
    servers,
  }: OperatorOptions & { readonly skills: readonly OfferedSkill[] | undefined },
): Pick<AgentSurroundings, "openSkillFile"> {
  const places = skillPlaces?.(ir);
  if (skills === undefined || places === undefined) return {};
  const server = (name: string) => servers?.skillServer(name, ir);
  return { openSkillFile: skillOpener(skills, { places, server }) };
}

/** Both ways of hiding, one after the other. */
function redacting(
  { redact, redactPieces }: Required<Pick<OperatorOptions, "redact" | "redactPieces">>,
  hidden: ReturnType<typeof hiddenVariables>,
) {
  if (hidden === undefined) return { redact, redactPieces };
  const both: typeof redactPieces = (tell) => {
    const last = redactPieces(tell);
    const first = hidden.redactPieces((text) => last.write(text));
    const end = () => {
      first.end();
      last.end();
    };
    return { write: (piece) => first.write(piece), end };
  };
  return { redact: (text: string) => redact(hidden.redactText(text)), redactPieces: both };
}

async function perform(turn: OperatorTurn): Promise<unknown> {
  let tally = tallyOf(await begin(turn));
  let received: TurnHeard | undefined;
  for (;;) {
    received = await hear(turn, tally, received);
    tally = withHeard(tally, received);
    if (tally.end !== undefined) break;
    for (const event of received.events) {
      if (event.kind === "approval_requested") await decide(turn, tally, event);
      if (event.kind === "input_requested") await inform(turn, tally, event);
      if (event.kind === "recall_requested") await remember(turn, tally, event);
    }
  }
  const { result } = await end(turn, tally, tally.end);
  // An agent that hands over writes nothing: its last words need not be the answer.
  const isOver = result.error === undefined && result.handoffs.length > 0;
  return routed(isOver ? null : outputOf(result, tally.end, turn), result, turn.attempt);
}

// ── the effects ─────────────────────────────────────────────────────────────────────────────────

/** Begins the session. After a crash in between, whether it was begun is unknown, and a person is asked (M5021). */
function begin(turn: OperatorTurn): Promise<TurnBegun> {
  const { controller, request, attempt, open } = turn;
  return effect(turn, { verb: "begin", ...request }, { external: true }, async (cancellation) => {
    const known = knownSession(attempt, controller.name)?.ref.sessionId;
    if (known !== undefined) turn.free = await open.take(controller.name, known, cancellation);
    const { handle, begun } = await untilCancelled(
      () => calling(controller, () => beginTurn(controller, request, attempt, turn.context.signal)),
      cancellation,
    );
    listen(turn, handle, 0);
    return { value: begun };
  });
}

function hear(
  turn: OperatorTurn,
  tally: OperatorTally,
  before: TurnHeard | undefined,
): Promise<TurnHeard> {
  const words: string[] = [];
  const hears = { hear: (texts: readonly string[]) => void words.push(...texts) };
  const called = calledIn(before);
  const request = { verb: "next", after: tally.received, ...called } as const;
  return effect(turn, request, hears, async (cancellation) => {
    const isCutOff = turn.listener === undefined;
    const listener = await listening(turn, tally, { cancellation, isAnswered: false });
    for (const text of words) await turn.controller.steer?.(listener.handle, text);
    const received = await listener.next(cancellation);
    const value: TurnHeard = isCutOff ? { ...received, reattached: true } : received;
    const made = madeIn(received.events, turn.attempt.node.name, turn.options.keepMade);
    return { value, usage: usageOf(received.events), ...madeWith(made) };
  });
}

/** The tool or the file that the agent told of last, for breakpoints: with what follows, the run can be held. */
function calledIn(before: TurnHeard | undefined): Readonly<Record<string, readonly string[]>> {
  const last = before?.events.at(-1);
  if (last?.kind === "tool_call") return { called: [last.tool] };
  return last?.kind === "artifact_created" ? { changed: [last.path ?? last.name] } : {};
}

type ControllerRequest = ControllerEvent & { readonly kind: "approval_requested" };

async function decide(
  turn: OperatorTurn,
  tally: OperatorTally,
  event: ControllerRequest,
): Promise<void> {
  const { answer, guard } = await leaveFor(event, turn.attempt, turn.context);
  await tell(turn, tally, { answer, guard });
}

async function inform(turn: OperatorTurn, tally: OperatorTally, event: InputQuestion) {
  const answer = await inputFor(event, turn.attempt, turn.context);
  await tell(turn, tally, { answer, guard: undefined });
}

/** Asks a memory that the node recalls; its answer is an effect of its own. */
async function remember(
  turn: OperatorTurn,
  tally: OperatorTally,
  { inputId, memory, query }: ControllerEvent & { readonly kind: "recall_requested" },
) {
  const found = await turn.attempt.recall?.(memory, query);
  const answer = { approvalId: inputId, decision: "approve", input: found ?? [] } as const;
  await tell(turn, tally, { answer, guard: undefined });
}

async function tell(
  turn: OperatorTurn,
  tally: OperatorTally,
  { answer, guard }: { readonly answer: ApprovalAnswer; readonly guard: GuardFacts | undefined },
): Promise<void> {
  await effect(turn, { ...answer, verb: "answer" }, { guard }, async (cancellation) => {
    const { controller } = turn;
    const { handle } = await listening(turn, tally, { cancellation, isAnswered: true });
    await untilCancelled(
      () => calling(controller, () => controller.answer(handle, answer)),
      cancellation,
    );
    const { approvalId, decision } = answer;
    return { value: { verb: "answer", approvalId, decision } };
  });
}

function end(turn: OperatorTurn, tally: OperatorTally, last: TurnEnd): Promise<TurnEnded> {
  return effect(turn, { verb: "end" }, {}, async (cancellation) => {
    const { controller, options, attempt } = turn;
    const { rawStore } = options;
    const raw = {
      [Symbol.iterator]: () => tally.raw.values().map((one) => bytesOf(one, rawStore)),
    };
    const artifact = await options.keep?.(raw, attempt.nodeRunId);
    const canShow = controller.capabilities.snapshot && last.kind === "completed";
    const { sessionId, turn: number } = tally;
    const snapshot = canShow
      ? await untilCancelled(
          () => calling(controller, () => controller.snapshot({ sessionId, turn: number })),
          cancellation,
        )
      : undefined;
    const result = resultOf(tally, last, {
      controller: controller.name,
      ...(artifact === undefined ? {} : { artifact }),
      ...(snapshot === undefined ? {} : { snapshot }),
    });
    return { value: { verb: "end", result } };
  });
}

function effect<T extends ControllerOutcome>(
  { context, controller }: OperatorTurn,
  request: Readonly<Record<string, unknown>> & { readonly verb: T["verb"] },
  how: Pick<EffectCall<T>, "external" | "guard" | "hear">,
  perform: (cancellation: Cancellation) => Promise<EffectOutcome<T>>,
): Promise<T> {
  const { name, source: modelSource } = controller;
  return context.effect<T>({ effect: "controller", name, modelSource, request, ...how, perform });
}

// ── the live side ───────────────────────────────────────────────────────────────────────────────

/** The turn as this process hears it; one that another process began is gone on with, where the agent can. */
async function listening(
  turn: OperatorTurn,
  tally: OperatorTally,
  {
    cancellation,
    isAnswered,
  }: { readonly cancellation: Cancellation; readonly isAnswered: boolean },
): Promise<Listener> {
  if (turn.listener !== undefined) return turn.listener;
  const { controller, request, open } = turn;
  const { sessionId, received } = tally;
  // The tally goes on; the controller has it as it is now.
  const earlier = [...tally.events];
  if (!controller.capabilities.reattach)
    throw controllerLost(controller.name, "its process ended in the middle of the turn");
  turn.free ??= await open.take(controller.name, sessionId, cancellation);
  const handle = await untilCancelled(
    () =>
      calling(controller, () =>
        controller.resume({ ...request, sessionId, received, earlier, isAnswered }),
      ),
    cancellation,
  );
  return listen(turn, handle, tally.rawBytes);
}

function listen(turn: OperatorTurn, handle: SessionHandle, rawBytes: number): Listener {
  const { controller, context, options, open } = turn;
  const { clock, silenceMs, redact, redactPieces } = options;
  const delta = (text: string) => context.delta(text);
  const listener = new Listener({
    controller,
    handle,
    rawBytes,
    clock,
    silenceMs,
    redact,
    redactPieces,
    delta,
    store: options.rawStore,
  });
  turn.listener = listener;
  turn.endSteering = open.onSteer((to) => {
    if (to === null || to === turn.attempt.node.name) listener.cut();
  });
  open.add(controller, handle);
  return listener;
}

/** Runs `call`. Anything that the controller throws counts as its loss, unless it says otherwise. */
async function calling<T>(controller: Controller, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown;
    throw controllerLost(controller.name, messageOf(thrown), thrown);
  }
}

/** The request of an attempt; pure, so that a resumed attempt asks for the same. */
function requestOf(
  attempt: Attempt,
  plan: OutputPlan,
  skills: readonly OfferedSkill[] = [],
): StartRequest {
  const { node, operator, system } = attempt;
  const { description, limit, session } = node;
  const timeoutMs = limit?.quantities.find(({ unit }) => unit === "ms")?.value;
  return {
    key: `${attempt.nodeRunId}/${attempt.attempt}`,
    runId: attempt.runId,
    nodeRunId: attempt.nodeRunId,
    attempt: attempt.attempt,
    operator: node.name,
    instruction: instructionOf(attempt, plan),
    stateView: operator?.state ?? {},
    inbox: attempt.inbox ?? [],
    artifacts: [],
    skills,
    session: session?.policy ?? "new",
    tools: node.tools.map((tool) => tool.join(".")),
    ...(description === undefined ? {} : { role: description }),
    ...(system === undefined ? {} : { system }),
    ...(plan.kind === "text" ? {} : { outputSchema: plan.asked }),
    ...rightsOf(attempt),
    ...(attempt.media === undefined ? {} : { attachments: attempt.media.map(attachmentOf) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

function attachmentOf({ name, mime, hash }: Made): Attachment {
  return { name, mime, hash };
}

/** The whole text: also agents that know of nothing but text are told all of it. */
function instructionOf({ node, prompt }: Attempt, plan: OutputPlan): string {
  const asked = prompt ?? node.description ?? node.name;
  const format = formatInstruction(plan, true);
  return format === undefined ? asked : `${asked}\n\n${format}`;
}
