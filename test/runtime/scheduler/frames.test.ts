/** Lines of nodes as they end. */
import { expect, test } from "vitest";
import { endToken } from "../../../runtime/scheduler/frames.ts";
import { draftOf } from "../../../runtime/scheduler/snapshot/draft.ts";
import { emptySnapshot, must, ROOT } from "../../../runtime/scheduler/snapshot/snapshot.ts";

test("the last token of many frames in each other ends them all", () => {
  const draft = draftOf(emptySnapshot());
  const root = must(draft.frames, ROOT, "frame");
  const deep = 20_000;
  for (let id = 1; id <= deep; id += 1)
    draft.frames = draft.frames.set(id, { ...root, id, parent: id - 1, live: 1 });
  endToken(draft, deep);
  expect(draft.frames.size).toBe(1);
  expect(draft.frames.get(ROOT)?.live).toBe(root.live - 1);
});
