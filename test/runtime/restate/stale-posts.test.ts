/** A worker whose server was gone while it asked for a call makes that call only if the attempt is still its own: a stub for the server. */
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { Session, tool } from "../../../runtime/index.ts";
import { blobArtifacts } from "../../../runtime/restate/blob-artifacts.ts";
import { decideTurn } from "../../../runtime/restate/decide.ts";
import { Ingress } from "../../../runtime/restate/ingress.ts";
import type { PostMessage } from "../../../runtime/restate/messages.ts";
import { AttemptPerformance } from "../../../runtime/restate/remote-host.ts";
import { ServedGraphs } from "../../../runtime/restate/served-graphs.ts";
import { wireValues } from "../../../runtime/restate/wire-values.ts";
import { link } from "../../../runtime/scheduler/program/link.ts";
import { emptySnapshot } from "../../../runtime/scheduler/snapshot/snapshot.ts";
import { fileBlobs } from "../../../runtime/store/artifacts/file-blobs.ts";
import { temporaryFolder } from "../../support/child.ts";

const TEXT = `graph Act() returns done {
  state { done: string = "" }
  tool act = doing({}) writes done
  start -> act
}`;

test.each([
  { cuts: 0, isWanted: false, made: 1 },
  { cuts: 1, isWanted: true, made: 1 },
  { cuts: 1, isWanted: false, made: 0 },
])("cut $cuts times, and then wanted: $isWanted, it makes $made calls", async (of) => {
  let made = 0;
  const doing = tool(
    () => {
      made += 1;
      return "done";
    },
    { effect: "external", description: "acts", input: { type: "object" } },
  );
  const session = new Session({ store: "memory", env: {} });
  onTestFinished(() => session.close());
  const { Act } = session.compile(TEXT, { scope: { doing } });
  if (Act === undefined) throw new Error("no graph");
  const { meta, input } = Act.begins({}, { store: "none" });
  const { ir, ...facts } = meta;
  const begun = await decideTurn(
    { program: link(ir), snapshot: emptySnapshot(), next: 0, waiting: [] },
    { kind: "begin", input, at: 0 },
    { call: () => Promise.resolve([]), redact: (part) => part },
  );
  const [attempt] = begun.attempts;
  if (attempt === undefined) throw new Error("nothing has started");

  const values = wireValues(fileBlobs(temporaryFolder(), Date));
  const news = { news: begun.records, lastSeq: begun.records.length - 1 };
  const taken = { acknowledgement: { taken: true }, state: "taken", ...news };
  let { cuts } = of;
  const server = createServer(async (request, response) => {
    const message = await text(request);
    const answer = (value: unknown) => void response.end(values.serialize(value));
    switch (request.url?.split("/").at(-1)) {
      case "claim":
        return answer({ isWanted: true, wasParked: false, facts: { meta: facts, ir }, ...news });
      case "isWanted":
        return answer(of.isWanted);
      default: {
        const { completion } = JSON.parse(message) as PostMessage;
        if (completion.kind !== "intent" || cuts === 0) return answer(taken);
        cuts -= 1;
        return response.destroy();
      }
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };

  const ingress = new Ingress(`http://127.0.0.1:${port}`, values);
  const artifacts = blobArtifacts(fileBlobs(temporaryFolder(), Date));
  const served = new ServedGraphs([Act], { ingress, artifacts });
  const parts = { runId: meta.runId, ingress, values, ...served.partsOf("Act", meta.runId) };
  const performance = new AttemptPerformance({ ...attempt, invocation: "i" }, parts);
  expect((await performance.end).kind).toBe(of.made === 1 ? "finished" : "superseded");
  expect(made).toBe(of.made);
});
