/** TypeScript in a page's debugger: cells that run, their stops, and what is seen there. */
import type { WireMessage } from "../../../../kernel/jupyter/wire/message.ts";
import { outputsOf, type RealKernel } from "../../conformance/real-kernel.ts";
import { type DebugSession, debugSession } from "./debug-session.ts";

export interface Running {
  readonly reply: Promise<WireMessage>;
  /** What it has shown. */
  shown(): readonly string[];
}

interface Framed {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly source: { readonly path: string };
}

export interface Stopped {
  /** Why, and the stack, innermost first. */
  readonly at: string;
  readonly thread: number;
  readonly frames: readonly Framed[];
}

export interface Named {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

/** On a kernel that is there once a test runs. */
export function typescriptSession(kernel: () => RealKernel) {
  let made: DebugSession | undefined;
  const open = () => (made ??= debugSession(kernel().client));
  const session: Pick<DebugSession, "ask" | "event" | "forget"> = {
    ask: (command, given) => open().ask(command, given),
    event: (name) => open().event(name),
    forget: () => open().forget(),
  };
  return { session, attach, breakAt, run, stop, move, evaluate, variables, scopes };

  async function attach(): Promise<void> {
    await session.ask("initialize", { clientID: "jupyterlab" });
    await session.ask("attach");
  }

  /** The lines that it stops at, instead of those before. */
  async function breakAt(code: string, ...lines: readonly number[]): Promise<readonly number[]> {
    const { sourcePath } = await session.ask("dumpCell", { code });
    const breakpoints = lines.map((line) => ({ line }));
    const set = await session.ask("setBreakpoints", { source: { path: sourcePath }, breakpoints });
    return (set.breakpoints as readonly { readonly line: number }[]).map(({ line }) => line);
  }

  function run(code: string): Running {
    const { client } = kernel();
    const whole = { code, silent: false, store_history: true, allow_stdin: true };
    const id = client.send("execute_request", { ...whole, stop_on_error: true });
    const shown = () => outputsOf(client.heard.filter(({ parent }) => parent.msg_id === id));
    const idle = client.iopub(
      ({ header, parent, content }) =>
        parent.msg_id === id && header.msg_type === "status" && content.execution_state === "idle",
    );
    return { reply: idle.then(() => client.reply(id)), shown };
  }

  /** The next stop. */
  async function stop(): Promise<Stopped> {
    const { reason, threadId } = await session.event("stopped");
    const { stackFrames } = await session.ask("stackTrace", { threadId });
    const frames = stackFrames as readonly Framed[];
    const lines = frames.map(({ name, line }) => `${name.replace(/\d+/, "n")}:${line}`);
    return { at: `${reason} ${lines.join(" < ")}`, thread: Number(threadId), frames };
  }

  async function move(verb: string, { thread }: Stopped): Promise<void> {
    await session.ask(verb, { threadId: thread });
  }

  async function evaluate(expression: string, { frames: [frame] }: Stopped): Promise<unknown> {
    return (await session.ask("evaluate", { expression, frameId: frame?.id, context: "repl" }))
      .result;
  }

  async function variables(variablesReference: number): Promise<readonly Named[]> {
    return (await session.ask("variables", { variablesReference })).variables as readonly Named[];
  }

  /** The scopes of a frame, by name. */
  async function scopes(
    { frames }: Stopped,
    at = 0,
  ): Promise<Readonly<Record<string, readonly Named[]>>> {
    const { scopes } = await session.ask("scopes", { frameId: frames[at]?.id });
    const found: Record<string, readonly Named[]> = {};
    for (const one of scopes as readonly Named[])
      found[one.name] = await variables(one.variablesReference);
    return found;
  }
}

/** How a cell ended. */
export async function ended({ reply }: Running): Promise<string> {
  const { status, ename, evalue } = (await reply).content;
  return status === "ok" ? "ok" : `${ename}: ${evalue}`;
}

/** A line each. */
export function texts(of: readonly Named[] = []): readonly string[] {
  return of.map(({ name, value }) => `${name} = ${value}`);
}
