/** Opens the main thread's inspector from this thread; it answers while cells loop, block or are stopped. */
import type { Debugger, Runtime } from "node:inspector";
import { Session } from "node:inspector";
import { CommandError } from "../../../command-error.ts";

/** The events that a debugger listens to. */
export interface InspectorEvents {
  paused(stop: Debugger.PausedEventDataType): void;
  resumed(): void;
  parsed(script: Debugger.ScriptParsedEventDataType): void;
}

// Native code that takes long, as a big `JSON.parse` does, answers nothing meanwhile.
const ANSWER_MS = 2000;

/** Open from its making until `close`, which lets a stopped main thread go on. */
export class MainInspector {
  readonly #session = new Session();

  constructor({ paused, resumed, parsed }: InspectorEvents) {
    this.#session.on("Debugger.paused", ({ params }) => paused(params));
    this.#session.on("Debugger.resumed", resumed);
    this.#session.on("Debugger.scriptParsed", ({ params }) => parsed(params));
    this.#session.connectToMainThread();
  }

  /** Asks for something of the Chrome DevTools Protocol. Throws M7770 when nothing answers, and what the inspector objects to. */
  async ask<Answer = void>(method: string, parameters: object = {}): Promise<Answer> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(noAnswer(method)), ANSWER_MS);
    try {
      return await Promise.race([this.askPatiently<Answer>(method, parameters), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The same, however long it takes. */
  async askPatiently<Answer = void>(method: string, parameters: object = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#session.post(method, parameters, (error, answer) => {
      if (error === null) resolve(answer as Answer);
      else reject(error);
    });
    return await promise;
  }

  /** Evaluates what is ours in the main thread: nothing stops there. */
  async evaluate(expression: string): Promise<Runtime.RemoteObject> {
    const parameters = { expression, silent: true, disableBreaks: true };
    const { result } = await this.ask<Runtime.EvaluateReturnType>("Runtime.evaluate", parameters);
    return result;
  }

  close(): void {
    this.#session.disconnect();
  }
}

/**
 * Returns whether the inspector's error means that an evaluation was ended, by its time limit or by
 * an interrupt.
 */
export function isTerminated(thrown: unknown): boolean {
  return /terminated/.test(String(thrown));
}

function noAnswer(method: string): CommandError {
  const message = `the main thread does not answer the debugger (${method})`;
  return new CommandError("M7770", message, {
    hint: "it is in a long native call; try again later, or interrupt the cell",
  });
}
