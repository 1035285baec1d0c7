import { darkStyle } from "./drawing.ts";

/** The style of the page of an experiment. Its colours are those of the page of a run. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--page:#f6f6f3;--panel:#fff;--ink:#1d1f24;--soft:#565b66;
--rule:#dedfda;--accent:#1f5fd0;--warn:#9a5b00;--warn-soft:#fdf1dc;--clear:#12866a}
@media screen and (prefers-color-scheme:dark){:root{--page:#14161a;--panel:#1c1f25;--ink:#e9eaec;
--soft:#a3a8b3;--rule:#343942;--accent:#82aefb;--warn:#f0b95e;--warn-soft:#35290f;--clear:#4cc3a2}}
*{box-sizing:border-box}
html{background:var(--page);color:var(--ink);-webkit-text-size-adjust:100%;
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
body,figure{margin:0}
main{max-width:76rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{margin:.1rem 0;font-size:clamp(1.7rem,4vw,2.5rem);line-height:1.15;overflow-wrap:anywhere}
h2{margin:2.25rem 0 .6rem;font-size:1.25rem}
h3{margin:0 0 .4rem;font-size:1rem}
p{margin:.3rem 0;max-width:52rem}
.kicker{margin:0;color:var(--soft);font-size:.8rem;letter-spacing:.08em;text-transform:uppercase}
.question{font-size:1.15rem}
.about,.note,figcaption{color:var(--soft);font-size:.88rem}
.panel{min-width:0;margin:0 0 1rem;padding:1rem 1.1rem;overflow-x:auto;break-inside:avoid;
border:1px solid var(--rule);border-radius:.75rem;background:var(--panel)}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(30rem,100%),1fr));gap:1rem}
.charts .panel{margin:0}
svg{display:block;max-width:100%;height:auto;overflow:visible}
ul.findings,ul.warnings{margin:0;padding:0;list-style:none}
.findings li,.warnings li{margin:.45rem 0;padding-left:.8rem;border-left:4px solid var(--rule);
max-width:60rem;overflow-wrap:anywhere}
.findings .is-difference{border-color:var(--clear)}
.findings .is-outside_band,
.findings .is-uncertain,.findings .is-too_few,.findings .is-runs{border-color:var(--warn)}
.verdict{display:block;color:var(--soft);font-size:.78rem;letter-spacing:.04em;
text-transform:uppercase}
.warnings li{padding:.45rem .8rem;border-color:var(--warn);background:var(--warn-soft)}
table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
caption{padding-bottom:.4rem;color:var(--soft);text-align:left}
th,td{padding:.25rem .75rem .25rem 0;border-bottom:1px solid var(--rule);text-align:left;
vertical-align:top}
th{font-weight:600}
thead th{color:var(--soft);font-weight:normal}
.number{text-align:right;white-space:nowrap}
.is-failed,.is-skipped{color:var(--warn)}
code,pre{font:.85rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{overflow-wrap:anywhere}
td code{display:block;min-width:16rem;font-size:.78rem}
pre{margin:.4rem 0;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:.4rem 0;font-size:.9rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
@media (max-width:52rem){main{padding:1.5rem .9rem 3rem}}
@media print{:root{--page:#fff}html{font-size:11px}main{max-width:none;padding:0}
.charts{grid-template-columns:1fr 1fr}.panel{overflow:visible;border-radius:0}
td code{min-width:0}h2,h3{break-after:avoid}tr{break-inside:avoid}}
${darkStyle("svg ")}
`
  .replaceAll("\n", "")
  .trim();
