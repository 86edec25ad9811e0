/** Reports questions of a run that is declared to have nobody to answer them. */
import type { Span } from "../../diagnostics/source.ts";
import { clausesOf } from "../../lower/clauses.ts";
import { declaredNodes } from "../../names/symbols.ts";
import type { Clause, ConsentAst } from "../../syntax/tree/ast.ts";
import type { GraphCheck } from "../context.ts";
import { allClauses } from "./all-clauses.ts";

/** Reports every question of a run that is declared to have nobody who answers. */
export function checkAttended({ symbols, surroundings: { people }, report }: GraphCheck): void {
  if (people === undefined || people.length > 0) return;
  const humans = declaredNodes(symbols.graph).filter((node) => node.word === "human");
  const questions = [
    ...humans.map((node) => ({ what: `\`${node.name.text}\``, span: node.name.span })),
    ...declaredNodes(symbols.graph).flatMap((node) => unjudged(clausesOf(node, symbols))),
    ...[...symbols.graph.items, ...allClauses(symbols)].flatMap(questionIn),
  ];
  for (const { what, span } of questions)
    report({
      code: "M4106",
      message: `nobody can answer ${what}`,
      span,
      hint: "name the people who answer, or remove the question",
    });
}

interface UnansweredQuestion {
  readonly what: string;
  readonly span: Span;
}

type AskingPart = { readonly kind: string; readonly span: Span } & {
  readonly elseAsk?: boolean;
  readonly consent?: ConsentAst;
};

/** Words behind `until` are a person's to judge where the node has no model for it. */
function unjudged(clauses: readonly Clause[]): readonly UnansweredQuestion[] {
  if (clauses.some(({ kind }) => kind === "model")) return [];
  return clauses.flatMap((clause) => {
    if (clause.kind !== "every" || clause.by !== undefined || clause.until === undefined) return [];
    const { kind, span } = clause.until;
    return kind === "string" || kind === "template" ? [{ what: "this `until`", span }] : [];
  });
}

/**
 * Returns the question that a part of a node puts to a person, if any. An approval with a judge
 * (`by`) counts as none: the judge may answer, so that perhaps nobody is asked.
 */
function questionIn({ kind, span, elseAsk, consent }: AskingPart): readonly UnansweredQuestion[] {
  if (elseAsk === true) return [{ what: `the \`else ask\` of this \`${kind}\``, span }];
  return consent !== undefined && consent.by === undefined
    ? [{ what: "this `approve`", span }]
    : [];
}
