/** What a front end feels of a kernel whose cell blocks: how soon control and heartbeat answer, and how soon a cell is stopped. */
import { randomUUID } from "node:crypto";
// biome-ignore lint/correctness/noUndeclaredDependencies: that of the kernel which is measured, not of its peers.
import { Request as Heartbeat } from "zeromq";
import { addressOf } from "../../../kernel/jupyter/wire/connection.ts";
import {
  createHeader,
  type Dict,
  parentId,
  type WireMessage,
} from "../../../kernel/jupyter/wire/message.ts";
import { KernelProcess } from "../../../kernel/notebook/kernel-process.ts";
import {
  type ClientSockets,
  openSockets,
  type RequestChannel,
} from "../../../kernel/notebook/sockets.ts";
import type { Contender } from "./contenders.ts";

export interface BlockedTimes {
  /** `kernel_info` on control, one time after the other. */
  readonly controlMs: readonly number[];
  readonly heartbeatMs: readonly number[];
  /** From the request to the cell's reply, of cells that block in different ways. */
  readonly interruptMs: readonly number[];
}

const TIMES = 50;
const ROUNDS = 4;
const BEGUN = `console.log("begun");`;

const BLOCKING: readonly string[] = [
  `${BEGUN} while (true) {}`,
  `${BEGUN} for (;;) { try { for (;;) {} } catch {} }`,
  `${BEGUN} /^(a+)+$/.test("a".repeat(40) + "b")`,
  `${BEGUN} Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
  `${BEGUN} await new Promise(() => {})`,
  `await null; ${BEGUN} while (true) {}`,
  `await new Promise(() => setTimeout(() => { ${BEGUN} while (true) {} }))`,
];

/** Of one kernel; throws when it does not answer rightly. */
export async function measureBlocked({ kernel }: Contender): Promise<BlockedTimes> {
  const process = await KernelProcess.start(kernel);
  const inbox: WireMessage[] = [];
  const lookers = new Set<() => void>();
  const sockets = await openSockets(process.connection, (_channel, message) => {
    inbox.push(message);
    for (const look of lookers) look();
  });
  const heartbeat = new Heartbeat({ linger: 0 });
  heartbeat.connect(addressOf(process.connection, "hb"));
  const client = createClient(sockets, { inbox, lookers });
  try {
    await client.heard(({ header }) => header.msg_type === "iopub_welcome");
    await client.reply(client.execute("1"));
    const cell = await client.begin(BLOCKING[0] ?? "");
    const controlMs = await inTurn(TIMES, () => client.info());
    const heartbeatMs = await inTurn(TIMES, async () => {
      await heartbeat.send("ping");
      await heartbeat.receive();
    });
    await client.stop(cell);
    const interruptMs: number[] = [];
    for (const code of Array.from({ length: ROUNDS }, () => BLOCKING).flat()) {
      const id = await client.begin(code);
      interruptMs.push(await timed(() => client.stop(id)));
    }
    return { controlMs, heartbeatMs, interruptMs };
  } finally {
    process.kill();
    await process.ended;
    heartbeat.close();
    sockets.close();
  }
}

async function inTurn(times: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const all: number[] = [];
  for (let time = 0; time < times; time += 1) all.push(await timed(work));
  return all;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

interface Heard {
  readonly inbox: readonly WireMessage[];
  readonly lookers: Set<() => void>;
}

function createClient(sockets: ClientSockets, { inbox, lookers }: Heard) {
  const session = randomUUID();
  const ask = (channel: RequestChannel, type: string, content: Dict = {}): string => {
    const header = createHeader(type, { session });
    void sockets.send(channel, {
      identities: [],
      header,
      parent: {},
      metadata: {},
      content,
      buffers: [],
    });
    return header.msg_id;
  };
  const heard = async (isWanted: (message: WireMessage) => boolean): Promise<WireMessage> => {
    const { promise, resolve } = Promise.withResolvers<WireMessage>();
    const look = () => {
      const found = inbox.find(isWanted);
      if (found !== undefined) resolve(found);
    };
    lookers.add(look);
    look();
    return await promise.finally(() => lookers.delete(look));
  };
  const reply = (id: string) =>
    heard((each) => parentId(each) === id && each.header.msg_type.endsWith("_reply"));
  const execute = (code: string) => {
    const content = { code, silent: false, store_history: true, user_expressions: {} };
    return ask("shell", "execute_request", { ...content, allow_stdin: false, stop_on_error: true });
  };
  return {
    heard,
    reply,
    execute,
    info: () => reply(ask("control", "kernel_info_request")),
    /** Resolves when the cell says that it has begun. */
    async begin(code: string): Promise<string> {
      const id = execute(code);
      await heard((each) => parentId(each) === id && each.content.text === "begun\n");
      return id;
    },
    /** Resolves when the cell is over. */
    async stop(id: string): Promise<void> {
      ask("control", "interrupt_request");
      const { content } = await reply(id);
      if (content.ename !== "Cancelled") throw new Error(`stopped by ${JSON.stringify(content)}`);
    },
  };
}
