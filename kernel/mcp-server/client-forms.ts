/** Tells whether a client shows forms to its person. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** `known` are the capabilities of a client that said them once, at its start. */
export function hasForms(
  { mcpReq }: ServerContext,
  known: ClientCapabilities | undefined,
): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const { elicitation } = (envelope?.[CLIENT_CAPABILITIES_META_KEY] ??
    known ??
    {}) as ClientCapabilities;
  // Without a word about modes, a client takes forms.
  return (
    elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
  );
}
