/** The client that the conformance suite of MCP starts: a graph that calls every tool of the server at the given address. */
import { logIn } from "../../../runtime/agents/mcp/log-in.ts";
import { declaredServer } from "../../../runtime/agents/mcp/mcp-servers.ts";
import type { ServerOffer } from "../../../runtime/agents/mcp/server-offer.ts";
import { Session } from "../../../runtime/index.ts";

const address = process.argv.at(-1) ?? "";
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const isAuth = scenario.startsWith("auth/");
const env = { ...process.env, XDG_STATE_HOME: process.env.CONFORMANCE_STATE };
const session = new Session({ store: "memory", env });
const server = `mcp s = http("${address}"${isAuth ? ', "oauth"' : ""})`;
const graph = (line: string) => {
  const text = `model m = "rules"\n${server}\ngraph G() { state { a: Json }\n ${line}\n start -> n -> end }`;
  const [made] = Object.values(session.compile(text));
  if (made === undefined) throw new Error("no graph");
  return made;
};

const look = graph("agent n { model m; tools s; prompt `Look.` }");
if (isAuth) {
  const [mcp] = look.ir.mcps;
  if (mcp === undefined) throw new Error("no server");
  // A browser that says yes to every page.
  const open = (page: URL) => void fetch(page).then((answer) => answer.text());
  await logIn({ server: declaredServer(mcp), env, open });
}
const looked = look.run({});
await looked.output.catch(() => {});
const offered = session.store
  .read(looked.id)
  .flatMap((one) => (one.kind === "outcome" && one.effect === "server" ? [one.value] : []));
if (offered[0] === undefined) throw new Error(looked.failure?.message);
for (const { member, input, name } of (offered[0] as ServerOffer).tools) {
  if (name === undefined) continue;
  const given = Object.keys((input.properties ?? {}) as object).map(
    (one, at) => `${one}: ${at + 2}`,
  );
  const call = graph(`tool n = s.${member}({ ${given.join(", ")} }) writes a`);
  const run = call.run({}, { answers: () => ({ kind: "value", value: {} }) as never });
  await run.output;
}
await session.close();
