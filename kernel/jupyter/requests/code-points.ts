/** Converts positions between the protocol's code points and JavaScript's UTF-16 units. */

/** The offset in UTF-16 units of the code point number `codePoints`; past the end, the end. */
export function toUtf16(text: string, codePoints: number): number {
  let offset = 0;
  for (let left = codePoints; left > 0 && offset < text.length; left -= 1) {
    offset += unitsAt(text, offset);
  }
  return offset;
}

/** Returns the number of code points that begin before `offset`; one that it cuts in two counts. */
export function toCodePoints(text: string, offset: number): number {
  let count = 0;
  for (let at = 0; at < offset && at < text.length; at += unitsAt(text, at)) count += 1;
  return count;
}

function unitsAt(text: string, offset: number): number {
  return (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
}
