/** Shows the answers that threads remember as rows and as a table. */
import { shortRunId, type storedRuns } from "../../runtime/index.ts";
import { answerText } from "./answer-text.ts";
import { timeText } from "./numbers.ts";
import { type TextColumn, textTable } from "./text-table.ts";
import { cut, visible } from "./visible.ts";

const SHOWN_LENGTH = 60;

export function rememberedAnswerRows(answers: readonly storedRuns.RememberedAnswer[]) {
  return answers.map(({ id, thread, graph, node, question, answer, by, at, runId }) => ({
    id,
    thread,
    node: `${graph}.${node}`,
    question: cut(visible(question.replace(/\s+/g, " ")), SHOWN_LENGTH),
    answer: cut(answerText(answer), SHOWN_LENGTH),
    given: timeText(at),
    by: by ?? "a person",
    run: shortRunId(runId),
  }));
}

type AnswerRow = ReturnType<typeof rememberedAnswerRows>[number];

const COLUMNS: readonly TextColumn<AnswerRow>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "thread", cell: ({ thread }) => visible(thread) },
  { title: "node", cell: ({ node }) => node },
  { title: "question", cell: ({ question }) => question },
  { title: "answer", cell: ({ answer }) => visible(answer) },
  { title: "given (UTC)", cell: ({ given }) => given },
  { title: "by", cell: ({ by }) => visible(by) },
  { title: "run", cell: ({ run }) => run },
];

export function rememberedAnswerTable(answers: readonly storedRuns.RememberedAnswer[]): string {
  return textTable(COLUMNS, rememberedAnswerRows(answers));
}
