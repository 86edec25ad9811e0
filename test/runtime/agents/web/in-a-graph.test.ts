/** An agent reads the web within a run: the log has what came, so that a replay and a resume ask no server again. */
import { expect, onTestFinished, test } from "vitest";
import { createWebTools, Session, scripted } from "../../../../runtime/index.ts";
import { newFolder } from "../../trace/store.ts";
import { serveSite } from "./site.ts";

const text = `model m = "scripted"
graph Ask(url: string) returns answer {
  state { answer: string }
  agent look { model m; tools web.read; prompt \`Read \${url}.\`; writes answer }
  start -> look -> end
}`;

test("what an agent read is in the log, and a failure is told to it", async () => {
  const { host, url, asked } = await serveSite({ "/ale": "<title>Ale</title><p>Brewed warm.</p>" });
  const session = new Session({ env: { MADRIGAL_HOME: newFolder() } });
  onTestFinished(() => session.close());
  const web = createWebTools({ privateHosts: [host] });
  const graph = session.compile(text, { scope: { web } }).Ask;
  const reads = ["/ale", "/none"].map((path) => ({ tool: "web.read", input: { url: url(path) } }));
  const inside = { tool: "web.read", input: { url: "http://169.254.169.254/latest" } };
  const models = { m: scripted([{ calls: [...reads, inside] }, { says: "warm" }]) };
  const run = graph?.run({ url: url("/ale") }, { models });
  expect((await run?.output)?.answer).toBe("warm");
  const events = [];
  for await (const event of run?.stream("events") ?? []) {
    if (event.kind === "tool.result") events.push(event.value ?? event.failure?.message);
  }
  expect(events).toHaveLength(3);
  expect(events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ title: "Ale", text: "Brewed warm.", url: url("/ale") }),
      expect.stringContaining("M8608"),
      expect.stringContaining("M8601"),
    ]),
  );
  expect(asked).toEqual(["/ale", "/none"]);
  expect(run?.replay()).toMatchObject({ ok: true, status: "succeeded", state: run?.state });
  expect(asked).toEqual(["/ale", "/none"]);
});
