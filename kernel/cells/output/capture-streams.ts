/** Turns what cells print, by `console` or `process.stdout`, into output of the cell that printed it. */
import { cellHere } from "../current-cell.ts";

type WriteCallback = (error?: Error | null) => void;

/**
 * Captures stdout and stderr until the returned function is called; nothing reaches the real
 * streams meanwhile.
 */
export function captureStreams(): () => void {
  const restores = [captureStream("stdout"), captureStream("stderr")];
  return () => {
    for (const restore of restores) restore();
  };
}

function captureStream(name: "stdout" | "stderr"): () => void {
  const stream = process[name];
  const { write, end } = stream;
  const log = process.stderr.write.bind(process.stderr);
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | WriteCallback,
    done?: WriteCallback,
  ) => {
    const text = typeof chunk === "string" ? decoded(chunk, encoding) : chunk;
    const cell = cellHere();
    if (cell === undefined) log(text);
    else cell.write(name, text);
    const callback = typeof encoding === "function" ? encoding : done;
    if (callback !== undefined) process.nextTick(callback);
    return true;
  };
  // A cell that pipes something there ends it, as pipes do; the next cell still prints.
  stream.end = ((chunk?: string | Uint8Array | WriteCallback) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) stream.write(chunk);
    return stream;
  }) as typeof stream.end;
  return () => {
    stream.write = write;
    stream.end = end;
  };
}

function decoded(
  text: string,
  encoding: BufferEncoding | WriteCallback | undefined,
): string | Uint8Array {
  if (encoding === undefined || typeof encoding === "function") return text;
  return ["utf8", "utf-8"].includes(encoding) ? text : Buffer.from(text, encoding);
}
