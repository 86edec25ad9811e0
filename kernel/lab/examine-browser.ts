/** Examines what the tools `browser.*` need, for `madrigal doctor`: the package that drives a browser, and the browser. */
import { browsers } from "../../runtime/index.ts";
import { type DoctorFinding, note, ok } from "./finding.ts";

const PART = "browser tools";

/** Looks for both; nothing is started. */
export function examineBrowser(env: NodeJS.ProcessEnv): DoctorFinding {
  const name = browsers.BROWSER_PACKAGE;
  const found = browsers.findBrowserPackage();
  const program = browsers.findBrowser(env);
  const only = "only for `browser.*`";
  if (found === undefined) {
    const hint = `${only}: run: npm install ${name}@${browsers.BROWSER_VERSION}`;
    return note(PART, `the package ${name} is not installed`, hint);
  }
  if (program === undefined) {
    const hint = `${only}: install Chromium or Chrome, or name its program in MADRIGAL_BROWSER`;
    return note(PART, `${name} is installed, and no browser`, hint);
  }
  return ok(PART, `${program} by ${name}`);
}
