/** Our half of the scenes beside Eko, whose package is not installed here; `npm run outside -- parity` plays both. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../support/child.ts";
import { parityPage, played } from "./parity.ts";
import { playOurs } from "./play-ours.ts";
import { SCENES } from "./scenes.ts";

test.each(SCENES.map((scene) => [scene.rows, scene.name, scene] as const))(
  "%s beside Eko: %s",
  async (_rows, _name, scene) => {
    expect(await played(scene, (url) => playOurs(scene, url))).toBe(scene.ours);
    expect(scene.eko === scene.ours || scene.reason !== undefined).toBe(true);
  },
);

test("the page of the comparison is that of the scenes", () => {
  const page = readFileSync(join(projectRoot, "notebooks/systems/eko/PARITY.md"), "utf8");
  expect(page).toBe(parityPage());
});
