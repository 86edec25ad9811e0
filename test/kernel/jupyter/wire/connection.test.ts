/** Connection files, right and wrong. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  addressOf,
  CHANNELS,
  createConnection,
  parseConnection,
  readConnection,
  writeConnection,
} from "../../../../kernel/jupyter/wire/connection.ts";
import { temporaryFolder } from "../../../support/child.ts";

const RIGHT = {
  transport: "tcp",
  ip: "127.0.0.1",
  shell_port: 1,
  iopub_port: 2,
  stdin_port: 3,
  control_port: 4,
  hb_port: 5,
  key: "k",
  signature_scheme: "hmac-sha256",
};

function complaint(text: string): string {
  try {
    parseConnection(text, "k.json");
    return "fine";
  } catch (thrown) {
    return String(thrown).replace("CommandError: the connection file `k.json` ", "");
  }
}

test.each([
  ["{", "is not JSON"],
  ["[]", "is not a JSON object"],
  ["null", "is not a JSON object"],
  [changed({ transport: "udp" }), "has the transport `udp`; `tcp` and `ipc` are known"],
  [changed({ ip: "" }), "has no `ip`"],
  [changed({ key: 7 }), "has a `key` that is no text"],
  [
    changed({ signature_scheme: "hmac-md5" }),
    "asks for signatures by `hmac-md5`; `hmac-sha256` is known",
  ],
  [changed({ hb_port: undefined }), "names no port for hb: `hb_port` is missing"],
  [changed({ shell_port: 0 }), "names no port for shell: `shell_port` is `0`"],
  [changed({ shell_port: "80" }), 'names no port for shell: `shell_port` is `"80"`'],
  [changed({ iopub_port: 70_000 }), "names no port for iopub: `iopub_port` is `70000`"],
  [changed({ control_port: 1 }), "gives shell and control the same port 1"],
  [changed({}), "fine"],
  [changed({ key: "", signature_scheme: "" }), "fine"],
  [changed({ transport: "ipc", ip: "/tmp/kernel" }), "fine"],
])("%s: %s", (text, wanted) => {
  expect(complaint(text)).toBe(wanted);
});

function changed(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...RIGHT, ...changes });
}

test("a file that is not there is M7401 and says why", () => {
  expect(() => readConnection("/nowhere/kernel.json")).toThrow(
    expect.objectContaining({ code: "M7401", message: expect.stringContaining("ENOENT") }),
  );
});

test("a connection of ours is read back as it was, by its owner alone, and has five free ports", async () => {
  const connection = await createConnection();
  const file = join(temporaryFolder(), "kernel.json");
  writeConnection(file, connection);
  expect(readConnection(file)).toEqual(connection);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(new Set(Object.values(connection.ports)).size).toBe(CHANNELS.length);
  expect(() => writeConnection(file, connection)).toThrow("EEXIST");
});

test.each([
  [{}, "tcp://127.0.0.1:1"],
  [{ ip: "::1" }, "tcp://[::1]:1"],
  [{ transport: "ipc", ip: "/tmp/k" }, "ipc:///tmp/k-1"],
])("the address of shell with %j is %s", (changes, wanted) => {
  expect(addressOf(parseConnection(changed(changes), ""), "shell")).toBe(wanted);
});
