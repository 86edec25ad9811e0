/** Where runs are kept: the truth about each of them is its log. */
export { currentOwner, type Liveness } from "./lease.ts";
export { noLog } from "./no-store.ts";
export { memoryRunStore, openRunStore, type StoreOptions } from "./open-store.ts";
export { ARCHIVED_RUN_FILE, readRunFile, writeRunFile } from "./run-file.ts";
export type {
  ArtifactInfo,
  Artifacts,
  Cache,
  Durability,
  ForkedFrom,
  KeptField,
  KeptOwner,
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
  RunPosition,
  RunStore,
  RunSummary,
  Snapshots,
  StoredRun,
  StoredSnapshot,
  SummaryUpdate,
  ThreadCopy,
} from "./run-store.ts";
export { exportedRun, type Hide, type ImportOptions, importRun } from "./transfer.ts";
export { makePrivateFolder, type Workspace, workspaceAt, workspaceIn } from "./workspace.ts";
