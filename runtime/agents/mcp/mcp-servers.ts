/** Keeps the MCP servers and the described APIs of one run: asks each for its tools or skills when a node needs them, and ends all with the run. */
import { dirname, resolve } from "node:path";
import {
  type DeclaredServer,
  type DottedIr,
  type Ir,
  type McpIr,
  nearest,
  readServer,
} from "../../../dsl/index.ts";
import { type Failure, FailureError, messageOf, RunError } from "../../failure.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { RecordBody } from "../../records/records.ts";
import { createRedactor } from "../../redaction/redact.ts";
import { settingsNaming } from "../../scheduler/called-settings.ts";
import { settingOf } from "../../scheduler/lookup.ts";
import type { ApiOperation } from "../openapi/operations.ts";
import type { Scope } from "../scope/scope.ts";
import type { OfferedSkill, SkillOrigin } from "../skills/offered-skill.ts";
import { noSkills, type SkillServer } from "../skills/server-skills.ts";
import { type ServerAccess, type ServerVariables, serverAccess } from "./server-access.ts";
import type { McpServer, ServerConnection } from "./server-connection.ts";
import { readOffer, type ServerOffer } from "./server-offer.ts";
import { changedOffer, changedTool, serverScope } from "./server-tools.ts";

/** A tool or a skill of a server as the log has it: its key and its hash. */
type RecordedHash = readonly [key: string, hash: string];

/** The surroundings of the servers of a run. */
export interface McpServersOptions {
  readonly env: ServerVariables;
  /** The folder in which commands are started: that of the program. */
  readonly folder?: string;
  /** The file of the program, as its graph names it. */
  readonly file?: string;
  /** The settings that the run was given, which a declaration may name. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The graphs that the program calls, whose settings `config` may name. */
  readonly graphs?: readonly Pick<Ir, "name" | "source">[];
  /** The hashes that the log of the run has, of before this process drove it. */
  readonly earlier?: () => Iterable<RecordedHash>;
}

/** The offer of an API: its operations are tools. */
interface ApiOffer extends Omit<ServerOffer, "tools"> {
  readonly tools: readonly ApiOperation[];
}

/** A server or an API in use: what it offers, and the tools of an offer. */
interface OpenServer {
  readonly offer: (signal: AbortSignal) => Promise<ServerOffer | ApiOffer>;
  readonly scope: (offer: ServerOffer) => Promise<Scope>;
  /** Absent for an API. */
  readonly skills?: Pick<SkillServer, "request" | "hide">;
  /** Ends it, if it was begun. */
  readonly close?: () => Promise<void>;
}

/** The tools that the servers of a node offer. */
export interface ServedTools {
  /** A group for each server. */
  readonly scope: Scope;
  /** The names of the node's tools without those of servers that are optional and not there. */
  readonly names: (names: readonly DottedIr[]) => readonly DottedIr[];
}

export class McpServers {
  readonly #options: McpServersOptions;
  /** By what the declaration says: two graphs of a run may call different servers by one name. */
  readonly #served = new Map<string, OpenServer>();
  /** The hash of each tool and skill when the run first saw it. */
  #pins: Map<string, string> | undefined;

  constructor(options: McpServersOptions) {
    this.#options = options;
  }

  /** Asks the servers whose tools a node uses, each by one journalled effect; undefined where it uses none. */
  async toolsOf(attempt: Attempt, context: PerformerContext): Promise<ServedTools | undefined> {
    const { node, ir } = attempt;
    const wanted = servedNames(node.kind === "tool" ? [node.call?.callee ?? []] : node.tools, ir);
    const declared = ir.mcps.filter(({ name }) => wanted.some(([head]) => head === name));
    if (declared.length === 0) return undefined;
    const offers = await Promise.all(
      declared.map(async (mcp) => {
        const own = wanted.filter(([head]) => head === mcp.name);
        const served = this.#serve(mcp, ir);
        return [mcp, served, await this.#offerOf(mcp, served, { wanted: own, context })] as const;
      }),
    );
    const absent = new Set(offers.flatMap(([{ name }, , offer]) => (offer.absent ? [name] : [])));
    const there = offers.filter(([, , offer]) => offer.absent === undefined);
    for (const [{ name }, , offer] of there) this.#assertUnchanged(name, offer);
    if (node.kind === "tool" && absent.size > 0) throw absentServer(offers[0]?.[2].absent);
    const scopes = there.map(async ([mcp, served, offer]) => [mcp.name, await served.scope(offer)]);
    return {
      scope: Object.fromEntries(await Promise.all(scopes)),
      names: (names) =>
        names.flatMap((name) => {
          const [head = ""] = name;
          if (absent.has(head)) return [];
          return name.length === 1 && wanted.includes(name) ? [[head, "*"]] : [name];
        }),
    };
  }

  /** The server of a name that a graph declares, to be asked for skills. Throws M8745 for an API. */
  skillServer(name: string, ir: Pick<Ir, "mcps" | "config" | "source">): SkillServer | undefined {
    const mcp = ir.mcps.find((one) => one.name === name);
    if (mcp === undefined) return undefined;
    const { skills } = this.#serve(mcp, ir);
    if (skills === undefined) throw noSkills(name, "it is an API");
    return { name, isOptional: mcp.optional, ...skills };
  }

  /** Throws M8414 for a skill of a server that is another one than when the run first saw it. */
  assertSameSkills(skills: readonly OfferedSkill[]): void {
    for (const { name, hash, from } of skills)
      if (from !== undefined && this.#hasChanged(skillKeyOf(from), hash))
        throw changedOffer(from.server, `the skill \`${name}\``);
  }

  /** Ends all of them at once; what that failed with. */
  async close(): Promise<readonly unknown[]> {
    const served = [...this.#served.values()];
    const closed = await Promise.allSettled(served.map(async (one) => await one.close?.()));
    return closed.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  }

  async #offerOf(
    mcp: McpIr,
    served: OpenServer,
    {
      wanted,
      context,
    }: { readonly wanted: readonly DottedIr[]; readonly context: PerformerContext },
  ): Promise<ServerOffer> {
    return await context.effect<ServerOffer>({
      effect: "server",
      name: mcp.name,
      request: { tools: wanted.map((name) => name.join(".")) },
      perform: async ({ signal }) => {
        try {
          return { value: onlyWanted(mcp.name, await served.offer(signal), wanted) };
        } catch (thrown) {
          if (signal.aborted) throw thrown;
          const failure = failureOf(mcp.name, thrown);
          if (mcp.optional && failure.code !== "M8413")
            return { value: { tools: [], absent: failure.message } };
          throw new FailureError(failure, { cause: thrown });
        }
      },
    });
  }

  #serve(declared: McpIr, ir: Pick<Ir, "config" | "source">): OpenServer {
    const { folder = ".", file } = this.#options;
    const { source } = ir;
    const isOwn = source === undefined || source.file === file;
    const mcp = withSettings(declared, ir, this.#settingsIn(source?.file));
    if (mcp === undefined) return notGiven(declared.name);
    // Paths in declarations of another file are relative to that file.
    const from = isOwn ? folder : dirname(source.file);
    const key = JSON.stringify([mcp, mcp.protocol === undefined ? "" : from]);
    const known = this.#served.get(key);
    if (known !== undefined) return known;
    const server = declaredServer(mcp);
    const access = serverAccess(server, this.#options.env);
    const served = speaksMcp(server)
      ? this.#serverIn(server, access)
      : this.#apiIn(server, access, resolve(from));
    this.#served.set(key, served);
    return served;
  }

  /** The settings that a run is given are those of its own program, but for those that name another graph. */
  #settingsIn(of: string | undefined): McpServersOptions["config"] {
    const { file, config = {}, graphs = [] } = this.#options;
    const called = graphs.filter(({ source }) => (source?.file ?? file) === (of ?? file));
    const named = called.map(({ name }) => settingsNaming(name, config));
    return Object.assign({}, of === undefined || of === file ? config : {}, ...named);
  }

  #serverIn(server: McpServer, access: ServerAccess): OpenServer {
    const { env, folder } = this.#options;
    let open: Promise<ServerConnection> | undefined;
    const connection = () => {
      const of = { server, access, env, ...(folder === undefined ? {} : { folder }) };
      open ??= import("./server-connection.ts").then((made) => new made.ServerConnection(of));
      return open;
    };
    return {
      offer: async (signal) =>
        await (await connection()).request(readOffer, {
          ...{ signal, repeatable: true, what: server.name },
        }),
      scope: async (offer) => serverScope(offer, { server, connection, hide: hiding(access) }),
      skills: {
        request: async (make, signal) =>
          await (await connection()).request(make, {
            ...{ signal, repeatable: true, what: `${server.name}.skills` },
          }),
        hide: hiding(access),
      },
      close: async () => await (await open)?.close(),
    };
  }

  #apiIn(server: DeclaredServer, access: ServerAccess, folder: string): OpenServer {
    const { name, callMs, connection: api } = server;
    if (api.kind !== "openapi") throw new TypeError(`${name} is no API`);
    const of = { name, api, access, env: this.#options.env, folder, callMs };
    let operations: Promise<readonly ApiOperation[]> | undefined;
    return {
      offer: async (signal) => {
        const { readOperations } = await import("../openapi/described-api.ts");
        operations ??= readOperations(of, signal);
        operations.catch(() => {
          operations = undefined;
        });
        return { tools: await operations };
      },
      scope: async ({ tools }) => {
        const { apiScope } = await import("../openapi/api-tools.ts");
        return apiScope(tools as readonly ApiOperation[], of, hiding(access));
      },
    };
  }

  /** A tool that a person has approved, or a model has been told of, may not become another one in the same run. */
  #assertUnchanged(server: string, offer: ServerOffer): void {
    for (const { member, hash } of offer.tools)
      if (this.#hasChanged(`${server}.${member}`, hash)) throw changedTool(server, member);
  }

  #hasChanged(key: string, hash: string): boolean {
    this.#pins ??= firstOf(this.#options.earlier?.() ?? []);
    const pinned = this.#pins.get(key);
    if (pinned === undefined) this.#pins.set(key, hash);
    return pinned !== undefined && pinned !== hash;
  }
}

/** The declaration with the command or the address that a setting holds; undefined for an optional server whose setting is empty. */
function withSettings(
  mcp: McpIr,
  ir: Pick<Ir, "config">,
  config: McpServersOptions["config"],
): McpIr | undefined {
  const setting = settingIn(mcp);
  if (setting === undefined) return mcp;
  const address = settingOf(ir, setting, config);
  if (mcp.optional && (address === "" || address === null)) return undefined;
  return typeof address === "string" ? { ...mcp, value: { kind: "literal", value: address } } : mcp;
}

/** The setting of the file that says the command or the address of a server, where one does. */
export function settingIn({ value }: McpIr): string | undefined {
  return value.kind === "name" && value.of === "config" ? value.name : undefined;
}

function notGiven(name: string): OpenServer {
  const refuse = async () => {
    const message = `the run was given no server \`${name}\``;
    throw new FailureError({ class: "tool", code: "M8411", message });
  };
  return {
    offer: refuse,
    scope: async () => ({}),
    skills: { request: refuse, hide: (value) => value },
  };
}

function speaksMcp(server: DeclaredServer): server is McpServer {
  return server.connection.kind !== "openapi";
}

/** Takes the values of the variables that a declaration names out of what came back. */
function hiding({ secrets }: ServerAccess): <T>(value: T) => T {
  if (secrets.length === 0) return (value) => value;
  const { redactText } = createRedactor(secrets);
  return (value) => (value === undefined ? value : JSON.parse(redactText(JSON.stringify(value))));
}

function firstOf(earlier: Iterable<RecordedHash>): Map<string, string> {
  const pins = new Map<string, string>();
  for (const [key, hash] of earlier) if (!pins.has(key)) pins.set(key, hash);
  return pins;
}

/** The tools and skills of servers that a log has, of called graphs too, oldest first. */
export function* hashesIn(records: readonly RecordBody[]): Iterable<RecordedHash> {
  for (const record of records) {
    if (record.kind === "sub") yield* hashesIn([record.record]);
    if (record.kind !== "outcome" || record.value === undefined) continue;
    const { name, value } = record;
    if (record.effect === "server")
      for (const { member, hash } of (value as ServerOffer).tools)
        yield [`${name}.${member}`, hash];
    if (record.effect === "skills")
      for (const { from, hash } of value as readonly OfferedSkill[])
        if (from !== undefined) yield [skillKeyOf(from), hash];
  }
}

function skillKeyOf({ server, uri }: SkillOrigin): string {
  return `${server}:${uri}`;
}

/** Those of the names whose server the graph declares. */
function servedNames(names: readonly DottedIr[], { mcps }: Pick<Ir, "mcps">): readonly DottedIr[] {
  return names.filter(([head]) => mcps.some(({ name }) => name === head));
}

/** Returns the names whose server or memory the graph declares: their tools are made for each attempt. */
export function declaredNames(
  names: readonly DottedIr[],
  { mcps, memories }: Pick<Ir, "mcps" | "memories">,
): readonly DottedIr[] {
  return names.filter(([head]) => [...mcps, ...memories].some(({ name }) => name === head));
}

/** Reads the declaration of a server; throws M8410 for one that is computed or wrong. */
export function declaredServer(mcp: McpIr): DeclaredServer {
  const { server, fault } = readServer(mcp);
  if (server !== undefined) return server;
  const { message = "its command, address or a setting is computed", hint = "write it out" } =
    fault ?? {};
  throw new RunError("M8410", `the server \`${mcp.name}\` is declared wrongly: ${message}`, {
    hint,
  });
}

/** Keeps of an offer what a node uses, since the log holds it. */
function onlyWanted(
  server: string,
  offer: ServerOffer | ApiOffer,
  wanted: readonly DottedIr[],
): ServerOffer {
  const members = wanted.map(([, member = "*"]) => member);
  if (members.includes("*")) return offer;
  const names = offer.tools.map(({ member }) => member);
  const missing = members.find((member) => !names.includes(member));
  if (missing === undefined)
    return { ...offer, tools: offer.tools.filter(({ member }) => members.includes(member)) };
  const meant = nearest(missing, names);
  throw new FailureError({
    class: "tool",
    code: "M8413",
    message: `the server \`${server}\` has no tool \`${missing}\``,
    hint: meant === undefined ? `it has ${names.join(", ")}` : `did you mean \`${meant}\`?`,
  });
}

function failureOf(server: string, thrown: unknown): Failure {
  if (thrown instanceof FailureError) return thrown.failure;
  const { code = "M8411", hint } = thrown instanceof RunError ? thrown : {};
  return {
    class: "tool",
    code,
    ...(hint === undefined ? {} : { hint }),
    message: `the server \`${server}\` does not say what it offers: ${messageOf(thrown)}`,
  };
}

function absentServer(why = ""): FailureError {
  const hint = "without `optional` the failure is told when the node begins";
  return new FailureError({ class: "tool", code: "M8411", message: why, hint });
}
