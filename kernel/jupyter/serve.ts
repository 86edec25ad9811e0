/** Connects the parts of worker 1: each message goes to the part that it concerns. */
import type { MessagePort } from "node:worker_threads";
import { watchParent } from "../startup/parent-watch.js";
import { createAdapter } from "./debug/create-adapter.ts";
import { CellQuestions } from "./execution/asking.ts";
import { Gate } from "./execution/gate.ts";
import { CellInterrupt } from "./execution/interrupt.ts";
import { Outputs } from "./execution/outputs.ts";
import { Shells } from "./execution/shells.ts";
import { terminateMain } from "./execution/terminate-main.ts";
import { Folder } from "./folder.ts";
import { SessionHistory } from "./history/history.ts";
import { HistoryFiles } from "./history/history-files.ts";
import {
  type CellRequest,
  type JupyterWorkerData,
  Pulse,
  type ToJupyter,
  type ToMain,
  weightOf,
  weightOfPacket,
} from "./link.ts";
import { WireComms } from "./requests/comms.ts";
import { createRequests } from "./requests/requests.ts";
import { TypePort } from "./requests/type-client.ts";
import { Shutdown } from "./shutdown.ts";
import { Channels } from "./wire/channels.ts";
import { type Connection, readConnection } from "./wire/connection.ts";
import { FrontEnd, type Request } from "./wire/front-end.ts";

/** Serves until the kernel ends; then nothing keeps the thread alive. */
export async function serve(main: MessagePort, data: JupyterWorkerData): Promise<void> {
  const gate = new Gate((message) => main.postMessage(message));
  const tell = (message: ToMain) => gate.tell(message);
  const connection = readConnection(data.connectionFile);
  let channels: Channels;
  try {
    channels = await Channels.bind(connection);
  } catch (thrown) {
    tell({ kind: "failed", message: thrown instanceof Error ? thrown.message : String(thrown) });
    return;
  }
  const parts = createParts({ connection, channels, data, main, gate });
  listenToMain(main, parts);
  await channels.watch((topic) => parts.frontEnd.welcome(topic));
  parts.frontEnd.status("starting", {});
  channels.watchAskable((remaining) => parts.asking.clientLeft(remaining));
  listenToClients(channels, parts);
  tell({ kind: "listening" });
}

interface ServeInputs {
  readonly connection: Connection;
  readonly channels: Channels;
  readonly data: JupyterWorkerData;
  readonly main: MessagePort;
  readonly gate: Gate;
}

type WorkerParts = ReturnType<typeof createParts>;

function createParts({ connection, channels, data, main, gate }: ServeInputs) {
  const tell = (message: ToMain) => gate.tell(message);
  const pulse = new Int32Array(data.pulse);
  const frontEnd = new FrontEnd(channels);
  const folder = new Folder(data);
  const outputs = new Outputs(frontEnd, () => folder.within("out", "printed"));
  const history = new SessionHistory(
    new HistoryFiles(folder.known.then(() => folder.within("history"))),
  );
  const types = new TypePort(() => tell({ kind: "startTypes" }));
  const asking = new CellQuestions(frontEnd, {
    answers: data.answers,
    pulse,
    later: (answer) => tell({ kind: "answered", answer }),
    note: (id, text) => outputs.show(id, { kind: "stream", name: "stderr", text }),
  });
  const comms = new WireComms({ frontEnd, outputs, tell });
  const shells = new Shells({
    frontEnd,
    outputs,
    history,
    execute: (request) => tell({ kind: "execute", request }),
    settled: () => channels.settled(),
    ended: (id) => asking.forget(id),
  });
  const kernelDebugger = createAdapter({
    frontEnd,
    tell,
    typescript: {
      interrupt: () => void stopCells(), // Goes on while the front end is answered.
      declare: (name) => types.call("declare", { name, type: "any" }),
      caughtAt: (places) => types.call("caughtAt", places),
    },
  });
  const interrupt = new CellInterrupt({
    pulse,
    running: () => shells.running.map(({ cell }) => cell),
    hasBegun: () => shells.hasBegun,
    postCancel: (isTerminated) => gate.tellNow({ kind: "cancel", isTerminated }),
    terminate: () => terminateMain(() => gate.tellNow({ kind: "ping" })),
    alone: (work) => gate.shutDuring(work),
    endQuestion: () => asking.interrupt(),
    explain: ({ id }: CellRequest, text) =>
      outputs.show(id, { kind: "stream", name: "stderr", text }),
  });
  const stopCells = () => kernelDebugger.letGo(() => interrupt.stop());
  const leave = new Shutdown({
    interrupt: stopCells,
    postClose: () => tell({ kind: "close" }),
    refuseCells: () => shells.close(),
    release: async () => {
      interrupt.abandon();
      kernelDebugger.close();
      outputs.flush();
      types.close();
      stopWatching();
      await Promise.all([channels.close(), history.close()]);
      data.answers.close();
      main.close();
    },
  });
  const stopWatching = watchParent(() => leave.begin());
  const answer = createRequests({
    connection,
    frontEnd,
    history,
    types,
    comms,
    shells,
    debugAdapter: kernelDebugger.adapter,
    interrupt: () => void stopCells(), // Goes on while the reply is sent.
    shutdown: () => leave.begin(),
  });
  const receiveDebugMessage = kernelDebugger.receive;
  return {
    pulse,
    frontEnd,
    folder,
    outputs,
    types,
    asking,
    shells,
    comms,
    leave,
    answer,
    receiveDebugMessage: receiveDebugMessage,
  };
}

function listenToMain(main: MessagePort, parts: WorkerParts): void {
  const { outputs, shells, comms, asking, types, leave } = parts;
  main.on("message", (message: ToJupyter) => {
    switch (message.kind) {
      case "output":
        return takeOutput(message, parts);
      case "done":
        return shells.done(message.id, message.reply);
      case "comm":
        return takePacket(message, parts);
      case "commHandled":
        return comms.handled(message.id);
      case "commTarget":
        return comms.target(message.name, message.isKnown);
      case "ask":
        outputs.flush();
        return asking.ask(message, shells.asker(message.id));
      case "withdraw":
        return asking.withdraw(message.question);
      case "folder":
        return parts.folder.tell(message.path);
      case "debug":
        return parts.receiveDebugMessage(message.message);
      case "types":
        return types.attach(message.port);
      case "stop":
        return leave.begin();
      case "closed":
        return leave.mainClosed();
    }
  });
}

/** Shows an output and tells a main thread that waits for room. */
function takeOutput({ id, output }: ServedOutput, { outputs, pulse }: WorkerParts): void {
  outputs.show(id, output);
  Atomics.sub(pulse, Pulse.backlog, weightOf(output));
  Atomics.notify(pulse, Pulse.backlog);
}

type ServedOutput = Extract<ToJupyter, { kind: "output" }>;

/** The same for a comm message. */
function takePacket({ id, packet }: Packet, { comms, pulse }: WorkerParts): void {
  comms.publish(packet, id);
  Atomics.sub(pulse, Pulse.backlog, weightOfPacket(packet));
  Atomics.notify(pulse, Pulse.backlog);
}

type Packet = Extract<ToJupyter, { kind: "comm" }>;

function listenToClients(channels: Channels, { asking, shells, answer }: WorkerParts): void {
  channels.listen((channel, message) => {
    if (channel === "stdin") return asking.reply(message);
    const request: Request = { channel, message };
    if (channel === "shell" && message.header.msg_type === "execute_request") shells.add(request);
    else void answer(request); // What fails has become an error reply.
  });
}
