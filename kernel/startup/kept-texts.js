/**
 * Keeps texts that are made of files together in one file, so that the next process need not make them again.
 *
 * The file begins with a line of JSON, [[url, [mtimeMs, size, start, length]], …]; the texts follow it, end to end.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
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

/** Reads the kept texts by URL; empty if the file can't be read. */
function readKept(file) {
  try {
    const bytes = readFileSync(file);
    const begin = bytes.indexOf("\n") + 1;
    const entries = JSON.parse(bytes.toString("utf8", 0, begin));
    return new Map(
      entries.map(([url, [mtimeMs, size, start, length]]) => {
        const text = () => bytes.subarray(begin + start, begin + start + length);
        return [url, { mtimeMs, size, text }];
      }),
    );
  } catch {
    return new Map();
  }
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
