/** `madrigal skills [FILE…]`: lists the skills that are found from here, checks them, and says which nodes of programs have which. */
import { homedir } from "node:os";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { type Ir, plainSkillNames, serverSkillName } from "../../../../dsl/index.ts";
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
  /** The folder, or the address that its server knows. */
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
    const served: ListedSkill[] = [];
    let isSound = true;
    for (const file of new Set(call.arguments)) {
      const found = await skillsOfNodes(file);
      nodes.push(...found.nodes);
      served.push(...found.served);
      isSound &&= found.isSound;
    }
    const folder =
      call.arguments.length === 0 ? process.cwd() : dirname(resolve(call.arguments[0] ?? ""));
    const found = skills.findSkills({ folder, home: homedir() }).map(listedSkill);
    const listed = [...found, ...new Map(served.map((one) => [one.name, one])).values()];
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
    return { name, path, notes: [], fault: faultText(thrown) };
  }
}

/** The skills of a program's nodes, and all that the servers list which these are of. */
interface SkillsOfProgram {
  readonly nodes: readonly SkillOfNode[];
  readonly served: readonly ListedSkill[];
  readonly isSound: boolean;
}

async function skillsOfNodes(file: string): Promise<SkillsOfProgram> {
  const { source, path } = readProgram(file);
  const { diagnostics, graphs } = await checkSource({ source, path, types: "named" });
  const errors = diagnostics.filter(isError);
  tellFrames(errors, source);
  const places = { folder: dirname(path), home: homedir() };
  const nodes: SkillOfNode[] = [];
  const served: ListedSkill[] = [];
  for (const ir of graphs) {
    const asked = await askedServers(ir, places.folder);
    nodes.push(...nodesOf(ir, { file, places, asked }));
    for (const [name, one] of asked)
      if (name.endsWith(ALL)) served.push(...servedSkills(name, one));
  }
  return { nodes, served, isSound: errors.length === 0 };
}

/** The end of a name that stands for all skills of a server. */
const ALL = ":*";

async function askedServers(
  ir: Ir,
  folder: string,
): Promise<ReadonlyMap<string, skills.AskedName>> {
  const names = ir.nodes.flatMap((node) => node.skills.flatMap(plainSkillNames));
  const wanted = names.flatMap((name) => {
    const of = serverSkillName(name);
    if (of === undefined) return [];
    const isDeclared = ir.mcps.some((mcp) => mcp.name === of.server);
    return isDeclared ? [`${of.server}${ALL}`, name] : [name];
  });
  const { source } = ir;
  const file = source === undefined ? {} : { file: source.file };
  return wanted.length === 0
    ? new Map()
    : await skills.askServers(ir, wanted, { env: process.env, folder, ...file });
}

function servedSkills(name: string, { skills: found, fault }: skills.AskedName): ListedSkill[] {
  if (fault !== undefined) return [{ name, path: "-", notes: [], fault: faultText(fault) }];
  return found.map(({ name: own, from, description, hash, files }) => ({
    ...{ name: own, path: from?.uri ?? "-", description, hash, notes: [] },
    files: files.map((file) => file.path),
  }));
}

function faultText({ code, message }: { readonly code: string; readonly message: string }): string {
  return `${code} ${message}`;
}

function nodesOf(
  { name: graph, nodes }: Ir,
  {
    file,
    places,
    asked,
  }: {
    readonly file: string;
    readonly places: skills.SkillPlaces;
    readonly asked: ReadonlyMap<string, skills.AskedName>;
  },
): readonly SkillOfNode[] {
  return nodes.flatMap(({ name: node, skills: named }) =>
    named.flatMap((expression) => {
      const names = plainSkillNames(expression);
      if (names.length === 0) return [{ file, graph, node }];
      return names.flatMap((skill): readonly SkillOfNode[] => {
        const served = asked.get(skill);
        if (served?.fault !== undefined)
          return [{ file, graph, node, skill, fault: faultText(served.fault) }];
        if (served !== undefined)
          return served.skills.map(({ name, from }) => ({
            ...{ file, graph, node, skill: name, path: from?.uri ?? "-" },
          }));
        try {
          return [{ file, graph, node, skill, path: skills.readSkill(skill, places).path }];
        } catch (thrown) {
          if (!(thrown instanceof RunError)) throw thrown;
          return [{ file, graph, node, skill, fault: faultText(thrown) }];
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
  if (!isAbsolute(path)) return path;
  const from = relative(process.cwd(), path);
  return from.startsWith("..") ? path : from || ".";
}

function short(text: string): string {
  return text.length <= DESCRIPTION_WIDTH ? text : `${text.slice(0, DESCRIPTION_WIDTH - 1)}…`;
}
