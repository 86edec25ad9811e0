/** Our half of the scenes beside Magentic-UI, whose package is not installed here; `npm run outside -- magentic` plays both. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../support/child.ts";
import { heardFrom, parityPage, playOurs } from "./magentic.ts";
import { SCENES } from "./scenes.ts";

test.each(SCENES.map((scene) => [scene.rows, scene.name, scene] as const))(
  "%s [LB] beside Magentic-UI: %s",
  async (_rows, _name, scene) => {
    expect(await heardFrom(scene, "ours", (stage) => playOurs(scene, stage))).toBe(scene.ours);
    expect(scene.theirs === scene.ours || scene.reason !== "").toBe(true);
  },
);

test("the page of the comparison is that of the scenes", () => {
  const page = readFileSync(join(projectRoot, "notebooks/systems/magentic/PARITY.md"), "utf8");
  expect(page).toBe(parityPage());
});
