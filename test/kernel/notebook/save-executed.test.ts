/** Files that are written whole: what people have set on them stays. */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeWhole } from "../../../kernel/notebook/save-executed.ts";
import { temporaryFolder } from "../../support/child.ts";

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("a new file is private, and one that is there keeps its mode and owner", () => {
  const folder = temporaryFolder();
  const file = join(folder, "a.ipynb");
  writeWhole(file, "one");
  expect(modeOf(file)).toBe("600");
  chmodSync(file, 0o664);
  if (process.getuid?.() === 0) chownSync(file, 12_345, 23_456);
  const { uid, gid } = statSync(file);
  writeWhole(file, "two");
  expect(readFileSync(file, "utf8")).toBe("two");
  expect(modeOf(file)).toBe("664");
  expect(statSync(file)).toMatchObject({ uid, gid });
  expect(readdirSync(folder)).toEqual(["a.ipynb"]);
});

test.each([
  ["an absolute link", (target: string) => target, true],
  ["a relative link", () => "../kept/b.ipynb", true],
  ["a link to what is not there yet", () => "../kept/b.ipynb", false],
])("%s stays one, and its target is written", (_, linkTo, isThere) => {
  const folder = temporaryFolder();
  for (const name of ["kept", "out"]) mkdirSync(join(folder, name));
  const target = join(folder, "kept", "b.ipynb");
  if (isThere) writeFileSync(target, "one", { mode: 0o644 });
  const link = join(folder, "out", "b.ipynb");
  symlinkSync(linkTo(target), link);
  // A link to the link.
  const second = join(folder, "b.ipynb");
  symlinkSync("out/b.ipynb", second);
  writeWhole(second, "two");
  expect(readFileSync(target, "utf8")).toBe("two");
  expect(modeOf(target)).toBe(isThere ? "644" : "600");
  for (const one of [link, second]) expect(lstatSync(one).isSymbolicLink()).toBe(true);
  expect(readdirSync(join(folder, "out"))).toEqual(["b.ipynb"]);
});

test("links in a circle and folders that are not there are told as such", () => {
  const folder = temporaryFolder();
  symlinkSync("y", join(folder, "x"));
  symlinkSync("x", join(folder, "y"));
  for (const path of ["x", "none/a.ipynb"])
    expect(() => writeWhole(join(folder, path), "")).toThrow(
      expect.objectContaining({ code: "M7208" }),
    );
});
