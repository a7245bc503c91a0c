/** The style sheet of the page. It uses system fonts, so that nothing is fetched. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --card: #f6f8fa; --paper: #fff; --error: #c1372f; --warning: #9a6700; --info: #0969da; --good: #1a7f37; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9aa4af; --line: #3d444d; --card: #161b22; --paper: #0d1117; --error: #ff7b72; --warning: #d9a62e; --info: #6cb6ff; --good: #57ab5a; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 70rem; color: var(--ink); background: var(--paper); font: 15px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .6rem; }
h2 { font-size: 1.15rem; margin: 2.4rem 0 .8rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.4rem 0 .5rem; overflow-wrap: anywhere; }
p { margin: .4rem 0; }
ul { margin: .4rem 0; padding-left: 1.2rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; margin: .6rem 0; padding: .7rem .9rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; font-size: .85rem; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 1.4rem; }
.wide { overflow-x: auto; }
svg { width: 100%; max-width: 720px; height: auto; display: block; margin: .8rem 0; }
svg text { fill: var(--ink); }
summary { cursor: pointer; color: var(--soft); margin: .4rem 0; }
.soft { color: var(--soft); }
.badge { display: inline-block; padding: 0 .55rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .8rem; font-weight: 600; white-space: nowrap; }
.error { color: var(--error); } .warning { color: var(--warning); } .info { color: var(--info); } .good { color: var(--good); }
.card { margin: .7rem 0; padding: .7rem 1rem; border: 1px solid var(--line); border-left: 4px solid var(--edge, var(--line)); border-radius: 6px; overflow-wrap: anywhere; }
.card.of-error { --edge: var(--error); } .card.of-warning { --edge: var(--warning); } .card.of-info { --edge: var(--info); }
.card p { white-space: pre-line; }
.remedy::before { content: "\\2192\\a0"; color: var(--good); font-weight: 700; }
.filter { margin: .2rem 0 .8rem; }
.filter label { margin-right: 1rem; cursor: pointer; }
body:has(#only-error:checked) .card.of-warning, body:has(#only-error:checked) .card.of-info, body:has(#only-warning:checked) .card.of-info { display: none; }
@media print { .filter { display: none; } body { max-width: none; padding: 0; } }
`;
