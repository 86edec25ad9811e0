/** Disks that are full or can't be written, as real ones: seen by one process alone, so that root is bound by them too. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentOwner } from "../../../../runtime/store/lease.ts";
import { openRunStore } from "../../../../runtime/store/open-store.ts";
import { workspaceIn } from "../../../../runtime/store/workspace.ts";
import { temporaryFolder } from "../fixtures.ts";
import { meta, record, records, running } from "../runs.ts";
import { canMount, startChild } from "../start-child.ts";

// Where no process may mount, kill.test.ts has a limit on files instead of a full disk, and files.test.ts modes.
describe.runIf(canMount())("a disk of its own", () => {
  test.each(["small", "large"])(
    "that is full fails the log, keeps what it acknowledged, and with room the run goes on (%s values)",
    async (size) => {
      const folder = temporaryFolder();
      const disk = { folder, bytesMax: 2_000_000 };
      const child = startChild(["fill", join(folder, "runs.sqlite"), size], { disk });
      expect(await child.line()).toMatch(
        /^M5110 `.*` can't be stored: .*\(make room on the disk or repair it, then `madrigal resume`\)/,
      );
      const [, stored, acknowledged] = /^stored (\d+) of (\d+)$/.exec(await child.line()) ?? [];
      expect(Number(acknowledged)).toBeGreaterThan(0);
      expect(stored).toBe(acknowledged);
      const all = Number(acknowledged) + 3;
      expect(await child.line()).toBe(`went on to ${all} of ${all}, gap at -1`);
      await child.gone();
    },
  );

  test("that can't be written is named where there is no store yet", async () => {
    const folder = temporaryFolder();
    const child = startChild(["create", join(folder, "runs.sqlite")], { disk: { folder } });
    expect(await child.line()).toBe(
      `M5101 \`${join(folder, "runs.sqlite")}\` can't be written (make it writable, or set MADRIGAL_HOME to a folder that is)`,
    );
  });

  test("that can't be written, and that MADRIGAL_HOME names, is named as what to change", async () => {
    const home = temporaryFolder();
    const child = startChild(["session", home], { disk: { folder: home } });
    expect(await child.line()).toBe(
      `M5101 \`${join(home, ".madrigal")}\` can't be written (make it writable, or set MADRIGAL_HOME to a folder that is)`,
    );
  });

  test("with a workspace that can't be written any more is named too", async () => {
    const home = temporaryFolder();
    const { dataDir, runsFile } = workspaceIn(home);
    openRunStore(workspaceIn(home)).close();
    const child = startChild(["session", home], { disk: { folder: dataDir } });
    expect(await child.line()).toBe(
      `M5101 \`${runsFile}\` can't be written (make it writable, or set MADRIGAL_HOME to a folder that is)`,
    );
  });

  test("that can't be written any more is named, and what it has stays", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "runs.sqlite");
    const store = openRunStore(file);
    const log = store.create(meta("b"), currentOwner("test"));
    log.append(record(0), running);
    await log.close();
    store.close();
    const child = startChild(["create", file], { disk: { folder } });
    expect(await child.line()).toMatch(/^M5101 `.*\/runs\.sqlite` can't be written \(make it/);
    const again = openRunStore(file);
    expect(again.read("b")).toEqual(records(0, 0));
    again.close();
  });
});
