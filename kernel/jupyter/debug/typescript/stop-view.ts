/** Shows a stop: its frames, their variables, and expressions evaluated there. */
import type { Debugger, Runtime } from "node:inspector";
import { CommandError } from "../../../command-error.ts";
import type { Evaluated, ProtocolFrame, Rendered, VariableScope } from "../protocol.ts";
import type { InspectorConnection } from "./connection.ts";
import { evaluateAt } from "./evaluate.ts";
import { isOver } from "./is-over.ts";
import { typeOf, wholeText } from "./previews.ts";
import { scopesOf } from "./scopes.ts";
import { CELLS } from "./scripts.ts";
import type { UserFrame } from "./stack.ts";

const RENDERED_MAX = 100_000;

export class StopView {
  readonly #connection: InspectorConnection;
  readonly #frames: readonly UserFrame[];
  /** Numbers of frames are never used twice: those of a stop that is over are nobody's. */
  readonly #firstFrame: number;

  constructor(connection: InspectorConnection, frames: readonly UserFrame[], firstFrame: number) {
    this.#connection = connection;
    this.#frames = frames;
    this.#firstFrame = firstFrame;
  }

  /** Returns the frames that are being executed; the others await. */
  get called(): readonly UserFrame[] {
    return this.#frames.filter(({ call }) => call !== undefined);
  }

  get frames(): readonly ProtocolFrame[] {
    return this.#frames.map(({ name, path, place }, index) => ({
      id: this.#firstFrame + index,
      name,
      source: { path },
      ...place,
    }));
  }

  async scopes(frame: number): Promise<readonly VariableScope[]> {
    return await scopesOf(this.#frame(frame).call, this.#connection);
  }

  async evaluate(expression: string, frame?: number): Promise<Evaluated> {
    const value = await this.#value(expression, frame);
    const { variablesReference } = this.#connection.values.variable("", value, expression);
    return { result: wholeText(value), type: typeOf(value), variablesReference };
  }

  /** Renders a variable as text, and as JSON where that is possible. */
  async render(name: string, frame?: number): Promise<Rendered> {
    const value = await this.#value(name, frame);
    const data: Record<string, unknown> = { "text/plain": wholeText(value) };
    const json = value.type === "object" ? await this.#json(name, frame) : undefined;
    if (json !== undefined) data["application/json"] = json;
    return { data, metadata: {} };
  }

  /** The notebook has a name with this value from now on. */
  async copy(name: string, to: { readonly name: string; readonly frame: number }): Promise<void> {
    const { name: target, frame } = to;
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(target)) throw notAName(target);
    await this.#value(`${CELLS}.cells.names[${JSON.stringify(target)}] = (${name})`, frame);
  }

  async #json(name: string, frame: number | undefined): Promise<unknown> {
    const expression = `JSON.stringify(${name})`;
    const { value } = await this.#value(expression, frame).catch(() => NOTHING);
    return typeof value === "string" && value.length <= RENDERED_MAX
      ? JSON.parse(value)
      : undefined;
  }

  async #value(expression: string, frame: number | undefined): Promise<Runtime.RemoteObject> {
    const { call } = frame === undefined ? this.#innermost() : this.#frame(frame);
    return await evaluateAt(expression, { inspector: this.#connection.inspector, call });
  }

  #innermost(): { readonly call?: Debugger.CallFrame } {
    return this.#frames[0] ?? {};
  }

  #frame(id: number): UserFrame {
    const found = this.#frames[id - this.#firstFrame];
    if (found === undefined) throw isOver();
    return found;
  }
}

const NOTHING: Runtime.RemoteObject = { type: "undefined" };

function notAName(name: string): CommandError {
  return new CommandError("M7774", `\`${name}\` is no name that a cell can use`, {
    hint: "a name has letters, digits, `_` and `$`, and does not begin with a digit",
  });
}
