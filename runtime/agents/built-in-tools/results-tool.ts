/** Makes the tool by which an agent reads the parts of results that its model is not shown. */
import { type ResolvedTool, resolveTools, tool } from "../scope/tools.ts";
import { loggedText } from "../tools/tool-result.ts";

/** The characters that are shown at once where nothing else is said, and at most. */
const LENGTH = 4_000;
const LENGTH_MAX = 16_000;

const INPUT = {
  type: "object",
  properties: {
    call: { type: "string", description: "The id of the tool call." },
    from: { type: "integer", minimum: 0, description: "The first character, from 0." },
    length: { type: "integer", minimum: 1, maximum: LENGTH_MAX },
  },
  required: ["call"],
  additionalProperties: false,
} as const;

/** The tool `results.read`; `resultOf` finds the stored result of a call by its id, `bytesOf` what is too long for the log. */
export function resultsTool(
  resultOf: (call: string) => { readonly value: unknown } | undefined,
  bytesOf?: (hash: string) => Uint8Array,
): readonly ResolvedTool[] {
  const read = ({ call, from = 0, length = LENGTH }: ResultSlice) => {
    const found = resultOf(call);
    if (found === undefined) throw new Error(`no call \`${call}\` has a result`);
    const { text, cut } = loggedText(found.value, bytesOf);
    const to = Math.min(text.length, from + length);
    return {
      text: text.slice(from, to),
      from,
      to,
      of: text.length,
      ...(cut === undefined ? {} : { note: `only the beginning of its ${cut} bytes was kept` }),
    };
  };
  const description = "Shows a part of a tool's result, of which you see only the two ends.";
  const options = { effect: "none", description, input: INPUT, parallel: true } as const;
  return resolveTools([["results", "read"]], { results: { read: tool(read, options) } });
}

interface ResultSlice {
  readonly call: string;
  readonly from?: number;
  readonly length?: number;
}
