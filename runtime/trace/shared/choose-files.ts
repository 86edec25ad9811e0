/** Chooses which files to read, and without which of their runs, so that each run is read once. */
import type { Catalog } from "./catalog.ts";
import type { TraceFile } from "./file-metadata.ts";
import type { FilePart } from "./parquet-sql.ts";

/** Which files to read, and without which of their runs, so that each wanted run is read once. */
export function chooseFiles(
  catalog: Catalog,
  isWanted: (runId: string) => boolean,
): readonly FilePart[] {
  const whole: string[] = [];
  const cut: FilePart[] = [];
  for (const file of catalog.files) {
    const without = unwanted(catalog, file, isWanted);
    if (without.length === 0) whole.push(file.path);
    else if (without.length < file.runs.length) cut.push({ paths: [file.path], without });
  }
  return whole.length === 0 ? cut : [{ paths: whole, without: [] }, ...cut];
}

function unwanted(
  catalog: Catalog,
  file: TraceFile,
  isWanted: (runId: string) => boolean,
): readonly string[] {
  return file.runs
    .filter((run) => {
      const counts = catalog.held.get(run.runId)?.file === file && !catalog.isGone(run);
      return !counts || !isWanted(run.runId);
    })
    .map(({ runId }) => runId);
}
