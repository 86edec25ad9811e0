/** Spans on their way to a receiver. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { send } from "../../../../runtime/trace/otlp/export/send.ts";
import { type OtlpTarget, targetOf } from "../../../../runtime/trace/otlp/export/target.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A receiver that answers one after the other; what it was sent. */
async function receiver(...answers: readonly Answer[]) {
  const bodies: { readonly headers: IncomingMessage["headers"]; readonly bytes: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push({ headers: request.headers, bytes: await buffer(request) });
    (answers[bodies.length - 1] ?? ok)(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, bodies };
}

const ok: Answer = (response) => void response.end("{}");
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(`{"message":"status ${code}"}`);

const PORTION = { resourceSpans: [] };

async function sent(target: OtlpTarget | undefined, portions = 1) {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  if (target === undefined) throw new Error("no target");
  const bodies = Array.from({ length: portions }, () => PORTION);
  const now = () => Date.parse("2026-03-01T12:00:00Z");
  const result = await send(bodies, target, { wait, now, random: () => 1 }).catch((error) => error);
  return { waits, result };
}

test("what the receiver asks to be sent again is, when it says; then the next portion", async () => {
  const again = status(429, { "retry-after": "3" });
  const later = status(503, { "retry-after": "Sun, 01 Mar 2026 12:00:07 GMT" });
  const broken: Answer = (response) => void response.destroy();
  const { url, bodies } = await receiver(again, later, broken, status(502));
  const { waits, result } = await sent(targetOf({}, url), 2);
  expect(result).toEqual({ rejected: 0 });
  expect(waits).toEqual([3_000, 7_000, 4_000, 8_000]);
  expect(bodies).toHaveLength(6);
});

test.each([
  ["five times in vain", [503, 503, 503, 503, 503, 200], 5, "503"],
  ["what is wrong with the request is not tried again", [400, 200], 1, "400"],
  ["nor is a key that is wrong", [401, 200], 1, "401"],
  ["nor is a redirect followed", [307, 200], 1, "307"],
])("M5432: %s", async (_, codes, tries, why) => {
  const headers = { location: "http://127.0.0.1:9/" };
  const { url, bodies } = await receiver(...codes.map((code) => status(code, headers)));
  const { result } = await sent(
    targetOf({ OTEL_EXPORTER_OTLP_HEADERS: "api-key=hdr%20secret" }, url),
  );
  expect(result).toMatchObject({ code: "M5432", message: expect.stringContaining(why) });
  expect(`${result.message}${result.hint}${result.stack}`).not.toContain("hdr secret");
  expect(bodies).toHaveLength(tries);
});

test("headers, compression and address are those of the environment, when asked", async () => {
  const partial: Answer = (response) =>
    void response.end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}');
  const { url, bodies } = await receiver(partial);
  const target = targetOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/base`,
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=abc%20def, x=1",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_TIMEOUT: "20000",
  });
  expect(target).toMatchObject({ url: `${url}/base/v1/traces`, timeoutMs: 20_000 });
  expect((await sent(target)).result).toEqual({ rejected: 2, reason: "too old" });
  const [first] = bodies;
  expect(first?.headers).toMatchObject({
    "api-key": "abc def",
    x: "1",
    "content-type": "application/json",
  });
  expect(JSON.parse(gunzipSync(first?.bytes ?? "").toString())).toEqual(PORTION);
});

test.each([
  [{}, undefined, undefined],
  [{}, "http://h:4318", "http://h:4318/v1/traces"],
  [{}, "https://h/v1/private/otlp", "https://h/v1/private/otlp"],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://h/x" }, undefined, "http://h/x"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://h:4318/" }, undefined, "http://h:4318/v1/traces"],
])("%j and %j lead to %j", (env, address, url) => {
  expect(targetOf(env, address)?.url).toBe(url);
});

test.each([
  [{}, "http://user:planted@h/"],
  [{}, "http://"],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://h" }, undefined],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://h:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    undefined,
  ],
])("M5431: %j and %j are no target, and no password is repeated", (env, address) => {
  let thrown: unknown;
  try {
    targetOf(env, address);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: "M5431", hint: expect.any(String) });
  expect(JSON.stringify(thrown) + String(thrown)).not.toContain("planted");
});
