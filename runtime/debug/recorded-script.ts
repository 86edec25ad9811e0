/** Reads from a log what each node of a run did and was answered, as the lines of a test's scripts. */
import type { Ir, NodeIr } from "../../dsl/index.ts";
import { calledGraph } from "../../dsl/index.ts";
import type { Failure } from "../failure.ts";
import type { Answer } from "../interrupt.ts";
import { literalText } from "../literal-text.ts";
import { isToolOf } from "../program-tests/scripted-calls.ts";
import type { IntentRecord, OutcomeRecord } from "../records/call-records.ts";
import type {
  AnswerRecord,
  AttemptRecord,
  CommitRecord,
  LogRecord,
  RecordBody,
} from "../records/records.ts";

/** A node run's attempt that ended, with the calls of tools that it made. */
export interface ScriptedEnd {
  /** `go/say`. */
  readonly place: string;
  readonly node: NodeIr;
  /** The places of its start: in the log, and in the order of the graph. */
  readonly began: number;
  readonly key: string;
  readonly calls: readonly string[];
  readonly end: CommitRecord | AttemptRecord;
}

/** An answer to a question about a node; `isGranted` where a test gives the same one by itself. */
export interface AnswerLine {
  readonly place: string;
  readonly text: string;
  readonly isGranted: boolean;
}

export interface RecordedScript {
  readonly attempts: readonly ScriptedEnd[];
  readonly answers: readonly AnswerLine[];
}

/** Reads what happened along the path of a run, in it and in the graphs that it called. */
export function recordedScript(ir: Ir, records: readonly LogRecord[]): RecordedScript {
  const attempts: ScriptedEnd[] = [];
  const answers: AnswerLine[] = [];
  const reader = new ScriptReader(ir, "", { attempts, answers });
  for (const record of records) reader.read(record, record.seq);
  return { attempts, answers };
}

interface ScriptParts {
  readonly attempts: ScriptedEnd[];
  readonly answers: AnswerLine[];
}

/** Reads the records of one graph, and by others of its kind those of the graphs that its nodes call. */
class ScriptReader {
  readonly #ir: Ir;
  readonly #place: string;
  readonly #into: ScriptParts;
  readonly #nodes = new Map<number, string>();
  readonly #starts = new Map<string, { readonly began: number; readonly key: string }>();
  readonly #requests = new Map<string, IntentRecord>();
  readonly #calls = new Map<string, string[]>();
  readonly #asked = new Map<string, string>();
  readonly #inside = new Map<number, ScriptReader>();

  constructor(ir: Ir, place: string, into: ScriptParts) {
    this.#ir = ir;
    this.#place = place;
    this.#into = into;
  }

  read(record: RecordBody, seq: number): void {
    switch (record.kind) {
      case "sub":
        this.#readerOf(record.id)?.read(record.record, seq);
        return;
      case "start":
        this.#nodes.set(record.id, record.node);
        this.#starts.set(`${record.id}.${record.attempt}`, { began: seq, key: record.key });
        return;
      case "intent":
        this.#requests.set(`${record.id}.${record.attempt}.${record.call}`, record);
        return;
      case "outcome":
        this.#readCall(record);
        return;
      case "commit":
      case "attempt":
        this.#readEnd(record, seq);
        return;
      case "interrupt":
        this.#nodes.set(record.id, record.node);
        this.#asked.set(record.interrupt, record.ask);
        return;
      case "answer":
        this.#readAnswer(record);
        return;
      default:
        return;
    }
  }

  #nodeCalled(name: string): NodeIr | undefined {
    return this.#ir.nodes.find((node) => node.name === name);
  }

  #readerOf(id: number): ScriptReader | undefined {
    const known = this.#inside.get(id);
    if (known !== undefined) return known;
    const name = this.#nodes.get(id) ?? "";
    const callee = this.#nodeCalled(name)?.call?.callee.join(".");
    const called = callee === undefined ? undefined : calledGraph(this.#ir, callee);
    if (called === undefined) return undefined;
    const reader = new ScriptReader(called, `${this.#place}${name}/`, this.#into);
    this.#inside.set(id, reader);
    return reader;
  }

  #readCall({ id, attempt, call, effect, node, name, value, failure }: OutcomeRecord): void {
    const ir = this.#nodeCalled(node);
    if (effect !== "tool" || ir === undefined || !isToolOf(ir, name)) return;
    const { request, guard } = this.#requests.get(`${id}.${attempt}.${call}`) ?? {};
    // The answer of whoever denied it has a line of its own.
    const isDenied = guard?.decision === "deny";
    const result = isDenied ? {} : resultFacts(value, failure);
    const key = `${id}.${attempt}`;
    const text = `calls ${literalText({ tool: name, input: request, ...result })}`;
    this.#calls.set(key, [...(this.#calls.get(key) ?? []), text]);
  }

  #readEnd(end: CommitRecord | AttemptRecord, seq: number): void {
    const node = this.#nodeCalled(end.node);
    if (node === undefined) return;
    const own = `${end.id}.${end.attempt}`;
    const { began = seq, key = "" } = this.#starts.get(own) ?? {};
    const calls = node.kind === "agent" ? (this.#calls.get(own) ?? []) : [];
    this.#into.attempts.push({ place: `${this.#place}${end.node}`, node, began, key, calls, end });
  }

  #readAnswer({ interrupt, node, answer, from }: AnswerRecord): void {
    const asked = this.#asked.get(interrupt) ?? "";
    const isGranted = answer.kind === "approve" && GRANTED.includes(asked);
    const text = from === "expiry" ? "expires" : answerText(answer);
    this.#into.answers.push({ place: `${this.#place}${node}`, text, isGranted });
  }
}

function resultFacts(value: unknown, failure: Failure | undefined): object {
  return failure === undefined ? { result: value ?? null } : { fails: failure.message };
}

/** The questions to which a test says yes by itself. */
const GRANTED: readonly string[] = ["approval", "review", "limit", "ensure"];

function answerText(answer: Answer): string {
  switch (answer.kind) {
    case "approve":
      return "answers true";
    case "deny":
      return answer.reason === undefined ? "answers false" : `denied ${literalText(answer.reason)}`;
    case "value":
    case "edit":
      return `answers ${literalText(answer.value)}`;
    // No line of a test says this; what the node says next goes on without it.
    case "revise":
      return "answers true";
  }
}

/** The line of how an attempt ended. */
export function endText({ end, node }: ScriptedEnd): string {
  if (end.kind === "attempt") return `fails ${literalText(failureFacts(end.failure))}`;
  const { goto, handoff, output = null } = end;
  if (goto !== undefined && handoff !== undefined) return `says ${literalText({ goto, handoff })}`;
  if (goto === undefined) return `says ${literalText(output)}`;
  const isWriting = node.writes.length > 0 || node.conversation !== undefined;
  return `says ${literalText(isWriting ? { goto, update: output } : goto)}`;
}

function failureFacts({ class: kind, message, limit }: Failure): unknown {
  return { class: kind, message, ...(limit === undefined ? {} : { limit }) };
}
