/** What everything that performs nodes promises: agents, functions, operators, people. */
import { describe, expect, test } from "vitest";
import { FailureError } from "../../runtime/failure.ts";
import type { Answer, Question } from "../../runtime/interrupt.ts";
import type { Attempt, Performer } from "../../runtime/performer.ts";
import {
  type FakeContext,
  fakeContext,
  type LoggedEffect,
} from "../runtime/agents/fake-context.ts";

export interface PerformerScene {
  readonly performer: Performer;
  readonly attempt: Attempt;
  /** What the attempt comes to. */
  readonly output: unknown;
  /** What its questions are answered. */
  readonly answer?: Answer;
}

type Context = FakeContext & { readonly asked: Question[] };

/** One whose questions are counted, and not answered any more once it is cancelled. */
function contextOf(options: Parameters<typeof fakeContext>[0] = {}): Context {
  const context = fakeContext(options);
  const asked: Question[] = [];
  const ask = async (question: Question) => {
    if (context.signal.aborted)
      throw new FailureError({ class: "aborted", code: "M5005", message: "it was cancelled" });
    asked.push(question);
    return await context.ask(question);
  };
  return { ...context, asked, ask };
}

function answering({ answer }: Pick<PerformerScene, "answer">) {
  return answer === undefined ? {} : { answer };
}

/** `make` gives the same scene each time, in a world of its own; `broken`, one whose attempt fails. */
export function performerContract(
  name: string,
  make: () => PerformerScene,
  broken: () => Omit<PerformerScene, "output">,
): void {
  describe(`${name} keeps the contract of performers`, () => {
    test("A40 it resolves with the node's output, as JSON, and every way out is an effect or a question", async () => {
      const { performer, attempt, output, ...more } = make();
      const context = contextOf(answering(more));
      const made = await performer.perform(attempt, context);
      expect(made).toEqual(output);
      expect(JSON.parse(JSON.stringify(made))).toEqual(made);
      expect(context.log.length + context.asked.length).toBeGreaterThan(0);
    });

    test("A40 a whole journal is served: nothing is done again, and the output is the same", async () => {
      const { log } = await performed(make());
      const { performer, attempt, output, ...more } = make();
      const again = contextOf({ recorded: log, ...answering(more) });
      expect(await performer.perform(attempt, again)).toEqual(output);
      expect(again.performed).toEqual([]);
      expect(again.log).toEqual(log);
    });

    test("after a crash between any two effects it goes on with the next one", async () => {
      const { log } = await performed(make());
      for (let known = 1; known < log.length; known += 1) {
        const scene = make();
        const before = await cutOff(scene, known);
        const after = contextOf({ recorded: before, ...answering(scene) });
        expect(await scene.performer.perform(scene.attempt, after)).toEqual(scene.output);
        expect(after.performed.length).toBe(log.length - known);
      }
    });

    test("two attempts in two worlds ask for the same effects in the same order", async () => {
      const asked = ({ log }: FakeContext) => log.map(({ effect, name: of }) => `${effect} ${of}`);
      expect(asked(await performed(make()))).toEqual(asked(await performed(make())));
    });

    test("one that is cancelled before it begins does nothing, and ends as aborted", async () => {
      const { performer, attempt } = make();
      const context = contextOf({ signal: AbortSignal.abort("stop") });
      const thrown = await performer.perform(attempt, context).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(FailureError);
      expect((thrown as FailureError).failure.class).toBe("aborted");
    });

    test("what goes wrong is a failure with a class, a code and a message", async () => {
      const { performer, attempt, ...more } = broken();
      const thrown = await performer
        .perform(attempt, contextOf(answering(more)))
        .catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(FailureError);
      const { failure } = thrown as FailureError;
      expect(failure.code).toMatch(/^M\d{4}$/);
      expect(failure.message).not.toBe("");
    });
  });
}

async function performed({ performer, attempt, ...more }: PerformerScene): Promise<Context> {
  const context = contextOf(answering(more));
  await performer.perform(attempt, context);
  return context;
}

/** The journal of an attempt whose process died behind so many effects. */
async function cutOff(
  { performer, attempt }: PerformerScene,
  known: number,
): Promise<LoggedEffect[]> {
  const controller = new AbortController();
  const whole = fakeContext({ signal: controller.signal });
  const dying: FakeContext = {
    ...whole,
    effect: async (call) => {
      if (whole.log.length >= known) {
        controller.abort("the process dies");
        throw new FailureError({ class: "aborted", code: "M5005", message: "dead" });
      }
      return await whole.effect(call);
    },
  };
  await performer.perform(attempt, dying).catch(() => {});
  return whole.log.slice(0, known);
}
