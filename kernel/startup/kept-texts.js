/**
 * Keeps texts that are made of files together in one file, so that the next process need not make them again.
 *
 * The file begins with a line of JSON, [[url, [mtimeMs, size, start, length]], …]; the texts follow it, end to end.
 */
import {
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The time without a new text after which the file is written, in milliseconds; a process that ends before writes it then. */
const SETTLED_MS = 1500;

/** A function that gives what `make` makes of the text of a file, from `file` unless it has changed since. */
export function openKept(file) {
  const kept = readKept(file);
  const added = new Map();
  const write = () => {
    if (added.size > 0) writeKept(file, added);
    added.clear();
  };
  const timer = setTimeout(write, SETTLED_MS).unref();
  process.on("exit", write);
  return (url, make) => {
    const path = fileURLToPath(url);
    const { mtimeMs, size } = statSync(path);
    const known = kept.get(url);
    if (known?.mtimeMs === mtimeMs && known.size === size) return known.text().toString();
    const made = make(readFileSync(path, "utf8"));
    added.set(url, { mtimeMs, size, text: () => Buffer.from(made) });
    timer.refresh();
    return made;
  };
}

/**
 * Reads where the kept texts lie, by URL; empty if the file can't be read. A text is read when it is asked for: all of
 * them would be megabytes in each thread. The file stays open, since another one may take its name.
 */
function readKept(file) {
  try {
    const descriptor = openSync(file);
    const index = readLine(descriptor);
    const begin = index.length + 1;
    return new Map(
      JSON.parse(index.toString()).map(([url, [mtimeMs, size, start, length]]) => {
        const text = () => readPart(descriptor, begin + start, length);
        return [url, { mtimeMs, size, text }];
      }),
    );
  } catch {
    return new Map();
  }
}

function readLine(descriptor) {
  const parts = [];
  for (let at = 0; ; at += PART_BYTES) {
    const part = readPart(descriptor, at, PART_BYTES);
    const end = part.indexOf("\n");
    parts.push(end === -1 ? part : part.subarray(0, end));
    if (end !== -1 || part.length < PART_BYTES) return Buffer.concat(parts);
  }
}

const PART_BYTES = 1 << 17;

function readPart(descriptor, start, length) {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
}

/** Adds to what is kept by now. */
function writeKept(file, added) {
  const texts = [];
  let start = 0;
  const entries = [...new Map([...readKept(file), ...added])].map(
    ([url, { mtimeMs, size, text }]) => {
      const bytes = text();
      texts.push(bytes);
      start += bytes.length;
      return [url, [mtimeMs, size, start - bytes.length, bytes.length]];
    },
  );
  // Whole or not at all: others may read it now.
  const draft = `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(draft, Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...texts]));
    renameSync(draft, file);
  } catch {
    // Without a cache we only start later.
    removeIfThere(draft);
  }
}

function removeIfThere(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // There is no such folder.
  }
}
