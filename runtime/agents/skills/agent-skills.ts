/** Lists the skills of an attempt, of folders and of servers, journalled with the hashes of their files. */
import { serverSkillName } from "../../../dsl/index.ts";
import { FailureError, RunError } from "../../failure.ts";
import type { Attempt, PerformerContext } from "../../performer.ts";
import type { SkillPlaces } from "./find-skill.ts";
import type { OfferedSkill } from "./offered-skill.ts";
import { readSkill } from "./read-skill.ts";
import { type FindSkillServer, type ServedSkills, servedSkills } from "./server-skills.ts";
import { skillError } from "./skill-error.ts";

/** The sources of the skills of a run. */
export interface SkillSources {
  readonly places: SkillPlaces;
  /** The servers of the run; without them a graph has skills of folders alone. */
  readonly servers:
    | {
        readonly skillServer: FindSkillServer;
        readonly assertSameSkills: (skills: readonly OfferedSkill[]) => void;
      }
    | undefined;
}

/**
 * Asks for the skills of an attempt by one journalled effect; undefined where its node has none. Fails with M8740 to M8742 where
 * one is not there or can't be used, with M8745 where a server has none, and with M8414 where one of a server has changed in the run.
 */
export async function skillsOf(
  { skills, node, ir }: Attempt,
  context: PerformerContext,
  { places, servers }: SkillSources,
): Promise<readonly OfferedSkill[] | undefined> {
  if (skills === undefined || skills.length === 0) return undefined;
  const whole = node.kind === "operator";
  const find = (name: string) => servers?.skillServer(name, ir);
  const offered = await context.effect<readonly OfferedSkill[]>({
    effect: "skills",
    name: "skills",
    request: { skills },
    perform: async ({ signal }) => {
      try {
        const served = await servedSkills(skills, { find, signal, whole });
        return { value: offeredSkills(skills, places, { served, whole }) };
      } catch (thrown) {
        if (!(thrown instanceof RunError)) throw thrown;
        const { code, message, hint } = thrown;
        const failure = { class: "tool", code, message, ...(hint === undefined ? {} : { hint }) };
        throw new FailureError(failure as FailureError["failure"], { cause: thrown });
      }
    },
  });
  servers?.assertSameSkills(offered);
  return offered;
}

/** Reads the skills that a node names, each once; `served` has those of servers. Throws M8742 for two folders of one name. */
export function offeredSkills(
  wanted: readonly string[],
  places: SkillPlaces,
  { served, whole = false }: { readonly served: ServedSkills; readonly whole?: boolean },
): readonly OfferedSkill[] {
  const found = new Map<string, PlacedSkill>();
  for (const one of new Set(wanted)) {
    const named: readonly PlacedSkill[] = served.get(one) ?? [folderSkill(one, places, whole)];
    for (const skill of named) {
      const other = found.get(skill.name);
      if (other !== undefined && other.path !== skill.path)
        throw skillError("M8742", {
          message: `two skills are called \`${skill.name}\`: ${other.path} and ${skill.path}`,
          hint: "a node names one of them, or the folder of the other is renamed",
        });
      if (other === undefined) found.set(skill.name, skill);
    }
  }
  return [...found.values()].map(({ path: _, ...skill }) => skill);
}

/** Stands for the skills of servers where no server is asked. */
export function unaskedSkills(wanted: readonly string[]): ServedSkills {
  const description = "(its server says what it is for when a run asks)";
  return new Map(
    wanted
      .filter((one) => serverSkillName(one) !== undefined)
      .map((name) => [name, [{ name, wanted: name, description, hash: "", files: [] }]]),
  );
}

/** A skill with its folder, where it has one. */
type PlacedSkill = OfferedSkill & { readonly path?: string };

function folderSkill(wanted: string, places: SkillPlaces, whole: boolean): PlacedSkill {
  const { name, path, description, hash, files, instructions } = readSkill(wanted, places);
  const offered = { name, wanted, description, hash, files, path };
  return whole ? { ...offered, instructions } : offered;
}
