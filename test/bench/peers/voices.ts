/** The voices of a scene behind a server on loopback. It answers what it was asked before as it did then, and can hold a call. */
import {
  openAiServer,
  type ServerAnswer,
  type ServerRequest,
} from "../../support/openai-server.ts";
import type { PeerScene, VoiceLine } from "./scenes.ts";

export interface Voices {
  readonly url: string;
  /** The calls that were answered so far. */
  answered(): number;
  /** Resolves when the call comes that is held. */
  readonly held: Promise<void>;
  close(): Promise<void>;
}

/** The call of number `holdAt`, from 1, is never answered: its process is to be killed. */
export async function openVoices({ voices }: PeerScene, holdAt = 0): Promise<Voices> {
  const left = new Map(Object.entries(voices).map(([name, lines]) => [name, [...lines]]));
  const known = new Map<string, ServerAnswer>();
  let answered = 0;
  const answer = ({ body }: ServerRequest, index: number): ServerAnswer => {
    if (index + 1 === holdAt) return { hang: true };
    const asked = JSON.stringify([body.model, body.messages]);
    const line = known.get(asked) ?? take(left.get(body.model) ?? [], asked);
    // LangChain takes two messages with one id for one.
    const id = `answer-${known.size}`;
    if (line === undefined) {
      const message = `the voice of ${body.model} has nothing to say to ${asked}`;
      return { status: 400, body: { error: { message } } };
    }
    const said = { id, ...line };
    known.set(asked, said);
    answered += 1;
    return said;
  };
  const server = await openAiServer(answer);
  return {
    url: server.url,
    answered: () => answered,
    held: holdAt === 0 ? new Promise(() => {}) : server.asked(holdAt),
    close: () => server.close(),
  };
}

/** Takes the first line that fits what was asked. */
function take(lines: VoiceLine[], asked: string): VoiceLine | undefined {
  const at = lines.findIndex(({ when }) => when === undefined || asked.includes(when));
  return at === -1 ? undefined : lines.splice(at, 1)[0];
}
