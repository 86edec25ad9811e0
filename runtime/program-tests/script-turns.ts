/** Hands out the lines of scripts: results and calls to attempts, answers to questions. */
import type { ScriptIr, ScriptLineIr } from "../../dsl/index.ts";
import type { ScriptedPlace } from "./scripted-run.ts";

/** The numbers of the lines that attempts and questions took, by their place in the run. */
export type TakenTurns = ReadonlyMap<string, number>;

/** The position in the script of each node; a node of a called graph is `go/say`. */
export class ScriptTurns {
  readonly #scripts: ReadonlyMap<string, readonly ScriptLineIr[]>;
  readonly #used = new Map<string, number>();
  readonly #before: TakenTurns;
  readonly #taken = new Map<string, number>();

  /** With what an earlier run of the same test took: the same attempt gets the same line in whichever order it comes. */
  constructor(scripts: readonly ScriptIr[], before: TakenTurns = new Map()) {
    this.#scripts = new Map(scripts.map(({ node, lines }) => [node, lines]));
    this.#before = before;
  }

  get taken(): TakenTurns {
    return this.#taken;
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
  next({ node, attempt }: ScriptedPlace): ScriptLineIr | undefined {
    const lines = this.#linesOf(node).filter((line) => !isAnswer(line));
    return (
      lines[this.#take(`result ${node}`, attempt)] ?? lines.findLast(({ how }) => how !== "calls")
    );
  }

  /** Takes the next answer for a question, behind the last one that again; undefined where there is none. */
  answer({ node, attempt }: ScriptedPlace): ScriptLineIr | undefined {
    const lines = this.#linesOf(node).filter(isAnswer);
    return lines[this.#take(`answer ${node}`, attempt)] ?? lines.at(-1);
  }

  #linesOf(node: string): readonly ScriptLineIr[] {
    return this.#scripts.get(node) ?? [];
  }

  #take(queue: string, attempt: string): number {
    const inAttempt = `${queue} ${attempt}`;
    const number = this.#used.get(inAttempt) ?? 0;
    this.#used.set(inAttempt, number + 1);
    const key = `${inAttempt} ${number}`;
    const turn = this.#before.get(key) ?? this.#used.get(queue) ?? 0;
    this.#used.set(queue, Math.max(this.#used.get(queue) ?? 0, turn + 1));
    this.#taken.set(key, turn);
    return turn;
  }
}

function isAnswer({ how }: ScriptLineIr): boolean {
  return how === "answers" || how === "denied" || how === "expires";
}
