/** Moves a stored run with everything that it names out of one store and into another. */
import { addHashes } from "../artifacts/references.ts";
import type { RunStore, SummaryUpdate } from "../run-store.ts";
import type { FileArtifact, RunFile } from "./run-file.ts";

export interface ImportOptions {
  /** Gives it an id of its own. */
  readonly runId?: string;
  readonly threadId?: string;
  /** Takes the place of the stored run of its id. */
  readonly replace?: boolean;
}

/** Returns a value without its hidden parts; the value itself where nothing is hidden. */
export type Hide = <T>(value: T) => T;

/** A run as a file has it. */
export function exportedRun(store: RunStore, runId: string, hide: Hide): RunFile {
  // A path of this machine.
  const { record: _, ...meta } = store.meta(runId);
  const { status, reason, steps, usage, error } = store.find(runId);
  const summary: SummaryUpdate = {
    status,
    steps,
    usage,
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { error: hide(error) }),
  };
  const all = store.read(runId);
  const records = all.map((record) => hide(record));
  const hidden = records.filter((record, index) => record !== all[index]).length;
  const { files, leftOut } = filesOf(store, all, hide);
  const config = meta.config === undefined ? {} : { config: hide(meta.config) };
  return {
    run: { meta: { ...meta, ...config }, summary, records },
    hidden,
    leftOut,
    artifacts: artifactsOf(store, files),
  };
}

/** Puts what a file has into a store; the id of the run. */
export function importRun(
  store: RunStore,
  { run, artifacts }: Pick<RunFile, "run" | "artifacts">,
  { runId = run.meta.runId, threadId = run.meta.threadId, replace = false }: ImportOptions,
): string {
  // First: a record that names what is not there can't be read, and bytes that none names are swept.
  for (const { bytes, info } of artifacts) store.artifacts.put(bytes, info);
  store.restore({ ...run, meta: { ...run.meta, runId, threadId } }, { replace });
  return runId;
}

/** Values beside a record are in the record when it is read; these are files that it names. */
function filesOf(
  store: RunStore,
  records: readonly unknown[],
  hide: Hide,
): { readonly files: readonly string[]; readonly leftOut: readonly string[] } {
  const named = new Set<string>();
  addHashes(records, named);
  const known = [...named].filter((hash) => store.artifacts.info(hash) !== undefined);
  const files = known.filter((hash) => isTold(store, hash, hide));
  return { files, leftOut: known.filter((hash) => !files.includes(hash)) };
}

/** A file can't be hidden in part: it would be another one, and the record that names it would not find it. */
function isTold(store: RunStore, hash: string, hide: Hide): boolean {
  const text = programText(store, hash);
  return text !== undefined && hide(text) === text;
}

function programText(store: RunStore, hash: string): string | undefined {
  try {
    return new TextDecoder().decode(store.artifacts.get(hash));
  } catch {
    // Missing or damaged: the rest of the run is worth having without it.
    return undefined;
  }
}

function* artifactsOf(store: RunStore, hashes: readonly string[]): Generator<FileArtifact> {
  for (const hash of hashes) {
    const info = store.artifacts.info(hash) ?? { kind: "file", mime: "application/octet-stream" };
    yield { hash, info, bytes: store.artifacts.get(hash) };
  }
}
