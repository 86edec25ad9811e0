/** Turns the events of a run into those of AG-UI, the protocol of front ends for agents. */
import type { Event as AgUiEvent } from "@ag-ui/core";
import { isRecord } from "../../../dsl/index.ts";
import { type DrivenRun, type RunEvent, redaction } from "../../../runtime/index.ts";
import { faultOf, outputOf } from "../../cli/run/run-facts.ts";
import { messageFor, shownQuestion } from "../../shown-question.ts";

/** The names under which the client knows the conversation and the run. */
export interface AgUiNames {
  readonly threadId: string;
  readonly runId: string;
}

/** An event as it is sent; the enumeration of the package is not loaded for its words. */
type SentEvent = { readonly type: `${AgUiEvent["type"]}` } & Readonly<Record<string, unknown>>;

/** Shows one run to one client, from the event behind the first `skipped` ones. */
export class AgUiEvents {
  readonly #run: DrivenRun;
  readonly #names: AgUiNames;
  readonly #shower: ReturnType<typeof redaction.eventShower>;
  readonly #openSteps = new Set<string>();
  /** The message that each node run is writing. */
  readonly #openMessages = new Map<string, string>();
  #messages = 0;
  #skipped: number;

  constructor(run: DrivenRun, names: AgUiNames, skipped: number) {
    this.#run = run;
    this.#names = names;
    this.#skipped = skipped;
    this.#shower = redaction.eventShower(run.ir);
  }

  begin(): readonly string[] {
    return [textOfEvent({ type: "RUN_STARTED", ...this.#names })];
  }

  show(event: RunEvent): readonly string[] {
    this.#shower.learn(event);
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return [];
    }
    return [...this.#eventsOf(this.#shower.show(event))].map(textOfEvent);
  }

  /** Closes what is open; the last event says what came of the run. */
  end(): readonly string[] {
    const closing: readonly SentEvent[] = [
      ...[...this.#openMessages.values()].map(
        (messageId): SentEvent => ({ type: "TEXT_MESSAGE_END", messageId }),
      ),
      ...[...this.#openSteps].map((stepName): SentEvent => ({ type: "STEP_FINISHED", stepName })),
      this.#outcome(),
    ];
    return closing.map(textOfEvent);
  }

  *#eventsOf(event: RunEvent): Generator<SentEvent> {
    switch (event.kind) {
      case "attempt.started": {
        const stepName = nameOf(event);
        if (this.#openSteps.has(stepName)) return;
        this.#openSteps.add(stepName);
        return yield { type: "STEP_STARTED", stepName };
      }
      case "attempt.finished": {
        const stepName = nameOf(event);
        yield* this.#closeMessage(stepName);
        if (this.#openSteps.delete(stepName)) yield { type: "STEP_FINISHED", stepName };
        return;
      }
      case "commit":
        if (event.path === undefined)
          yield {
            type: "STATE_SNAPSHOT",
            snapshot: redaction.shownValue(this.#run.state, this.#run),
          };
        return;
      case "model.delta":
        return yield* this.#write(nameOf(event), event.text);
      case "model.response":
        return yield* this.#wholeMessage(event);
      case "tool.call":
        return yield* toolCall(event);
      case "tool.result":
        return yield* this.#toolResult(event);
      default:
    }
  }

  *#write(writer: string, delta: string): Generator<SentEvent> {
    if (delta === "") return;
    const known = this.#openMessages.get(writer);
    const messageId = known ?? this.#newMessage(writer);
    if (known === undefined) {
      this.#openMessages.set(writer, messageId);
      yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
    }
    yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta };
  }

  /** Models that do not stream come whole; calls of judges and summaries are no part of a conversation. */
  *#wholeMessage(event: RunEvent & { readonly kind: "model.response" }): Generator<SentEvent> {
    const { purpose, value } = event;
    const writer = nameOf(event);
    const text = isRecord(value) && typeof value.text === "string" ? value.text : "";
    if (purpose === undefined && !this.#openMessages.has(writer)) yield* this.#write(writer, text);
    yield* this.#closeMessage(writer);
  }

  *#closeMessage(writer: string): Generator<SentEvent> {
    const messageId = this.#openMessages.get(writer);
    this.#openMessages.delete(writer);
    if (messageId !== undefined) yield { type: "TEXT_MESSAGE_END", messageId };
  }

  *#toolResult(event: RunEvent & { readonly kind: "tool.result" }): Generator<SentEvent> {
    const { toolCallId, value, failure } = event;
    if (toolCallId === undefined) return;
    const content = failure === undefined ? (JSON.stringify(value) ?? "") : failure.message;
    const messageId = this.#newMessage(toolCallId);
    yield { type: "TOOL_CALL_RESULT", messageId, toolCallId, content };
  }

  #newMessage(of: string): string {
    this.#messages += 1;
    return `${this.#run.id}/${of}/${this.#messages}`;
  }

  #outcome(): SentEvent {
    const run = this.#run;
    const fault = faultOf(run, run.ir);
    if (run.status === "waiting")
      return this.#finished({
        type: "interrupt",
        interrupts: run.interrupts.map((one) => interruptOf(run, one)),
      });
    if (fault !== undefined && run.status === "failed")
      return { type: "RUN_ERROR", message: fault.message, code: fault.code };
    if (run.status !== "succeeded") return this.#finished({ type: "cancelled" });
    return { ...this.#finished({ type: "success" }), result: outputOf(run) ?? {} };
  }

  #finished(outcome: Readonly<Record<string, unknown>>): SentEvent {
    return { type: "RUN_FINISHED", ...this.#names, outcome };
  }
}

/** The id of a question for the client: that of its run is before it, as an answer names no run. */
function interruptOf(run: DrivenRun, question: DrivenRun["interrupts"][number]) {
  const shown = shownQuestion(question, run);
  const { expiresAt, schema } = shown;
  return {
    id: `${run.id}/${question.id}`,
    reason: shown.kind,
    message: messageFor(shown),
    ...(schema === undefined ? {} : { responseSchema: schema }),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

function* toolCall(event: RunEvent & { readonly kind: "tool.call" }): Generator<SentEvent> {
  const { toolCallId, tool, request } = event;
  if (toolCallId === undefined) return;
  yield { type: "TOOL_CALL_START", toolCallId, toolCallName: tool };
  yield { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(request) ?? "{}" };
  yield { type: "TOOL_CALL_END", toolCallId };
}

/** `search#2`, behind the labels that lead to its graph. */
function nameOf({
  path = [],
  label,
}: {
  readonly path?: readonly string[];
  readonly label: string;
}): string {
  return [...path, label].join(" › ");
}

/** An event as the protocol writes it. */
function textOfEvent(event: SentEvent): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
