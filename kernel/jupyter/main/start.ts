/** Starts worker 1 from the main thread: hands cells to the handlers, sends outputs, asks questions. */
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type Worker,
} from "node:worker_threads";
import type { CellOutput } from "../../cell-output.ts";
import { CommandError } from "../../command-error.ts";
import { EXIT } from "../../exit-codes.ts";
import { startThread } from "../../startup/start-thread.ts";
import { faultText } from "../debug/fault-text.ts";
import type { DebugAsk, DebugNews } from "../debug/graph-link.ts";
import {
  BACKLOG_MAX,
  Cancelled,
  type CellReply,
  type CellRequest,
  type CommPacket,
  type JupyterWorkerData,
  Phase,
  Pulse,
  type QuestionAnswer,
  type RequestId,
  type ToJupyter,
  type ToMain,
  weightOf,
  weightOfPacket,
} from "../link.ts";
import { readConnection } from "../wire/connection.ts";
import { LaterQuestions } from "./later-questions.ts";
import { UnderWay } from "./under-way.ts";

export interface JupyterHandlers {
  /** Runs one cell; the next one of its subshell comes when this is settled. */
  execute(request: CellRequest): Promise<CellReply>;
  /** Deals with a front end's comm message; what is said under `id` until this is settled stands under its header. */
  comm(id: RequestId, packet: CommPacket): Promise<void>;
  /** An interrupt; answered by `JupyterLink.cancelled`, also when nothing is under way. */
  cancel(): void;
  /**
   * Returns whether this cell is cancelled and still being stopped: its reply will come, however
   * long that takes.
   */
  isEnding(id: RequestId): boolean;
  /** Completion was asked for: start worker 2 and give its port to `JupyterLink.types`. */
  startTypes(): void;
  /**
   * Performs a request of a debugger and returns its answer, which can be cloned. An error that it
   * throws is shown by the front end.
   */
  debug(ask: DebugAsk): Promise<unknown>;
  /** The kernel ends: close everything, within five seconds. */
  close(): Promise<void>;
}

export interface JupyterLink {
  /** Shows in the cell of this request, also after it is over. */
  output(id: RequestId, output: CellOutput): void;
  /** Tells all front ends, under the header of the request `id` where it is known. Its buffers are gone afterwards. */
  comm(packet: CommPacket, id: RequestId | undefined): void;
  /** Sets whether front ends may open comms to this target. */
  commTarget(name: string, isKnown: boolean): void;
  /** Blocks until the person answers. Throws M7403 where nobody does and M7404 when it is interrupted. */
  ask(id: RequestId, prompt: string, password: boolean): string;
  /**
   * Asks and goes on; resolves with nothing where nobody answers. A question that `signal` takes back is closed: what is
   * typed to it later counts for nothing.
   */
  askLater(id: RequestId, prompt: string, signal: AbortSignal): Promise<string | undefined>;
  /** Sets the state of the cell, for interrupts; always exact. */
  phase(value: (typeof Phase)[keyof typeof Phase]): void;
  /**
   * At the end of a synchronous part, while SIGINT still stops it: an interrupt that was sent for it is taken here. Later
   * it would end the process or stop the next cell.
   */
  takeInterrupt(): void;
  /** The cancel is done. */
  cancelled(): void;
  types(port: MessagePort): void;
  /** Tells front ends of runs that are debugged. */
  debug(message: DebugNews): void;
  /**
   * Sends the workspace's folder, which `hasFolder` promised; undefined when it turned out to have
   * none.
   */
  folder(path: string | undefined): void;
  /** The kernel is closed and the process should end; rejects with M7405 when worker 1 ended by a mistake. */
  readonly closed: Promise<void>;
}

/** Resolves when front ends are answered; what is wrong with the connection is thrown as M7401 or M7402. */
export async function startJupyter(
  connectionFile: string,
  handlers: JupyterHandlers,
  { hasFolder = false }: { readonly hasFolder?: boolean } = {},
): Promise<JupyterLink> {
  readConnection(connectionFile); // Worker 1 reads it again; its errors would lose their codes on the way.
  const memory = new SharedArrayBuffer(Pulse.length * Int32Array.BYTES_PER_ELEMENT);
  const { port1: answers, port2 } = new MessageChannel();
  const data: JupyterWorkerData = { connectionFile, hasFolder, pulse: memory, answers: port2 };
  const worker = startThread("jupyter/worker", {
    name: "jupyter",
    workerData: data,
    transferList: [port2],
    // It passes messages on, each of which is soon of no use.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX },
  });
  const post: Post = (message, transfer = []) => worker.postMessage(message, transfer);
  const closed = endOf(worker);
  const release = handleSignals(() => post({ kind: "stop" }));
  // The caller hears of the end by `closed` itself.
  void closed.catch(() => undefined).then(release);
  const questions = new LaterQuestions();
  const pulse = new Int32Array(memory);
  const listening = receive(worker, { handlers, post, questions, pulse });
  await Promise.race([listening, closed]);
  return createLink({ post, answers, questions, pulse, closed });
}

/** SIGTERM is a shutdown. A SIGINT from worker 1 may come when the cell is already over, and must harm nobody then. */
function handleSignals(stop: () => void): () => void {
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  process.on("SIGTERM", stop);
  return () => {
    process.off("SIGINT", ignore);
    process.off("SIGTERM", stop);
  };
}

async function endOf(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on("error", (cause) => {
    const message = `the thread that talks to front ends ended: ${cause instanceof Error ? cause.message : cause}`;
    const hint = "this is an error in Madrigal; please report it with the lines above";
    reject(new CommandError("M7405", message, { hint, cause, exitCode: EXIT.fault }));
  });
  worker.on("exit", () => resolve());
  await promise;
}

type Post = (message: ToJupyter, transfer?: readonly (MessagePort | ArrayBuffer)[]) => void;

interface Receiving {
  readonly handlers: JupyterHandlers;
  readonly post: Post;
  readonly questions: LaterQuestions;
  readonly pulse: Int32Array;
}

/** Hands what worker 1 says to the handlers; resolves when it listens. */
function receive(worker: Worker, { handlers, post, questions, pulse }: Receiving): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const underWay = new UnderWay();
  worker.on("message", (message: ToMain) => {
    switch (message.kind) {
      case "listening":
        return resolve();
      case "failed":
        return reject(cannotListen(message.message));
      case "execute":
        return void execute(message.request);
      case "comm":
        return void comm(message.id, message.packet);
      case "cancel":
        return cancel(message.isTerminated ?? false);
      case "ping":
        return;
      case "startTypes":
        return handlers.startTypes();
      case "debug":
        return void debug(message.number, message.ask);
      case "answered":
        return questions.take(message.answer);
      case "close":
        return void close();
    }
  });
  return promise;

  async function execute(request: CellRequest): Promise<void> {
    await underWay.follow(handlers.execute(request).catch(faultOf), {
      end: (reply) => post({ kind: "done", id: request.id, reply }),
      lost: LOST,
      isEnding: () => handlers.isEnding(request.id),
    });
  }

  async function comm(id: RequestId, packet: CommPacket): Promise<void> {
    await underWay.follow(handlers.comm(id, packet).catch(reportFault("handling a comm message")), {
      end: () => post({ kind: "commHandled", id }),
      lost: undefined,
    });
  }

  async function debug(number: number, ask: DebugAsk): Promise<void> {
    try {
      const value = await handlers.debug(ask);
      post({ kind: "debug", message: { kind: "answer", number, value } });
    } catch (thrown) {
      post({ kind: "debug", message: { kind: "fault", number, message: faultText(thrown) } });
    }
  }

  function cancel(isTerminated: boolean): void {
    if (!acknowledge(pulse)) return; // Said again when the termination has come.
    handlers.cancel();
    if (isTerminated) underWay.terminated();
  }

  async function close(): Promise<void> {
    await handlers.close().catch(reportFault("closing the session"));
    post({ kind: "closed" });
  }
}

function cannotListen(reason: string): CommandError {
  return new CommandError("M7402", `the kernel can't listen: ${reason}`, {
    hint: "another process has a port of the connection file; start the kernel again",
  });
}

/**
 * Returns whether this thread may cancel now; else blocks until the termination comes, which ends
 * the caller.
 */
function acknowledge(pulse: Int32Array): boolean {
  const { asked, acknowledged, terminating } = Cancelled;
  const found = Atomics.compareExchange(pulse, Pulse.cancelled, asked, acknowledged);
  Atomics.notify(pulse, Pulse.cancelled);
  if (found !== terminating) return true;
  Atomics.wait(pulse, Pulse.cancelled, terminating, SIGNAL_WAIT_MS);
  return false;
}

/** Without a limit they would take 8 MB. */
const YOUNG_MEGABYTES_MAX = 2;

const LOST: CellReply = {
  status: "error",
  error: {
    kind: "error",
    ename: "M7501",
    evalue: "the cell was cancelled",
    traceback: ["M7501: the cell was cancelled, and did not come to its end"],
  },
};

/** `execute` answers with errors of cells; what it throws is a mistake of ours, and still ends the cell. */
function faultOf(thrown: unknown): CellReply {
  const evalue = thrown instanceof Error ? thrown.message : String(thrown);
  const stack = thrown instanceof Error ? (thrown.stack ?? evalue) : evalue;
  const traceback = [`M9000: ${stack}`];
  return { status: "error", error: { kind: "error", ename: "M9000", evalue, traceback } };
}

function reportFault(doing: string) {
  return (thrown: unknown): void => {
    const what = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    process.stderr.write(`madrigal: ${doing} failed: ${what}\n`);
  };
}

const ROOM_WAIT_MS = 100;
// A signal or a termination takes microseconds; only code that caught it in a script of its own lets us wait to the end.
const SIGNAL_WAIT_MS = 1000;

interface LinkParts {
  readonly post: Post;
  readonly answers: MessagePort;
  readonly questions: LaterQuestions;
  readonly pulse: Int32Array;
  readonly closed: Promise<void>;
}

function createLink({ post, answers, questions, pulse, closed }: LinkParts): JupyterLink {
  let asked = 0;
  return {
    output(id, output) {
      post({ kind: "output", id, output });
      Atomics.add(pulse, Pulse.backlog, weightOf(output));
      waitForRoom(pulse);
    },
    comm(packet, id) {
      Atomics.add(pulse, Pulse.backlog, weightOfPacket(packet));
      post(
        { kind: "comm", id, packet },
        packet.buffers.map(({ buffer }) => buffer),
      );
      waitForRoom(pulse);
    },
    commTarget: (name, isKnown) => post({ kind: "commTarget", name, isKnown }),
    ask(id, prompt, password) {
      asked += 1;
      post({ kind: "ask", id, question: asked, prompt, password });
      return givenValue(waitForAnswer(asked, { answers, pulse }));
    },
    askLater(id, prompt, signal) {
      asked += 1;
      const question = asked;
      return questions.ask(question, {
        post: () => post({ kind: "ask", id, question, prompt, password: false, isLater: true }),
        withdraw: () => post({ kind: "withdraw", question }),
        signal,
      });
    },
    phase(value) {
      Atomics.store(pulse, Pulse.phase, value);
    },
    takeInterrupt: () => takeInterrupt(pulse),
    cancelled() {
      const { asked, acknowledged } = Cancelled;
      Atomics.compareExchange(pulse, Pulse.cancelled, asked, acknowledged);
      Atomics.notify(pulse, Pulse.cancelled);
    },
    folder: (path) => post({ kind: "folder", path }),
    types: (port) => post({ kind: "types", port }, [port]),
    debug: (message) => post({ kind: "debug", message: message }),
    closed,
  };
}

/** Leaves the synchronous part; where a SIGINT is on its way to it, blocks until it throws. */
export function takeInterrupt(pulse: Int32Array): void {
  const { synchronous, awaiting, interrupting } = Phase;
  const found = Atomics.compareExchange(pulse, Pulse.phase, synchronous, awaiting);
  if (found === interrupting) Atomics.wait(pulse, Pulse.phase, interrupting, SIGNAL_WAIT_MS);
}

/** Blocks while worker 1 is far behind; not for ever, as it may be gone. */
function waitForRoom(pulse: Int32Array): void {
  const backlog = Atomics.load(pulse, Pulse.backlog);
  if (backlog > BACKLOG_MAX) Atomics.wait(pulse, Pulse.backlog, backlog, ROOM_WAIT_MS);
}

/** Blocks the thread; an interrupt of a synchronous cell ends it by an exception of Node's own. */
function waitForAnswer(
  question: number,
  { answers, pulse }: Pick<LinkParts, "answers" | "pulse">,
): QuestionAnswer {
  for (;;) {
    // Read before the look at the port: an answer that comes in between ends the wait at once.
    const seen = Atomics.load(pulse, Pulse.answered);
    for (let next = receiveMessageOnPort(answers); next; next = receiveMessageOnPort(answers)) {
      const answer: QuestionAnswer = next.message;
      if (answer.question === question) return answer; // Others are of questions that were interrupted.
    }
    Atomics.wait(pulse, Pulse.answered, seen);
  }
}

function givenValue(answer: QuestionAnswer): string {
  switch (answer.kind) {
    case "value":
      return answer.value;
    case "refused":
      throw new CommandError("M7403", "the cell asked for input, but nobody can be asked here", {
        hint: "give the value in the notebook, `madrigal exec NB --answers FILE`, or run it in JupyterLab or VS Code",
      });
    case "interrupted":
      throw new CommandError("M7404", "the question was cancelled by an interrupt");
  }
}
