/** Lists words of grammar and of asking, which say nothing about a subject. */

const GRAMMAR = `a about above across after again against all almost along already also although always am among an and
another any anybody anyone anything are aren't around as at be because been before being below between both but by can
can't cannot could couldn't did didn't do does doesn't doing don't done down during each either else enough etc even
ever every few for from further get gets getting give gives given go goes going got had has hasn't have haven't having
he her here hers him his how however i i'd i'll i'm i've if in instead into is isn't it it's its itself just keep least
less let lets like likely made make makes making many may maybe me might mine more most much must my myself need needed
needs neither never no nobody nor not nothing now of off often on once one ones only onto or other others otherwise our
ours out over own per perhaps please possible quite rather really same say says see seem seems several shall she should
shouldn't since so some somebody someone something sometimes soon still such take takes than that that's the their
theirs them themselves then there there's these they they're this those though through thus to together too toward
under until up upon us use used uses using very via want wanted wants was wasn't way ways we were what what's whatever
when whenever where whether which while who whom whose why will with within without won't would wouldn't yet you your
yours yourself actually best better exactly good kind mean means recommended right simple simply supposed thing things
work works working become becomes happen happens tell know known gave giving gives`;

const REQUEST = `answer answers ask asked asking cite cited cites citing citation citations describe detail details
evidence explain explanation find finding findings finds following gather given goal independent info information
instruction instructions literal list look looking matter matters material overview passage passages prompt provide
question questions quote quoted quotes relevant reply report reports request research respond response return returns
search searches searching sentence sentences separate source sources split splits statement summarise summarize summary
task tasks topic topics url urls word write writes`;

const grammar = new Set(GRAMMAR.split(/\s+/));
const request = new Set(REQUEST.split(/\s+/));

/** Returns whether a word carries grammar only (`how`, `the`, `would`). */
export function isStopWord(word: string): boolean {
  return grammar.has(word.toLowerCase().replaceAll("’", "'"));
}

/** Returns whether a word gives an instruction (`find`, `cite`, `summarise`), which is no search term. */
export function isRequestWord(word: string): boolean {
  return request.has(word.toLowerCase());
}
