/** kill -9 of who asks or of who serves, in the middle of a task: it goes on, and what it did outside was done once. */
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { madrigal, startMadrigal, temporaryFolder } from "../../support/child.ts";

const SERVED = `import { note, gate } from "./work.ts"
graph Work(text: string) returns done {
  state { noted: string  done: string }
  run write = note(text) writes noted { effects external }
  run wait = gate(noted) writes done
  start -> write -> wait -> end
}`;

/** The function writes a line, and the next one waits for the gate of the test. */
const workIn = (gate: string) => `import { appendFileSync } from "node:fs";
import { join } from "node:path";
export function note(text: string): string {
  appendFileSync(join(import.meta.dirname, "did.txt"), "noted\\n");
  return text;
}
export async function gate(noted: string): Promise<string> {
  await fetch("${gate}");
  return noted.toUpperCase();
}`;

const asks = (url: string) => `graph Ask(text: string) returns answer {
  state { answer: string }
  operator remote { controller a2a("${url}", auth: "OPENS"); prompt \`\${text}\`; writes answer }
  start -> remote -> end
}`;

/** A door at which the work waits until it is opened. */
async function gateway() {
  const arrived = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    arrived.resolve();
    void open.promise.then(() => response.end("ok"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    open.resolve();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, arrived: arrived.promise, open: open.resolve };
}

async function world() {
  const [served, asking] = [
    temporaryFolder("madrigal-a2a-served-"),
    temporaryFolder("madrigal-a2a-asks-"),
  ];
  const gate = await gateway();
  writeFileSync(join(served, "work.madrigal"), SERVED);
  writeFileSync(join(served, "work.ts"), workIn(gate.url));
  const port = await freePort();
  writeFileSync(join(asking, "ask.madrigal"), asks(`http://127.0.0.1:${port}`));
  const serve = async () => {
    const args = ["serve", "--a2a", "work.madrigal", "--http", `${port}`, "--token", "la-la-la"];
    const child = startMadrigal(args, { home: served });
    await child.said("Authorization");
    return child;
  };
  const env = { OPENS: "la-la-la" };
  const ask = () =>
    startMadrigal(["run", "ask.madrigal", "--input", '{"text": "la"}'], { home: asking, env });
  const did = () =>
    existsSync(join(served, "did.txt")) ? readFileSync(join(served, "did.txt"), "utf8") : "";
  const runs = async () => {
    const { stdout } = await madrigal(["runs", "--json"], { home: served });
    return (
      JSON.parse(stdout) as { readonly runs: readonly { readonly status: string }[] }
    ).runs.map(({ status }) => status);
  };
  /** Resolves once the log on the disk has what the run of the server did. */
  const stored = async (what: RegExp) => {
    while (!what.test((await madrigal(["show", "last", "--json"], { home: served })).stdout));
  };
  return { asking, env, gate, serve, ask, did, runs, stored };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("A58 [CR] kill -9 of who asks: the run goes on with the same task", async () => {
  const { asking, env, gate, serve, ask, did, runs } = await world();
  await serve();
  const first = ask();
  await gate.arrived;
  await first.said("remote#1 started");
  first.signal("SIGKILL");
  await first.ended;
  const again = startMadrigal(["resume", "last"], { home: asking, env });
  await again.said("resumed");
  gate.open();
  const WAITS = 3;
  let { code, stdout } = await again.ended;
  // Killed before it was stored that the message went out, it asks; sent again, the message is the same one.
  if (code === WAITS)
    ({ code, stdout } = await madrigal(["answer", "last", "remote", "again"], {
      home: asking,
      env,
    }));
  expect([code, stdout.includes("LA")]).toEqual([0, true]);
  expect(did()).toBe("noted\n");
  expect(await runs()).toEqual(["succeeded"]);
});

test("A58 [CR] kill -9 of who serves: the next server goes on, and who asks finds the task again", async () => {
  const { gate, serve, ask, did, runs, stored } = await world();
  const first = await serve();
  const client = ask();
  await gate.arrived;
  await client.said("remote#1 started");
  await stored(/noted/);
  first.signal("SIGKILL");
  await first.ended;
  await serve();
  gate.open();
  const { code, stdout } = await client.ended;
  expect([code, stdout.includes("LA")]).toEqual([0, true]);
  expect(did()).toBe("noted\n");
  expect(await runs()).toEqual(["succeeded"]);
});
