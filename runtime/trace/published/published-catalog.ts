/** Knows which runs the wanted files of a folder of published traces have. */
import type { TraceWarning } from "../database/trace-files.ts";
import { Catalog } from "../shared/catalog.ts";
import { type PublishedTraces, publishedFiles } from "./published-files.ts";

export function publishedCatalog(wanted: PublishedTraces, warnings: TraceWarning[]): Catalog {
  return new Catalog(wanted.folder, warnings, {
    find: () => publishedFiles(wanted),
    isPublished: true,
  });
}
