import { deepSearch } from "./zz-chain.ts";
import { readFileSync } from "node:fs";
let ok=0,n=0;
for (const line of readFileSync("/tmp/qs.txt","utf8").trim().split("\n")) { const [pkg,q]=line.split("|") as [string,string];
 const r=await deepSearch(q); const cites=[...r.report.matchAll(/^ {3}— (\S+) ·/gm)].map(m=>m[1]); const distinct=[...new Set(cites)];
 const good=cites.slice(0,2).includes(pkg); const good2=distinct.slice(0,2).includes(pkg); n++; if(good)ok++;
 console.log(good?"ok ":good2?"ok2":"BAD",pkg,"|",q,"|",cites.join(" "), good?"":"kept "+r.kept.length+" "+r.plan.tasks.map((t:any)=>t.query).join(" / "));
}
console.log(ok,n);
