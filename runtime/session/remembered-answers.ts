/** Lists the answers that hold for whole threads, and takes them back. */
import { nearest, sha256 } from "../../dsl/index.ts";
import { RunError } from "../failure.ts";
import type { Answer, AskKind } from "../interrupt.ts";
import { isTakenBack, rememberedIn } from "../questions/thread-answers.ts";
import type { RunStore, RunSummary } from "../store/run-store.ts";
import type { Hide } from "../store/transfer/transfer.ts";

/** An answer that the later runs of a thread are given where they ask the same. */
export interface RememberedAnswer {
  /** By which it is taken back. */
  readonly id: string;
  readonly thread: string;
  readonly graph: string;
  readonly node: string;
  readonly kind: AskKind;
  readonly question: string;
  /** The tool whose call it is about. */
  readonly tool?: string;
  readonly answer: Answer;
  /** The person who said it, where that is known. */
  readonly by?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The run in which it was said. */
  readonly runId: string;
}

interface FoundAnswer extends RememberedAnswer {
  readonly key: string;
  readonly isServed: boolean;
}

interface AnswersParts {
  /** Returns what takes out of a value what is private in a run. */
  hide(runId: string): Hide;
  now(): number;
}

export class RememberedAnswers {
  readonly #store: RunStore;
  readonly #parts: AnswersParts;

  constructor(store: RunStore, parts: AnswersParts) {
    this.#store = store;
    this.#parts = parts;
  }

  /** Those of all threads, or of one, the last given first. What is private in them is hidden. */
  list(thread?: string): readonly RememberedAnswer[] {
    return this.#found(thread).map(({ key: _, isServed: __, ...answer }) => this.#shown(answer));
  }

  /** Takes answers back: runs that start from now on ask again. Throws M5358 where one is not there, and takes none back then. */
  forget(ids: readonly string[]): readonly RememberedAnswer[] {
    const all = this.#found();
    const meant = ids.map((id) => all.find((one) => one.id === id) ?? unknownAnswer(id, all));
    for (const { thread, graph, key } of meant) {
      const before = this.#store.kept({ scope: "answer", owner: thread });
      const others = before.filter((one) => one.field !== key || one.graph !== graph);
      const after = [...others, { field: key, graph, type: "", value: this.#parts.now() }];
      this.#store.changeKept({ scope: "answer", owner: thread, before, after });
    }
    return meant.map(({ key: _, isServed: __, ...answer }) => this.#shown(answer));
  }

  /** The last word on each question counts; in the place of one whose run is deleted, one that a later run was served. */
  #found(thread?: string): readonly FoundAnswer[] {
    const runs = this.#store
      .list(thread === undefined ? {} : { thread })
      .filter(({ runId, threadId }) => threadId !== runId);
    const found = runs.flatMap((run) => this.#foundIn(run));
    const sorted = found.sort((a, b) => Number(b.isServed) - Number(a.isServed) || a.at - b.at);
    const last = new Map(sorted.map((one) => [one.id, one]));
    return [...last.values()].sort((a, b) => b.at - a.at);
  }

  #foundIn({ runId, threadId, graph }: RunSummary): readonly FoundAnswer[] {
    const takenBack = this.#store.kept({ scope: "answer", owner: threadId });
    return rememberedIn(this.#store.read(runId))
      .filter((one) => !isTakenBack({ ...one, graph }, takenBack))
      .map(({ key, question, ...given }) => {
        const id = sha256(JSON.stringify([threadId, graph, key])).slice(0, ID_LENGTH);
        const { node, ask: kind, question: text, tool } = question;
        const asked = { node, kind, question: text, ...(tool === undefined ? {} : { tool }) };
        return { id, key, thread: threadId, graph, ...asked, ...given, runId };
      });
  }

  #shown(answer: RememberedAnswer): RememberedAnswer {
    return this.#parts.hide(answer.runId)(answer);
  }
}

const ID_LENGTH = 8;

function unknownAnswer(id: string, all: readonly RememberedAnswer[]): never {
  const meant = nearest(
    id,
    all.map((one) => one.id),
  );
  throw new RunError("M5358", `no remembered answer has the id \`${id}\``, {
    hint:
      meant === undefined
        ? "`madrigal threads answers` lists those that there are"
        : `did you mean \`${meant}\`?`,
  });
}
