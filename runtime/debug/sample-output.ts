/** Values of a node's type, for when nobody performs it: the same for the same prompt, and others for others. */
import type { NodeIr } from "../../dsl/index.ts";

/** Something of a node's output type, made from its prompt alone: the same in every schedule. */
export function sampleOutput(node: NodeIr | undefined, prompt: string): unknown {
  if (node?.output === undefined) return null;
  return sample(node.output, digest(`${node.name} ${prompt}`));
}

function sample(schema: Readonly<Record<string, unknown>>, seed: number): unknown {
  const options = schema.enum as readonly unknown[] | undefined;
  if (options !== undefined) return options[seed % options.length];
  switch (schema.type) {
    case "string":
      return `s${seed % 1000}`;
    case "integer":
    case "number":
      return seed % 7;
    case "boolean":
      return seed % 2 === 0;
    case "array":
      return Array.from({ length: seed % 3 }, (_, at) =>
        sample((schema.items ?? {}) as Record<string, unknown>, digest(`${seed}.${at}`)),
      );
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Record<string, unknown>>).map(
          ([name, member]) => [name, sample(member, digest(`${seed}.${name}`))],
        ),
      );
    default:
      return null;
  }
}

export function digest(text: string): number {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return hash;
}
