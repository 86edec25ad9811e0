/** Tells a Restate server where a version of workers is reached. */
import { messageOf, RunError } from "../failure.ts";
import { RUN_OBJECT } from "./messages.ts";
import { VERSION_KEY } from "./run-state.ts";

const ADMIN_PORT = "9070";

export interface AdminPlace {
  readonly restate: string;
  readonly admin?: string;
}

/** The administration of a server: the usual port of the same host unless said. */
export function adminUrl({ restate, admin }: AdminPlace): string {
  if (admin !== undefined) return admin.replace(/\/+$/, "");
  const url = new URL(restate);
  url.port = ADMIN_PORT;
  return url.origin;
}

/** Done once for each version: a worker that comes later is one more of them. */
export async function registerDeployment(uri: string, place: AdminPlace): Promise<void> {
  const { status, text } = await postedTo(place, "deployments", { uri });
  if (status < 300) return;
  throw new RunError("M5812", `Restate does not take the worker at ${uri}: ${messageIn(text)}`, {
    hint: "can the server reach that address? `--advertise URL` names another one",
  });
}

/** The number of runs of a version of programs that are not over. */
export async function runsOf(version: string, place: AdminPlace): Promise<number> {
  const query =
    `SELECT count(*) AS runs FROM state WHERE service_name = '${RUN_OBJECT}' ` +
    `AND key = '${VERSION_KEY}' AND value_utf8 = '"${version}"'`;
  const { status, text } = await postedTo(place, "query", { query });
  if (status >= 300) throw new RunError("M5808", `Restate answered ${status}: ${messageIn(text)}`);
  const { rows } = JSON.parse(text) as { readonly rows: readonly { readonly runs: number }[] };
  return rows[0]?.runs ?? 0;
}

async function postedTo(
  place: AdminPlace,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = adminUrl(place);
  try {
    const response = await fetch(`${url}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw noAdmin(url, cause);
  }
}

function noAdmin(url: string, cause: unknown): RunError {
  const text = `the administration of Restate does not answer at ${url}: ${messageOf(cause)}`;
  const hint = "start the server, or name the address with `--admin URL`";
  return new RunError("M5802", text, { hint, cause });
}

/** The message of an answer that refuses something. */
export function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === "string" ? message : text;
  } catch {
    return text;
  }
}
