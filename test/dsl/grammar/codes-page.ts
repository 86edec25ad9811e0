/** Every code as a page of text: what it means, and how it is told of a program that has it. */
import { type CodePage, codes } from "../../../dsl/codes.ts";
import { check } from "../../../dsl/compile.ts";
import { renderDiagnostic } from "../../../dsl/diagnostics/render-diagnostic.ts";

const ranges: Readonly<Record<string, string>> = {
  M1: "Syntax",
  M2: "Names and imports",
  M3: "Types, state, flow and tests",
  M4: "Policies",
  M5: "Runs and tests of the language",
  M6: "Traces and SQL",
  M7: "Commands, notebook and kernel",
  M8: "Agents and tools",
  M9: "Our own faults",
};

/** What `dsl/manual/codes.md` holds. */
export function codesPage(): string {
  const pages = Object.entries<CodePage>(codes).sort(([a], [b]) => a.localeCompare(b));
  const sections = Object.entries(ranges).flatMap(([range, title]) => {
    const own = pages.filter(([code]) => code.startsWith(range));
    const table = own.map(([code, page]) => `| ${anchor(code)} | ${page.title} |`);
    return [`## ${title}`, "", "| code | |", "| --- | --- |", ...table, "", ...own.flatMap(entry)];
  });
  return [
    "# Codes",
    "",
    "Made from the table of codes by `npm run grammar`; a test fails when the two differ. Each frame is what `madrigal check`",
    "says of the bad program of its page; `madrigal explain CODE` shows the program, the good one, and a near miss.",
    "",
    ...sections,
  ].join("\n");
}

function anchor(code: string): string {
  return `[${code}](#${code.toLowerCase()})`;
}

function entry([code, page]: readonly [string, CodePage]): readonly string[] {
  const frame = frameOf(code, page);
  return [
    `### ${code}`,
    "",
    `**${page.title}.** ${page.why}`,
    "",
    ...(frame === undefined ? [] : ["```text", frame, "```", ""]),
  ];
}

/** Undefined where a text alone can't have it. */
function frameOf(code: string, { bad, given }: CodePage): string | undefined {
  if (bad === undefined) return undefined;
  const source = { file: "bad.madrigal", text: bad };
  const { diagnostics } = check(source, { ...given, allowUnreadPrograms: true });
  const said = diagnostics.find((diagnostic) => diagnostic.code === code);
  return said === undefined ? undefined : renderDiagnostic(said, source).trimEnd();
}
