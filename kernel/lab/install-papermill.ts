/** Installs the package that teaches papermill our kernel's parameters. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError } from "../command-error.ts";
import { EXIT } from "../exit-codes.ts";
import type { Papermill } from "./find-papermill.ts";

const MODULE = "papermill_madrigal";
const VERSION = "1.0";
const ABOUT = `${MODULE}-${VERSION}.dist-info`;

const METADATA = `Metadata-Version: 2.1
Name: ${MODULE.replace("_", "-")}
Version: ${VERSION}
Summary: Parameters of Madrigal's notebooks for papermill, written by \`madrigal install --papermill\`.
`;

const WHEEL = `Wheel-Version: 1.0
Generator: madrigal
Root-Is-Purelib: true
Tag: py3-none-any
`;

const ENTRY_POINTS = `[papermill.engine]
madrigal = ${MODULE}:MadrigalEngine
`;

/** Every file of the package by its name; pip knows it by RECORD, and can remove it. */
function packageFiles(): ReadonlyMap<string, string> {
  const module = new URL(`papermill/${MODULE}.py`, import.meta.url);
  const files = [
    [`${MODULE}.py`, readFileSync(module, "utf8")],
    [`${ABOUT}/METADATA`, METADATA],
    [`${ABOUT}/WHEEL`, WHEEL],
    [`${ABOUT}/entry_points.txt`, ENTRY_POINTS],
    [`${ABOUT}/INSTALLER`, "madrigal\n"],
  ] as const;
  const record = [
    ...files.map(([name, text]) => `${name},${hashOf(text)},${Buffer.byteLength(text)}\n`),
    `${ABOUT}/RECORD,,\n`,
  ];
  return new Map([...files, [`${ABOUT}/RECORD`, record.join("")]]);
}

function hashOf(text: string): string {
  return `sha256=${createHash("sha256").update(text).digest("base64url")}`;
}

/** Writes the package, in place of an earlier one of ours; its file of Python. */
export function installPapermill({ packages }: Papermill): string {
  const module = join(packages, `${MODULE}.py`);
  try {
    // RECORD is last of all: a package that pip knows is whole.
    for (const [name, text] of packageFiles()) {
      const path = join(packages, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  } catch (cause) {
    throw cantWrite(packages, cause);
  }
  return module;
}

/** Removes the package; its file of Python, when it was there. */
export function uninstallPapermill({ packages }: Papermill): string | undefined {
  const module = join(packages, `${MODULE}.py`);
  const about = join(packages, ABOUT);
  const wasThere = existsSync(module) || existsSync(about);
  try {
    rmSync(about, { recursive: true, force: true });
    rmSync(module, { force: true });
  } catch (cause) {
    throw cantWrite(packages, cause);
  }
  return wasThere ? module : undefined;
}

/**
 * Returns the fault of the package beside a papermill; undefined if it is complete and of this
 * Madrigal.
 */
export function faultOfPapermill({ packages }: Papermill): string | undefined {
  const wanted = [...packageFiles()];
  const there = wanted.filter(([name]) => existsSync(join(packages, name)));
  if (there.length === 0) return "can't set parameters of Madrigal's notebooks";
  const isWhole = wanted.every(
    ([name, text]) =>
      existsSync(join(packages, name)) && readFileSync(join(packages, name), "utf8") === text,
  );
  return isWhole ? undefined : "has a translator that is damaged, or of another version";
}

function cantWrite(packages: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError("M7751", `\`${packages}\` can't be written: ${reason}`, {
    hint: "install papermill into a virtual environment, and name that with `--prefix`",
    exitCode: EXIT.wrong,
    cause,
  });
}
