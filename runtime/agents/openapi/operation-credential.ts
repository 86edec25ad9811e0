/** Reads from the security schemes of a description where the secret of an API is sent. */
import { isRecord } from "../../../dsl/index.ts";
import { type DescriptionPart, resolved } from "./read-description.ts";

/** The place of a secret in a request. */
export interface ApiCredential {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
  readonly scheme: "bearer" | "basic" | "plain";
}

const BEARER: ApiCredential = { in: "header", name: "authorization", scheme: "bearer" };

/** Returns where the secret goes: by the first requirement of one scheme that we know, else as a bearer token. */
export function credentialOf(security: unknown, root: DescriptionPart): ApiCredential | undefined {
  if (!Array.isArray(security)) return BEARER;
  if (security.length === 0) return undefined;
  const { components } = root;
  const schemes = isRecord(components) ? components.securitySchemes : undefined;
  for (const requirement of security) {
    const [name, ...others] = isRecord(requirement) ? Object.keys(requirement) : [];
    if (name === undefined || others.length > 0 || !isRecord(schemes)) continue;
    const scheme = resolved(schemes[name], root, ["components", "securitySchemes", name]);
    const found = ofScheme(scheme);
    if (found !== undefined) return found;
  }
  return BEARER;
}

function ofScheme({ type, scheme, in: where, name }: DescriptionPart): ApiCredential | undefined {
  if (type === "apiKey" && typeof name === "string" && isPlace(where))
    return { in: where, name, scheme: "plain" };
  if (type === "http" && String(scheme).toLowerCase() === "basic")
    return { ...BEARER, scheme: "basic" };
  const isBearer = type === "http" && String(scheme).toLowerCase() === "bearer";
  return isBearer || type === "oauth2" || type === "openIdConnect" ? BEARER : undefined;
}

function isPlace(where: unknown): where is ApiCredential["in"] {
  return where === "header" || where === "query" || where === "cookie";
}
