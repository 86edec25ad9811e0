/** `madrigal explain CODE`: prints the page of a code. */
import { type Code, type CodePage, codes, nearest } from "../../../../dsl/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import type { CliCommand } from "../../command.ts";
import { paintFor, print, printJson } from "../../output.ts";

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: ["CODE"],
  async run(call) {
    const code = findCode(call.arguments[0] ?? "");
    const page: CodePage = codes[code];
    if (call.flag("json")) printJson({ code, ...page });
    else print(pageText(code, page));
    return EXIT.done;
  },
};

function findCode(word: string): Code {
  const known = Object.keys(codes) as Code[];
  const wanted = word.toUpperCase();
  const code = known.find((one) => one === wanted);
  if (code !== undefined) return code;
  const meant = /^M?\d+$/.test(wanted) ? nearest(wanted, known) : undefined;
  throw new CommandError("M7106", `there is no code \`${word}\``, {
    hint: meant === undefined ? "codes look like M2101" : `did you mean \`${meant}\`?`,
  });
}

function pageText(code: Code, page: CodePage): string {
  const { title, why, bad, good, given } = page;
  const paint = paintFor(process.stdout);
  return [
    `${paint("title", `${code}: ${title}`)}\n\n${wrap(why)}`,
    ...(bad === undefined ? [] : [`Wrong:\n\n${indent(bad)}`]),
    ...(given === undefined ? [] : [`Where this is known: ${JSON.stringify(given)}`]),
    ...(good === undefined ? [] : [`Right:\n\n${indent(good)}`]),
    ...nearText(page),
  ].join("\n\n");
}

/** The near miss; the good program is one where it is none of its own. */
function nearText({ near }: CodePage): readonly string[] {
  if (near === undefined) return [];
  return typeof near === "string"
    ? [`Not wrong, one word or sign away:\n\n${indent(near)}`]
    : [wrap(`Nothing that is right is one word or sign away: ${lowerFirst(near.none)}`)];
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

const WIDTH = 100;

function wrap(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join("\n");
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "  ");
}
