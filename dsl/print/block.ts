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
    isInPrompt = isInPromptBehind(line, isInPrompt);
    return moved;
  });
  return lines.join("\n");
}

/** Returns whether a line ends inside a prompt; a backtick in a string begins none. */
function isInPromptBehind(line: string, isInPrompt: boolean): boolean {
  let open = isInPrompt ? "`" : "";
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? "";
    // A backslash takes the next character with it.
    if (char === "\\") index += 1;
    else if (open === "" && (char === "`" || char === '"')) open = char;
    else if (char === open) open = "";
  }
  return open === "`";
}
