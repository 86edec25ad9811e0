/** Reads the body of a request to a server of ours, within a limit. */

/** The body, undefined for one that is too long: of that so much is read that its sender hears the answer. */
export async function readBody({ body }: Request, bytesMax: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    if (bytes > 4 * bytesMax) break;
  }
  return bytes > bytesMax ? undefined : Buffer.concat(chunks).toString("utf8");
}
