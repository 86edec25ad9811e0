// Keeps our files, stripped of their types, together in one file. To load them one by one takes longer than to run them:
// Node looks each name up along its folders, reads the file, and looks for what its compile cache has of it.
//
// The file of files is a line of JSON, [[url, [mtimeMs, size, start, length]], …], and the texts one behind the other.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** When nothing new has been loaded for so long it is written; a process that ends before writes then. */
const SETTLED_MS = 1500;

/** From now on what our files import from each other comes from `file`, unless it has changed since. */
export function keepSources({ file, folders }) {
  const kept = readKept(file);
  const added = new Map();
  const isOurs = (url) => url.endsWith(".ts") && folders.some((folder) => url.startsWith(folder));
  const write = () => {
    if (added.size > 0) writeKept(file, added);
    added.clear();
  };
  const timer = setTimeout(write, SETTLED_MS).unref();
  process.on("exit", write);
  registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context;
      if (parentURL === undefined || !specifier.startsWith(".") || !isOurs(parentURL))
        return next(specifier, context);
      const url = new URL(specifier, parentURL).href;
      return isOurs(url) ? { url, format: "module", shortCircuit: true } : next(specifier, context);
    },
    load: (url, context, next) =>
      isOurs(url)
        ? { format: "module", source: sourceOf(url), shortCircuit: true }
        : next(url, context),
  });

  function sourceOf(url) {
    const path = fileURLToPath(url);
    const { mtimeMs, size } = statSync(path);
    const known = kept.get(url);
    if (known?.mtimeMs === mtimeMs && known.size === size) return known.text().toString();
    const source = stripped(readFileSync(path, "utf8"));
    added.set(url, { mtimeMs, size, text: () => Buffer.from(source) });
    timer.refresh();
    return source;
  }
}

/** Positions stay as they are. Node warns whoever runs us that its own function may change. */
function stripped(source) {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** By URL; nothing where the file can't be read. */
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
    // Its folder is none.
  }
}
