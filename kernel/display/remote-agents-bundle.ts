/** Shows a set of remote agents: the name that a plan gives each, its address, and what it says of itself. */
import type { RemoteAgents } from "../../runtime/index.ts";
import type { Bundle } from "../cell-output.ts";
import type { Column } from "./table/column.ts";
import { tableBundle, tableOf } from "./table/table.ts";
import { counted } from "./visible.ts";

const COLUMNS: readonly Column[] = [
  { name: "agent", type: "VARCHAR", isUnbroken: true },
  { name: "does", type: "VARCHAR" },
  { name: "skills", type: "VARCHAR" },
  { name: "at", type: "VARCHAR" },
];

export function remoteAgentsBundle({ list }: RemoteAgents): Bundle {
  const rows = list.map(({ name, description, skills, url }) => ({
    agent: name,
    does: description,
    skills: skills.map((skill) => skill.name).join(", "),
    at: url,
  }));
  return tableBundle({
    ...tableOf(COLUMNS, rows),
    caption: `${counted(rows.length, "remote agent")}: a plan's steps name them`,
  });
}
