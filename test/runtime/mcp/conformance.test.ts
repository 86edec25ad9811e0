/** The client passes the conformance suite of MCP, with a graph and, where a person logs in, with `madrigal mcp login`'s way in. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testFolder } from "./servers.ts";

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const suite = path("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
/** The suite hands it to a shell. */
const client = `"${process.execPath}" "${path("conformance-client.ts")}"`;

/**
 * One of each kind; the others of `conformance list` that a person can log in to pass as well, at two seconds each. Left out are what the suite asks of others: clients with credentials of their own (`client-credentials-*`,
 * `cross-app-access`, `pre-registration`), with a published description (`basic-cimd`), that ask a person in the midst of a
 * call (`scope-step-up`, `scope-retry-limit`), and the metadata of 2025-03-26, which the client's package refuses.
 */
const scenarios = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "sse-retry",
  "auth/metadata-default",
  "auth/scope-from-www-authenticate",
  "auth/token-endpoint-auth-basic",
  "auth/resource-mismatch",
] as const;

test.each(scenarios)("conformance: %s", async (scenario) => {
  const folder = testFolder();
  const given = ["client", "--command", client, "--scenario", scenario, "--timeout", "60000"];
  const child = spawn(process.execPath, [suite, ...given], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, CONFORMANCE_STATE: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  await new Promise((resolve) => child.once("close", resolve));
  const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed/.exec(said) ?? [undefined, said];
  expect(passed).toBe(all);
});
