/** Limits what an answer of a provider may hold, and sends keys to no other address. */
import { FailureError } from "../../../failure.ts";
import { httpCallOf, httpFetch } from "./http-fetch.ts";

/** The longest answer of a provider, in bytes: twice what the longest ones of today take as a stream of events. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * A `fetch` whose answers end with M8132 after `ANSWER_BYTES_MAX` bytes. It follows no redirect, since what holds a key
 * is not always the header that `fetch` keeps back from another address. Calls go by `inner` where there is one.
 */
export function boundedFetch(
  id: string,
  inner: typeof globalThis.fetch | undefined,
): typeof globalThis.fetch {
  return async (input, init) => {
    const call = inner === undefined ? httpCallOf(input, init) : undefined;
    if (call !== undefined) return httpFetch(call, counter(id));
    const response = await (inner ?? globalThis.fetch)(input, { ...init, redirect: "manual" });
    if (response.body === null) return response;
    const take = counter(id);
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        take(chunk.byteLength);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}

function counter(id: string): (bytes: number) => void {
  let all = 0;
  return (bytes) => {
    all += bytes;
    if (all > ANSWER_BYTES_MAX) throw tooLong(id);
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
