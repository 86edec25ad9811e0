/** Groups for the door what finds a browser and the package that drives it. */
export {
  BROWSER_PACKAGE,
  BROWSER_VERSION,
  findBrowser,
  findBrowserPackage,
} from "../agents/browser/process/browser-program.ts";
