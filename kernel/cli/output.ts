/** Writes the two streams of a command: results go to stdout, everything about them to stderr. */
import { Writable } from "node:stream";
import { ACTING } from "../display/visible.ts";
import { type Painter, plain, type Style } from "../paint.ts";

const STYLES: Readonly<Record<Style, string>> = {
  error: "31;1",
  warning: "33;1",
  good: "32",
  quiet: "2",
  title: "1",
};

// Stands for ESC in our own colours until they are written: no other text can hold it. Making it loads `node:crypto`, which
// a command without colours does not wait for.
let madeEscape: string | undefined;

const escapeMark = () => {
  madeEscape ??= crypto.randomUUID();
  return madeEscape;
};

const vivid: Painter = (style, text) =>
  `${escapeMark()}[${STYLES[style]}m${text}${escapeMark()}[0m`;

type Write = typeof process.stdout.write;

let reserved: Write | undefined;

/** Writes a line, or several, to stdout. */
export function print(text: string): void {
  writeOut(`${printable(text)}\n`);
}

/** Keeps stdout for `print`: what a program's TypeScript writes there goes to stderr from now on. */
export function reserveStdout(): void {
  reserved ??= process.stdout.write.bind(process.stdout) as Write;
  process.stdout.write = process.stderr.write.bind(process.stderr) as Write;
}

/** The stream of stdout for a protocol: nothing else goes there from now on. */
export function protocolStdout(): Writable {
  reserveStdout();
  return new Writable({
    write: (chunk, _, written) => {
      reserved?.(chunk, (error) => written(error ?? null));
    },
  });
}

function writeOut(text: string, written?: () => void): void {
  if (reserved === undefined) process.stdout.write(text, written);
  else reserved(text, written);
}

/** Writes a line, or several, to stderr. */
export function tell(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Writes the one JSON document of a command with `--json`. */
export function printJson(document: Readonly<Record<string, unknown>>): void {
  print(JSON.stringify({ version: 1, ...document }, null, 2));
}

/**
 * A model, a tool or a document must not drive the terminal or turn what is read there: its control characters, and what
 * hides or reorders text, are shown as `\u001b`, which is also what they are in JSON.
 */
function printable(text: string): string {
  const shown = text
    .replaceAll("\r\n", "\n")
    .replaceAll(ACTING, (character) => [...units(character)].map((unit) => `\\u${unit}`).join(""));
  return madeEscape === undefined ? shown : shown.replaceAll(madeEscape, "\u001b");
}

/** The UTF-16 units of a character, as four hexadecimal digits each. */
function* units(character: string): Iterable<string> {
  for (let at = 0; at < character.length; at += 1)
    yield character.charCodeAt(at).toString(16).padStart(4, "0");
}

/** Text that was coloured elsewhere in our code keeps its colours when it is printed. */
export function withColours(text: string): string {
  return text.replaceAll(COLOUR, `${escapeMark()}$1`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what a colour begins with.
const COLOUR = /\u001b(\[[\d;]*m)/g;

/** Returns whether a stream shows colours: a terminal does, unless NO_COLOR is set. */
export function isColoured(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && (process.env.NO_COLOR ?? "") === "";
}

export function paintFor(stream: NodeJS.WriteStream): Painter {
  return isColoured(stream) ? vivid : plain;
}

/**
 * A reader that has seen enough (`| head`) closes the pipe; that is no fault. Anything else that keeps stdout from being
 * written is told once; the work goes on, since what it does is kept elsewhere. For stderr there is nobody to tell.
 */
export function watchOutput(onLost: (cause: NodeJS.ErrnoException) => void): void {
  let isLost = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isLost || error.code === "EPIPE") return;
    isLost = true;
    onLost(error);
  });
  process.stderr.on("error", () => {});
}

/** Resolves when everything written has left the process. */
export async function flushed(): Promise<void> {
  await new Promise<void>((resolve) => writeOut("", () => resolve()));
  await new Promise<void>((resolve) => process.stderr.write("", () => resolve()));
}
