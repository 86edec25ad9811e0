/** Steps through a run: one commit forward, to the next stop, back to an earlier step or to before a node run. */
import type { Acknowledgement } from "../attempt/post-completion.ts";
import type { Stop } from "../breakpoints/breakpoint-types.ts";
import { type Drive, isRefused, otherProgram } from "../engine/drive.ts";
import type { Goal } from "../engine/hold.ts";
import { RunError } from "../failure.ts";
import type { RunHistory } from "../history/run-history.ts";
import { isOver, stopOf } from "../history/standstill.ts";
import type { RunStep } from "../history/step.ts";
import type { Questions } from "../questions/questions.ts";
import { shortRunId } from "../run-names.ts";
import type { Completion } from "../scheduler/completion.ts";
import { foldIn } from "../scheduler/fold.ts";
import type { Program } from "../scheduler/program/program.ts";
import { type NodeRun, placeText, stepAt } from "../scheduler/snapshot/snapshot.ts";
import type { DrivenRun } from "./driven-run.ts";
import { recordOf } from "./fork.ts";
import { assertMoves, missedStep } from "./run-errors.ts";
import type { RunParts } from "./run-parts.ts";

interface WalkHost {
  readonly run: DrivenRun;
  readonly parts: RunParts;
  readonly drive: Drive;
  readonly questions: Questions;
}

export class Stepping {
  readonly #host: WalkHost;

  constructor(host: WalkHost) {
    this.#host = host;
  }

  step(): Promise<RunStep> {
    const { run, drive, questions } = this.#host;
    const { history } = drive;
    return drive.moves.inTurn(async () => {
      assertMoves(run, "step");
      questions.assertAnswered();
      let from = 0;
      const stop = await this.#goUntilStop("step", () => {
        from = history.walked.length;
      });
      const step = history.walked[from];
      if (step === undefined) throw missedStep(run, stop, history.records);
      return step;
    });
  }

  /** Up to what stops it next. */
  onward(goal: Goal = "end"): Promise<Stop> {
    const { drive, questions } = this.#host;
    return drive.moves.inTurn(async () => {
      const end = isOver(drive.snapshot) ? stopOf(drive.snapshot) : undefined;
      return end ?? questions.stop ?? (await this.#goUntilStop(goal, () => {}));
    });
  }

  /** To the state behind a step, which is counted when nothing commits any more. */
  backTo(stepOf: () => number): Promise<void> {
    return this.#host.drive.moves.inTurn(() => this.#rewind(() => ({ step: stepOf() })));
  }

  /** To before a node run, which begins anew there. */
  retry(nodeRun: string): Promise<void> {
    const { run, drive, parts } = this.#host;
    const found = () => retried({ run, history: drive.history, program: parts.program }, nodeRun);
    return drive.moves.inTurn(() => this.#rewind(found));
  }

  /** Lets a held run go, drives one that stood still, and changes how far one goes that is under way. */
  go(goal: Goal, answer?: () => void): void {
    const { drive, parts } = this.#host;
    drive.catchUp();
    const { clock, owner, assertReady } = parts;
    drive.assertBegun();
    assertReady?.();
    drive.moves.watchers.tell(undefined);
    const at = clock.now();
    const [engine, verb] =
      drive.engine === undefined
        ? ([
            drive.reopen({ recordsProgram: true }),
            { verb: "resume", owner, ...this.#otherProgram(), ...this.#code() },
          ] as const)
        : ([drive.engine, { verb: "release" }] as const);
    engine.post(
      { kind: "control", ...verb, at },
      {
        goal,
        answer: (asked) => (isRefused(asked) ? this.#goOnceSettled(goal, answer) : answer?.()),
      },
    );
  }

  #goUntilStop(goal: Goal, begun: () => void): Promise<Stop> {
    return this.#host.drive.moves.until((history) =>
      this.go(goal, () => {
        begun();
        history();
      }),
    );
  }

  #code() {
    const code = this.#host.parts.code?.() ?? {};
    return Object.keys(code).length === 0 ? {} : { code };
  }

  #otherProgram() {
    const { drive, parts } = this.#host;
    const ir = otherProgram(drive.history, parts);
    return ir === undefined ? {} : { ir };
  }

  /** The run was coming to rest when it was told to go: it goes from there. Who moves to its next stop has come to one. */
  #goOnceSettled(goal: Goal, answer: (() => void) | undefined): void {
    const { drive } = this.#host;
    const go = () => {
      const { status } = drive.snapshot;
      const isThere = answer !== undefined && isOver(drive.snapshot);
      if (status !== "succeeded" && !isThere) this.go(goal, answer);
    };
    drive
      .settled()
      .then(go)
      .catch((error: unknown) => drive.moves.broken(error));
  }

  async #rewind(find: () => Back): Promise<void> {
    const { run, drive, parts } = this.#host;
    const { history } = drive;
    drive.catchUp();
    drive.assertBegun();
    // Nothing may commit while the steps are counted.
    await run.pause({ reason: "rewind" });
    const { step, ...more } = find();
    const to = recordOf({ run, history: history }, step);
    const engine = drive.engine ?? drive.reopen();
    const at = parts.clock.now();
    const completion: Completion = { kind: "control", verb: "rewind", step, to, ...more, at };
    let isLate = false;
    await drive.moves.until((begun) => {
      const answer = (asked: Acknowledgement) => {
        isLate = isRefused(asked);
        if (!isLate) begun();
      };
      engine.post(completion, { answer });
    });
    // The run came to rest: its number of steps does not change any more.
    if (isLate) await this.#rewind(find);
  }
}

/** A step, and the node run that begins anew there. */
interface Back {
  readonly step: number;
  readonly anew?: number;
}

interface Retrying {
  readonly run: DrivenRun;
  readonly history: RunHistory;
  readonly program: Program;
}

/**
 * Returns the step before a node run, found by its label (`search#2`) or its id; throws M5390 where
 * there is none.
 */
function retried(retrying: Retrying, nodeRun: string): Back {
  const { run, history } = retrying;
  for (let step = history.steps.length; step >= 0; step -= 1) {
    const open = openBehind(retrying, step).find(
      (one) => one.label === nodeRun || one.nodeRunId === nodeRun,
    );
    if (open !== undefined) return { step, anew: open.id };
  }
  throw notThere(run, nodeRun);
}

interface OpenNodeRun {
  readonly id: number;
  readonly label: string;
  readonly nodeRunId: string;
}

/** The node runs that were open behind a step; a rewind since has given them other names. */
function openBehind({ run, history, program }: Retrying, step: number): readonly OpenNodeRun[] {
  const then = stepAt(history.snapshot, step, foldIn(program));
  return [...(then?.open.values() ?? [])].flatMap((one: NodeRun) => {
    const node = program.nodes[one.node]?.ir.name;
    if (node === undefined || one.source !== undefined) return [];
    const label = `${node}#${one.ordinal}`;
    return [{ id: one.id, label, nodeRunId: `${run.id}/${placeText(one)}` }];
  });
}

function notThere({ id: runId, steps }: DrivenRun, nodeRun: string): RunError {
  const labels = [...new Set(steps.map(({ node }) => `\`${node}#1\``))];
  return new RunError(
    "M5390",
    `run \`${shortRunId(runId)}\` has no node run \`${nodeRun}\` to try again`,
    {
      hint:
        labels.length === 0
          ? "nothing of it is done yet: `resume()` goes on with it"
          : `its own are ${labels.join(", ")}; those of a graph that it calls begin anew with their caller`,
      runId,
    },
  );
}
