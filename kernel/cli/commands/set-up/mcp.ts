/** `madrigal mcp FILE…`: offers graphs as tools over MCP; `mcp login FILE SERVER` logs a person in to a server that a program uses. */
import { nearest } from "../../../../dsl/index.ts";
import { servers } from "../../../../runtime/index.ts";
import { CommandError } from "../../../command-error.ts";
import { EXIT } from "../../../exit-codes.ts";
import { checkSource } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CommandCall } from "../../arguments.ts";
import type { CliCommand } from "../../command.ts";
import { isError, tellFrames } from "../../frames.ts";
import { print, printJson, tell } from "../../output.ts";

export const command: CliCommand = {
  options: {
    json: "flag",
    graph: "texts",
    http: "text",
    token: "text",
    answers: "flag",
    skill: "texts",
    model: "texts",
    scope: "text",
    kernel: "flag",
    "allow-run": "flag",
  },
  arguments: ["[login|logout|FILE…]", "[FILE]", "[SERVER]"],
  async run(call) {
    const [verb] = call.arguments;
    if (call.flag("kernel")) return await serveKernelsOf(call);
    if (verb === undefined) throw noFile();
    if (verb !== "login" && verb !== "logout") {
      const { serveGraphs } = await import("../../../mcp-server/serve-graphs.ts");
      return await serveGraphs(call);
    }
    if (call.arguments.length < 2)
      throw new CommandError("M7103", `\`madrigal mcp ${verb}\` needs FILE`, { hint: FORM });
    const server = await namedServer(call);
    if (server === undefined) return EXIT.wrong;
    const { name } = server;
    const { env } = process;
    const open = (page: URL) =>
      tell(`madrigal: open this page in a browser of this machine:\n${page}`);
    const done =
      verb === "login"
        ? { server: name, file: await servers.logIn({ server, env, open }) }
        : { server: name, removed: servers.logOut(server, env) };
    if (call.flag("json")) printJson(done);
    else
      print(
        "file" in done ? `${name}: its tokens are in ${done.file}` : `${name}: nothing is kept`,
      );
    return EXIT.done;
  },
};

async function serveKernelsOf(call: CommandCall): Promise<number> {
  const [file] = call.arguments;
  if (file !== undefined)
    throw new CommandError("M7103", `\`--kernel\` offers kernels, and no graphs of \`${file}\``, {
      hint: "`madrigal mcp FILE` is another server",
    });
  const { serveKernels } = await import("../../../mcp-server/kernels/serve-kernels.ts");
  return await serveKernels(call);
}

function noFile(): CommandError {
  return new CommandError("M7103", "`madrigal mcp` needs FILE, or `--kernel`", {
    hint: "madrigal mcp FILE… | --kernel | login FILE | logout FILE",
  });
}

const FORM = "`madrigal mcp login FILE SERVER`";

/** The server of that name, or the only one; undefined where the program is wrong, which was told. */
async function namedServer(call: CommandCall): Promise<servers.DeclaredServer | undefined> {
  const [, file = "", name] = call.arguments;
  const { source, path } = readProgram(file);
  const { diagnostics, graphs } = await checkSource({ source, path, options: {}, types: "named" });
  const errors = diagnostics.filter(isError);
  tellFrames(errors, source);
  if (errors.length > 0) return undefined;
  const found = new Map(
    graphs.flatMap(({ mcps }) =>
      mcps.flatMap((mcp) => (mcp.protocol === undefined ? [[mcp.name, mcp] as const] : [])),
    ),
  );
  const names = [...found.keys()];
  const mcp = found.get(name ?? (names.length === 1 ? (names[0] ?? "") : ""));
  if (mcp !== undefined) return servers.declaredServer(mcp);
  const meant = name === undefined ? undefined : nearest(name, names);
  const what = name === undefined ? "no one server" : `no server called \`${name}\``;
  throw new CommandError("M7203", `the graphs of \`${source.file}\` use ${what}`, {
    exitCode: EXIT.wrong,
    hint:
      meant === undefined ? `they use ${names.join(", ") || "none"}` : `did you mean \`${meant}\`?`,
  });
}
