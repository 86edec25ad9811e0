/** Cells in, what they show out: the main thread's part of a kernel in the test's own process, with the real worker 2. */
import { Console } from "node:console";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { Bundle, CellOutput } from "../../../kernel/cell-output.ts";
import { createHost } from "../../../kernel/cells/cell-host.ts";
import { followInCell, noteRun } from "../../../kernel/cells/cell-runs.ts";
import { cellHere } from "../../../kernel/cells/current-cell.ts";
import { CellEngine } from "../../../kernel/cells/engine.ts";
import { forbidExit } from "../../../kernel/cells/guard-process.ts";
import { captureStreams } from "../../../kernel/cells/output/capture-streams.ts";
import { mapStacks } from "../../../kernel/cells/output/stacks.ts";
import { type Environment, Settings } from "../../../kernel/cells/settings.ts";
import { Comms } from "../../../kernel/comms/comms.ts";
import { drawingsReady, followRun, isDisplayed, toBundle } from "../../../kernel/display/index.ts";
import { useHost } from "../../../kernel/host.ts";
import type { CellReply, CellRequest, CommPacket } from "../../../kernel/jupyter/link.ts";
import { startTypes, type TypeClient } from "../../../kernel/types/client.ts";
import { Session } from "../../../runtime/index.ts";
import { temporaryFolder } from "../../support/child.ts";
import { placeIn } from "../types/notebook.ts";

export interface TestNotebook {
  /** Runs a cell to its end; what it showed, as text. */
  run(code: string, options?: Partial<CellRequest>): Promise<string>;
  /** Runs a cell; its reply. */
  reply(code: string, options?: Partial<CellRequest>): Promise<CellReply>;
  /** All that was shown since the last call, of all cells. */
  shown(): string;
  /** The HTML of all that was shown since the last call. */
  html(): string;
  /** Resolves once `text` was shown. */
  saw(text: string): Promise<void>;
  /** What is offered at `▮`. */
  complete(text: string): Promise<readonly string[]>;
  cancel(): void;
  /** What the main thread told worker 1 of its phases, without repetitions. */
  readonly phases: readonly number[];
  readonly session: Session;
  readonly comms: Comms;
  /** What was said by comms, with the request under whose header. */
  readonly sent: readonly SentPacket[];
  /** The targets that front ends may open comms to. */
  readonly targets: ReadonlySet<string>;
}

export interface SentPacket {
  readonly packet: CommPacket;
  readonly under: string | undefined;
}

let types: TypeClient | undefined;

/** Once a file: compilers are slow to start. Cells of one test are seen by the next ones. */
export function useTypes(): void {
  beforeAll(() => {
    types = startTypes();
  });
  afterAll(() => types?.close());
}

export interface NotebookOptions {
  /** Draws the runs in the cells that start them, as a kernel does. */
  readonly isDrawing?: boolean;
  /** The working folder; else an empty one. */
  readonly cwd?: string;
  /** Who answers what runs ask; else nobody. */
  readonly person?: (prompt: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Answers what cells ask by `answer`. */
export function openTestNotebook(
  answer: (prompt: string) => string = refuse,
  { isDrawing = false, cwd = temporaryFolder(), person = nobody }: NotebookOptions = {},
): TestNotebook {
  const shown: { readonly id: string; readonly output: CellOutput }[] = [];
  const seen: string[] = [];
  const waiting = new Set<() => void>();
  const phases: number[] = [];
  const sent: SentPacket[] = [];
  const targets = new Set<string>();
  const link = {
    output(id: string, output: CellOutput) {
      shown.push({ id, output });
      seen.push(textOf(output, id));
      for (const look of waiting) look();
    },
    ask: (_id: string, prompt: string) => answer(prompt),
    askLater: (_id: string, prompt: string, signal: AbortSignal) => person(prompt, signal),
    phase: (value: number) => void (phases.at(-1) === value || phases.push(value)),
    takeInterrupt: () => {},
    cancelled: () => {},
  };
  const display = { toBundle, isDisplayed, followRun, drawingsReady };
  const started = isDrawing ? followInCell(display) : noteRun;
  const env: Environment = {};
  const session = new Session({ cwd, env, started });
  const engine = new CellEngine({
    link,
    types: () => typesHere(),
    session: () => session,
    display,
    settings: new Settings(env),
  });
  const comms = new Comms({
    link: {
      comm: (packet, under) => void sent.push({ packet, under }),
      commTarget: (name, isKnown) => void (isKnown ? targets.add(name) : targets.delete(name)),
    },
    requestHere: () => cellHere()?.request.id,
    call: (work) => engine.handle(work),
  });
  const changed = (value: unknown) => engine.changed(value);
  useHost({ ...createHost(link, comms, engine.names), changed });
  captureHere();
  onTestFinished(() => session.close());
  let count = 0;
  const reply = (code: string, options: Partial<CellRequest> = {}) => {
    count += 1;
    return engine.execute({ ...request(code, count), ...options });
  };
  const taken = (id?: string) => {
    const mine = shown.filter((one) => id === undefined || one.id === id);
    for (const one of mine) shown.splice(shown.indexOf(one), 1);
    return mine.map(({ id, output }) => textOf(output, id)).join("\n");
  };
  return {
    session,
    comms,
    sent,
    targets,
    phases,
    reply,
    async run(code, options) {
      const { status } = await reply(code, options);
      const text = taken(options?.id ?? `m${count}`);
      return status === "ok" || text.includes("error ") ? text : `${text}\n(${status})`;
    },
    shown: () => taken(),
    html: () =>
      shown
        .splice(0)
        .map(({ output }) => htmlOf(output))
        .join("\n"),
    async saw(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => {
        if (seen.some((one) => one.includes(text))) resolve();
      };
      waiting.add(look);
      look();
      await promise;
    },
    async complete(text) {
      const { items } = await typesHere().complete(placeIn(text));
      return items.map((item) => item.text);
    },
    cancel: () => engine.cancel(),
  };
}

function typesHere(): TypeClient {
  if (types === undefined) throw new Error("call useTypes() at the top of the file");
  return types;
}

async function nobody(): Promise<undefined> {}

function refuse(prompt: string): never {
  throw new Error(`nobody answers ${prompt}`);
}

function request(code: string, count: number): CellRequest {
  return {
    id: `m${count}`,
    code,
    executionCount: count,
    silent: false,
    storeHistory: true,
    allowStdin: true,
    userExpressions: {},
  };
}

/** The test runner has a console of its own; cells write to the one of the process. */
function captureHere(): void {
  const { console } = globalThis;
  globalThis.console = new Console({
    stdout: process.stdout,
    stderr: process.stderr,
    colorMode: false,
  });
  const restores = [captureStreams(), forbidExit(), mapStacks()];
  onTestFinished(() => {
    globalThis.console = console;
    for (const restore of restores) restore();
  });
}

function textOf(output: CellOutput, id: string): string {
  switch (output.kind) {
    case "stream":
      return `${output.name} ${withoutColours(output.text).trimEnd()}`;
    case "display":
    case "page":
    case "result":
    case "update":
      return `${output.kind} ${bundleText(output.bundle)}`;
    case "error":
      return [`error ${output.ename}: ${output.evalue}`, ...output.traceback]
        .map(withoutColours)
        .join("\n");
    case "clear":
      return `clear ${id}`;
  }
}

function htmlOf(output: CellOutput): string {
  return "bundle" in output ? String(output.bundle.data["text/html"] ?? "") : "";
}

function bundleText({ data }: Bundle): string {
  const others = Object.keys(data).filter((mime) => mime !== "text/plain");
  return [...(others.length === 0 ? [] : [`[${others.join(", ")}]`]), data["text/plain"]].join(" ");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a colour begins with.
const COLOUR = /\u001b\[[\d;]*m/g;

function withoutColours(text: string): string {
  return text.replaceAll(COLOUR, "");
}
