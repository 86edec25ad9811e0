/** Turns a rewritten cell into the body of a function that the kernel calls. */
import { decodedMappings, encodedMap, TraceMap } from "@jridgewell/trace-mapping";

export interface FunctionBody {
  readonly js: string;
  /** JSON of a source map (version 3). */
  readonly sourceMap: string;
}

/** Takes what was emitted, with its map inline. */
export function toFunctionBody(emitted: string, cell: string): FunctionBody {
  const { code, map } = splitMap(emitted);
  const mappings = [[], ...decodedMappings(map).map(withoutPrefix)];
  const traced = new TraceMap({ version: 3, sources: [cell], names: map.names, mappings });
  return { js: `"use strict";\n${code}`, sourceMap: JSON.stringify(encodedMap(traced)) };
}

const INLINE_MAP =
  /\n?\/\/# sourceMappingURL=data:application\/json;(?:charset=[^;]+;)?base64,(\S+)\s*$/;

function splitMap(emitted: string): { readonly code: string; readonly map: TraceMap } {
  const found = INLINE_MAP.exec(emitted);
  if (found === null) throw new Error("the compiler has emitted no source map");
  const map = new TraceMap(Buffer.from(found[1] ?? "", "base64").toString());
  return { code: emitted.slice(0, found.index), map };
}

type Line = ReturnType<typeof decodedMappings>[number];

/** One line stands before the text of a cell, so that it is a module. */
function withoutPrefix(line: Line): Line {
  return line.flatMap((segment): Line => {
    if (segment.length === 1 || segment[2] === 0) return [];
    const [column, source, sourceLine, sourceColumn] = segment;
    return [[column, source, sourceLine - 1, sourceColumn]];
  });
}
