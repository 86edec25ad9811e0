/** `madrigal roles FILE`: lists what each node is told, reads and writes, also of programs that can't run yet. */
import {
  type Ir,
  type NodeRole,
  orderSensitivity,
  type RoleWrite,
  rolesOf,
} from "../../../../dsl/index.ts";
import { CommandError } from "../../../command-error.ts";
import { type TextColumn, textTable } from "../../../display/text-table.ts";
import { EXIT } from "../../../exit-codes.ts";
import { checkSource } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CliCommand } from "../../command.ts";
import { isError, tellFrames } from "../../frames.ts";
import { print, printJson } from "../../output.ts";

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: ["FILE"],
  async run(call) {
    const { source, path } = readProgram(call.arguments[0] ?? "");
    const { diagnostics, graphs } = await checkSource({ source, path, types: "named" });
    const errors = diagnostics.filter(isError);
    tellFrames(errors, source);
    if (graphs.length === 0 && errors.length === 0) throw noGraph(source.file);
    if (call.flag("json")) printJson({ file: source.file, graphs: graphs.map(toJson) });
    else if (graphs.length > 0) print(graphs.map(toText).join("\n\n"));
    return errors.length > 0 ? EXIT.wrong : EXIT.done;
  },
};

function noGraph(file: string): CommandError {
  return new CommandError("M7203", `there is no graph in \`${file}\``, { exitCode: EXIT.wrong });
}

function toJson(ir: Ir) {
  const { name, hash } = ir;
  const orderSensitive = orderSensitivity(ir).map(({ what }) => what);
  return { name, hash, roles: rolesOf(ir), order_sensitive: [...new Set(orderSensitive)] };
}

const PROMPT_WIDTH = 60;

const columns: readonly TextColumn<NodeRole>[] = [
  { title: "role", cell: ({ role }) => role },
  { title: "kind", cell: ({ kind }) => kind },
  { title: "reads", cell: ({ reads }) => reads.join(", ") || "-" },
  { title: "writes", cell: ({ writes }) => writes.map(writeText).join(", ") || "-" },
  { title: "prompt", cell: ({ prompt }) => short(prompt ?? "-") },
];

function writeText({ field, mode, optional }: RoleWrite): string {
  return `${field}${optional ? "?" : ""} (${mode})`;
}

function short(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length <= PROMPT_WIDTH ? line : `${line.slice(0, PROMPT_WIDTH - 1)}…`;
}

function toText(ir: Ir): string {
  const reasons = new Set(orderSensitivity(ir).map(({ what }) => what));
  const order =
    reasons.size === 0
      ? "the result does not depend on which node finishes first"
      : `the result may depend on which node finishes first: ${[...reasons].join("; ")}`;
  return `graph ${ir.name}\n${textTable(columns, rolesOf(ir))}\n${order}`;
}
