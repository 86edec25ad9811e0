/** Lists words that documentation uses everywhere, which alone say little about a question. */
import { isIdentifier, stem } from "./words.ts";

// Mostly counted, not chosen: found in at least seven of some 390 documents of installed packages, product names left
// out; some words of the trade and of daily life are added.
const COMMON = `ability able abort absent absolute abstraction abstracts accepts access accessible account accumulated
accurate actions active acts actual adapter add added addition additional addresses adjust advanced affect
age agent algorithm alias aliases align allowlist allows alone alongside alt alternative amount analytics
analyze angle animal answer api app appear append applicable application apply approach appropriate approval
approved arbitrary architecture archive args arguments arise array arrive ask assign assistant associated
assumed async asynchronous attach attachments attempt audio audit auth authenticate authentication author
authorization auto automatic automatically available average avoid await away back backend background backup
bar base based bash basic batch battery beach begins behavior belongs benchmark benefits best beyond binary
bindings black blank block blog blue body book boolean border bound boundary branch break bridge broker
brown browser budget buffer bug build built bundle button bytes cache call callback called caller cancel
cancellation cancelled capabilities capable capital capture cards carry case cat catalog catch cause center
certain certificate chain changes channel characters chart chat chatbot check child children choice choose
chunk circle city class classification clean cleanup clear click client clone close cluster code codebase
codec coding collapsed collect collection color colour column combination combined come command comments
commit common communicate community company compare comparison compatibility compatible compile compiler
complete completion complex complexity component composed compress concepts concise concurrently condition
config configurable configuration configured confirmed connect connection considerably considered
consistency consistent const constructed constructor consume consumer consumption contains content context
contextual continuation continue contract contributing control controlling conversation conversion convert
copy core correct correctly correlated corresponding cost count country cover crashes create creation
credentials crucial current currently cursor custom customize cutoff dark data database date day deadline
debug decide decision declarations declare decoded dedicated deep deeper default defined definitions delay
delegate delete delta demonstrates denial denied depend dependencies dependency deploy deployment deprecated
deprecation depth derive describe description designed destination destructuring details detect detection
determine deterministic dev developers development device differ difference different differently direct
directly directory disable discarded disconnect discovered discovery discrete dispatch display distance
distinct distinguish docs documentation documents download dozens draft driver drop duplicate durable
duration dynamic dynamically earlier easier easily easy edge editing effect effectively effort eight element
email embed embedding emitted empty enabled encoded encounter encryption end endpoint enforce engine enhance
ensure enter entire entirely entry env environment equal equivalent error especially established evaluate
event everything exact example except excluded execute execution existing exit expand expected expensive
experience experimental expired explicit explicitly explode explore export expose expression extends
extension external extra extract factory failed failures fallback false family fast faster features fetch
field file filename fill filter final finally find finished firewall first five fix flag flex flexible
flight flow focused folder following font food footer force form format forward found founder four frame
framework frameworks free fresh friendly frontend full fully function functionality fundamental future gap
gateway gather gear general generated generation generator generic giving global globally goal granular
graph great green grid group grow guarantee guarded guidance guide handle handler handshake happening
harness hash header headers heartbeat height help helper helpful hidden high higher highlight highly history
hold holiday hook host hostname hour house html https human hundred hundreds icon idea ideal identical
identifier identify ignored image img immediately implement implementation import important improve include
incoming incomplete increase incredible incremental independent independently index indicates individual
inference inferred info information inherits initial initialization initialize inject injection inline inner
input inside inspect install instance instructions integer integrate integrations intended interact
interactions interactive interested interface intermediate internal internally interpret interpreter
interrupted interval introduces invalid invalidated invented inventor invocation invoked involve isolated
isolation issue issues items iteration javascript job join json keeps kernel key keyboard keyword knowledge
label language large larger last latency later latest layer lead leaking learn leave left legacy length
letter level leverage library license lifecycle lifetime lightweight limit limitations line link linker list
literal live loading local localhost locally location lock log logic logo long longer look lookup loop low
lower machine main maintain major malformed manage management manual manually map margin markdown marked
mascot mask match mathematics matrix max maximal maximum mean meant measure mechanism media medium member
memory menu merged messages met metadata method metrics middleware migrating migration million milliseconds
min minimal minute mirroring missing mix mode model modern modify module money month mountain mouse move
moved multiple mutex name named namespace narrowing native natively natural navigate necessary nested
network new newly next nickname nine node none normal normalized normally note noticed notification npm null
nullable number object observability observe obtained occurs offers official offset old older omitted one
opaque open operation opt optional optionally options order origin original outcome outer output outside
overhead override overview package packet padding page pairs parallel parameters params parent parse parser
part partial particularly partition pass password past patch path pattern pauses payloads pending people
perform performance permissions persist persistence person phase pick picture pipe pipeline place
placeholder plain plan plant platform plugin plus point pointer policy popular ports position positive post
powerful practice pre precedence preferred prefix present preserves pressure prevent previous previously
price primitives print printer prior private probability problem process produce product production program
progress project promise prompt proper properties props protect protection protocol provided provider proxy
public published publisher pull pump purpose push quality query question queue quickly radius random range
ranking rate raw reach react read readable reader ready real reasoning rebuild receives recent recipe
recommend recommended reconnect record recovery red redirect reduce refer reference reflects refresh
regardless regenerate register registry regular rejects related relative release relevant rely remain remote
removed renamed render repeat replace replacement replay replica reported repository representation
represents request require requirements reset resolution resolve resource respective respects respond
response rest restore restricted result resumable resume retain retries retrieval retrieve return reusable
reuse review risk river role root rounded route router rules run runtime safe safely safety sampled sandbox
satisfies save saved scenarios scheduler schedules schema scoped score screen script search second secret
section secure security seed sees segments selected selection semantic send sensitive sent sentence separate
separately separator sequence serializable serialized series serve server service session set setup seven
shape shard shared shell ships short show shown side signal signature significant signing silently similar
simpler simplifies simulates single site six size skills skipped slow slower small smaller snapshot software
solution solve sort sound source space span special specialized specific specification specified speech
speed split square stable stack standalone standard standardized start startup state statement static status
stays step stop storage store story strategy stream stretch strict string strips strong structured struggle
style submission submit subscriber subsequent subset succeeds success successful suited summarize summary
supplied support sure surface switch symbol sync synchronous syntax system table tabs tag target task
technical techniques telemetry temperature template ten tenant term terminal terminated test text theme
therefore thinking thousand thread three threshold throughput throw thrown time timeout timestamp timing
title today tokens tool toolbar top topic total touch trace tracking traditions trailing training transcribe
transcript transform transformations translated transport treated tree triangle trigger trim trip true
truncated trusted try tsx tuple turn tutorial two type typed typeof typescript typically unavailable
unchanged undefined underlying understand unfamiliar unified union unique unit unknown unless unlock
unsupported untrusted unusual update upgrade url usage useful user usually utility utilizes valid validated
validation value valve variable variants various vector vectors verification verify version vertex video
view visibility visible voice void voltage wait walking warning water weather web webhook website week
weight welcome well wheel whole widget width window word worker workflow world wrap wrapper write writer
written wrong year yellow yield zero`;

const common = new Set(COMMON.split(/\s+/).map(stem));

/** Returns whether a word is likely the name of a question's subject: a product, a coinage, a rare term. */
export function isSpecial(word: string): boolean {
  return isIdentifier(word) || !common.has(stem(word));
}
