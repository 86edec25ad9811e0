/** Moves runs from Restate into a workspace, and back. */
import { systemClock } from "../clock.ts";
import { RunError } from "../failure.ts";
import type { LogRecord } from "../records/records.ts";
import { newRunId } from "../run/run-id.ts";
import { shortRunId } from "../run-names.ts";
import { fileBlobs } from "../store/artifacts/file-blobs.ts";
import { addHashes } from "../store/artifacts/references.ts";
import type { Artifacts, RunMeta, RunStore } from "../store/run-store.ts";
import type { FileArtifact } from "../store/transfer/run-file.ts";
import { importRun } from "../store/transfer/transfer.ts";
import { blobArtifacts } from "./blob-artifacts.ts";
import type { AdoptMessage } from "./graph-services.ts";
import { Ingress } from "./ingress.ts";
import {
  graphService,
  type LogReply,
  RUN_OBJECT,
  type RunStanding,
  type SayMessage,
} from "./messages.ts";
import { wireValues } from "./wire-values.ts";

export interface PullOptions {
  /** Under an id of its own; the run on Restate goes on. */
  readonly copy?: boolean;
  /** In the place of the stored run of its id. */
  readonly replace?: boolean;
  /** Pauses a run that is under way first. */
  readonly pause?: boolean;
  /** Takes a run that is over away from Restate, too. */
  readonly forget?: boolean;
}

/** The server, the folder of blobs, and the store of the workspace. */
export interface TransferPlaces {
  readonly ingress: Ingress;
  readonly artifacts: Pick<Artifacts, "get" | "put">;
  readonly store: RunStore;
}

export interface PulledRun {
  readonly runId: string;
  readonly graph: string;
  readonly status: string;
  readonly records: number;
  /** It goes on here alone: Restate has it no more. */
  readonly isMoved: boolean;
}

/** Opens a server and the folder of blobs of its workers. */
export function places({
  restate,
  blobs: folder,
  store,
}: {
  readonly restate: string;
  readonly blobs: string;
  readonly store: RunStore;
}): TransferPlaces {
  const blobs = fileBlobs(folder, systemClock);
  return {
    ingress: new Ingress(restate, wireValues(blobs)),
    artifacts: blobArtifacts(blobs),
    store,
  };
}

/**
 * Brings a run into the workspace. A paused one moves: it is taken away from Restate once it is stored, so that it goes on in one
 * place. M5806 for an unknown run, M5807 for one that is under way.
 */
export async function pullRun(
  runId: string,
  { ingress, artifacts, store }: TransferPlaces,
  { copy = false, replace = false, pause = false, forget = false }: PullOptions = {},
): Promise<PulledRun> {
  if (pause) await once<RunStanding>(ingress, runId, "say", { verb: "pause" } satisfies SayMessage);
  const { facts, records, summary } = await wholeLog(ingress, runId);
  const isUnderWay = summary.status === "running" || summary.status === "waiting";
  if (isUnderWay && !copy)
    throw new RunError("M5807", `run \`${shortRunId(runId)}\` is under way on Restate`, {
      hint: "`--pause` pauses and moves it; `--copy` brings a copy, and it goes on",
      runId,
    });
  const meta: RunMeta = { ...facts.meta, ir: facts.ir };
  const run = { meta, records, summary };
  const id = copy ? newRunId() : runId;
  importRun(store, { run, artifacts: artifactsOf(records, artifacts) }, { runId: id, replace });
  const isMoved = !copy && (summary.status === "paused" || forget);
  if (isMoved) await once<void>(ingress, runId, "forget", null);
  return { runId: id, graph: meta.graph, status: summary.status, records: records.length, isMoved };
}

/** Has a run of the workspace that stands still go on with Restate, under its id; the workspace has it no more. M5810. */
export async function pushRun(
  runId: string,
  { ingress, artifacts, store }: TransferPlaces,
): Promise<RunStanding> {
  const { owner, status } = store.find(runId);
  if (owner !== undefined || status === "succeeded")
    throw new RunError(
      "M5004",
      `run \`${shortRunId(runId)}\` ${owner === undefined ? "has succeeded" : "is under way here"}`,
      {
        hint: "only a run that stands still and is not done moves to Restate",
        runId,
      },
    );
  const { ir: _, record: __, ...meta } = store.meta(runId);
  const records = store.read(runId);
  for (const { bytes, info } of artifactsOf(records, store.artifacts)) artifacts.put(bytes, info);
  const message: AdoptMessage = { meta, records };
  const moved = await ingress.once<RunStanding>(`${graphService(meta.graph)}/adopt`, message);
  store.delete(runId);
  return moved;
}

function once<T>(ingress: Ingress, runId: string, handler: string, message: unknown): Promise<T> {
  return ingress.once<T>(`${RUN_OBJECT}/${encodeURIComponent(runId)}/${handler}`, message);
}

async function wholeLog(ingress: Ingress, runId: string) {
  const records: LogRecord[] = [];
  let facts: LogReply["facts"];
  for (;;) {
    const reply = await once<LogReply>(ingress, runId, "log", { after: records.length - 1 });
    facts ??= reply.facts;
    records.push(...reply.records);
    if (facts === undefined) throw new Error(`M9000: run ${runId} without its facts`);
    if (records.length > reply.lastSeq) return { facts, records, summary: reply.summary };
  }
}

/** The bytes that records name, as far as they are there. */
function* artifactsOf(
  records: readonly LogRecord[],
  artifacts: Pick<Artifacts, "get">,
): Generator<FileArtifact> {
  const hashes = new Set<string>();
  addHashes(records, hashes);
  for (const hash of hashes) {
    const bytes = bytesOf(artifacts, hash);
    const info = { kind: "file", mime: "application/octet-stream" };
    if (bytes !== undefined) yield { hash, info, bytes };
  }
}

/** Hashes of other things look the same. */
function bytesOf(artifacts: Pick<Artifacts, "get">, hash: string): Uint8Array | undefined {
  try {
    return artifacts.get(hash);
  } catch {
    return undefined;
  }
}
