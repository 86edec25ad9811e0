/** Keeps what OAuth gives for one MCP server in a file that its user alone can read. */
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { FailureError } from "../../failure.ts";
import type { ServerVariables } from "./server-access.ts";

/** The page that a person is to open, and the address to which it leads back. */
export interface Redirect {
  /** An address of this machine: `http://127.0.0.1:PORT/`. */
  readonly address: string;
  readonly open: (page: URL) => void;
}

/** The file with the tokens of a server. */
export function tokensFile(url: string, env: ServerVariables): string {
  const home = env.HOME || homedir();
  const states = env.XDG_STATE_HOME || join(home, ".local", "state");
  const name = createHash("sha256").update(url).digest("hex").slice(0, 24);
  return join(states, "madrigal", "mcp", `${name}.json`);
}

interface Stored {
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

/** The tokens of one server; without a redirect it asks nobody, and a server that wants a person to log in is M8416. */
export class ServerTokens implements OAuthClientProvider {
  readonly #file: string;
  readonly #name: string;
  readonly #redirect: Redirect | undefined;
  readonly #state = randomBytes(16).toString("base64url");
  #verifier = "";

  constructor(of: { readonly name: string; readonly file: string; readonly redirect?: Redirect }) {
    this.#name = of.name;
    this.#file = of.file;
    this.#redirect = of.redirect;
  }

  get redirectUrl(): string {
    return this.#redirect?.address ?? "http://127.0.0.1/";
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Madrigal",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client } = this.#read();
    // A client is registered with its address, whose port is another one at each login.
    return this.#redirect === undefined ? client : this.#fresh;
  }

  #fresh: StoredOAuthClientInformation | undefined;

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#fresh = client;
    this.#write({ ...this.#read(), client });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#redirect === undefined || this.#verifier !== "" ? this.#read().tokens : undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#write({ ...this.#read(), tokens });
  }

  redirectToAuthorization(page: URL): void {
    if (this.#redirect === undefined) throw this.#nobodyLoggedIn();
    this.#redirect.open(page);
  }

  #nobodyLoggedIn(): FailureError {
    return new FailureError({
      class: "tool",
      code: "M8416",
      message: `the server \`${this.#name}\` wants a person to log in`,
      hint: `\`madrigal mcp login FILE ${this.#name}\` opens its page and keeps the tokens`,
    });
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    const { client, tokens } = this.#read();
    if (scope === "all") rmSync(this.#file, { force: true });
    if (scope === "client" && tokens !== undefined) this.#write({ tokens });
    if (scope === "tokens" && client !== undefined) this.#write({ client });
  }

  #read(): Stored {
    if (!existsSync(this.#file)) return {};
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as Stored;
    } catch {
      return {};
    }
  }

  /** Whole or not at all: another run may read it. */
  #write(stored: Stored): void {
    const folder = join(this.#file, "..");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const made = `${this.#file}.${process.pid}`;
    writeFileSync(made, JSON.stringify(stored), { mode: 0o600 });
    renameSync(made, this.#file);
  }
}
