/** Obeys commands of the debugger about the runs of a kernel, as `madrigal debug` does. */
import type { Session } from "../../runtime/index.ts";
import type { Console } from "../debugging/console/console.ts";
import { newConsole, obey } from "../debugging/console/obey.ts";
import { stopText } from "../debugging/console/show.ts";
import { within } from "../debugging/console/soon.ts";
import { plain } from "../paint.ts";

/** The time that a command waits for where a run comes to, in milliseconds. */
const MOVING_MS = 10_000;

interface AgentConsole {
  readonly console: Console;
  printed: string[];
}

export class AgentDebugger {
  readonly #session: () => Session;
  readonly #consoles = new Map<string, AgentConsole>();

  constructor(session: () => Session) {
    this.#session = session;
  }

  /** Returns what the command shows. Throws M5452 where there is none. */
  async obey(run: string, command: string): Promise<string> {
    const at = this.#consoleOf(run);
    at.printed = [];
    await obey(at.console, command);
    return at.printed.join("\n");
  }

  #consoleOf(word: string): AgentConsole {
    const session = this.#session();
    const run = session.open(word);
    const known = this.#consoles.get(run.id);
    if (known !== undefined) return known;
    const made: AgentConsole = {
      printed: [],
      console: newConsole(
        { session, run },
        { say: (text) => void made.printed.push(text), paint: plain },
      ),
    };
    const { console } = made;
    console.move = async (how) => {
      const stop = await within(MOVING_MS, how(console.debug));
      if (stop === undefined) console.say("goes on");
      else if (console.debug.stop !== undefined) console.say(stopText(console.debug, stop));
    };
    this.#consoles.set(run.id, made);
    return made;
  }
}
