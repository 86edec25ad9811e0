/** Our half of the scenes beside AWorld, whose package is not installed here; `npm run outside -- aworld` plays both. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../../support/child.ts";
import { heard, parityPage, playOurs } from "./aworld.ts";
import { SCENES } from "./scenes.ts";

test.each(SCENES.map((scene) => [scene.name, scene] as const))(
  "W43 [LB] beside AWorld: %s",
  async (_, scene) => {
    expect(await heard(scene, (url) => playOurs(url))).toBe(scene.ours);
    expect(scene.theirs === scene.ours || scene.reason !== "").toBe(true);
  },
);

test("the page of the comparison is that of the scenes", () => {
  const page = readFileSync(
    join(projectRoot, "notebooks/systems/aworld-deep-search/PARITY.md"),
    "utf8",
  );
  expect(page).toBe(parityPage());
});
