/** The two streams of a command: what was asked for goes to stdout, everything said about it to stderr. */

const styles = { error: "31;1", warning: "33;1", good: "32", quiet: "2", title: "1" } as const;

export type Paint = (style: keyof typeof styles, text: string) => string;

export const plain: Paint = (_, text) => text;

const vivid: Paint = (style, text) => `\u001b[${styles[style]}m${text}\u001b[0m`;

type Write = typeof process.stdout.write;

let reserved: Write | undefined;

/** Writes a line, or several, to stdout. */
export function print(text: string): void {
  writeOut(`${text}\n`);
}

/** Keeps stdout for `print`: what a program's TypeScript writes there goes to stderr from now on. */
export function reserveStdout(): void {
  reserved ??= process.stdout.write.bind(process.stdout) as Write;
  process.stdout.write = process.stderr.write.bind(process.stderr) as Write;
}

function writeOut(text: string, written?: () => void): void {
  if (reserved === undefined) process.stdout.write(text, written);
  else reserved(text, written);
}

/** Writes a line, or several, to stderr. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes the one JSON document of a command with `--json`. */
export function printJson(document: Readonly<Record<string, unknown>>): void {
  print(JSON.stringify({ version: 1, ...document }, null, 2));
}

/** Whether a stream shows colours: a terminal, unless NO_COLOR says no. */
export function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && (process.env.NO_COLOR ?? "") === "";
}

export function paintFor(stream: NodeJS.WriteStream): Paint {
  return isColoured(stream) ? vivid : plain;
}

/** A reader that has seen enough (`| head`) closes the pipe; that is no fault. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** Resolves when everything written has left the process. */
export async function flushed(): Promise<void> {
  await new Promise<void>((resolve) => writeOut("", () => resolve()));
  await new Promise<void>((resolve) => process.stderr.write("", () => resolve()));
}
