/** A client that waits for a run goes on waiting when its call is cut, and gives up where the server is gone: a stub in its place. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { temporaryFolder } from "../../support/child.ts";

/** The stub's answer to a request, or to a question for its health. */
type Does = "cuts" | "is not ready" | "answers" | "refuses";

const DOES: Readonly<Record<Does, (response: ServerResponse) => void>> = {
  cuts: (response) => void response.destroy(),
  "is not ready": (response) => void response.writeHead(503).end("later"),
  answers: (response) => void response.end('"over"'),
  refuses: (response) => void response.writeHead(404).end('{"message":"M5806: no run `x`"}'),
};

/** The stub does each of them once, and the last one from then on. */
async function ingressThat(calls: readonly Does[], looks: readonly Does[]) {
  const keys: unknown[] = [];
  let looked = 0;
  const act = ({ url = "", headers }: IncomingMessage, response: ServerResponse) => {
    const isLook = url === "/restate/health";
    const at = isLook ? looked++ : keys.push(headers["idempotency-key"]) - 1;
    const list = isLook ? looks : calls;
    DOES[list[Math.min(at, list.length - 1)] ?? "cuts"](response);
  };
  const server = createServer((request, response) => {
    request.resume().on("end", () => act(request, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  const ingress = new Ingress(
    `http://127.0.0.1:${port}`,
    wireValues(fileBlobs(temporaryFolder(), Date)),
  );
  return { ingress, keys, looked: () => looked };
}

describe("a client that waits for a run", () => {
  test.each<{ calls: readonly Does[]; looks: readonly Does[] }>([
    { calls: ["cuts", "cuts", "answers"], looks: ["answers"] },
    { calls: ["is not ready", "answers"], looks: ["answers"] },
    { calls: ["cuts", "answers"], looks: ["cuts", "is not ready", "answers"] },
  ])("is answered in the end where the server $calls and its health $looks", async (of) => {
    const { ingress, keys } = await ingressThat(of.calls, of.looks);
    expect(await ingress.wait("Graph-Sleep/run", {})).toBe("over");
    expect(keys).toHaveLength(of.calls.length);
    // One key is one call, however often it is sent.
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  });

  test.each<Does>(["cuts", "is not ready"])("M5802 where the health %s, too", async (look) => {
    const { ingress, keys, looked } = await ingressThat(["cuts"], [look]);
    const waits = ingress.wait("Graph-Sleep/run", {}, { patienceMs: 0 });
    await expect(waits).rejects.toMatchObject({ code: "M5802" });
    expect([keys.length, looked()]).toEqual([1, 1]);
  });

  test("is told a refusal at once", async () => {
    const { ingress, looked } = await ingressThat(["refuses"], ["answers"]);
    await expect(ingress.wait("Run/x/status", null)).rejects.toMatchObject({ code: "M5806" });
    expect(looked()).toBe(0);
  });
});
