/** The main thread's end of comms: `comm` of "madrigal" in cells. */
import { expect, test } from "vitest";
import { comm } from "../../../kernel/comms/comm-api.ts";
import type { CommPacket } from "../../../kernel/jupyter/link.ts";
import { openTestNotebook, useTypes } from "./notebook.ts";

useTypes();

// The cells of this test's process load a "madrigal" of their own, which has no kernel; so they are given ours.
Object.assign(globalThis, { testComm: comm });
const COMM = `import type { comm as Comms } from "madrigal"; const comm: typeof Comms = Reflect.get(globalThis, "testComm");`;

const load = { metadata: {}, buffers: [] };

function opened(targetName: string, data: unknown = {}): CommPacket {
  return { kind: "open", commId: "c1", targetName, data, ...load };
}

function said(data: unknown, buffers: readonly Uint8Array<ArrayBuffer>[] = []): CommPacket {
  return { kind: "message", commId: "c1", data, metadata: {}, buffers };
}

test("a target answers; what it sends stands under the message, what it prints under its cell", async () => {
  const { run, comms, sent, targets, shown } = openTestNotebook();
  await run(`${COMM}
    comm.target("echo", (line, { data }) => {
      console.log("opened", data);
      line.onMessage(async ({ data, buffers }) => {
        await null;
        console.log("got", data);
        line.send({ back: data }, { buffers });
      });
      line.onClose(({ data }) => console.log("closed", data));
    });`);
  expect([...targets]).toEqual(["jupyter.widget.control", "echo"]);
  await comms.receive("r1", opened("echo", { a: 1 }));
  await comms.receive("r2", said(7, [Uint8Array.of(1, 2)]));
  await comms.receive("r3", { kind: "close", commId: "c1", data: "bye", ...load });
  expect(sent).toEqual([
    {
      under: "r2",
      packet: {
        kind: "message",
        commId: "c1",
        data: { back: 7 },
        metadata: {},
        buffers: [Uint8Array.of(1, 2)],
      },
    },
  ]);
  expect(shown()).toBe("stdout opened { a: 1 }\nstdout got 7\nstdout closed bye");
});

test("a comm that a cell opens says so under the cell, and is sent what it is told", async () => {
  const { run, comms, sent } = openTestNotebook();
  await run(`${COMM}
    const line = comm.open("jupyter.widget", { state: {} }, { id: "w1", metadata: { version: "2.1.0" } });
    const seen: unknown[] = [];
    line.onMessage(({ data }) => void seen.push(data));`);
  await comms.receive("r1", { ...said("up"), commId: "w1" } as CommPacket);
  expect(await run("[seen, line.isOpen, line.id, line.target]")).toContain(
    "[ [ 'up' ], true, 'w1', 'jupyter.widget' ]",
  );
  expect(await run('comm.open("jupyter.widget", {}, { id: "w1" })')).toContain("M7752");
  expect(await run("line.close({ last: true }); line.close(); line.isOpen")).toBe("result false");
  expect(
    sent.map(({ packet, under }) => [packet.kind, packet.data, packet.metadata, under]),
  ).toEqual([
    ["open", { state: {} }, { version: "2.1.0" }, "m1"],
    ["close", { last: true }, {}, "m4"],
  ]);
});

test("what a handler throws is shown in the cell that gave the handler", async () => {
  const { run, comms, shown } = openTestNotebook();
  await run(`${COMM}
    comm.target("bad", async () => { throw new RangeError("too far"); });`);
  await run("1 + 1");
  await comms.receive("r1", opened("bad"));
  expect(shown()).toContain("error RangeError: too far\nRangeError: too far\n  ┌─ Cell[1]:2:");
  expect(shown()).toBe("");
});

test("messages that come before anybody listens are kept", async () => {
  const { run, comms } = openTestNotebook();
  await run(`${COMM} import type { Comm } from "madrigal";
    const lines: Comm[] = [];
    comm.target("late", (line) => void lines.push(line));`);
  await comms.receive("r1", opened("late"));
  await comms.receive("r2", said(1));
  await comms.receive("r3", said(2));
  const code = "const got: unknown[] = []; lines[0]?.onMessage(({ data }) => got.push(data)); got";
  expect(await run(code)).toBe("result [ 1, 2 ]");
});

test("a handler and a target that were taken back hear no more; an opened comm is closed then", async () => {
  const { run, comms, sent, targets } = openTestNotebook();
  await run(`${COMM}
    const heard: unknown[] = [];
    const stop = comm.target("t", (line) => {
      const end = line.onMessage(({ data }) => { heard.push(data); end(); });
    });`);
  await comms.receive("r1", opened("t"));
  await comms.receive("r2", said("first"));
  await comms.receive("r3", said("second"));
  expect(await run("stop(); heard")).toBe("result [ 'first' ]");
  expect([...targets]).toEqual(["jupyter.widget.control"]);
  await comms.receive("r4", { ...opened("t"), commId: "c2" } as CommPacket);
  expect(sent.map(({ packet }) => `${packet.kind} ${packet.commId}`)).toEqual(["close c2"]);
});

test.each([
  ["line.send({ big: 1n })", "M7409"],
  ["const ring: { me?: unknown } = {}; ring.me = ring; line.send(ring)", "M7409"],
  ["line.close(); line.send(1)", "M7410"],
])("%s is %s", async (code, wanted) => {
  const { run } = openTestNotebook();
  await run(`${COMM} const line = comm.open("x");`);
  expect(await run(code)).toContain(`error ${wanted}`);
});

test("what was sent does not change with the sender's value or bytes", async () => {
  const { run, sent } = openTestNotebook();
  await run(`${COMM}
    const state = { n: 1 };
    const bytes = new Uint16Array([1, 2]);
    comm.open("x", state, { buffers: [bytes, bytes.buffer] });
    state.n = 2;
    bytes[0] = 9;`);
  expect(sent[0]?.packet).toMatchObject({
    data: { n: 1 },
    buffers: [Uint8Array.of(1, 0, 2, 0), Uint8Array.of(1, 0, 2, 0)],
  });
});

test("cells of two subshells keep their last values apart", async () => {
  const { run } = openTestNotebook();
  await run("const gate = Promise.withResolvers<number>();");
  const both = [
    run("await gate.promise", { id: "a" }),
    run("1 + (await gate.promise)", { id: "b" }),
  ];
  await run("gate.resolve(41)");
  expect(await Promise.all(both)).toEqual(["result 41", "result 42"]);
});
