/** Compares the files of an agent with those of its root, and merges what changed in both. */
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { applyPatch, structuredPatch } from "diff";
import { decodeText } from "../read-file.ts";
import { RootedFiles } from "../rooted-files.ts";
import { diffOf } from "../write-file.ts";
import { type FileBytes, putBytes, removeBytes, takeBytes } from "./file-bytes.ts";
import type { IsolatedFolder } from "./isolated-folder.ts";

/** One file of a proposal, by the hashes of its bytes; null where there is none. */
interface ProposedFile {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The changes that one call of `submit` asks about: they stay the same however often the call begins anew. */
export interface Proposal {
  /** Names the call. */
  readonly key: string;
  readonly files: readonly ProposedFile[];
  readonly diff: string;
  /** Set once all of it is in the root. */
  readonly isDone?: true;
}

/** A file that has changed in the root in a way that does not go with the agent's change. */
export interface ChangeConflict {
  readonly path: string;
  /** The change in the root since the agent began, or was last told. */
  readonly diff: string;
}

const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Returns the proposal of an earlier beginning of a call. */
export async function knownProposal(
  { place }: IsolatedFolder,
  key: string,
): Promise<Proposal | undefined> {
  const text = await readFile(join(place, "proposal.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const known = JSON.parse(text) as Proposal;
  return known.key === key ? known : undefined;
}

/**
 * Writes down what an agent wants to change in the root, or tells where that has changed meanwhile. After the latter the agent
 * begins, in these files, with what the root has: its next proposal is compared with that.
 */
export async function propose(
  folder: IsolatedFolder,
  key: string,
  signal: AbortSignal,
): Promise<Proposal | readonly ChangeConflict[]> {
  const changes = await changedFiles(folder, signal);
  const merged = changes.map((one) => ({ ...one, after: mergedFile(one) }));
  const conflicts = merged.filter(({ after }) => after === "conflict");
  if (conflicts.length > 0) {
    for (const { path, now } of conflicts) await put(folder.base, path, now);
    return conflicts.map(({ path, base, now }) => ({ path, diff: shownDiff(path, base, now) }));
  }
  const files = merged.filter(({ now, after }) => !isSame(now, after as FileBytes | undefined));
  const kept = new RootedFiles(folder.place);
  for (const [at, { after }] of files.entries())
    await put(kept, `proposed/${at}`, after as FileOrNone);
  const proposal = {
    key,
    files: files.map(({ path, now, after }) => ({
      path,
      before: hashOfFile(now),
      after: hashOfFile(after as FileOrNone),
    })),
    diff: files.map(({ path, now, after }) => shownDiff(path, now, after as FileOrNone)).join(""),
  };
  await keepProposal(folder, proposal);
  return proposal;
}

/** Puts an approved proposal into the root, or tells which files have changed since it was made: then nothing is put there. */
export async function applyProposal(
  folder: IsolatedFolder,
  proposal: Proposal,
): Promise<readonly string[]> {
  const { root, base, work, place } = folder;
  const kept = new RootedFiles(place);
  if (proposal.isDone !== true) {
    const changed: string[] = [];
    for (const { path, before, after } of proposal.files) {
      const now = hashOfFile(await takeBytes(root, path, FILE_BYTES_MAX));
      if (now !== before && now !== after) changed.push(path);
    }
    if (changed.length > 0) return changed;
    for (const [at, { path }] of proposal.files.entries())
      await put(root, path, await proposedFile(kept, at));
    await keepProposal(folder, { ...proposal, isDone: true });
  }
  for (const [at, { path }] of proposal.files.entries())
    for (const files of [base, work]) await put(files, path, await proposedFile(kept, at));
  return [];
}

function proposedFile(kept: RootedFiles, at: number): Promise<FileOrNone> {
  return takeBytes(kept, `proposed/${at}`, FILE_BYTES_MAX);
}

/** A file, or that there is none. */
type FileOrNone = FileBytes | undefined;

async function put(files: RootedFiles, path: string, one: FileOrNone): Promise<void> {
  if (one === undefined) await removeBytes(files, path);
  else await putBytes(files, path, one);
}

/** At once: a process that is killed leaves the old proposal or the new one. */
async function keepProposal({ place }: IsolatedFolder, proposal: Proposal): Promise<void> {
  const draft = join(place, "proposal.tmp");
  await writeFile(draft, JSON.stringify(proposal));
  await rename(draft, join(place, "proposal.json"));
}

/** A file that the agent has changed: as it was, as the agent has it, as the root has it now. */
interface ChangedFile {
  readonly path: string;
  readonly base: FileOrNone;
  readonly mine: FileOrNone;
  readonly now: FileOrNone;
}

/** The draft of a file that a killed process was writing. */
const DRAFT = /(?:^|\/)\.[\da-f]{8}-[\da-f-]{27}\.tmp$/;

async function changedFiles(
  folder: IsolatedFolder,
  signal: AbortSignal,
): Promise<readonly ChangedFile[]> {
  const { work, base, root, list, listBase } = folder;
  const paths = new Set([...(await listBase(signal)), ...(await list(signal))]);
  const found: ChangedFile[] = [];
  for (const path of [...paths].filter((one) => !DRAFT.test(one)).sort()) {
    const mine = await takeBytes(work, path, FILE_BYTES_MAX);
    const was = await takeBytes(base, path, FILE_BYTES_MAX);
    if (isSame(mine, was)) continue;
    found.push({ path, base: was, mine, now: await takeBytes(root, path, FILE_BYTES_MAX) });
  }
  return found;
}

/** Merges what both have changed, where that is at different places of a text. */
function mergedFile({ path, base, mine, now }: ChangedFile): FileOrNone | "conflict" {
  if (isSame(now, base) || isSame(now, mine)) return mine;
  const [was, own, theirs] = [decodeIfText(base), decodeIfText(mine), decodeIfText(now)];
  if (was === undefined || own === undefined || theirs === undefined) return "conflict";
  const text = applyPatch(theirs, structuredPatch(path, path, was, own), { fuzzFactor: 0 });
  return text === false ? "conflict" : { bytes: Buffer.from(text), mode: now?.mode ?? 0o644 };
}

function decodeIfText(one: FileOrNone): string | undefined {
  try {
    return one === undefined ? undefined : decodeText(one.bytes, "");
  } catch {
    return undefined;
  }
}

function shownDiff(path: string, before: FileOrNone, after: FileOrNone): string {
  const [old, text] = [before, after].map((one) => (one === undefined ? "" : decodeIfText(one)));
  if (old !== undefined && text !== undefined) return diffOf(path, old, text);
  const sizes = [before, after].map((one) => `${one?.bytes.length ?? 0} bytes`);
  return `--- ${path}\n+++ ${path}\n(no text: ${sizes.join(" become ")})\n`;
}

function isSame(one: FileOrNone, other: FileOrNone): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.bytes.equals(other.bytes);
}

function hashOfFile(one: FileOrNone): string | null {
  return one === undefined ? null : createHash("sha256").update(one.bytes).digest("hex");
}
