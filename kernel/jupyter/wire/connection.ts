/** Reads the connection file: where the five sockets are and how messages are signed. */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { CommandError } from "../../command-error.ts";

export const CHANNELS = ["shell", "iopub", "stdin", "control", "hb"] as const;

export type Channel = (typeof CHANNELS)[number];

export interface Connection {
  readonly transport: "tcp" | "ipc";
  /** For `ipc` the beginning of the paths. */
  readonly ip: string;
  readonly ports: Readonly<Record<Channel, number>>;
  /** Empty when messages are not signed. */
  readonly key: string;
  readonly kernelName?: string;
}

/** Reads and checks a connection file; what is wrong with it is thrown as M7401. */
export function readConnection(path: string): Connection {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw wrongFile(`the connection file \`${path}\` can't be read (${reason})`, cause);
  }
  return parseConnection(text, path);
}

/** Checks the text of a connection file; `path` is only for messages. */
export function parseConnection(text: string, path: string): Connection {
  const wrong = (what: string, cause?: unknown) =>
    wrongFile(`the connection file \`${path}\` ${what}`, cause);
  const { transport = "tcp", ip, key = "", signature_scheme, kernel_name, ...rest } = parse();
  if (transport !== "tcp" && transport !== "ipc") {
    throw wrong(`has the transport \`${transport}\`; \`tcp\` and \`ipc\` are known`);
  }
  if (typeof ip !== "string" || ip === "") throw wrong("has no `ip`");
  if (typeof key !== "string") throw wrong("has a `key` that is no text");
  if (key !== "" && (signature_scheme ?? "hmac-sha256") !== "hmac-sha256") {
    throw wrong(`asks for signatures by \`${signature_scheme}\`; \`hmac-sha256\` is known`);
  }
  const ports = portsOf(rest, wrong);
  return {
    transport,
    ip,
    ports,
    key,
    ...(typeof kernel_name === "string" ? { kernelName: kernel_name } : {}),
  };

  function parse(): Record<string, unknown> {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw wrong("is not JSON", cause);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw wrong("is not a JSON object");
    }
    return { ...value };
  }
}

function portsOf(
  file: Readonly<Record<string, unknown>>,
  wrong: (what: string) => CommandError,
): Record<Channel, number> {
  const taken = new Map<number, Channel>();
  const portOf = (channel: Channel): number => {
    const port = file[`${channel}_port`];
    if (typeof port !== "number" || !Number.isInteger(port) || port < 1 || port > 65_535) {
      const found = port === undefined ? "is missing" : `is \`${JSON.stringify(port)}\``;
      throw wrong(`names no port for ${channel}: \`${channel}_port\` ${found}`);
    }
    const other = taken.get(port);
    if (other !== undefined) throw wrong(`gives ${other} and ${channel} the same port ${port}`);
    taken.set(port, channel);
    return port;
  };
  return {
    shell: portOf("shell"),
    iopub: portOf("iopub"),
    stdin: portOf("stdin"),
    control: portOf("control"),
    hb: portOf("hb"),
  };
}

function wrongFile(message: string, cause?: unknown): CommandError {
  return new CommandError("M7401", message, {
    hint: "Jupyter writes this file and passes its path; start the kernel from JupyterLab or VS Code, or run a notebook with `madrigal exec`",
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Returns the address of a channel that ZeroMQ binds or connects to. */
export function addressOf({ transport, ip, ports }: Connection, channel: Channel): string {
  const host = ip.includes(":") && transport === "tcp" ? `[${ip}]` : ip;
  return `${transport}://${host}${transport === "tcp" ? ":" : "-"}${ports[channel]}`;
}

/** A connection on free ports of this machine with a new key, for a kernel that is started by us. */
export async function createConnection({
  kernelName = "madrigal",
}: {
  readonly kernelName?: string;
} = {}): Promise<Connection> {
  const [shell = 0, iopub = 0, stdin = 0, control = 0, hb = 0] = await freePorts(CHANNELS.length);
  return {
    transport: "tcp",
    ip: "127.0.0.1",
    ports: { shell, iopub, stdin, control, hb },
    key: randomUUID(),
    kernelName,
  };
}

/** All are held at once, so that they differ; another process may still take one before the kernel does. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
  return ports;
}

async function listen() {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(0, "127.0.0.1", resolve);
  await promise;
  return server;
}

/** The connection file's own text. */
export function connectionText({ transport, ip, ports, key, kernelName }: Connection): string {
  const named = CHANNELS.map((channel) => [`${channel}_port`, ports[channel]] as const);
  const file = {
    transport,
    ip,
    ...Object.fromEntries(named),
    signature_scheme: "hmac-sha256",
    key,
  };
  return `${JSON.stringify({ ...file, kernel_name: kernelName ?? "" }, null, 2)}\n`;
}

/** Writes the file so that only its owner reads the key; it must not be there yet. */
export function writeConnection(path: string, connection: Connection): void {
  writeFileSync(path, connectionText(connection), { mode: 0o600, flag: "wx" });
}
