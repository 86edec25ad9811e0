/** Folds the events of a run into what each of its agents said and did, whole or the last of it only. */
import { isRecord } from "../../dsl/index.ts";
import type { ControllerHeard } from "../events/kinds/call-events.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import type { ModelSource } from "../records/call-records.ts";
import { addUsage, noUsage, type Usage } from "../usage.ts";
import type {
  CallItem,
  ItemBase,
  PlanItem,
  QuestionItem,
  SessionItem,
  SessionTurn,
} from "./session-item.ts";

export interface TallyOptions {
  /** The most items that are kept of a node run; all of them if not said. */
  readonly keep?: number;
  /** Set where agents of the program's own are told of, too. */
  readonly ownAgents?: boolean;
}

/** A text that is being said is cut where nobody reads it any more. */
const SAYING_MAX = 20_000;

export class SessionTally {
  readonly #turns = new Map<number, TurnSoFar>();
  readonly #keep: number;
  readonly #ownAgents: boolean;

  constructor({ keep = Infinity, ownAgents = false }: TallyOptions = {}) {
    this.#keep = keep;
    this.#ownAgents = ownAgents;
  }

  /** In the order in which they began. */
  get turns(): readonly SessionTurn[] {
    return [...this.#turns.values()];
  }

  /** Takes an event in; returns whether it tells something of an agent. */
  take(event: RunEvent): boolean {
    if (event.kind === "run.rewound") return this.#goBack(event.to);
    if (event.kind === "run.steered") return this.#steer(event);
    if (!("nodeRun" in event) || event.nodeRun === undefined) return false;
    if (event.kind === "session.requested") {
      this.#turnOf(event, event.controller).begin(event);
      return true;
    }
    const turn = this.#turns.get(event.nodeRun);
    if (turn?.controller !== undefined) return turn.takeControllers(event);
    if (!this.#ownAgents) return false;
    if (event.kind !== "model.request" && turn === undefined) return false;
    return this.#turnOf(event as AgentEvent).takeOwn(event);
  }

  #turnOf(event: AgentEvent, controller?: string): TurnSoFar {
    const known = this.#turns.get(event.nodeRun);
    if (known !== undefined) return known;
    const made = new TurnSoFar(event, { keep: this.#keep, controller });
    this.#turns.set(event.nodeRun, made);
    return made;
  }

  #steer(event: RunEvent & { readonly kind: "run.steered" }): boolean {
    const { receiver: to, payload } = event.message;
    const open = [...this.#turns.values()].filter(
      ({ node, status }) =>
        (status === "working" || status === "asking") && (to === null || to === node),
    );
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    for (const turn of open)
      turn.add({ ...baseOf(event), attempt: turn.attempt, kind: "steer", text });
    return open.length > 0;
  }

  #goBack(to: number): boolean {
    let isChanged = false;
    for (const [nodeRun, turn] of this.#turns) {
      isChanged = turn.goBack(to) || isChanged;
      if (turn.seq > to) this.#turns.delete(nodeRun);
    }
    return isChanged;
  }
}

type AgentEvent = RunEvent & {
  readonly node: string;
  readonly nodeRun: number;
  readonly label: string;
  readonly attempt: number;
};

class TurnSoFar implements SessionTurn {
  readonly node: string;
  readonly nodeRun: number;
  readonly label: string;
  readonly controller?: string;
  readonly seq: number;
  readonly startedAt: number;
  readonly items: SessionItem[] = [];
  readonly sessionIds: string[] = [];
  model?: string;
  attempt: number;
  status: SessionTurn["status"] = "working";
  left = 0;
  calls = 0;
  saying = "";
  sign?: string;
  plan?: PlanItem["steps"];
  usage: Usage = noUsage;
  lastAt: number;
  readonly #sources = new Set<ModelSource>();
  readonly #keep: number;

  constructor(
    event: AgentEvent,
    { keep, controller }: { keep: number; controller: string | undefined },
  ) {
    this.node = event.node;
    this.nodeRun = event.nodeRun;
    this.label = [...(event.path ?? []), event.label].join(" › ");
    this.seq = event.seq;
    this.startedAt = event.at;
    this.lastAt = event.at;
    this.attempt = event.attempt;
    this.#keep = keep;
    if (controller !== undefined) this.controller = controller;
  }

  get modelSources(): readonly ModelSource[] {
    return [...this.#sources].sort();
  }

  add(item: SessionItem): void {
    this.items.push(item);
    if (item.kind === "call") this.calls += 1;
    if (item.kind === "plan") this.plan = item.steps;
    if (this.items.length <= this.#keep) return;
    this.items.shift();
    this.left += 1;
  }

  /** Forgets what a rewind undid; what was paid for it stays paid. */
  goBack(to: number): boolean {
    const before = this.items.length;
    const kept = this.items.filter(({ seq }) => seq <= to);
    this.items.splice(0, before, ...kept);
    return kept.length < before;
  }

  begin({ request, ...event }: RunEvent & { readonly kind: "session.requested" }): void {
    this.#note(event);
    this.attempt = event.attempt;
    this.status = "working";
    const text = isRecord(request) ? request.instruction : undefined;
    if (typeof text === "string") this.add({ ...this.#base(event), kind: "instruction", text });
  }

  // ── of a strong agent ─────────────────────────────────────────────────────────────────────────

  takeControllers(event: RunEvent): boolean {
    switch (event.kind) {
      case "session.started":
        this.#note(event);
        this.#started(event);
        return true;
      case "model.delta":
        this.#say(event.text);
        return true;
      case "controller.event":
        this.#note(event);
        this.#takeEvent(event);
        return true;
      case "controller.answered":
        this.#answered(event.approvalId, event.decision);
        return true;
      case "session.ended":
        this.#note(event);
        this.#ended(event);
        return true;
      default:
        return false;
    }
  }

  #started(event: RunEvent & { readonly kind: "session.started" }): void {
    this.#name(event.sessionId);
    this.status = "working";
    const { how, gone } = event;
    if (how === "new" || how === "next") return;
    const text = {
      restored: "goes on from an earlier place of its session",
      fresh: `begins a new session: \`${gone}\` is not known any more`,
      reattached: "goes on with the turn that was cut off",
    }[how];
    this.add({ ...this.#base(event), kind: "note", text });
  }

  #name(sessionId: string): void {
    if (sessionId !== "" && this.sessionIds.at(-1) !== sessionId) this.sessionIds.push(sessionId);
  }

  #takeEvent({ event: agentEvent, usage, ...event }: ControllerHeard): void {
    const base: ItemBase = { ...this.#base(event), raw: agentEvent.raw };
    if (usage !== undefined) this.usage = addUsage(this.usage, usage);
    if (agentEvent.kind !== "heartbeat") delete this.sign;
    switch (agentEvent.kind) {
      case "session_started":
        this.#name(agentEvent.sessionId);
        if (agentEvent.model !== undefined) this.model = agentEvent.model;
        return;
      case "message_completed":
        this.saying = "";
        if (agentEvent.text.trim() !== "")
          this.add({ ...base, kind: "text", text: agentEvent.text });
        return;
      case "tool_call": {
        const { callId, tool, input } = agentEvent;
        this.add({ ...base, kind: "call", callId, tool, input, status: "running" });
        return;
      }
      case "tool_result": {
        const { callId, value, error, isDenied } = agentEvent;
        const failed = isDenied === true ? "denied" : "failed";
        this.#result(callId, event.at, {
          status: error === undefined ? "ok" : failed,
          ...(error === undefined ? { value } : { error }),
        });
        return;
      }
      case "approval_requested": {
        const { approvalId: id, tool, input, message } = agentEvent;
        const words = message === undefined ? {} : { message };
        this.#ask({ ...base, kind: "question", id, tool, input, ...words, status: "open" });
        return;
      }
      case "input_requested": {
        const { inputId: id, message } = agentEvent;
        this.#ask({ ...base, kind: "question", id, message, status: "open" });
        return;
      }
      case "artifact_created": {
        const { name, path, artifactKind, mime, text } = agentEvent;
        const isDiff = artifactKind === "patch" || mime === "text/x-diff";
        const place = path === undefined ? {} : { path };
        this.add({
          ...base,
          kind: "file",
          name,
          ...place,
          isDiff,
          ...(text === undefined ? {} : { text }),
        });
        return;
      }
      case "plan_updated":
        this.add({ ...base, kind: "plan", steps: agentEvent.steps });
        return;
      case "heartbeat":
        if (agentEvent.note !== undefined) this.sign = agentEvent.note;
        return;
      case "log":
        this.add({ ...base, kind: "note", text: agentEvent.text });
        return;
      case "completed":
        this.#complete(agentEvent.text, base);
        return;
      case "failed":
        this.add({ ...base, kind: "error", text: `${agentEvent.reason}: ${agentEvent.message}` });
        return;
      case "state_hint":
        this.add({
          ...base,
          kind: "note",
          text: `would write ${JSON.stringify(agentEvent.patch)}`,
        });
    }
  }

  /** The last text is most often said again at the end. */
  #complete(text: string, base: ItemBase): void {
    this.saying = "";
    const last = this.items.findLast(({ kind }) => kind === "text");
    if (text.trim() === "" || (last?.kind === "text" && last.text.trim() === text.trim())) return;
    this.add({ ...base, kind: "text", text });
  }

  #ask(item: QuestionItem): void {
    this.status = "asking";
    this.add(item);
  }

  #answered(id: string, decision: "approve" | "deny"): void {
    this.status = "working";
    const isIt = (item: SessionItem) => item.kind === "question" && item.id === id;
    const at = this.items.findLastIndex(isIt);
    const status = decision === "approve" ? "approved" : "denied";
    const asked = this.items[at];
    if (asked?.kind === "question") this.items[at] = { ...asked, status };
  }

  #ended(event: RunEvent & { readonly kind: "session.ended" }): void {
    const { status, failure, result } = event;
    this.saying = "";
    this.#name(event.sessionId);
    this.status = status === "success" ? "done" : status === "interrupted" ? "stopped" : "failed";
    const why = failure ?? result?.error;
    const last = this.items.at(-1);
    if (status === "success" || (last?.kind === "error" && why?.message.includes(last.text)))
      return;
    if (why !== undefined && last?.kind !== "error")
      this.add({ ...this.#base(event), kind: "error", text: `${why.code} ${why.message}` });
  }

  // ── of an agent of the program's own ──────────────────────────────────────────────────────────

  takeOwn(event: RunEvent): boolean {
    switch (event.kind) {
      case "model.request":
        this.#note(event);
        this.attempt = event.attempt;
        this.status = "working";
        this.model = event.model;
        return true;
      case "model.delta":
        this.#say(event.text);
        return true;
      case "model.response": {
        this.#note(event);
        this.saying = "";
        if (event.usage !== undefined) this.usage = addUsage(this.usage, event.usage);
        const text = isRecord(event.value) ? event.value.text : undefined;
        if (typeof text === "string" && text.trim() !== "")
          this.add({ ...this.#base(event), kind: "text", text });
        return true;
      }
      case "tool.call": {
        const { tool, request: input, span } = event;
        const callId = String(span);
        this.add({ ...this.#base(event), kind: "call", callId, tool, input, status: "running" });
        return true;
      }
      case "tool.result": {
        const { failure, value, span, at } = event;
        const failed = failure?.class === "denied" ? "denied" : "failed";
        this.#result(String(span), at, {
          status: failure === undefined ? "ok" : failed,
          ...(failure === undefined ? { value } : { error: failure.message }),
        });
        return true;
      }
      case "attempt.finished":
        this.#note(event);
        this.status = event.status === "ok" ? "done" : "failed";
        if (event.failure !== undefined)
          this.add({ ...this.#base(event), kind: "error", text: event.failure.message });
        return true;
      default:
        return false;
    }
  }

  // ── of both ───────────────────────────────────────────────────────────────────────────────────

  #say(text: string): void {
    this.saying = `${this.saying}${text}`.slice(-SAYING_MAX);
  }

  #result(callId: string, at: number, outcome: Pick<CallItem, "status" | "value" | "error">): void {
    const place = this.items.findLastIndex(
      (item) => item.kind === "call" && item.callId === callId && item.status === "running",
    );
    const call = this.items[place];
    if (call?.kind === "call")
      this.items[place] = { ...call, ...outcome, durationMs: at - call.at };
  }

  #note(event: { readonly at: number; readonly modelSource?: ModelSource }): void {
    this.lastAt = event.at;
    if (event.modelSource !== undefined) this.#sources.add(event.modelSource);
  }

  #base(event: Pick<AgentEvent, "seq" | "at" | "attempt">): ItemBase {
    return { ...baseOf(event), attempt: event.attempt };
  }
}

function baseOf({ seq, at }: Pick<RunEvent, "seq" | "at">): Pick<ItemBase, "seq" | "at"> {
  return { seq, at };
}
