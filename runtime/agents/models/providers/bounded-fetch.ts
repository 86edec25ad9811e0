/** Limits what an answer of a provider may hold, and sends keys to no other address. */
import { FailureError } from "../../../failure.ts";

/** The longest answer of a provider, in bytes: twice what the longest ones of today take as a stream of events. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A `fetch` whose answers end with M8132 after `ANSWER_BYTES_MAX` bytes. It follows no redirect, since what holds a key
 * is not always the header that `fetch` keeps back from another address.
 */
export function boundedFetch(
  id: string,
  inner: typeof globalThis.fetch | undefined,
): typeof globalThis.fetch {
  return async (url, init) => {
    const response = await (inner ?? globalThis.fetch)(url, { ...init, redirect: "manual" });
    if (response.body === null) return response;
    let bytes = 0;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) controller.error(tooLong(id));
        else controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
  };
}

function tooLong(id: string): FailureError {
  return new FailureError({
    class: "model",
    code: "M8132",
    message: `the answer of \`${id}\` is longer than ${ANSWER_BYTES_MAX / 1024 / 1024} MiB`,
    hint: "set `maxOutputTokens` of the model, or ask what its server sends",
  });
}
