/** Downloads a file of a known hash, and goes on where an earlier download of it was cut off. */
import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tls from "node:tls";

/** Trusts the certificates that the system trusts, such as that of a company's proxy; Node knows only its own. Before Node 22.19 it can't. */
export function trustSystemCertificates(): void {
  const { getCACertificates: listed, setDefaultCACertificates: trust } = tls as Partial<typeof tls>;
  if (listed === undefined || trust === undefined) return;
  trust([...listed("default"), ...listed("system")]);
}

/** A file as it must be. */
export interface ExpectedFile {
  readonly sha256: string;
}

/** Thrown where what came is not what was expected; it has been removed. */
export class WrongFile extends Error {}

/**
 * Downloads `url` to `path`; nothing is asked where it is there already. `progress` hears how many bytes are there. The part
 * that is there of an unfinished file is kept beside it.
 */
export async function downloadFile(
  url: () => Promise<string>,
  path: string,
  { sha256 }: ExpectedFile,
  progress: (bytes: number) => void,
): Promise<void> {
  const part = `${path}.part`;
  if (existsSync(path)) return;
  await receive(await url(), part, progress);
  const found = await sha256Of(part);
  if (found !== sha256) {
    rmSync(part, { force: true });
    throw new WrongFile(`its SHA-256 is ${found}, not ${sha256}`);
  }
  renameSync(part, path);
}

async function receive(
  url: string,
  part: string,
  progress: (bytes: number) => void,
): Promise<void> {
  const there = existsSync(part) ? statSync(part).size : 0;
  const answer = await fetch(url, there === 0 ? {} : { headers: { range: `bytes=${there}-` } });
  // All of it is there, and the process ended before it was looked at.
  if (answer.status === 416) return;
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`);
  const isRest = answer.status === 206;
  let bytes = isRest ? there : 0;
  const counted = Readable.from(answer.body).on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    progress(bytes);
  });
  await pipeline(counted, createWriteStream(part, { flags: isRest ? "a" : "w" }));
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
