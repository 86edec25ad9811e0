/** `madrigal serve`: what it says where it can't serve. What it serves is tested in `test/kernel/a2a-server`. */
import { once } from "node:events";
import { chmodSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTokens } from "../../../../kernel/http-server/token-file.ts";
import { said, workspace } from "../calling.ts";

const files = {
  "la.madrigal": 'graph La() returns la { state { la: string = "la" } start -> end }',
};

test("a call without a file, a port or a graph, or with an option of the other server is refused", async () => {
  const home = workspace(files);
  expect(await said(home, ["serve"])).toContain("M7103");
  expect(await said(home, ["serve", "la.madrigal", "--token", "x"])).toContain("M7775");
  expect(await said(home, ["serve", "--a2a", "la.madrigal", "--rate", "9"])).toContain("M7775");
  expect(await said(home, ["serve", "la.madrigal", "--http", "far"])).toContain("M7104");
  expect(await said(home, ["serve", "la.madrigal", "--public", "deep"])).toContain("M7104");
  expect(await said(home, ["serve", "la.madrigal", "--rate", "0"])).toContain("M7104");
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

test("tokens that others may read are refused, and those of a first start are told once", async () => {
  const home = workspace({ ...files, "tokens.json": "{}" });
  chmodSync(join(home, "tokens.json"), 0o644);
  const call = ["serve", "la.madrigal", "--tokens", "tokens.json"];
  expect(await said(home, call)).toContain("others than its owner may read it");
  chmodSync(join(home, "tokens.json"), 0o600);
  expect(await said(home, call)).toContain("no token of 24 letters for the role `read`");
  symlinkSync("tokens.json", join(home, "link.json"));
  expect(await said(home, ["serve", "la.madrigal", "--tokens", "link.json"])).toContain("M7776");
  const path = join(home, "new.json");
  const { tokens, isNew } = openTokens(path);
  expect([isNew, statSync(path).mode & 0o777]).toEqual([true, 0o600]);
  expect(openTokens(path)).toEqual({ tokens, isNew: false });
});
