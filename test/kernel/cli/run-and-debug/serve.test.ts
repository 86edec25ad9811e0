/** `madrigal serve`: what it says where it can't serve. What it serves is tested in `test/kernel/a2a-server`. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { said, workspace } from "../calling.ts";

const files = {
  "la.madrigal": 'graph La() returns la { state { la: string = "la" } start -> end }',
};

test("a call without a protocol, a file, a port or a graph is refused", async () => {
  const home = workspace(files);
  expect(await said(home, ["serve", "la.madrigal"])).toContain("M7775");
  expect(await said(home, ["serve", "--a2a"])).toContain("M7103");
  expect(await said(home, ["serve", "--a2a", "la.madrigal", "--http", "far"])).toContain("M7104");
  expect(await said(home, ["serve", "--a2a", "la.madrigal", "--graph", "Lo"])).toContain("M5003");
});

test("a port that is taken is told", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const told = await said(workspace(files), ["serve", "--a2a", "la.madrigal", "--http", `${port}`]);
  expect(told).toContain("M7104");
});
