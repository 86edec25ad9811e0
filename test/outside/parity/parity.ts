/** Plays scenes in the real Eko and by our engine, with the same voices behind a server on loopback, and compares what came of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectNode, projectRoot } from "../../support/child.ts";
import { openAiServer } from "../../support/openai-server.ts";
import { markdownTable } from "../table.ts";
import { outcomeText, type Played, voicesOf } from "./outcome.ts";
import { playOurs } from "./play-ours.ts";
import { SCENES, type Scene } from "./scenes.ts";

/** The newest version that our registry has; the requirement rows were read in 4.1.3. */
const VERSION = "3.1.5";
const PACKAGE = `@eko-ai/eko@${VERSION}`;

/** Returns whether each scene comes to what it must on both sides, and every difference has its reason; `--write` writes the table. */
export async function runParity(
  tell: (text: string) => void,
  options: readonly string[] = [],
): Promise<boolean> {
  const folder = await installed();
  let wrong = 0;
  for (const scene of SCENES) {
    const eko = await played(scene, (url) => playEko(scene, url, folder));
    const ours = await played(scene, (url) => playOurs(scene, url));
    if (eko === scene.eko && ours === scene.ours) continue;
    wrong += 1;
    tell(`${scene.name}\n  there: ${eko}\n  here:  ${ours}`);
  }
  const table = parityTable();
  tell(table);
  if (options.includes("--write") && wrong === 0)
    writeFileSync(join(projectRoot, "notebooks/systems/eko/PARITY.md"), parityPage());
  const agreed = SCENES.filter(isAgreed).length;
  const differing = SCENES.length - agreed;
  tell(`${agreed} scenes agreed, ${differing} differ on purpose, ${wrong} not as told`);
  return wrong === 0 && SCENES.every((scene) => isAgreed(scene) || scene.reason !== undefined);
}

const isAgreed = ({ eko, ours }: Scene) => eko === ours;

function parityTable(): string {
  const rows = SCENES.map((scene) => [
    scene.rows,
    scene.name,
    scene.eko,
    isAgreed(scene) ? "the same" : scene.ours,
    scene.reason ?? "",
  ]);
  return markdownTable(["rows", "scene", `Eko ${VERSION}`, "Madrigal", "why it differs"], rows);
}

/** The page that the last run wrote: it says what must come of each scene, which the run has compared. */
export function parityPage(): string {
  return `# Beside the real Eko

Made by \`npm run outside -- parity --write\`: the package \`@eko-ai/eko\` ${VERSION} and our engine play the same scenes with the same
voices, behind a server on loopback in the place of a model. A line has how it ended, the agents in the order in which they worked, the
calls of the model and of tools, the results that were told as events, and the last agent's result.

${parityTable()}
`;
}

/** Plays one scene with its voices behind a server, and tells what came of it. */
export async function played(
  scene: Scene,
  play: (url: string) => Promise<Played>,
): Promise<string> {
  const { answer, asked, toldOf } = voicesOf(scene);
  const server = await openAiServer(answer);
  try {
    return outcomeText(await play(server.url), asked.length, toldOf);
  } finally {
    await server.close();
  }
}

async function playEko(scene: Scene, url: string, folder: string): Promise<Played> {
  const script = join(import.meta.dirname, "eko-child.js");
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const child = spawn(projectNode, [script, folder, url, JSON.stringify(scene)], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(child, "close");
  return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
}

/** Installs the package into a folder of its own below node_modules, where it is not there. */
async function installed(): Promise<string> {
  const folder = join(projectRoot, "node_modules", ".cache", "madrigal", "outside", "eko");
  if (existsSync(join(folder, "node_modules", "@eko-ai", "eko"))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  process.stderr.write(`installing ${PACKAGE} …\n`);
  const install = spawn(
    "npm",
    ["install", "--silent", "--ignore-scripts", "--save-exact", PACKAGE],
    {
      cwd: folder,
      stdio: "inherit",
    },
  );
  const [code] = await once(install, "close");
  if (code !== 0) throw new Error(`npm install ended with ${code}`);
  return folder;
}
