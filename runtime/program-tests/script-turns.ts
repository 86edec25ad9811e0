/** Hands out the lines of scripts: results and calls to attempts, answers to questions. */
import type { ScriptIr, ScriptLineIr } from "../../dsl/index.ts";

/** The position in the script of each node; a node of a called graph is `go/say`. */
export class ScriptTurns {
  readonly #scripts: ReadonlyMap<string, readonly ScriptLineIr[]>;
  readonly #used = new Map<string, number>();

  constructor(scripts: readonly ScriptIr[]) {
    this.#scripts = new Map(scripts.map(({ node, lines }) => [node, lines]));
  }

  /** Returns whether something inside the graph that a node calls has a script. */
  hasInside(node: string): boolean {
    return [...this.#scripts.keys()].some((one) => one.startsWith(`${node}/`));
  }

  /** Returns whether somebody answers about a node: then its approvals and limits ask. */
  answersAbout(node: string): boolean {
    return this.#linesOf(node).some(isAnswer);
  }

  /** Takes the next result or call for an attempt. Behind the last, the last result again; undefined where there is none. */
  next(node: string): ScriptLineIr | undefined {
    const lines = this.#linesOf(node).filter((line) => !isAnswer(line));
    return lines[this.#take(`result ${node}`)] ?? lines.findLast(({ how }) => how !== "calls");
  }

  /** Takes the next answer for a question, behind the last one that again; undefined where there is none. */
  answer(node: string): ScriptLineIr | undefined {
    const lines = this.#linesOf(node).filter(isAnswer);
    return lines[this.#take(`answer ${node}`)] ?? lines.at(-1);
  }

  #linesOf(node: string): readonly ScriptLineIr[] {
    return this.#scripts.get(node) ?? [];
  }

  #take(queue: string): number {
    const turn = this.#used.get(queue) ?? 0;
    this.#used.set(queue, turn + 1);
    return turn;
  }
}

function isAnswer({ how }: ScriptLineIr): boolean {
  return how === "answers" || how === "denied" || how === "expires";
}
