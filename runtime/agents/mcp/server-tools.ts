/** Makes tools of what a server offers: each call is a request to it. */

import type { Progress } from "@modelcontextprotocol/client";
import type { DeclaredServer } from "../../../dsl/index.ts";
import { TIMER_MAX_MS } from "../../clock.ts";
import { FailureError } from "../../failure.ts";
import type { CallProgress } from "../../performer.ts";
import type { Scope } from "../scope/scope.ts";
import { type AskingToolContext, type AskingToolOptions, tool } from "../scope/tools.ts";
import type { Json } from "../values/json.ts";
import { withoutUnseen, withoutUnseenIn } from "../values/unseen-characters.ts";
import type { ServerConnection } from "./server-connection.ts";
import { type OfferedServerTool, readOffer, type ServerOffer } from "./server-offer.ts";
import { calledValue, promptText, resourceValue } from "./server-results.ts";
import { effectFrom } from "./tool-annotations.ts";

/** A server, with what its tools call it through. */
export interface ServedBy {
  readonly server: DeclaredServer;
  readonly connection: () => Promise<ServerConnection>;
  /** Takes the values of the server's secrets out of what it returned, be it an error. */
  readonly hide: <T>(returned: T) => T;
}

/** The tools as a group of a scope. */
export function serverScope({ tools }: ServerOffer, of: ServedBy): Scope {
  return Object.fromEntries(tools.map((one) => [one.member, serverTool(one, of)]));
}

function serverTool(one: OfferedServerTool, of: ServedBy) {
  const { server } = of;
  const effect =
    one.name === undefined
      ? ({ effect: "external", idempotent: true } as const)
      : effectFrom(one.annotations, { isTrusted: server.trustAnnotations });
  const repeatable = effect.effect !== "external" || effect.idempotent === true;
  const what = `${server.name}.${one.member}`;
  const targets = Object.hasOwn(server.targets, one.member)
    ? server.targets[one.member]
    : undefined;
  const directory = Object.hasOwn(server.directories, one.member)
    ? server.directories[one.member]
    : undefined;
  return tool(
    async (input: Readonly<Record<string, unknown>>, context: AskingToolContext) => {
      const connection = await of.connection();
      const { signal, ask } = context;
      const progress = (reported: Progress) => context.progress?.(callProgress(of.hide(reported)));
      const call = { signal, ask, progress, repeatable, what };
      if (connection.hasChanged && one.name !== undefined) {
        await assertUnchanged(one, { server, connection, signal: context.signal });
      }
      return await connection.request((...made) => perform(one, input, { made, ...of }), call);
    },
    {
      ...effect,
      ...(targets === undefined ? {} : { targets }),
      ...(directory === undefined ? {} : { directory }),
      ...(one.description === undefined ? {} : { description: withoutUnseen(one.description) }),
      input: { ...(withoutUnseenIn(one.input as Json).value as object), type: "object" },
      // Longer than any call takes: the connection keeps the time of a call, which stands still while people are asked.
      timeoutMs: TIMER_MAX_MS,
      asks: true,
    } satisfies AskingToolOptions,
  );
}

/** A server's message is as long as it likes. */
const PROGRESS_CHARACTERS = 200;

function callProgress({ progress, total, message }: Progress): CallProgress {
  return {
    done: progress,
    ...(total === undefined ? {} : { total }),
    ...(message === undefined
      ? {}
      : { text: withoutUnseen(message).slice(0, PROGRESS_CHARACTERS) }),
  };
}

type RequestArguments = Parameters<Parameters<ServerConnection["request"]>[0]>;

async function perform(
  { name, member }: OfferedServerTool,
  input: Readonly<Record<string, unknown>>,
  { made: [client, options], hide }: { readonly made: RequestArguments } & Pick<ServedBy, "hide">,
): Promise<unknown> {
  if (name !== undefined)
    return calledValue(hide(await client.callTool({ name, arguments: input }, options)));
  switch (member) {
    case "list_resources": {
      const { resources } = await client.listResources(undefined, options);
      const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
      return hide({ resources, templates: resourceTemplates });
    }
    case "read_resource":
      return resourceValue(hide(await client.readResource({ uri: String(input.uri) }, options)));
    case "list_prompts":
      return hide(await client.listPrompts(undefined, options));
    default: {
      const given = input.arguments as Record<string, string> | undefined;
      const asked = {
        name: String(input.name),
        ...(given === undefined ? {} : { arguments: given }),
      };
      return promptText(hide(await client.getPrompt(asked, options)));
    }
  }
}

/** Looks again where the server says that its tools are others now. */
async function assertUnchanged(
  one: OfferedServerTool,
  {
    server: { name },
    connection,
    signal,
  }: {
    readonly server: DeclaredServer;
    readonly connection: ServerConnection;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { tools } = await connection.request(readOffer, { signal, repeatable: true, what: name });
  const now = tools.find((tool) => tool.name === one.name);
  if (now?.hash !== one.hash) throw changedTool(name, one.member);
}

/** The failure of a tool that is no longer the one that the run began with. */
export function changedTool(server: string, member: string): FailureError {
  return changedOffer(server, `what \`${member}\` is`);
}

/** The failure of anything of a server that is no longer what the run began with. */
export function changedOffer(server: string, what: string): FailureError {
  return new FailureError({
    class: "denied",
    code: "M8414",
    message: `the server \`${server}\` has changed ${what} since this run first asked for it`,
    hint: "look at what the server says of it now; a new run takes it as it is",
  });
}
