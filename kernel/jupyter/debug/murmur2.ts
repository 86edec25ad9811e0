/** Computes MurmurHash2 over the UTF-8 bytes of a text, bit for bit as front ends do to name cells. */
export function murmur2(text: string, seed: number): number {
  const bytes = Buffer.from(text, "utf8");
  const whole = bytes.length - (bytes.length % 4);
  let hash = seed ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    hash = Math.imul(hash, FACTOR) ^ mixed(bytes.readUInt32LE(at));
  }
  if (whole < bytes.length) {
    for (let at = whole; at < bytes.length; at += 1) {
      hash ^= (bytes[at] ?? 0) << (8 * (at - whole));
    }
    hash = Math.imul(hash, FACTOR);
  }
  hash = Math.imul(hash ^ (hash >>> 13), FACTOR);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const FACTOR = 0x5bd1e995;

function mixed(word: number): number {
  const once = Math.imul(word, FACTOR);
  return Math.imul(once ^ (once >>> 24), FACTOR);
}
