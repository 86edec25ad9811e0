/** What happens to kernels in real life: the kernel lives and says what happened, in the right cell. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createCodec } from "../../../kernel/jupyter/wire/frames.ts";
import { createHeader, parentId, type WireMessage } from "../../../kernel/jupyter/wire/message.ts";
import { temporaryFolder } from "../../support/child.ts";
import { connectClient } from "../../support/jupyter-client.ts";
import { outputsOf, ownKernel, type RealKernel, sharedKernel, shown } from "./real-kernel.ts";

// Real kernels on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const kernel = sharedKernel();

async function lives(): Promise<void> {
  expect(await shown(kernel(), "'alive'")).toMatch(/^result \[\d+\] \{"text\/plain":"'alive'"\}$/);
}

function signedCell({ connection }: RealKernel, code: string): Buffer[] {
  const header = createHeader("execute_request", { session: "other" });
  const message = {
    identities: [],
    header,
    parent: {},
    metadata: {},
    content: { code },
    buffers: [],
  };
  const frames = createCodec(connection.key).encode(message);
  return frames.map((frame) => Buffer.from(frame));
}

test("a message that is replayed runs once", async () => {
  await shown(kernel(), "let runs = 0;");
  const frames = signedCell(kernel(), "runs += 1;");
  for (const channel of ["shell", "shell", "control"] as const) {
    kernel().client.sendFrames(channel, frames);
  }
  expect(await shown(kernel(), "runs")).toContain('"text/plain":"1"');
});

test("frames that are no message are dropped", async () => {
  const whole = signedCell(kernel(), "1");
  const hostile = [
    [Buffer.of()],
    [Buffer.from("<IDS|MSG>")],
    whole.slice(0, 3),
    whole.map((frame, index) => (index === 5 ? Buffer.from('{"code":"forged"}') : frame)),
    Array.from({ length: 100 }, () => Buffer.alloc(1000, 255)),
  ];
  for (const frames of hostile) {
    kernel().client.sendFrames("shell", frames);
    kernel().client.sendFrames("control", frames);
  }
  await lives();
});

test("a comm's message of 100 MB goes there and back", async () => {
  const { client } = kernel();
  await shown(
    kernel(),
    `import { comm } from "madrigal";
    comm.target("big", (line) => {
      line.onMessage(({ data, buffers }) => line.send(data, { buffers }));
    });`,
  );
  await client.tell("comm_open", { comm_id: "b", target_name: "big", data: {} });
  const bytes = Buffer.alloc(100_000_000, "0123456789");
  const heard = await client.tell("comm_msg", { comm_id: "b", data: 1 }, { buffers: [bytes] });
  const back = heard.find(({ header }) => header.msg_type === "comm_msg")?.buffers[0];
  expect(back?.length).toBe(100_000_000);
  expect(bytes.equals(back ?? Buffer.of())).toBe(true);
  await lives();
});

test("a request of 100 MB is answered", async () => {
  const { client } = kernel();
  const content = { code: "'alive'", user_expressions: {}, ballast: "x".repeat(100_000_000) };
  const { reply } = await client.execute("'alive'", content);
  expect(reply.content.status).toBe("ok");
});

const ASK = `import { input } from "madrigal"; "<" + input("name? ") + ">"`;

test("who asks where stdin is closed is told so, in the cell that asked", async () => {
  const client = await connectClient(kernel().connection, { canBeAsked: false });
  const { reply, iopub } = await client.execute(ASK, { allow_stdin: true });
  expect(reply.content).toMatchObject({ status: "error", ename: "M7403" });
  expect(outputsOf(iopub)).toEqual([expect.stringContaining("error M7403")]);
  await lives();
});

test("a front end that vanishes while it is asked ends its question, in the cell that asked", async () => {
  const alone = await ownKernel();
  const watcher = await connectClient(alone.connection, { canBeAsked: false });
  const id = alone.client.send("execute_request", { code: ASK, allow_stdin: true });
  await alone.client.question();
  alone.client.close();
  const error = await watcher.iopub(({ header }) => header.msg_type === "error");
  expect([parentId(error), error.content.ename]).toEqual([id, "M7403"]);
  // What comes before the failed cell has been replied to is aborted with it.
  await watcher.iopub((each) => parentId(each) === id && each.content.execution_state === "idle");
  const { reply } = await watcher.execute("1");
  expect(reply.content.status).toBe("ok");
});

test("where several could have been asked, the cell says that one has left, and an interrupt ends the question", async () => {
  const { client, connection } = kernel();
  const asked = await connectClient(connection);
  const id = asked.send("execute_request", { code: ASK, allow_stdin: true });
  await asked.question();
  asked.close();
  const isIts = (each: WireMessage) => parentId(each) === id;
  const note = await client.iopub((each) => isIts(each) && each.content.name === "stderr");
  expect(note.content.text).toContain("a front end has left while this cell waits for an answer");
  await client.request("interrupt_request", {}, { channel: "control" });
  const error = await client.iopub((each) => isIts(each) && each.header.msg_type === "error");
  expect(error.content.ename).toBe("Cancelled");
  // What comes before the failed cell has been replied to is aborted with it.
  await client.iopub((each) => isIts(each) && each.content.execution_state === "idle");
  await lives();
});

const WAITING = `graph Wait(gate: string) returns done {
  state { done: boolean = false }
  run hold = hold(gate) writes done
  start -> hold -> end
}`;

test("a restart during a run leaves a run that the next kernel takes up", async () => {
  const home = temporaryFolder();
  const first = await ownKernel(home);
  await first.client.execute(
    "const hold = async (gate: string) => { console.log('holds'); await new Promise(() => {}); return true; };",
  );
  await first.client.execute(WAITING);
  const cell = first.client.send("execute_request", {
    code: "await Wait.run({ gate: 'a' }).output",
  });
  await first.client.iopub(({ content }) => content.text === "holds\n");
  const asked = { restart: true };
  const { reply } = await first.client.request("shutdown_request", asked, { channel: "control" });
  expect(reply.content).toEqual({ status: "ok", restart: true });
  expect((await first.client.reply(cell)).content.evalue).toMatch(
    /run `[\w-]+` of `Wait` is paused/,
  );
  expect(await first.ended).toBe("exit code 0");
  const second = await ownKernel(home);
  await second.client.execute("const hold = async (gate: string) => true;");
  await second.client.execute(WAITING);
  const code = `import { runs } from "madrigal";
    const run = runs.last("Wait"); await run.resume(); (await run.output).done`;
  expect(await shown(second, code)).toContain('"text/plain":"true"');
});

test("two kernels on one workspace run at once, and each sees the other's runs", async () => {
  const home = temporaryFolder();
  const both = await Promise.all([ownKernel(home), ownKernel(home)]);
  const run = async (own: RealKernel, name: string) => {
    await own.client.execute(`const hold = async (gate: string) => true;`);
    await own.client.execute(WAITING.replaceAll("Wait", name));
    return await shown(own, `(await ${name}.run({ gate: "" }).output).done`);
  };
  const done = await Promise.all([run(both[0], "One"), run(both[1], "Two")]);
  for (const text of done) expect(text).toContain('"text/plain":"true"');
  const code = `import { runs } from "madrigal"; runs.list().map(({ graph }) => graph).sort()`;
  for (const own of both) expect(await shown(own, code)).toContain("[ 'One', 'Two' ]");
  const tail = { hist_access_type: "tail", n: 1000 };
  const { reply } = await both[0].client.request("history_request", tail);
  const sessions = new Set((reply.content.history as [number][]).map(([session]) => session));
  expect([...sessions].sort()).toEqual([1, 2]);
});

test("500 cells that are sent at once run in their order, in one scope", async () => {
  const own = await ownKernel();
  await own.client.execute("let sum = 0;");
  const cells = Array.from({ length: 500 }, (_, n) => own.client.execute(`sum += ${n}; sum`));
  const replies = await Promise.all(cells);
  expect(replies.map(({ reply }) => reply.content.execution_count)).toEqual(
    Array.from({ length: 500 }, (_, n) => n + 2),
  );
  expect(outputsOf(replies.at(-1)?.iopub ?? [])).toEqual(['result [501] {"text/plain":"124750"}']);
});

test("a flood of output is shown up to a limit, and the rest is in a file: together all of it, to the byte", async () => {
  const code = `const line = (n: number) => \`line \${n} – ${"ünïcödé 🎻 ".repeat(8)}\\n\`;
    for (let n = 0; n < 40_000; n += 1) {
      process.stdout.write(line(n));
      if (n % 4 === 0) process.stderr.write(line(-n));
    }`;
  const { iopub } = await kernel().client.execute(code);
  const line = (n: number) => `line ${n} – ${"ünïcödé 🎻 ".repeat(8)}\n`;
  const all = Array.from({ length: 40_000 }, (_, n) => line(n)).join("");
  const some = Array.from({ length: 10_000 }, (_, n) => line(-4 * n)).join("");
  const notes = iopub.filter(({ header }) => header.msg_type === "display_data");
  const files = notes.map(({ content }) => {
    return (
      /written to (.*)$/.exec(
        String((content.data as { "text/plain": string })["text/plain"]),
      )?.[1] ?? ""
    );
  });
  expect(files).toHaveLength(1);
  const printed = (name: string) =>
    iopub
      .filter(({ content }) => content.name === name)
      .map(({ content }) => content.text)
      .join("");
  const [rest = ""] = files;
  expect(rest.startsWith(join(kernel().home, ".madrigal/out/printed/cell-"))).toBe(true);
  expect(printed("stdout").length).toBeGreaterThan(2_000_000);
  expect(printed("stdout") + readFileSync(rest, "utf8") === all).toBe(true);
  expect(printed("stderr") === some).toBe(true);
  await lives();
});

/** Packages that end the process when they are loaded. */
function putPackages(home: string): void {
  const sources = {
    "quits-cjs": ["module.exports = {}; process.exit(3);", "commonjs"],
    "quits-esm": [
      "import { exit } from 'node:process'; exit(3); export const never = 1;",
      "module",
    ],
    "quits-late": ["setTimeout(() => process.exit(3)); export const loaded = 1;", "module"],
    "quits-hard": ["module.exports = {}; process.abort();", "commonjs"],
  };
  for (const [name, [text = "", type]] of Object.entries(sources)) {
    const folder = join(home, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name, version: "1.0.0", type, main: "index.js" }),
    );
    writeFileSync(join(folder, "index.js"), text);
    writeFileSync(join(folder, "index.d.ts"), "export const loaded: number;\n");
  }
}

test.each([
  ["quits-cjs", "process.exit"],
  ["quits-esm", "process.exit"],
  ["quits-hard", "process.abort"],
])(
  "the package %s is refused the end of the process, in the cell that imports it",
  async (name, what) => {
    putPackages(kernel().home);
    const { iopub, reply } = await kernel().client.execute(
      `import { loaded } from "${name}"; loaded`,
    );
    expect(outputsOf(iopub)).toEqual([`error M7502: \`${what}\` would end the kernel`]);
    expect(reply.content.status).toBe("error");
    await lives();
  },
);

test("a package that ends the process later is refused it in the cell that imported it", async () => {
  putPackages(kernel().home);
  const { reply } = await kernel().client.execute(`import { loaded } from "quits-late"; loaded`);
  expect(reply.content.status).toBe("ok");
  const error = await kernel().client.iopub(
    (each) => each.header.msg_type === "error" && parentId(each) === parentId(reply),
  );
  expect(error.content.ename).toBe("M7502");
  await lives();
});
