/** Reads what a run has done: its state, steps, results and streams, from its history and its snapshot. */
import { EMPTY, type Observable } from "rxjs";
import type { Ir } from "../../dsl/index.ts";
import type { LivePage } from "../agents/browser/live-page.ts";
import { withAnswerHint } from "../answer-hint.ts";
import type { Artifact } from "../artifact.ts";
import type { Drive } from "../engine/drive.ts";
import { dueAt, sleepsUntil } from "../engine/due.ts";
import type { Envelope } from "../envelope.ts";
import type { StreamMessage, StreamUpdate } from "../event-stream/stream-types.ts";
import type { RunEvent } from "../events/kinds/run-event.ts";
import type { Failure } from "../failure.ts";
import { artifactsIn, readArtifact } from "../history/artifacts-in.ts";
import { calledAt, partsOf } from "../history/called-place.ts";
import { type CalledRun, labelled } from "../history/called-runs.ts";
import {
  type ContextParts,
  contextIn,
  type RunAgent,
  type RunContext,
  runAgent,
  runContext,
} from "../history/contexts.ts";
import { type EffectLeftBehind, leftBehind } from "../history/log-path.ts";
import { messagesIn } from "../history/messages-in.ts";
import type { RunHistory } from "../history/run-history.ts";
import type { RunPosition } from "../history/run-position.ts";
import { stateOf } from "../history/state-of.ts";
import type { RunStep } from "../history/step.ts";
import type { Interrupt } from "../interrupt.ts";
import type { Questions } from "../questions/questions.ts";
import type { StoredLog } from "../rerun/recorded-types.ts";
import type { RunStatus } from "../run-status.ts";
import type { Usage } from "../usage.ts";
import type { RunParts } from "./run-parts.ts";

/** The parts of a run that its readings come from; a resume with another program replaces them. */
export interface RunCore {
  readonly parts: RunParts;
  readonly drive: Drive;
  readonly questions: Questions;
}

/** The readable half of a run's handle: every member leaves the run as it is. `GraphRun` adds the methods that act. */
export abstract class ReadableRun {
  protected abstract get core(): RunCore;

  get id(): string {
    return this.core.parts.meta.runId;
  }
  get thread(): string {
    return this.core.parts.meta.threadId;
  }
  get graph(): string {
    return this.core.parts.meta.graph;
  }
  get graphHash(): string {
    return this.core.parts.meta.graphHash;
  }
  get ir(): Ir {
    return this.core.parts.program.ir;
  }
  get status(): RunStatus {
    return this.core.drive.snapshot.status;
  }
  get reason(): string | undefined {
    return this.core.drive.snapshot.reason === "" ? undefined : this.core.drive.snapshot.reason;
  }
  get isHeld(): boolean {
    return this.core.drive.engine !== undefined && this.core.drive.snapshot.held;
  }
  get state(): Record<string, unknown> {
    return stateOf(this.core.parts.program, this.core.drive.snapshot)();
  }
  get steps(): readonly RunStep[] {
    return this.#history.steps;
  }
  /** The number of `steps`, which for a stored run is known without reading its log. */
  get stepCount(): number {
    return this.#history.stepCount;
  }
  get children(): readonly CalledRun[] {
    return this.#history.called.list();
  }
  /** The position of the run and the path to it, as a debugger reads them. */
  get position(): RunPosition {
    const history = this.#history;
    return {
      program: this.core.parts.program,
      snapshot: history.snapshot,
      get last() {
        return history.last;
      },
      get walked() {
        return history.walked;
      },
      get records() {
        return history.records;
      },
    };
  }
  /** The meta data and the whole log of the run. */
  get stored(): StoredLog {
    const { meta } = this.core.parts;
    const { records } = this.#history;
    return { meta, records, earlier: () => this.core.parts.earlier?.() ?? [] };
  }
  child(label: string): CalledRun | undefined {
    return labelled(this.children, label);
  }
  get context(): RunContext {
    return runContext(this.#contextParts());
  }
  agent(id: string): RunAgent {
    const parts = partsOf(id);
    const around = parts.slice(0, -1);
    const place = around.length === 0 ? undefined : calledAt(this.#history.called, around, this);
    return runAgent(contextIn(this.#contextParts(), place), parts.at(-1) ?? "");
  }
  get usage(): Usage {
    return this.core.drive.snapshot.usage;
  }
  get interrupts(): readonly Interrupt[] {
    return this.core.questions.open;
  }
  get failure(): Failure | undefined {
    const { failure } = this.core.drive.snapshot;
    return failure && withAnswerHint(failure, this.core.parts.meta.models);
  }
  get activeMs(): number {
    return this.core.drive.snapshot.activeMs;
  }
  /** The next time at which a run that no process drives has something due: a sleeping node, a question that expires. */
  get dueAt(): number | undefined {
    return dueAt(this.core.parts.program, this.core.drive.snapshot, this.#now());
  }
  /** The time until which every open node run of a driven run sleeps. */
  get sleepsUntil(): number | undefined {
    return sleepsUntil(this.core.drive.snapshot, this.#now());
  }
  get unended(): readonly string[] {
    return this.core.drive.unended;
  }
  get effectsLeftBehind(): readonly EffectLeftBehind[] {
    return leftBehind(this.#history.records);
  }
  get artifacts(): readonly Artifact[] {
    return artifactsIn(this.#history.records);
  }
  get messages(): readonly Envelope[] {
    return messagesIn(this.#history.records, { runId: this.id, threadId: this.thread });
  }
  /** True while this process drives the run. */
  get isUnderWay(): boolean {
    return this.core.drive.engine !== undefined;
  }

  get events$(): Observable<RunEvent> {
    return this.#history.events$;
  }

  get livePages$(): Observable<LivePage> {
    return this.core.parts.livePages$ ?? EMPTY;
  }

  get state$(): Observable<Record<string, unknown>> {
    return this.#history.show$("values");
  }

  get updates$(): Observable<StreamUpdate> {
    return this.#history.show$("updates");
  }

  get messages$(): Observable<StreamMessage> {
    return this.#history.show$("messages");
  }

  artifact(id: string): Uint8Array {
    const { artifacts: store } = this.core.parts;
    return readArtifact(id, { artifacts: this.artifacts, store, runId: this.id });
  }

  #contextParts(): ContextParts {
    const { program, meta } = this.core.parts;
    const { snapshot, records } = this.#history;
    return { program, meta, snapshot, records };
  }

  get #history(): RunHistory {
    return this.core.drive.history;
  }

  #now(): number {
    return this.core.parts.clock.now();
  }
}
