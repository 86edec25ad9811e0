/** Skills beside the graphs of `madrigal mcp`: read by the client of the protocol's package, and refused where they can't be offered. */
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { expect, test } from "vitest";
import { readOfferedSkills } from "../../../kernel/mcp-server/offered-skills.ts";
import { said, workspace } from "../cli/calling.ts";
import { connected, served } from "./offered.ts";

const FILES = {
  "g.madrigal":
    "graph G() returns a { state { a: string } human h { ask `Is it?`; writes a } start -> h -> end }",
  "skills/words/SKILL.md": "---\nname: words\ndescription: Short words.\n---\nUse short words.\n",
  "skills/words/references/list.md": "Not `utilize`.\n",
  "skills/words/assets/id_rsa": "secret",
  "skills/other/SKILL.md": "---\nname: other\ndescription: Unasked.\n---\nNo.\n",
  "skills/unnamed/SKILL.md": "---\ndescription: Has no name.\n---\nNo.\n",
};

test.each(["auto", "legacy"] as const)(
  "a client reads the skills that were named, and no others (%s)",
  async (mode) => {
    const skills = await readOfferedSkills(["words"], { folder: workspace(FILES) });
    const { url } = await served(undefined, { skills });
    const client = await connected(url, { mode });
    const asks = new SkillsClient(client);
    const { skills: found } = await asks.list();
    expect(found.map(({ uri }) => uri)).toEqual(["skill://words/SKILL.md"]);
    const [words] = found;
    if (words === undefined) throw new Error("no skill");
    expect(JSON.stringify(words)).not.toContain("id_rsa");
    expect((await asks.read(words)).body).toBe("Use short words.\n");
    expect((await asks.read(words, "references/list.md")).text).toBe("Not `utilize`.\n");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("Check");
  },
);

test("without a name no skill is offered", async () => {
  expect(await readOfferedSkills([], { folder: workspace(FILES) })).toBeUndefined();
  const { url } = await served();
  expect(new SkillsClient(await connected(url)).supported).toBe(false);
});

test.each([
  ["none", "M8740"],
  ["unnamed", "M8741"],
])("a server with the skill %s does not start: %s", async (name, code) => {
  expect(await said(workspace(FILES), ["mcp", "g.madrigal", "--skill", name])).toMatch(
    new RegExp(`^exit 1\n(?:.|\n)*${code}`),
  );
});
