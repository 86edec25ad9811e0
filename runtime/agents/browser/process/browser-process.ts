/** Starts the browser that the sessions of this process share, and ends it with the last of them. */
import type { Browser } from "playwright-core";
import { messageOf } from "../../../failure.ts";
import { browserError } from "../browser-error.ts";
import type { BrowserToolsOptions } from "../browser-options.ts";
import { browserProgram } from "./browser-program.ts";
import { loadBrowserPackage } from "./load-browser-package.ts";

/** A browser while somebody uses it. */
interface SharedBrowser {
  readonly browser: Promise<Browser>;
  users: number;
}

/** By program and window. */
const running = new Map<string, SharedBrowser>();

/** A browser that is let go of once. */
export interface HeldBrowser {
  readonly browser: Browser;
  release(): Promise<void>;
}

/**
 * Returns a running browser: the one that others use, or one that is started now. Rejects with M8620 or M8621 where a part is not
 * installed, M8622 where the browser does not start.
 */
export async function holdBrowser({
  executable,
  headed = false,
}: BrowserToolsOptions): Promise<HeldBrowser> {
  const program = browserProgram(process.env, executable);
  const key = JSON.stringify([program, headed]);
  const known = running.get(key);
  const shared = known ?? { browser: start(program, headed), users: 0 };
  if (known === undefined) running.set(key, shared);
  shared.users += 1;
  const forget = () => {
    if (running.get(key) === shared) running.delete(key);
  };
  try {
    const browser = await shared.browser;
    browser.once("disconnected", forget);
    let isHeld = true;
    return {
      browser,
      release: async () => {
        if (!isHeld) return;
        isHeld = false;
        shared.users -= 1;
        if (shared.users > 0) return;
        forget();
        await browser.close();
      },
    };
  } catch (thrown) {
    forget();
    throw thrown;
  }
}

/** Nothing of a page reaches the network beside the proxy of its session. */
const SWITCHES = [
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--force-webrtc-ip-handling-policy",
  "--disable-quic",
  "--dns-prefetch-disable",
];

/** None of our own settings and secrets. */
const ENVIRONMENT = ["PATH", "HOME", "LANG", "TMPDIR", "TEMP", "DISPLAY", "WAYLAND_DISPLAY"];

async function start(executablePath: string, headed: boolean): Promise<Browser> {
  const chromium = await loadBrowserPackage();
  const inherited = [...ENVIRONMENT, "XAUTHORITY", "XDG_RUNTIME_DIR", "SystemRoot"];
  // Chromium refuses its own sandbox to root.
  const chromiumSandbox = process.getuid?.() !== 0;
  try {
    return await chromium.launch({
      executablePath,
      headless: !headed,
      chromiumSandbox,
      args: SWITCHES,
      env: Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
      // The signals of this process are its own business; its end closes the pipe, and with it the browser.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (cause) {
    const [line = ""] = messageOf(cause).split("\n");
    throw browserError("M8622", {
      message: `\`${executablePath}\` does not start: ${line}`,
      hint: "start it by hand to see why; without a display it can't be `headed`",
      cause,
    });
  }
}
