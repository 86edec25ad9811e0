/** Lines in braces, a line each and two columns in; lines of a prompt keep their place. */
export function printBlock(lines: readonly string[]): string {
  if (lines.length === 0) return "{ }";
  return `{\n${lines.map(indented).join("\n")}\n}`;
}

/** Between backticks white space counts, so only lines that begin outside of them are moved. */
function indented(text: string): string {
  let isInPrompt = false;
  const lines = text.split("\n").map((line) => {
    const moved = isInPrompt ? line : `  ${line}`;
    // A backslash takes the next character with it; what is left are the real backticks.
    const ticks = line.replace(/\\./g, "").match(/`/g) ?? [];
    if (ticks.length % 2 === 1) isInPrompt = !isInPrompt;
    return moved;
  });
  return lines.join("\n");
}
