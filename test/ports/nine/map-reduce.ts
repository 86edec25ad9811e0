/** Returns texts in groups, none of which is longer than `size` characters unless it is one text. */
export function groupsOf(texts: string[], size: number): string[][] {
  const groups: string[][] = [];
  let length = 0;
  for (const text of texts) {
    if (groups.length === 0 || length + text.length > size) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(text);
    length += text.length;
  }
  return groups;
}
