/** `madrigal skills [FILE…]`: lists the skills that are found from here, checks them, and says which nodes of programs have which. */
import { homedir } from "node:os";
import { dirname, relative, resolve } from "node:path";
import type { Ir } from "../../../../dsl/index.ts";
import { RunError, skills } from "../../../../runtime/index.ts";
import { type TextColumn, textTable } from "../../../display/text-table.ts";
import { EXIT } from "../../../exit-codes.ts";
import { checkSource } from "../../../programs/check-source.ts";
import { readProgram } from "../../../programs/read-program.ts";
import type { CliCommand } from "../../command.ts";
import { isError, tellFrames } from "../../frames.ts";
import { print, printJson } from "../../output.ts";

/** A skill, or the reason why it can't be used. */
interface ListedSkill {
  readonly name: string;
  readonly path: string;
  readonly description?: string;
  readonly hash?: string;
  readonly files?: readonly string[];
  readonly notes: readonly string[];
  readonly fault?: string;
}

/** A node with a skill that it names; `skill` is absent where a run computes it. */
interface SkillOfNode {
  readonly file: string;
  readonly graph: string;
  readonly node: string;
  readonly skill?: string;
  readonly path?: string;
  readonly fault?: string;
}

export const command: CliCommand = {
  options: { json: "flag" },
  arguments: ["[FILE…]"],
  async run(call) {
    const nodes: SkillOfNode[] = [];
    let isSound = true;
    for (const file of new Set(call.arguments)) {
      const found = await skillsOfNodes(file);
      nodes.push(...found.nodes);
      isSound &&= found.isSound;
    }
    const folder =
      call.arguments.length === 0 ? process.cwd() : dirname(resolve(call.arguments[0] ?? ""));
    const listed = skills.findSkills({ folder, home: homedir() }).map(listedSkill);
    if (call.flag("json")) printJson({ skills: listed, nodes });
    else
      print(
        [skillText(listed, folder), nodeText(nodes)].filter((text) => text !== "").join("\n\n"),
      );
    const faulty = [...listed, ...nodes].some(({ fault }) => fault !== undefined);
    return isSound && !faulty ? EXIT.done : EXIT.wrong;
  },
};

function listedSkill(place: ReturnType<typeof skills.findSkills>[number]): ListedSkill {
  const { name, path } = place;
  try {
    const { description, hash, files, notes } = skills.readSkillAt(place);
    return { name, path, description, hash, files: files.map((file) => file.path), notes };
  } catch (thrown) {
    if (!(thrown instanceof RunError)) throw thrown;
    return { name, path, notes: [], fault: `${thrown.code} ${thrown.message}` };
  }
}

async function skillsOfNodes(
  file: string,
): Promise<{ readonly nodes: readonly SkillOfNode[]; readonly isSound: boolean }> {
  const { source, path } = readProgram(file);
  const { diagnostics, graphs } = await checkSource({ source, path, types: "named" });
  const errors = diagnostics.filter(isError);
  tellFrames(errors, source);
  const places = { folder: dirname(path), home: homedir() };
  const nodes = graphs.flatMap((ir) => nodesOf(ir, { file, places }));
  return { nodes, isSound: errors.length === 0 };
}

function nodesOf(
  { name: graph, nodes }: Ir,
  { file, places }: { readonly file: string; readonly places: skills.SkillPlaces },
): readonly SkillOfNode[] {
  return nodes.flatMap(({ name: node, skills: named }) =>
    named.flatMap((expression) => {
      const names = skills.plainNames(expression);
      if (names.length === 0) return [{ file, graph, node }];
      return names.map((skill): SkillOfNode => {
        try {
          return { file, graph, node, skill, path: skills.readSkill(skill, places).path };
        } catch (thrown) {
          if (!(thrown instanceof RunError)) throw thrown;
          return { file, graph, node, skill, fault: `${thrown.code} ${thrown.message}` };
        }
      });
    }),
  );
}

// ── as text ─────────────────────────────────────────────────────────────────────────────────────

const DESCRIPTION_WIDTH = 60;

function skillText(listed: readonly ListedSkill[], folder: string): string {
  if (listed.length === 0) return `no skills are found from ${folder} upwards`;
  const columns: readonly TextColumn<ListedSkill>[] = [
    { title: "skill", cell: ({ name }) => name },
    { title: "files", cell: ({ files }) => String(files?.length ?? "-") },
    { title: "where", cell: ({ path }) => shownPath(path) },
    { title: "description", cell: ({ description, fault }) => short(fault ?? description ?? "") },
  ];
  const notes = listed.flatMap((skill) => skill.notes.map((note) => `${skill.name}: ${note}`));
  return [textTable(columns, listed), ...notes].join("\n");
}

function nodeText(nodes: readonly SkillOfNode[]): string {
  if (nodes.length === 0) return "";
  const columns: readonly TextColumn<SkillOfNode>[] = [
    { title: "node", cell: ({ graph, node }) => `${graph}.${node}` },
    { title: "skill", cell: ({ skill }) => skill ?? "(computed)" },
    {
      title: "where",
      cell: ({ path, fault }) => fault ?? (path === undefined ? "-" : shownPath(path)),
    },
  ];
  return textTable(columns, nodes);
}

function shownPath(path: string): string {
  const from = relative(process.cwd(), path);
  return from.startsWith("..") ? path : from || ".";
}

function short(text: string): string {
  return text.length <= DESCRIPTION_WIDTH ? text : `${text.slice(0, DESCRIPTION_WIDTH - 1)}…`;
}
