/** Asks MCP servers for skills, by the extension `io.modelcontextprotocol/skills`. */
import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import type {
  Skill as SkillEntry,
  SkillListing,
  SkillsClient,
} from "@modelcontextprotocol/client/ext/skills";
import { type Ir, nearest, type ServerSkillName, serverSkillName } from "../../../dsl/index.ts";
import { FailureError, messageOf, RunError } from "../../failure.ts";
import { withoutUnseen } from "../values/unseen-characters.ts";
import type { OfferedSkill } from "./offered-skill.ts";
import { instructionsIn } from "./read-skill.ts";
import { offeredEntry, pathIn, readEntryFile } from "./skill-entry.ts";
import { skillError } from "./skill-error.ts";

/** A server of a run that is asked for skills. */
export interface SkillServer {
  readonly name: string;
  /** Set where the graph runs without its skills if it is not there. */
  readonly isOptional: boolean;
  /** Makes a request that changes nothing, and may be made again. */
  readonly request: <T>(
    make: (client: Client, options: RequestOptions) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>;
  /** Takes the values of the server's secrets out of what it returned. */
  readonly hide: <T>(returned: T) => T;
}

/** Finds the server of a name that a graph declares; undefined where it declares none. Throws M8410 or M8745 for one without skills. */
export type FindSkillServer = (
  name: string,
  ir: Pick<Ir, "mcps" | "config" | "source">,
) => SkillServer | undefined;

interface AskedForSkills {
  readonly find: (name: string) => SkillServer | undefined;
  readonly signal: AbortSignal;
  /** Reads the instructions, too. */
  readonly whole: boolean;
}

/** The skills by the words that name them: those of a server may name several. */
export type ServedSkills = ReadonlyMap<string, readonly OfferedSkill[]>;

/** A skill in the words of the program, and the part of them that its server knows. */
type WantedSkill = ServerSkillName & { readonly wanted: string };

const ALL = "*";
const ALL_MAX = 100;

/**
 * Asks the servers of those names that are of servers. Throws M8740 for a skill that its server does not have, M8741 for one that
 * can't be used, M8742 for a name that several have, M8745 for a server without skills, and what keeps it from answering.
 */
export async function servedSkills(
  names: readonly string[],
  of: AskedForSkills,
): Promise<ServedSkills> {
  const wanted = [...new Set(names)].flatMap((one): readonly WantedSkill[] => {
    const name = serverSkillName(one);
    return name === undefined ? [] : [{ ...name, wanted: one }];
  });
  const servers = Map.groupBy(wanted, ({ server }) => server);
  const found = await Promise.all(
    [...servers].map(async ([name, own]) => await skillsOfServer(name, own, of)),
  );
  return new Map(found.flat());
}

async function skillsOfServer(
  name: string,
  wanted: readonly WantedSkill[],
  { find, signal, whole }: AskedForSkills,
): Promise<readonly (readonly [string, readonly OfferedSkill[]])[]> {
  const server = find(name);
  if (server === undefined)
    throw skillError("M8740", {
      message: `the graph has no server \`${name}\`, of which the skill would be`,
      hint: "declare it by `mcp`, and name one of its skills by a plain text in `skills`",
    });
  try {
    return await server.request(async (client, options) => {
      const asks = await skillsClient(client, name);
      const entries = await entriesOf(wanted, { asks, options, server: name });
      const label = labelling(name, [...entries.values()].flat());
      const offered = async (entry: SkillEntry, by: string) => {
        const skill = offeredEntry(server.hide(entry), {
          server: name,
          wanted: by,
          name: label(entry),
        });
        const shown = { ...skill, description: withoutUnseen(skill.description) };
        if (!whole) return shown;
        const [manifest = { path: "", bytes: 0, hash: "" }] = skill.files;
        const text = await readEntryFile(asks, { skill, file: manifest, options });
        const instructions = withoutUnseen(
          server.hide(instructionsIn(new TextDecoder().decode(text))),
        );
        return { ...shown, instructions: `(From the server \`${name}\`.)\n\n${instructions}` };
      };
      return await Promise.all(
        [...entries].map(async ([by, found]) => {
          const skills = await Promise.all(found.map((entry) => offered(entry, by)));
          return [by, skills] as const;
        }),
      );
    }, signal);
  } catch (thrown) {
    if (signal.aborted || thrown instanceof RunError) throw thrown;
    if (server.isOptional) return wanted.map((one) => [one.wanted, []]);
    // Nothing is in doubt: to ask changes nothing.
    if (thrown instanceof FailureError) throw new FailureError(thrown.failure, { cause: thrown });
    throw noSkills(name, messageOf(thrown), thrown);
  }
}

/** The client of a server's skills. Throws M8745 where the server does not offer the extension. */
export async function skillsClient(client: Client, server: string): Promise<SkillsClient> {
  const sdk = await import("@modelcontextprotocol/client/ext/skills");
  const asks = new sdk.SkillsClient(client, { skipInvalid: true });
  if (asks.supported) return asks;
  throw noSkills(server, "it does not offer the extension `io.modelcontextprotocol/skills`");
}

/** Makes the error of a server that gives no skills at all. */
export function noSkills(server: string, why: string, cause?: unknown): RunError {
  return skillError("M8745", {
    message: `the server \`${server}\` gives no skills: ${why}`,
    cause,
  });
}

interface AskedEntries {
  readonly asks: SkillsClient;
  readonly options: RequestOptions;
  readonly server: string;
}

async function entriesOf(
  wanted: readonly WantedSkill[],
  of: AskedEntries,
): Promise<ReadonlyMap<string, readonly SkillEntry[]>> {
  const isListed = wanted.some(({ skill }) => !isAddress(skill));
  const listing = isListed ? await of.asks.list({}, of.options) : { skills: [], invalid: [] };
  const found = new Map<string, readonly SkillEntry[]>();
  for (const { wanted: by, skill } of wanted)
    found.set(by, isAddress(skill) ? [await entryAt(skill, of)] : entriesIn(listing, skill, of));
  return found;
}

function isAddress(skill: string): boolean {
  return skill.includes("://");
}

/** A server need not list all that it has. */
async function entryAt(uri: string, { asks, options, server }: AskedEntries): Promise<SkillEntry> {
  try {
    return (await asks.get(uri, options)).skill;
  } catch (thrown) {
    const { code } = (thrown ?? {}) as { readonly code?: unknown };
    if (code === UNKNOWN)
      throw skillError("M8740", {
        message: `the server \`${server}\` has no skill ${uri}`,
        cause: thrown,
      });
    if (code !== "INVALID_RESULT") throw thrown;
    throw skillError("M8741", { message: messageOf(thrown), cause: thrown });
  }
}

/** The code of JSON-RPC by which a server says that it has no such skill. */
const UNKNOWN = -32602;

function entriesIn(
  { skills, invalid }: Pick<SkillListing, "skills" | "invalid">,
  skill: string,
  { server }: AskedEntries,
): readonly SkillEntry[] {
  const isMeant = ({ uri = "" }: { readonly uri?: string }) =>
    skill === ALL || `/${pathIn(uri)}`.endsWith(`/${skill}`);
  const refused = invalid.find(isMeant);
  if (refused !== undefined)
    throw skillError("M8741", {
      message: `the skill ${refused.uri ?? refused.index} of the server \`${server}\` can't be used: ${refused.reason}`,
    });
  const found = skills.filter(isMeant);
  if (skill === ALL && found.length > ALL_MAX)
    throw skillError("M8741", {
      message: `the server \`${server}\` lists ${found.length} skills, and \`${server}:*\` stands for at most ${ALL_MAX}`,
      hint: "name those that the node needs",
    });
  if (skill === ALL || found.length === 1) return found;
  if (found.length > 1)
    throw skillError("M8742", {
      message: `the server \`${server}\` has several skills \`${skill}\``,
      hint: `name one of ${found.map(({ uri }) => `\`${server}:${uri}\``).join(", ")}`,
    });
  const names = skills.map(({ frontmatter }) => frontmatter.name);
  const meant = nearest(skill, names);
  const listed = names.length === 0 ? "it lists none" : `it lists ${names.slice(0, 20).join(", ")}`;
  throw skillError("M8740", {
    message: `the server \`${server}\` lists no skill \`${skill}\``,
    hint:
      meant === undefined
        ? `${listed}; another one is named by its address, \`${server}:skill://…/SKILL.md\``
        : `did you mean \`${server}:${meant}\`?`,
  });
}

/** Names a skill by its server, and where the node has several of its name, by its address there. */
function labelling(server: string, entries: readonly SkillEntry[]): (entry: SkillEntry) => string {
  const addresses = Map.groupBy(entries, ({ frontmatter }) => frontmatter.name);
  return ({ uri, frontmatter: { name } }) => {
    const uris = new Set(addresses.get(name)?.map((one) => one.uri));
    return `${server}:${uris.size > 1 ? uri : name}`;
  };
}
