/** Lists what a server offers as plain data, which the log keeps: its tools under names of the language, and their hashes. */
import type { Client, RequestOptions, ToolAnnotations } from "@modelcontextprotocol/client";
import { canonicalJson, type JsonSchema, sha256 } from "../../../dsl/index.ts";

/** A tool of a server, as it described it when it was asked. */
export interface OfferedServerTool {
  /** The name that a program writes behind that of the server. */
  readonly member: string;
  /** The name that the server knows; absent for what we do with its resources and prompts. */
  readonly name?: string;
  readonly description?: string;
  readonly input: JsonSchema;
  readonly annotations?: ToolAnnotations;
  /** The sha256 of all that the server says of it: another description or schema is another tool. */
  readonly hash: string;
}

/** The offer of a server: its tools, or the reason why it is not there. */
export interface ServerOffer {
  /** Its name and version, as it gives them. */
  readonly server?: string;
  readonly protocol?: string;
  readonly tools: readonly OfferedServerTool[];
  /** The reason why a server that is optional is not there. */
  readonly absent?: string;
}

/** Asks a server for its tools. */
export async function readOffer(client: Client, options: RequestOptions): Promise<ServerOffer> {
  const capabilities = client.getServerCapabilities() ?? {};
  const { tools } =
    capabilities.tools === undefined
      ? { tools: [] }
      : await client.listTools(undefined, { ...options, cacheMode: "refresh" });
  const taken = new Set<string>();
  const own = tools.map((tool): OfferedServerTool => {
    const { name, description, inputSchema, outputSchema, annotations } = tool;
    const member = freeMember(name, taken);
    taken.add(member);
    const definition = { name, description, inputSchema, outputSchema, annotations };
    return {
      member,
      name,
      ...(description === undefined ? {} : { description }),
      input: inputSchema as JsonSchema,
      ...(annotations === undefined ? {} : { annotations }),
      hash: sha256(canonicalJson(JSON.parse(JSON.stringify(definition)))),
    };
  });
  const added = [
    ...(capabilities.resources === undefined ? [] : RESOURCE_TOOLS),
    ...(capabilities.prompts === undefined ? [] : PROMPT_TOOLS),
  ];
  const version = client.getServerVersion();
  const protocol = client.getNegotiatedProtocolVersion();
  return {
    ...(version === undefined ? {} : { server: `${version.name} ${version.version}` }),
    ...(protocol === undefined ? {} : { protocol }),
    tools: [...own, ...added.filter(({ member }) => !taken.has(member))],
  };
}

/** A name of the language for that of a tool (`get-sum`, `repo/list`), which no other tool of its server has. */
export function freeMember(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/\W/g, "_").replace(/^(?=\d|$)/, "_");
  let free = plain;
  for (let count = 2; taken.has(free); count += 1) free = `${plain}_${count}`;
  return free;
}

function ownTool(
  member: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): OfferedServerTool {
  const input = { type: "object", properties, required, additionalProperties: false } as JsonSchema;
  return { member, description, input, hash: "" };
}

const TEXT = { type: "string" } as const;

const RESOURCE_TOOLS: readonly OfferedServerTool[] = [
  ownTool("list_resources", "Lists the resources of the server, with their addresses.", {}, []),
  ownTool(
    "read_resource",
    "Reads a resource of the server by its address.",
    { uri: { ...TEXT, description: "its address, as `list_resources` gives it" } },
    ["uri"],
  ),
];

const PROMPT_TOOLS: readonly OfferedServerTool[] = [
  ownTool("list_prompts", "Lists the prompts of the server, with their arguments.", {}, []),
  ownTool(
    "get_prompt",
    "Returns the text of a prompt of the server.",
    {
      name: TEXT,
      arguments: { type: "object", additionalProperties: TEXT },
    },
    ["name"],
  ),
];
