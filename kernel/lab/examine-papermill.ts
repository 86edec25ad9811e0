/** Examines whether the installed papermill can set parameters of our notebooks. */

import { lookForPapermill, type Where } from "./find-papermill.ts";
import { type DoctorFinding, note, ok } from "./finding.ts";
import { faultOfPapermill } from "./install-papermill.ts";

/** Nothing where there is no papermill: few need it. */
export async function examinePapermill(where: Where = {}): Promise<readonly DoctorFinding[]> {
  const found = await lookForPapermill(where);
  if (found === undefined) return [];
  const fault = faultOfPapermill(found);
  const what = `${found.version} of ${found.python}`;
  if (fault === undefined) return [ok("papermill", what)];
  const hint = "only for parameters by papermill: run: madrigal install --papermill";
  return [note("papermill", `${what} ${fault}`, hint)];
}
