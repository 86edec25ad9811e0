/** Groups for the door what people ask of skills before a run: which there are, and what is wrong with one. */

export { type AskedName, askServers } from "../agents/skills/ask-servers.ts";
export { findSkills, type SkillPlaces } from "../agents/skills/find-skill.ts";
export { findSkillFault } from "../agents/skills/find-skill-fault.ts";
export { readSkill, readSkillAt, type Skill } from "../agents/skills/read-skill.ts";
export { readSkillFile } from "../agents/skills/skill-files.ts";
