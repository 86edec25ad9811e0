/** Holds the one session of this process, made at first use or given by the kernel. */
import { Session } from "../runtime/index.ts";
import { startThreadOf } from "./startup/start-thread.ts";

let session: Session | undefined;

/**
 * Returns the session of the process: of the working folder's workspace, unless `useSession` set
 * another.
 */
export function currentSession(): Session {
  session ??= new Session({ name: "host", startThread: startThreadOf });
  return session;
}

/** Makes `own` the session of everything that is called without one. */
export function useSession(own: Session): void {
  session = own;
}

/** Pauses what runs, brings the traces up to date and closes the files; the next call opens them again. */
export async function closeSession(): Promise<void> {
  const open = session;
  session = undefined;
  await open?.close();
}
