/** Makes the embedding model `rules`: it knows spellings and no meanings, runs in this process, costs nothing, and is always the same. */
import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { wordsOf } from "../../../store/memories/words.ts";

const DIMENSIONS = 256;

/** Texts are alike that share many pieces of three characters: other endings of a word, and misspelt ones. */
export function rulesEmbedding(): EmbeddingModelV4 {
  return {
    specificationVersion: "v4",
    provider: "madrigal",
    modelId: "rules",
    maxEmbeddingsPerCall: undefined,
    supportsParallelCalls: true,
    doEmbed: async ({ values }) => ({
      embeddings: values.map((text) => [...vectorOf(text)]),
      usage: { tokens: 0 },
      warnings: [],
    }),
  };
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const word of wordsOf(text)) {
    const characters = [...` ${word} `];
    for (let at = 0; at + 2 < characters.length; at += 1) {
      const hash = hashOf(characters.slice(at, at + 3).join(""));
      const place = hash % DIMENSIONS;
      vector[place] = (vector[place] ?? 0) + (hash & DIMENSIONS ? 1 : -1);
    }
  }
  return vector;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
