/** Reads the body of a request to a server of ours, within a limit. */

/** The body as a text; undefined for one that is too long. */
export async function readBody(request: Request, bytesMax: number): Promise<string | undefined> {
  return (await readBytes(request, bytesMax))?.toString("utf8");
}

/** The body, undefined for one that is too long: of that so much is read that its sender hears the answer. */
export async function readBytes(
  { body }: Request,
  bytesMax: number,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    if (bytes > 4 * bytesMax) break;
  }
  return bytes > bytesMax ? undefined : Buffer.concat(chunks);
}
