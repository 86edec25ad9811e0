/** Turns what a server says of a skill into what the log keeps, and reads the files of such a skill. */
import type { RequestOptions } from "@modelcontextprotocol/client";
import type { Skill as SkillEntry, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { canonicalJson } from "../../../dsl/index.ts";
import { messageOf } from "../../failure.ts";
import type { OfferedSkill, SkillFile, SkillOrigin } from "./offered-skill.ts";
import { skillError } from "./skill-error.ts";
import { BYTES_MAX, FILES_MAX, hashOfFiles, MIB } from "./skill-files.ts";

const MANIFEST_END = "/SKILL.md";
/** The log has the front matter of each skill. */
const FRONT_MATTER_MAX = 64 * 1024;

/** The path of a skill on its server: `acme/billing/refunds` of `skill://acme/billing/refunds/SKILL.md`. */
export function pathIn(uri: string): string {
  return rootOf(uri).replace(/^[^:]*:\/\//, "");
}

/** Reads the entry of a skill as the extension defines it. Throws M8741 for one that is too large or leads out of itself. */
export function offeredEntry(
  { uri, frontmatter, resources }: SkillEntry,
  {
    server,
    wanted,
    name,
  }: { readonly server: string; readonly wanted: string; readonly name: string },
): OfferedSkill & { readonly from: SkillOrigin } {
  const refuse = (why: string) =>
    skillError("M8741", { message: `the skill \`${name}\` can't be used: ${why}` });
  if (resources === "dynamic")
    throw refuse("its server makes its files anew each time, so that nothing says what they are");
  if (resources.length > FILES_MAX) throw refuse(`it has more than ${FILES_MAX} files`);
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  if (bytes > BYTES_MAX) throw refuse(`a skill has at most ${BYTES_MAX / MIB} MiB in all`);
  if (canonicalJson(frontmatter).length > FRONT_MATTER_MAX)
    throw refuse(`its front matter has more than ${FRONT_MATTER_MAX / 1024} KiB`);
  const root = `${rootOf(uri)}/`;
  const listed = resources.map((file): SkillFile => {
    const path = file.uri.slice(root.length);
    if (!file.uri.startsWith(root) || !isPlainPath(path))
      throw refuse(`the file ${JSON.stringify(file.uri)} is none of its own`);
    return { path, bytes: file.size, hash: file.digest.slice("sha256:".length) };
  });
  const isManifest = ({ path }: SkillFile) => root + path === uri;
  const others = listed.filter((file) => !isManifest(file));
  const files = [
    ...listed.filter(isManifest),
    ...others.sort((a, b) => (a.path < b.path ? -1 : 1)),
  ];
  const { description } = frontmatter;
  const from: SkillOrigin = { server, uri, frontMatter: frontmatter };
  return { name, wanted, description, hash: hashOfFiles(files), files, from };
}

/** Returns the bytes of a file, held against what its server said of it. Throws M8743 for others, M8741 for a front matter that is another one. */
export async function readEntryFile(
  asks: SkillsClient,
  {
    skill: { name, files, from },
    file,
    options,
  }: {
    readonly skill: OfferedSkill & { readonly from: SkillOrigin };
    readonly file: SkillFile;
    readonly options: RequestOptions;
  },
): Promise<Uint8Array> {
  const root = `${rootOf(from.uri)}/`;
  const entry = {
    uri: from.uri,
    frontmatter: from.frontMatter,
    resources: files.map(({ path, bytes, hash }) => ({
      uri: root + path,
      digest: `sha256:${hash}`,
      size: bytes,
    })),
  };
  try {
    return (await asks.read(entry, root + file.path, options)).bytes;
  } catch (thrown) {
    throw unread(thrown, { name, path: file.path, server: from.server });
  }
}

/** Returns the error to tell the agent; that of a lost connection stays as it is. */
function unread(
  thrown: unknown,
  { name, path, server }: { readonly name: string; readonly path: string; readonly server: string },
): unknown {
  const { reason, code } = (thrown ?? {}) as { readonly reason?: unknown; readonly code?: unknown };
  if (reason === "frontmatter")
    return skillError("M8741", {
      message: `the skill \`${name}\` can't be used: ${messageOf(thrown)}`,
      cause: thrown,
    });
  if (reason === "size" || reason === "digest")
    return skillError("M8743", {
      message: `the file "${path}" of the skill \`${name}\` has changed since this agent was told of it`,
      hint: "a new run takes it as it is now",
      cause: thrown,
    });
  if (typeof code !== "number" && code !== "INVALID_RESULT") return thrown;
  return skillError("M8743", {
    message: `the server \`${server}\` does not give the file "${path}" of the skill \`${name}\`: ${messageOf(thrown)}`,
    cause: thrown,
  });
}

function rootOf(uri: string): string {
  return uri.endsWith(MANIFEST_END) ? uri.slice(0, -MANIFEST_END.length) : uri;
}

/** Returns whether a path stays below its root, however it is written. */
function isPlainPath(path: string): boolean {
  return path.split("/").every((part) => {
    const plain = decoded(part);
    return plain !== "" && plain !== "." && plain !== ".." && !/[\\/\p{Cc}]/u.test(plain);
  });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
