/** Explains `result`, whose form depends on what its node writes. */
import type { Inspection } from "../../service.ts";

/** The rows of the same table in the chapter on expressions: what a node says, and what `result` is then. */
const RESULT_FORMS: readonly (readonly [writes: string, result: string])[] = [
  ["`writes a`", "the value of `a`"],
  [
    "`writes a`, where the field or the write says `append` and `a` is a `string[]`",
    "of an agent or a person one text, which is added as one item; of a function a text or a list",
  ],
  ["`writes a, b`", "an object, `{ a, b }`; a field marked `b?` may be missing"],
  [
    "`writes a, b = e`, where `e` is computed",
    "an object still, `{ a }`: what is computed is asked of nobody",
  ],
  ["`writes a = result.x`, `writes a = result.x, b = result.y`", "an object, `{ x }`, `{ x, y }`"],
  [
    "`writes a = result`, `writes a = result, b = e`",
    "the whole value as it is; of an agent its text",
  ],
  [
    "`writes m`, where `m: Messages`",
    "of an agent, a person or an operator the text that is said; of a function messages in any form",
  ],
  [
    "`writes m, a`, where `m: Messages`",
    "of an agent, a person or an operator as for `writes a`; of a function an object, `{ m, a }`",
  ],
];

const MEANING = "the output of this node";

/** The page of `result`, below its type where that is known. */
export function resultPage(typed: Inspection | undefined): Inspection {
  const plain = RESULT_FORMS.map(([writes, result]) => `${writes}: ${result}`).join("\n");
  const rows = RESULT_FORMS.map(([writes, result]) => `| ${writes} | ${result} |`).join("\n");
  const table = `| the node says | \`result\` is |\n|---|---|\n${rows}`;
  const above = (text: string | undefined) => (text === undefined ? "" : `${text}\n\n`);
  return {
    plain: `${above(typed?.plain)}result: ${MEANING}\n\n${plain}`,
    markdown: `${above(typed?.markdown)}**result**: ${MEANING}\n\n${table}`,
  };
}
