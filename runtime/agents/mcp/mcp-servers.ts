/** Keeps the MCP servers of one run: asks each what it offers when a node needs it, and ends all with the run. */
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
import type { Scope } from "../scope/scope.ts";
import { type ServerVariables, serverAccess } from "./server-access.ts";
import type { ServerConnection } from "./server-connection.ts";
import { readOffer, type ServerOffer } from "./server-offer.ts";
import { changedTool, type ServedBy, serverScope } from "./server-tools.ts";

/** An offer of a server as the log has it. */
interface RecordedOffer {
  readonly name: string;
  readonly offer: ServerOffer;
}

/** The surroundings of the servers of a run. */
export interface McpServersOptions {
  readonly env: ServerVariables;
  /** The folder in which commands are started: that of the program. */
  readonly folder?: string;
  /** The offers that the log of the run has, of before this process drove it. */
  readonly earlier?: () => Iterable<RecordedOffer>;
}

/** A server with its connection, once that was needed. */
interface OpenServer extends ServedBy {
  readonly open: () => Promise<ServerConnection> | undefined;
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
  /** The hash of each tool when the run first saw it, by server and tool. */
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
        return [mcp, await this.#offerOf(mcp, own, context)] as const;
      }),
    );
    const absent = new Set(offers.flatMap(([{ name }, offer]) => (offer.absent ? [name] : [])));
    const there = offers.filter(([, offer]) => offer.absent === undefined);
    for (const [{ name }, offer] of there) this.#assertUnchanged(name, offer);
    if (node.kind === "tool" && absent.size > 0) throw absentServer(offers[0]?.[1].absent);
    return {
      scope: Object.fromEntries(
        there.map(([mcp, offer]) => [mcp.name, serverScope(offer, this.#serve(mcp))]),
      ),
      names: (names) =>
        names.flatMap((name) => {
          const [head = ""] = name;
          if (absent.has(head)) return [];
          return name.length === 1 && wanted.includes(name) ? [[head, "*"]] : [name];
        }),
    };
  }

  /** Ends all of them at once; what that failed with. */
  async close(): Promise<readonly unknown[]> {
    const open = [...this.#served.values()].flatMap((one) => one.open() ?? []);
    const closed = await Promise.allSettled(open.map(async (one) => await (await one).close()));
    return closed.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  }

  async #offerOf(
    mcp: McpIr,
    wanted: readonly DottedIr[],
    context: PerformerContext,
  ): Promise<ServerOffer> {
    return await context.effect<ServerOffer>({
      effect: "server",
      name: mcp.name,
      request: { tools: wanted.map((name) => name.join(".")) },
      perform: async ({ signal }) => {
        try {
          const served = this.#serve(mcp);
          const call = { signal, repeatable: true, what: mcp.name };
          const connection = await served.connection();
          const offer = await connection.request(readOffer, call);
          return { value: onlyWanted(mcp.name, offer, wanted) };
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

  #serve(mcp: McpIr): OpenServer {
    const key = JSON.stringify(mcp);
    const known = this.#served.get(key);
    if (known !== undefined) return known;
    const server = declaredServer(mcp);
    const { env, folder } = this.#options;
    const access = serverAccess(server, env);
    const { redactText } = createRedactor(access.secrets);
    let open: Promise<ServerConnection> | undefined;
    const served = {
      server,
      hide: <T>(value: T): T =>
        access.secrets.length === 0 ? value : JSON.parse(redactText(JSON.stringify(value))),
      open: () => open,
      connection: () => {
        const of = { server, access, env, ...(folder === undefined ? {} : { folder }) };
        open ??= import("./server-connection.ts").then((made) => new made.ServerConnection(of));
        return open;
      },
    };
    this.#served.set(key, served);
    return served;
  }

  /** A tool that a person has approved, or a model has been told of, may not become another one in the same run. */
  #assertUnchanged(server: string, offer: ServerOffer): void {
    this.#pins ??= pinsOf(this.#options.earlier?.() ?? []);
    for (const { member, hash } of offer.tools) {
      const key = `${server}.${member}`;
      const pinned = this.#pins.get(key);
      if (pinned !== undefined && pinned !== hash) throw changedTool(server, member);
      this.#pins.set(key, hash);
    }
  }
}

function pinsOf(earlier: Iterable<RecordedOffer>): Map<string, string> {
  const pins = new Map<string, string>();
  for (const { name, offer } of earlier)
    for (const { member, hash } of offer.tools) {
      if (!pins.has(`${name}.${member}`)) pins.set(`${name}.${member}`, hash);
    }
  return pins;
}

/** The offers that a log has, of called graphs too, oldest first. */
export function* offersIn(records: readonly RecordBody[]): Iterable<RecordedOffer> {
  for (const record of records) {
    if (record.kind === "sub") yield* offersIn([record.record]);
    if (record.kind !== "outcome" || record.effect !== "server") continue;
    if (record.value !== undefined) yield { name: record.name, offer: record.value as ServerOffer };
  }
}

/** Those of the names whose server the graph declares. */
export function servedNames(
  names: readonly DottedIr[],
  { mcps }: Pick<Ir, "mcps">,
): readonly DottedIr[] {
  return names.filter(([head]) => mcps.some(({ name }) => name === head));
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
function onlyWanted(server: string, offer: ServerOffer, wanted: readonly DottedIr[]): ServerOffer {
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
