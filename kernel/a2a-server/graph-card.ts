/** Makes the card of a graph as an A2A agent: who it is, what it takes, where and how it is spoken to. */
import { parametersSchema, resultsSchema } from "../../dsl/index.ts";
import { type Graph, remote } from "../../runtime/index.ts";

/** Media types that a graph takes and gives. */
const MODES = ["text/plain", "application/json"];

/** The ways in which a graph is spoken to, the preferred one first. */
const INTERFACES = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["JSONRPC", "0.3"],
] as const;

/** The card as version 1.0 has it. `url` is where the graph is spoken to. */
export function graphCard({ ir }: Graph, url: string): Readonly<Record<string, unknown>> {
  const description = ir.description ?? `runs the graph ${ir.name}`;
  const schemas = { input: parametersSchema(ir), output: resultsSchema(ir) };
  return {
    name: ir.name,
    description,
    version: ir.hash.slice(0, 12),
    supportedInterfaces: INTERFACES.map(([protocolBinding, protocolVersion]) => ({
      url,
      protocolBinding,
      protocolVersion,
    })),
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [
        {
          uri: remote.SCHEMAS_EXTENSION,
          description: "the JSON schemas of what the graph takes and returns",
          params: schemas,
        },
      ],
    },
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: [
      { id: ir.name, name: ir.name, description: skillText(ir, description), tags: ["madrigal"] },
    ],
    securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { token: { list: [] } } }],
  };
}

/** Clients that know no extension read here what the graph takes. */
function skillText({ params }: Graph["ir"], description: string): string {
  if (params.length === 0) return `${description}; takes nothing`;
  const names = params.map(({ name, optional, default: value }) =>
    optional || value !== undefined ? `${name} (may be left out)` : name,
  );
  return `${description}; takes ${names.join(", ")} as a JSON object, or its one text as text`;
}

/** The same card with what version 0.3 reads beside it; clients of 1.0 pass over that. */
export function cardForAll(card: Readonly<Record<string, unknown>>, url: string) {
  return {
    ...card,
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    security: [{ token: [] }],
    securitySchemes: {
      token: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "Bearer" } },
    },
  };
}
