/** A strong agent opens the further files of its skills by `open_skill`: those of a folder, and those of a server. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commands, testFolder } from "../mcp/servers.ts";
import { stubbedProgram, stubController } from "./stub-runs.ts";

type Call = readonly [string, Readonly<Record<string, unknown>>];

const MANIFEST =
  "---\nname: refunds\ndescription: Refunds.\n---\nWrite as references/mail.md says.\n";

const SERVED: Readonly<Record<string, string | Uint8Array>> = {
  "served/refunds/SKILL.md": MANIFEST,
  "served/refunds/references/mail.md": "Dear customer,\u{e0041}\nyours\n",
  "served/refunds/assets/logo.bin": new Uint8Array([0xff, 0xfe, 0x00]),
  "served/other/SKILL.md": "---\nname: other\ndescription: Another.\n---\nSecret.\n",
};

function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** The results of the calls of an agent whose node has these skills. */
async function called(
  skills: string,
  calls: readonly Call[],
  {
    folder = testFolder(),
    serve = commands.skills,
  }: { readonly folder?: string; readonly serve?: (folder: string) => string } = {},
) {
  put(folder, SERVED);
  const controller = stubController("state", { set: { STUB_CALLS: JSON.stringify(calls) } });
  const server = serve(folder).replaceAll('"', "'");
  const { graph, home } = stubbedProgram(`mcp docs = "${server}"
  graph Work(task: string) returns said {
    state { said: string }
    operator code "works" { controller ${controller}; prompt \`\${task}\`; skills ${skills}; writes said }
    start -> code -> end
  }`);
  put(home, {
    "skills/style/SKILL.md": "---\nname: style\ndescription: Style.\n---\nUse words.txt.\n",
    "skills/style/words.txt": "short\n",
  });
  await graph.run({ task: "x" }).output.catch(() => undefined);
  const [tools, ...results] = JSON.parse(
    readFileSync(join(home, ".claude-stub", "calls.json"), "utf8"),
  ) as [readonly string[], ...(readonly [string, boolean, string])[]];
  return { tools, results: results.map(([, isError, text]) => [isError, text] as const) };
}

const open = (name: string, more: object = {}): Call => ["open_skill", { name, ...more }];

test("A111 it is told which files a skill has, and opens each, of a server and of a folder", async () => {
  const { tools, results } = await called('"docs:refunds", "style"', [
    open("docs:refunds"),
    open("docs:refunds", { file: "references/mail.md" }),
    open("docs:refunds", { file: "references/mail.md", from: 2 }),
    open("style", { file: "words.txt" }),
  ]);
  expect(tools).toContain("open_skill");
  expect(results.map(([isError]) => isError)).toEqual([false, false, false, false]);
  expect(results[0]?.[1]).toBe(
    "(From the server `docs`.)\n\nWrite as references/mail.md says.\n\nIts further files:\n- assets/logo.bin\n- references/mail.md",
  );
  const opened = results.slice(1).map(([, text]) => JSON.parse(text) as object);
  expect(opened).toMatchObject([
    // Characters that nobody sees are no part of it.
    { server: "docs", file: "references/mail.md", text: "Dear customer,\nyours\n" },
    { text: "yours\n" },
    { skill: "style", text: "short\n" },
  ]);
});

test.each([
  ["a path out of it", "../other/SKILL.md", "M8743"],
  ["a file of this machine", "/etc/passwd", "M8743"],
  ["an address", "skill://other/SKILL.md", "M8743"],
  ["an encoded path", "references/%2e%2e/%2e%2e/other/SKILL.md", "M8743"],
  ["no text", "assets/logo.bin", "M8741"],
])("A111 of a server's skill %s is refused", async (_, file, code) => {
  const { results } = await called('"docs:refunds"', [open("docs:refunds", { file })]);
  expect(results).toEqual([[true, expect.stringMatching(`^${code}: `)]]);
  expect(results[0]?.[1]).not.toMatch(/Secret|root:/);
});

test("A111 of a server's skill a file that is another one than was listed is refused", async () => {
  const folder = testFolder();
  const entry = (uri: string, text: string) => {
    const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
    return { uri, digest, size: text.length };
  };
  const [uri, mail] = ["skill://refunds/SKILL.md", "skill://refunds/mail.md"];
  const skill = {
    uri,
    frontmatter: { name: "refunds", description: "Refunds." },
    resources: [entry(uri, MANIFEST), entry(mail, "good")],
  };
  const files = { [uri]: { text: MANIFEST }, [mail]: { text: "evil" } };
  put(folder, { "skills.json": JSON.stringify({ skills: [skill], files }) });
  const { results } = await called('"docs:refunds"', [open("docs:refunds", { file: "mail.md" })], {
    folder,
    serve: commands.hostileSkills,
  });
  expect(results).toEqual([[true, expect.stringMatching("^M8743: ")]]);
  expect(results[0]?.[1]).not.toContain("evil");
});
