/** Serves the page of the server: lets who has a token in, once, and gives the page and its script. */
import { readFileSync } from "node:fs";
import type { Hono } from "hono";
import { closedPage } from "../display/closed-page.ts";
import { PAGE_STYLE } from "../notebook/page/page-style.ts";
import type { RoleAccess } from "./access.ts";
import type { AppEnv } from "./app-env.ts";
import { HttpFault } from "./http-fault.ts";
import type { RequestRate } from "./request-rate.ts";

export interface RunsPageParts {
  readonly access: RoleAccess;
  readonly strangers: RequestRate;
}

/** Scripts of this server alone; nothing is fetched from elsewhere, and no other page shows this one in a frame. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'";

export function servePage(app: Hono<AppEnv>, parts: RunsPageParts): void {
  const headers = { "content-security-policy": `${POLICY}; frame-ancestors 'none'` };
  app.get("/", (context) => {
    const token = context.req.query("token");
    if (token !== undefined) return entered(parts, token);
    parts.access.roleOf(context.req.raw);
    return context.html(pageText(), 200, headers);
  });
  app.get("/assets/page.js", (context) => {
    parts.access.roleOf(context.req.raw);
    const script = readFileSync(new URL("page.js", import.meta.url), "utf8");
    return context.body(script, 200, { "content-type": "text/javascript; charset=utf-8" });
  });
}

/** Takes the token out of the address, so that it stands in no history, and gives a cookie for it. */
function entered({ access, strangers }: RunsPageParts, token: string): Response {
  const role = access.roleOfToken(token);
  if (role === undefined) {
    strangers.take("");
    throw new HttpFault(401, "M7777", "this is not a token of this server");
  }
  return new Response(null, {
    status: 303,
    headers: { location: "/", "set-cookie": access.enter(role) },
  });
}

function pageText(): string {
  return closedPage({
    title: "Madrigal: runs",
    style: `${PAGE_STYLE}\n${STYLE}`,
    policy: POLICY,
    body: `<div id="app">
<p id="status" role="status"></p>
<h1>Runs</h1>
<form id="filter"><label>Graph <input id="graph" autocomplete="off"></label> <label>Status <select id="state"><option value="">any</option></select></label></form>
<div id="runs"></div>
<p><button type="button" id="more" hidden>Older runs</button></p>
<section id="run" hidden>
<h2 id="title" tabindex="-1"></h2>
<div id="questions"></div>
<div id="drawing"></div>
<p id="acts"><button type="button" data-act="cancel">Cancel</button> <button type="button" data-act="resume">Resume</button></p>
<h3>Output</h3><pre id="output" class="nb-text" tabindex="0"></pre>
<h3>Timeline</h3><ol id="timeline"></ol>
<label id="step-label" hidden>State behind step <input id="step" type="range" min="1"> <output id="step-number"></output></label><pre id="state-at" class="nb-text" tabindex="0"></pre>
</section>
</div>
<script type="module" src="/assets/page.js"></script>`,
  });
}

const STYLE = `#runs table { border-collapse: collapse; width: 100%; font-size: .9rem; }
#runs th, #runs td { text-align: left; padding: .3em .8em .3em 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
#app button, #app input, #app select { font: inherit; font-size: .9rem; color: inherit; background: var(--code); border: 1px solid var(--quiet); border-radius: 3px; padding: .25em .6em; max-width: 100%; }
#app button { cursor: pointer; }
#status { color: var(--quiet); min-height: 1.4em; } #status[data-kind="fault"] { color: var(--red); }
#questions form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .6rem 0; padding: .6rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--code); }
#questions input { flex: 1; min-width: 12em; background: var(--paper); }
#drawing { overflow-x: auto; } #drawing img { max-width: 100%; height: auto; }
#timeline { font-size: .84rem; max-height: 24rem; overflow-y: auto; } a { color: var(--blue); }`;
