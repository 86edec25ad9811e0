/** Offers a strong agent the state of its run as tools of MCP: what its node reads, and what it writes, hands over and asks. */
import { randomBytes } from "node:crypto";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Handoff } from "../../../envelope.ts";
import { describeMisfit, misfits } from "../../../state/json-schema.ts";
import type { ApprovalAnswer, ControllerEvent, StartRequest } from "../../operator/controller.ts";
import type { OfferedServer } from "../process/agent-wire.ts";

/** The turn that the tools belong to. */
export interface ServedTurn {
  readonly tell: (...events: readonly ControllerEvent[]) => void;
  readonly ask: (
    event: ControllerEvent & { readonly kind: "input_requested" },
  ) => Promise<ApprovalAnswer | undefined>;
}

/** A server of one turn. */
export interface StateServer {
  readonly offered: OfferedServer;
  /** The work that the agent handed over, in order. */
  readonly handoffs: readonly (Handoff & { readonly to: string })[];
  /** The turn that hears what is written and answers what is asked; before it, calls are refused. */
  turn: ServedTurn | undefined;
  close(): Promise<void>;
}

type ServedRequest = Pick<StartRequest, "stateView" | "writes" | "handoffs" | "skills" | "key">;

const NAME = "madrigal";

/** Listens on loopback, for whoever has the token. */
export async function serveState(request: ServedRequest): Promise<StateServer> {
  const [{ fromJsonSchema, McpServer }, { serveHttp }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("../../mcp/serve-http.ts"),
  ]);
  const tools = new StateTools(request);
  const factory = () => {
    const server = new McpServer({ name: NAME, version: "1" });
    for (const { name, description, input, run } of tools.list())
      server.registerTool(
        name,
        { description, inputSchema: fromJsonSchema<StateToolInput>(input) },
        async (args) => await run(args),
      );
    return server;
  };
  const token = randomBytes(24).toString("base64url");
  const serving = await serveHttp(factory, { port: 0, token, tell: () => {} });
  return {
    offered: { name: NAME, url: serving.url, token },
    handoffs: tools.handoffs,
    get turn() {
      return tools.turn;
    },
    set turn(turn) {
      tools.turn = turn;
    },
    close: () => serving.close(),
  };
}

type StateToolInput = Readonly<Record<string, unknown>>;

interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly run: (args: StateToolInput) => CallToolResult | Promise<CallToolResult>;
}

class StateTools {
  readonly handoffs: (Handoff & { readonly to: string })[] = [];
  turn: ServedTurn | undefined;
  readonly #of: ServedRequest;
  #questions = 0;

  constructor(request: ServedRequest) {
    this.#of = request;
  }

  /** The tools that the node has rights for: one that writes nothing has no `write_state`. */
  list(): readonly ServedTool[] {
    const { stateView, writes = {}, handoffs = [], skills } = this.#of;
    const reads = Object.keys(stateView);
    const fields = Object.keys(writes);
    return [
      ...(reads.length === 0 ? [] : [this.#read(reads)]),
      ...(fields.length === 0 ? [] : [this.#write(fields)]),
      ...(handoffs.length === 0 ? [] : [this.#handoff(handoffs)]),
      ...(skills.length === 0 ? [] : [this.#skill(skills.map(({ name }) => name))]),
      this.#human(),
    ];
  }

  #read(fields: readonly string[]): ServedTool {
    return {
      name: "read_state",
      description: `Returns fields of the state of the run that you work in: ${fields.join(", ")}; all without \`fields\`.`,
      input: objectSchema({ fields: { type: "array", items: { enum: fields } } }, []),
      run: ({ fields: wanted }) => {
        const names = Array.isArray(wanted) ? wanted.map(String) : fields;
        return result(Object.fromEntries(names.map((name) => [name, this.#of.stateView[name]])));
      },
    };
  }

  /** A value that does not fit the field's type is refused at once, with the reason. */
  #write(fields: readonly string[]): ServedTool {
    const schemas = this.#of.writes ?? {};
    const types = fields.map((name) => `${name}: ${JSON.stringify(schemas[name])}`).join("; ");
    return {
      name: "write_state",
      description: `Writes a field of the state when your turn ends; the last value counts. The fields and the JSON Schema of each: ${types}`,
      input: objectSchema({ field: { enum: fields }, value: {} }, ["field", "value"]),
      run: ({ field, value }) => {
        const schema = schemas[String(field)];
        if (schema === undefined) return refusal(`you may write ${fields.join(", ")} alone`);
        const [first] = misfits(value, schema);
        if (first !== undefined) return refusal(`${field}: ${describeMisfit(first)}`);
        return this.#tell({ kind: "state_hint", patch: { [String(field)]: value } });
      },
    };
  }

  #handoff(to: readonly string[]): ServedTool {
    return {
      name: "handoff",
      description: `Hands your work over to ${to.join(" or ")} when your turn ends, with a task. Once.`,
      input: objectSchema({ to: { enum: to }, task: { type: "string" }, payload: {} }, [
        "to",
        "task",
      ]),
      run: ({ to: name, task, payload }) => {
        if (this.handoffs.length > 0) return refusal("the work is handed over already");
        const data = payload === undefined ? {} : { payload };
        this.handoffs.push({ to: String(name), task: String(task), ...data });
        return result("handed over");
      },
    };
  }

  #skill(names: readonly string[]): ServedTool {
    return {
      name: "open_skill",
      description: `Returns the instructions of a skill: ${names.join(", ")}. Open one before you do what it is about.`,
      input: objectSchema({ name: { enum: names } }, ["name"]),
      run: ({ name }) => {
        const skill = this.#of.skills.find((one) => one.name === name);
        return skill === undefined
          ? refusal(`there are ${names.join(", ")}`)
          : result(skill.instructions ?? skill.description);
      },
    };
  }

  #human(): ServedTool {
    return {
      name: "ask_human",
      description: "Asks the person who runs you, and returns the answer. It may take long.",
      input: objectSchema(
        { question: { type: "string" }, options: { type: "array", items: { type: "string" } } },
        ["question"],
      ),
      run: async ({ question, options }) => {
        if (this.turn === undefined) return refusal("the turn has not begun");
        this.#questions += 1;
        const hasOptions = Array.isArray(options) && options.length > 0;
        const answer = await this.turn.ask({
          kind: "input_requested",
          inputId: `ask_human/${this.#of.key}/${this.#questions}`,
          message: String(question),
          ...(hasOptions ? { schema: { type: "string", enum: options } } : {}),
        });
        if (answer?.decision !== "approve") return refusal(answer?.reason ?? "nobody answered");
        return result(answer.input ?? "yes");
      },
    };
  }

  #tell(event: ControllerEvent): CallToolResult {
    if (this.turn === undefined) return refusal("the turn has not begun");
    this.turn.tell(event);
    return result("noted");
  }
}

function objectSchema(properties: object, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false };
}

function result(value: unknown): CallToolResult {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return { content: [{ type: "text", text }] };
}

function refusal(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}
