/** A run that is over, read for what another one can be served of it: each attempt with what it was made from and came to. */

import type { Ir, NodeIr } from "../../dsl/index.ts";
import { inputFromRecord } from "../attempt/attempt-input.ts";
import { systemClock } from "../clock.ts";
import { fittedGraph } from "../edited-program/fitting.ts";
import { pathOf } from "../history/log-path.ts";
import { lastProgram } from "../history/same-text.ts";
import type { ControlRecord } from "../records/control-records.ts";
import {
  type AttemptRecord,
  type CommitRecord,
  innermost,
  type LoggedCall,
  type LogRecord,
  type StartRecord,
} from "../records/records.ts";
import { type Located, labelOf, locate, nodeRunPlace } from "../scheduler/called-snapshots.ts";
import { NOW, RECALL } from "../scheduler/expressions/calls.ts";
import { applyRecord } from "../scheduler/fold.ts";
import { link } from "../scheduler/program/link.ts";
import type { Program } from "../scheduler/program/program.ts";
import { emptySnapshot } from "../scheduler/snapshot/snapshot.ts";
import type { RunMeta } from "../store/run-store.ts";
import { AttemptFacts, isLogged } from "./attempt-facts.ts";
import { type AttemptContent, type ContentScope, contentOf, judgingOf } from "./content.ts";
import type {
  RecordedAnswer,
  RecordedAttempt,
  RecordedRun,
  RecordedVerdict,
  StoredLog,
} from "./recorded-types.ts";

export function readRecorded(stored: StoredLog): RecordedRun {
  return new RecordReader(stored).read();
}

/** Goes through a log once, and looks at each attempt where it starts. */
class RecordReader {
  readonly #stored: StoredLog;
  readonly #program: Program;
  readonly #path: readonly LogRecord[];
  readonly #facts: AttemptFacts;
  readonly #attempts = new Map<string, RecordedAttempt>();
  readonly #answers: RecordedAnswer[] = [];
  readonly #verdicts: RecordedVerdict[] = [];
  readonly #nodes = new Map<number, { readonly graph: string; readonly node: NodeIr }>();
  readonly #questions = new Map<string, Omit<RecordedAnswer, "answer">>();
  #around: ContentScope;
  /** The program that attempts were performed with, where that was an earlier one. */
  #before: Ir | undefined;
  #snapshot = emptySnapshot();

  constructor(stored: StoredLog) {
    const { meta, records } = stored;
    const ir = programOf(meta, records);
    this.#stored = stored;
    this.#program = link(ir);
    this.#path = pathOf(records);
    this.#facts = new AttemptFacts(this.#path);
    this.#around = { file: ir.source?.file, models: meta.models, code: meta.code ?? {} };
    this.#before = ir.hash === meta.ir.hash ? undefined : meta.ir;
  }

  read(): RecordedRun {
    const { meta, records } = this.#stored;
    const onPath = new Set(this.#path);
    for (const record of records) {
      this.#snapshot = applyRecord(this.#program, this.#snapshot, record, record.at);
      if (record.kind === "control" && record.verb === "resume") {
        this.#resumed(record);
      }
      if (onPath.has(record)) this.#take(record);
    }
    return {
      meta,
      code: this.#around.code,
      ir: this.#program.ir,
      records: this.#path,
      begun: records.find((record) => record.kind === "run"),
      attempts: [...this.#attempts.values()],
      answers: this.#answers,
      verdicts: this.#verdicts,
      functions: functionsIn(this.#path),
    };
  }

  #resumed({ ir, code }: ControlRecord): void {
    if (ir !== undefined) this.#before = ir.hash === this.#program.ir.hash ? undefined : ir;
    if (code === undefined) return;
    this.#around = { ...this.#around, code: { ...this.#around.code, ...code } };
  }

  #take(record: LogRecord): void {
    const made = innermost(record);
    switch (made.kind) {
      case "start":
        this.#start(made, record.at);
        break;
      case "interrupt": {
        const located = locate(this.#program, this.#snapshot, made.id);
        const place = located === undefined ? "" : nodeRunPlace(located);
        this.#questions.set(made.interrupt, { place, interrupt: made });
        break;
      }
      case "answer": {
        const asked = this.#questions.get(made.interrupt);
        if (asked !== undefined) this.#answers.push({ ...asked, answer: made });
        break;
      }
      case "commit":
      case "attempt":
        this.#judged(made);
        break;
      default:
    }
  }

  #judged(made: CommitRecord | AttemptRecord): void {
    const ended = made.kind === "commit" ? made : made.ended;
    const of = this.#nodes.get(made.id);
    if (ended === undefined || !("judged" in ended) || of === undefined) return;
    const { judged, output = null } = ended;
    if (judged === undefined) return;
    const { graph, node } = of;
    const judging = judgingOf(node);
    this.#verdicts.push({ graph, node: node.name, judging, output, judged });
  }

  #start({ id, attempt, judges }: StartRecord, at: number): void {
    const located = locate(this.#program, this.#snapshot, id);
    const node = located?.program.nodes[located.run.node];
    if (located === undefined || node === undefined) return;
    this.#nodes.set(id, { graph: located.program.ir.name, node: this.#nodeThen(located, node.ir) });
    if (judges === true || located.run.source !== undefined) return;
    if (node.called !== undefined || node.isWait === true) return;
    const key = `${id}/${attempt}`;
    const of = this.#facts.of(key);
    const content = this.#contentOf(located, of.known);
    if (content === undefined) return;
    const [place, label] = [nodeRunPlace(located), labelOf(located)];
    this.#attempts.set(key, { id, attempt, place, label, content, ...of.factsSince(at) });
  }

  #contentOf(located: Located, known: readonly LoggedCall[]): AttemptContent | undefined {
    const { meta, earlier } = this.#stored;
    const { journal } = this.#facts;
    const host = { ...NOBODY, program: this.#program, journal, earlier, runId: meta.runId };
    try {
      const given = inputFromRecord(host, located, known);
      return contentOf(given, this.#around, this.#nodeThen(located, given.node));
    } catch {
      // What can't be told of it is not known: it is performed again.
      return undefined;
    }
  }

  /** A node as it stood in the program that it was performed with. */
  #nodeThen({ program: { ir } }: Located, node: NodeIr): NodeIr {
    const before = this.#before;
    if (before === undefined) return node;
    const graph = [before, ...(before.graphs ?? [])].find(({ name }) => name === ir.name);
    return graph?.nodes.find(({ name }) => name === node.name) ?? node;
  }
}

/** The program with which all of the log can be folded. */
function programOf(meta: RunMeta, records: readonly LogRecord[]): Ir {
  const last = lastProgram(records);
  if (last === undefined) return meta.ir;
  return fittedGraph(meta, { records, change: { graph: { ir: last } } });
}

function functionsIn(path: readonly LogRecord[]): ReadonlyMap<string, LoggedCall> {
  const calls = path.flatMap((record) => {
    const made = innermost(record);
    const of = made.kind === "outcome" && isLogged(made.value) ? [made.value] : [];
    return [...(record.calls ?? []), ...of];
  });
  const good = calls.filter(({ name, failure, isStream }) => {
    return name !== NOW && name !== RECALL && failure === undefined && isStream === undefined;
  });
  return new Map(good.map((call) => [call.key, call]));
}

/** Nobody is asked or called for what is over. */
const NOBODY = {
  clock: systemClock,
  performer: { perform: () => Promise.reject(new Error("M9000: a recorded attempt is performed")) },
  snapshot: emptySnapshot,
  post: () => {},
  flush: () => Promise.resolve(),
  call: () => Promise.reject(new Error("M9000: a recorded attempt calls a function")),
  transient: () => {},
};
