/** A run as an archive for people: the file that `import` takes, and beside it what the run made and what it did. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, RunError } from "../failure.ts";
import { ARCHIVED_RUN_FILE, type Exported, readRunFile } from "../store/transfer/run-file.ts";
import { type ZipEntry, zipOf } from "../store/transfer/zip.ts";
import { rowsOf } from "../trace/charts/chart-runs.ts";
import type { TraceStore } from "../trace/trace-store.ts";

/** Selects the artifacts of the run, in the order of its log. */
export const RUN_ARTIFACTS = `
SELECT kind, name, hash
FROM artifacts
WHERE run_id = $run
ORDER BY seq, artifact_id`;

/** Selects the story of the run as sentences; those of called graphs are indented. */
export const RUN_LOG = `
SELECT
  concat(
    strftime(ts, '%Y-%m-%d %H:%M:%S.%g'), '  ',
    repeat('  ', CASE WHEN graph_path IS NULL THEN 0 ELSE length(graph_path) - length(replace(graph_path, '›', '')) + 1 END),
    text
  ) AS line
FROM execution_log
WHERE run_id = $run
ORDER BY seq, part`;

/** The file of the archive that has the story. */
const LOG = "log/execution.txt";

interface Archiving {
  /** Writes the file that `import` takes. */
  readonly write: (file: string) => Exported;
  readonly traces: Pick<TraceStore, "query">;
}

/** All of the archive or nothing; M5116 where it can't be written. */
export async function archiveRun(
  path: string,
  { write, traces }: Archiving,
): Promise<Exported & { readonly entries: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "madrigal-export-"));
  try {
    const exported = write(join(folder, ARCHIVED_RUN_FILE));
    const { runId: run } = exported;
    const lines = await rowsOf<{ line: string }>(traces, RUN_LOG, { run });
    const log = lines.map(({ line }) => `${line}\n`).join("");
    const entries = [
      { name: ARCHIVED_RUN_FILE, bytes: readFileSync(exported.file) },
      { name: LOG, bytes: Buffer.from(log) },
      ...(await artifactsOf(exported, traces)),
    ];
    place(path, entries);
    return { ...exported, file: path, entries: entries.map(({ name }) => name) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By their kinds: `search/notes.json`. Those that would tell a secret are left out, as in the file. */
async function artifactsOf(
  { runId, file }: Exported,
  traces: Pick<TraceStore, "query">,
): Promise<ZipEntry[]> {
  const bytes = new Map(Array.from(readRunFile(file).artifacts, (each) => [each.hash, each.bytes]));
  const rows = await rowsOf<{ kind: string; name: string; hash: string }>(traces, RUN_ARTIFACTS, {
    run: runId,
  });
  const taken = new Set([LOG]);
  return rows.flatMap(({ kind, name, hash }) => {
    const found = bytes.get(hash);
    if (found === undefined) return [];
    return [{ name: `${plain(kind)}/${freeName(plain(name), taken, kind)}`, bytes: found }];
  });
}

/** A name that leads nowhere, whatever a model has called a file. */
function plain(name: string): string {
  const text = name.replaceAll(/[^\p{L}\p{N}._ -]+/gu, "_").replace(/^\.+/, "_");
  return text.slice(0, 120) || "_";
}

/** The second of a name in a folder is `NAME-2`. */
function freeName(name: string, taken: Set<string>, kind: string): string {
  const [, stem = "", ending = ""] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? [];
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${stem}-${number}${ending}`;
    // Where the system does not tell large letters from small ones, neither does this.
    const key = `${kind}/${free}`.toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return free;
  }
}

function place(path: string, entries: readonly ZipEntry[]): void {
  const unfinished = `${path}.${process.pid}.tmp`;
  const bytes = zipOf(entries);
  if (bytes === undefined) {
    throw new RunError("M5116", `\`${path}\` can't be written: an archive holds 4 GB at most`, {
      hint: "a name that does not end with .zip gives the run's own file, which holds more",
    });
  }
  try {
    writeFileSync(unfinished, bytes, { mode: 0o600 });
    renameSync(unfinished, path);
  } catch (cause) {
    rmSync(unfinished, { force: true });
    throw notWritten(path, cause);
  }
}

function notWritten(path: string, cause: unknown): RunError {
  return new RunError("M5116", `\`${path}\` can't be written: ${messageOf(cause)}`, {
    hint: "check that the folder can be written and has room",
    cause,
  });
}
