/** Keeps the questions of a run: offers each to automatic answers, takes answers of people, tells those who wait. */

import type { Made } from "../artifact.ts";
import type { Acknowledgement } from "../attempt/post-completion.ts";
import type { Stop } from "../breakpoints/breakpoint-types.ts";
import { type Drive, isRefused, otherProgram } from "../engine/drive.ts";
import type { Engine } from "../engine/engine.ts";
import type { Failure } from "../failure.ts";
import { artifactsIn } from "../history/artifacts-in.ts";
import type { Answer, AskKind, Interrupt } from "../interrupt.ts";
import type { EffectResult } from "../performer.ts";
import { innermost, type LogRecord } from "../records/records.ts";
import type { AnswerOptions } from "../run/handle.ts";
import type { RunParts } from "../run/run-parts.ts";
import { limitAround } from "../scheduler/call-graph.ts";
import { locate } from "../scheduler/called-snapshots.ts";
import { openInterrupt, openInterrupts } from "../scheduler/interrupts.ts";
import { type LimitedCall, limitFailure } from "../scheduler/limits.ts";
import type { Snapshot } from "../scheduler/snapshot/snapshot.ts";
import { AutoAnswers, type CheckedAnswer, type JudgeOpinion } from "./auto-answers.ts";
import { filesIn, keepFiles, strangeFile } from "./given-files.ts";
import {
  interruptsOf,
  misfitOfSaid,
  nobodyAnswers,
  nothingAsked,
  toInterrupt,
  unfitting,
} from "./interrupts.ts";

export class Questions {
  readonly #parts: RunParts;
  readonly #drive: Drive;
  readonly #autoAnswers: AutoAnswers;
  /** Said, and not taken yet: until then nobody can tell whether the run still waits. */
  #answersOnTheWay = 0;
  /** The files that were given here, by id. */
  readonly #given = new Map<string, Made>();

  constructor(parts: RunParts, drive: Drive) {
    this.#parts = parts;
    this.#drive = drive;
    this.#autoAnswers = new AutoAnswers({
      runId: parts.meta.runId,
      answerers: parts.answerers ?? [],
      forbids: ({ id, node }, call) => this.#forbids(id, node, call),
      effects: ({ id }) => this.#effectsOf(id),
      before: (interrupt) => this.#before(interrupt),
      withFiles: (interrupt, answer) => this.#keepFiles(interrupt, answer),
      answer: async ({ id }, checked) => void (await this.#say(id, checked)),
      note: ({ id }, opinion) => this.#note(id, opinion),
      left: () => this.waitForPeople(),
    });
  }

  /** Those that wait for an answer. */
  get open(): readonly Interrupt[] {
    return interruptsOf(this.#runId, this.#parts.program, this.#drive.snapshot);
  }

  /** The stop of a run that waits for people. */
  get stop(): Stop | undefined {
    const [first] = this.#isWaiting && this.#drive.promises.isGivenUp ? this.open : [];
    return first && { kind: "interrupt", id: first.id, node: first.node };
  }

  assertAnswered(): void {
    if (this.stop !== undefined) throw nobodyAnswers(this.#runId, this.open, []);
  }

  /** Answers the question `id` here, or leaves the answer for the process that drives the run. */
  async answer(id: string, given: Answer, options: AnswerOptions = {}): Promise<void> {
    const { later = false, by } = options;
    const answer = this.withFiles(id, given);
    if (!later && !this.#drive.isElsewhere) return await this.#answerHere(id, answer, by);
    this.assertFits(id, answer);
    this.#drive.outbox.leave({ verb: "answer", interrupt: id, answer });
  }

  /** Takes in an answer given in another process; returns whether the run could still take it. */
  async hear(id: string, answer: Answer, by: string): Promise<boolean> {
    this.assertFits(id, answer);
    const asked = await this.#say(id, { answer, from: "person", by });
    if (asked === undefined || (!asked.taken && !isRefused(asked))) {
      throw nothingAsked(this.#runId, id, this.open);
    }
    return asked.taken;
  }

  async #answerHere(id: string, answer: Answer, by: string | undefined): Promise<void> {
    this.assertFits(id, answer);
    const given = { answer, from: "person", ...(by === undefined ? {} : { by }) } as const;
    const asked = await this.#say(id, given);
    if (asked?.taken !== true) throw nothingAsked(this.#runId, id, this.open);
  }

  /**
   * Keeps the bytes of the files in an answer of a person, and returns it with references in their places. A reference of
   * theirs must be to a file of this run: M5317 for any other, and for a file that can't be taken.
   */
  withFiles(id: string, answer: Answer): Answer {
    const interrupt = this.open.find((one) => one.id === id);
    if (interrupt === undefined) throw nothingAsked(this.#runId, id, this.open);
    return this.#keepFiles(interrupt, answer, (reference) => this.#fileOf(reference));
  }

  #keepFiles(interrupt: Interrupt, answer: Answer, known?: (reference: Made) => Made): Answer {
    if (answer.kind !== "value") return answer;
    const { schema, nodeRunId: by } = interrupt;
    const { keep } = this.#parts;
    const how = { by, keep, ...(known === undefined ? {} : { known }) };
    const value = keepFiles(answer.value, schema, how);
    for (const file of filesIn(value, schema)) this.#given.set(file.id, file);
    return { ...answer, value };
  }

  /** The file of the run to which somebody refers. */
  #fileOf({ id, hash }: Made): Made {
    const files = [...this.#given.values(), ...artifactsIn(this.#drive.history.records)];
    const found = files.find((one) => one.id === id && one.hash === hash);
    if (found === undefined) throw strangeFile(id, this.#runId);
    const { name, kind, mime, bytes } = found;
    return { id, name, kind, mime, hash, bytes };
  }

  /** Throws what would keep the question `id` from taking it. */
  assertFits(id: string, answer: Answer): void {
    const interrupt = this.open.find((one) => one.id === id);
    if (interrupt === undefined) throw nothingAsked(this.#runId, id, this.open);
    const misfit = misfitOfSaid(interrupt, answer);
    if (misfit !== undefined) throw unfitting(this.#runId, interrupt, misfit);
  }

  /** Lays a question before those who answer by themselves; also those that were open when a run goes on. */
  layBefore(record: LogRecord, snapshot: Snapshot): void {
    const made = innermost(record);
    if (made.kind === "interrupt") {
      const open = openInterrupt(snapshot, made);
      const located = locate(this.#parts.program, snapshot, made.id);
      if (open !== undefined) {
        this.#autoAnswers.ask(toInterrupt(this.#runId, open, located));
      }
    } else if (record.kind === "control" && record.verb === "resume") {
      for (const interrupt of this.open) this.#autoAnswers.ask(interrupt);
    }
  }

  /** Nothing goes on before somebody answers: if nobody here does, whoever waits for its end is told so. */
  waitForPeople(): void {
    // In a turn of its own: who was told of the question may just be answering it.
    setImmediate(() => {
      if (!this.#isWaiting || this.#autoAnswers.isBusy || this.#answersOnTheWay > 0) return;
      if (!this.#drive.promises.isGivenUp) this.#giveUpWaiting();
      const { stop } = this;
      if (stop !== undefined) this.#drive.moves.held(stop);
    });
  }

  get #runId(): string {
    return this.#parts.meta.runId;
  }

  get #isWaiting(): boolean {
    return this.#drive.snapshot.status === "waiting";
  }

  /** Posts an answer to the run; resolves with undefined where the run had not waited for it. */
  async #say(id: string, checked: CheckedAnswer): Promise<Acknowledgement | undefined> {
    const open = openInterrupts(this.#drive.snapshot).find(
      ({ question }) => question.interrupt === id,
    );
    if (open === undefined) return undefined;
    const { question, home } = open;
    const where = { id: question.id, ...(home === undefined ? {} : { sub: home }) };
    const engine = this.#drive.engine ?? this.#reopen();
    // Whoever was told that nobody is there can wait for it again.
    if (this.#isWaiting) this.#drive.promises.waitAgain();
    const { answer, from, by, usage } = checked;
    const at = this.#parts.clock.now();
    this.#answersOnTheWay += 1;
    const asked = await new Promise<Acknowledgement>((resolve) => {
      const why = {
        ...(by === undefined ? {} : { by }),
        ...(usage === undefined ? {} : { usage }),
      };
      engine.post(
        { kind: "answer", ...where, interrupt: id, answer, from, at, ...why },
        { answer: resolve },
      );
    });
    this.#answersOnTheWay -= 1;
    if (this.#isWaiting) this.waitForPeople();
    return asked;
  }

  /** The question is about a node run, whose limits and those around it hold for whoever judges. */
  #forbids(id: string, node: string, call: LimitedCall): Failure | undefined {
    const { snapshot } = this.#drive;
    const asked = openInterrupts(snapshot).find(({ question }) => question.interrupt === id);
    if (asked === undefined) return undefined;
    const limit = limitAround(this.#parts.program, snapshot, asked.question.id, call);
    return limit === undefined ? undefined : limitFailure(limit, node);
  }

  #effectsOf(id: string): readonly EffectResult[] {
    const asked = openInterrupts(this.#drive.snapshot).find(
      ({ question }) => question.interrupt === id,
    );
    if (asked === undefined) return [];
    const { question } = asked;
    return this.#drive.history.journal().session(question.id, 0, question.attempt + 1);
  }

  /** Also what another process asked: the log has it. */
  #before({ id, node }: Interrupt): readonly AskKind[] {
    const asked = new Map<string, AskKind>();
    for (const record of this.#drive.history.path) {
      const made = innermost(record);
      if (made.kind !== "interrupt" || made.node !== node) continue;
      if (made.interrupt === id) break;
      asked.set(made.interrupt, made.ask);
    }
    return [...asked.values()];
  }

  /** Only what drives the run here has asked anybody. */
  #note(id: string, { by, reason, usage }: JudgeOpinion): void {
    const open = openInterrupts(this.#drive.snapshot).find(
      ({ question }) => question.interrupt === id,
    );
    if (open === undefined) return;
    const { question, home } = open;
    this.#drive.engine?.post({
      kind: "opinion",
      id: question.id,
      ...(home === undefined ? {} : { sub: home }),
      interrupt: id,
      by,
      ...(reason === undefined ? {} : { reason }),
      ...(usage === undefined ? {} : { usage }),
      at: this.#parts.clock.now(),
    });
  }

  /** One that is paused keeps the answer; one whose process left it waiting goes on with it. */
  #reopen(): Engine {
    const { clock, owner, assertReady } = this.#parts;
    const isPaused = this.#drive.snapshot.status === "paused";
    if (!isPaused) assertReady?.();
    const ir = otherProgram(this.#drive.history, this.#parts);
    const other = ir === undefined ? {} : { ir };
    const engine = this.#drive.reopen({ recordsProgram: true });
    const at = clock.now();
    if (!isPaused) engine.post({ kind: "control", verb: "resume", owner, ...other, at });
    return engine;
  }

  #giveUpWaiting(): void {
    const { open } = this;
    const { promises } = this.#drive;
    promises.giveUp(nobodyAnswers(this.#runId, open, this.#autoAnswers.causes(open)));
    promises.standsStill();
    this.#drive.engine?.releaseProcess();
  }
}
