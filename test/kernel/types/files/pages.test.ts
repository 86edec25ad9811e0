/** The pages of what TypeScript finds: bad, good and near programs, as far as a text alone can be wrong so. */
import { expect, test } from "vitest";
import type { CodePage } from "../../../../dsl/codes/page.ts";
import { typeBridge } from "../../../../dsl/codes/type-bridge.ts";
import { typeBridgeFlow } from "../../../../dsl/codes/type-bridge-flow.ts";
import { checkSource } from "../../../../kernel/programs/check-source.ts";
import { editsBetween, imagesOf } from "../../../dsl/check/one-token.ts";
import { projectRoot } from "../../../support/child.ts";

const pages = Object.entries<CodePage>({ ...typeBridge, ...typeBridgeFlow }).filter(
  ([, { bad }]) => bad !== undefined,
);

async function said(text: string): Promise<readonly string[]> {
  const source = { file: "page.madrigal", text };
  const path = `${projectRoot}/page.madrigal`;
  const { diagnostics } = await checkSource({ source, path, types: "checked" });
  return diagnostics.map(({ severity, code }) => `${severity} ${code}`);
}

test("there are pages", () => expect(pages.length).toBeGreaterThan(5));

test.each(pages)("%s", async (code, { bad = "", good = "", near }) => {
  expect(await said(bad)).toEqual([`error ${code}`]);
  expect(await said(good)).toEqual([]);
  if (typeof near === "object") return expect(near.none).toMatch(/\.$/);
  const text = near ?? good;
  expect(editsBetween(imagesOf(bad), imagesOf(text))).toBe(1);
  expect((await said(text)).filter((line) => !line.startsWith("warning"))).toEqual([]);
});
