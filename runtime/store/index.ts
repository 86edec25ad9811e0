/** Exports what other folders use of the store: opening it, its types, run files and workspaces. */
export { currentOwner, type Liveness } from "./lease.ts";
export { noLog } from "./log/no-store.ts";
export { memoryRunStore, openRunStore, type StoreOptions } from "./open-store.ts";
export type {
  ArtifactInfo,
  Artifacts,
  Cache,
  Durability,
  ForkedFrom,
  KeptField,
  KeptOwner,
  KeptType,
  KeptWrite,
  Note,
  NoteBody,
  Notes,
  Owner,
  Pruned,
  PruneOptions,
  RerunOf,
  RunFault,
  RunFilter,
  RunLog,
  RunMeta,
  RunStore,
  RunSummary,
  Snapshots,
  StoredRun,
  StoredRunPosition,
  StoredSnapshot,
  SummaryUpdate,
  ThreadCopy,
  WritableRows,
  WritableTables,
} from "./run-store.ts";
export {
  ARCHIVED_RUN_FILE,
  type Exported,
  readRunFile,
  writeRunFile,
} from "./transfer/run-file.ts";
export { exportedRun, type Hide, type ImportOptions, importRun } from "./transfer/transfer.ts";
export { makePrivateFolder, type Workspace, workspaceAt, workspaceIn } from "./workspace.ts";
