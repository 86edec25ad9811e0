/** Asks the person before code runs in a kernel: a form of the client, which is bound to what it shows and answered once. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  type CallToolResult,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { withoutUnseen } from "../../../runtime/index.ts";
import { hasForms } from "../client-forms.ts";
import { failed } from "../failed-call.ts";

/** The state that travels through the client while its person is asked: signed, so that no other question is answered by it. */
interface AskedConsent {
  readonly id: string;
  readonly digest: string;
}

/** A call that needs a person's yes. */
export interface CallToAsk {
  readonly tool: string;
  readonly kernel: string;
  /** The key of its connection: another kernel may have a file of the same name later. */
  readonly key: string;
  /** All that it will do. */
  readonly what: string;
  readonly context: ServerContext;
  readonly capabilities: ClientCapabilities | undefined;
}

/** The key of the one form that a client shows at once. */
const ASKED = "answer";
/** A longer text is not read before it is answered. */
const SHOWN_MAX = 8_000;

export class Consents {
  readonly #states = createRequestStateCodec<AskedConsent>({
    key: randomBytes(32),
    ttlSeconds: 3_600,
  });
  readonly #mayRun: boolean;
  /** Forms that are not answered yet. */
  readonly #open = new Set<string>();
  /** The tools that a person has allowed for all of a kernel. */
  readonly #always = new Set<string>();

  constructor({ mayRun }: { readonly mayRun: boolean }) {
    this.#mayRun = mayRun;
  }

  /** For the server, which refuses states that it did not sign. */
  get verify() {
    return this.#states.verify;
  }

  /** Returns undefined where the call may be made; else what the client is told or asks its person. */
  async of(call: CallToAsk): Promise<CallToolResult | InputRequiredResult | undefined> {
    const { tool, kernel, key, what, context } = call;
    const allowed = JSON.stringify([tool, kernel, key]);
    if (this.#mayRun || this.#always.has(allowed)) return undefined;
    const digest = createHash("sha256")
      .update(JSON.stringify([tool, kernel, key, what]))
      .digest("hex");
    const asked = context.mcpReq.requestState<AskedConsent>();
    if (asked === undefined) return await this.#ask(call, digest);
    if (!this.#open.delete(asked.id) || asked.digest !== digest)
      return failed("this question is over, or it was about something else: call the tool anew");
    const response = inputResponse(context.mcpReq.inputResponses, ASKED);
    const isAccepted = response.kind === "elicit" && response.action === "accept";
    const answer = isAccepted ? response.content?.answer : undefined;
    if (answer === "always") this.#always.add(allowed);
    return answer === "yes" || answer === "always"
      ? undefined
      : failed("the person said no: nothing was done");
  }

  async #ask(
    { tool, kernel, what, context, capabilities }: CallToAsk,
    digest: string,
  ): Promise<CallToolResult | InputRequiredResult> {
    if (!hasForms(context, capabilities)) return failed(NOBODY_ASKED);
    if (what.length > SHOWN_MAX)
      return failed(
        `${what.length} characters are more than a person reads before an answer (${SHOWN_MAX}): do it in parts`,
      );
    if (withoutUnseen(what) !== what)
      return failed("it has characters that a person does not see: write it without them");
    const id = randomUUID();
    this.#open.add(id);
    return inputRequired({
      requestState: await this.#states.mint({ id, digest }, context),
      inputRequests: {
        [ASKED]: inputRequired.elicit({
          message: `May \`${tool}\` do this in the kernel ${kernel}?\n\n${what}`,
          requestedSchema: FORM,
        }),
      },
    });
  }
}

const NOBODY_ASKED =
  "nothing was done: it runs code in a person's notebook, and this client has no forms by which the person could be asked. The person can do it in the notebook, or start `madrigal mcp --kernel --allow-run`.";

const FORM = {
  type: "object",
  properties: {
    answer: {
      type: "string",
      enum: ["no", "yes", "always"],
      description: "always: all that this tool does in this kernel until the server ends",
    },
  },
  required: ["answer"],
} as never;
