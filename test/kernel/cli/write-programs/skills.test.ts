/** `madrigal skills`: what is found, what is wrong with it, and which nodes have which; and what a check says of one that is missing. */
import { expect, test } from "vitest";
import { commands } from "../../../runtime/mcp/servers.ts";
import { document, said, workspace } from "../calling.ts";

const program = (skills: string) => `model m = "rules"
graph G(pick: string) returns a {
  state { a: string }
  agent look { model m; skills ${skills}; prompt \`Look.\`; writes a }
  agent tell { model m; skills pick; prompt \`Tell.\`; writes a }
  start -> look -> tell -> end
}
`;

const FILES = {
  "g.madrigal": program('"tdd", "./style.md"'),
  "style.md": "# Plain style\n\nShort words.\n",
  "skills/tdd/SKILL.md": "---\nname: test-first\ndescription: Tests first.\n---\nTest.\n",
  "skills/tdd/references/names.md": "Names.\n",
};

test("A110 skills lists what is found and which nodes have it", async () => {
  expect(await said(workspace(FILES), ["skills", "g.madrigal"])).toMatchInlineSnapshot(`
    "exit 0
    skill  files  where       description
    tdd    2      skills/tdd  Tests first.
    tdd: it calls itself \`test-first\`, and is named by its folder, \`tdd\`

    node    skill       where
    G.look  tdd         skills/tdd
    G.look  ./style.md  style.md
    G.tell  (computed)  -"
  `);
});

test("A110 a skill that is missing is a warning of check and a fault of skills", async () => {
  const home = workspace({ ...FILES, "g.madrigal": program('"tddd"') });
  const checked = await said(home, ["check", "g.madrigal"]);
  expect(checked).toContain("warning[M4970]: there is no skill `tddd`");
  expect(checked).toContain("exit 0");
  expect(await said(home, ["skills", "g.madrigal"])).toContain("did you mean `tdd`?");
  expect((await document(home, ["skills", "g.madrigal"])).exit).toBe(1);
});

test("skills --json", async () => {
  const { exit, json } = await document(workspace(FILES), ["skills"]);
  expect(exit).toBe(0);
  expect(json).toMatchObject({
    skills: [{ name: "tdd", files: ["SKILL.md", "references/names.md"] }],
    nodes: [],
  });
});

test("a skill that can't be used, and no skill at all", async () => {
  const home = workspace({ "skills/mute/SKILL.md": "Do it." });
  expect(await said(home, ["skills"])).toMatchInlineSnapshot(`
    "exit 1
    skill  files  where        description
    mute   -      skills/mute  M8741 the skill \`mute\` does not say what it is for; its SKI…"
  `);
  expect(await said(workspace({}), ["skills"])).toMatchInlineSnapshot(`
    "exit 0
    no skills are found from HOME upwards"
  `);
});

test("skills FILE asks the servers whose skills nodes name", async () => {
  const home = workspace({
    ...FILES,
    "served/acme/refunds/SKILL.md": "---\nname: refunds\ndescription: Refunds.\n---\nRefund.\n",
    "g.madrigal": program('"docs:refunds", "docs:refund", "dogs:refunds", "tdd"').replace(
      "graph",
      `mcp docs = "${commands.skills(".").replaceAll('"', "'")}"\ngraph`,
    ),
  });
  const text = await said(home, ["skills", "g.madrigal"]);
  expect(text).toContain("docs:refunds  1      skill://acme/refunds/SKILL.md  Refunds.");
  expect(text).toMatch(/G.look {2}docs:refunds {2}skill:\/\/acme\/refunds\/SKILL.md/);
  expect(text).toMatch(/G.look {2}docs:refund .*M8740 .*did you mean `docs:refunds`\?/);
  expect(text).toMatch(/G.look {2}dogs:refunds .*M8740 the graph has no server `dogs`/);
  const { exit, json } = await document(home, ["skills", "g.madrigal"]);
  expect(exit).toBe(1);
  expect(json).toMatchObject({
    skills: [{ name: "tdd" }, { name: "docs:refunds", path: "skill://acme/refunds/SKILL.md" }],
  });
  expect(await said(home, ["check", "g.madrigal"])).toContain(
    "warning[M4970]: no server `dogs` is declared, of which the skill would be",
  );
});
