import { groupSimilarFindings, similarText } from '../similar';
import { Finding, Verdict } from '../verdict';
import { plural } from '../wording';
import { html, Markup, NOTHING, when } from './markup';

const SEVERITY_ORDER = { error: 0, warning: 1, info: 2 } as const;
const WORDS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** The most severe findings first, then by file and line. Similar findings share a card. */
export function findingsPart({ findings }: Pick<Verdict, 'findings'>): Markup {
  if (findings.length === 0) return NOTHING;
  const groups = groupSimilarFindings(findings).sort(([left], [right]) => SEVERITY_ORDER[left.severity] - SEVERITY_ORDER[right.severity]);
  const severities = new Set(findings.map(({ severity }) => severity));
  return html`<section><h2>Findings</h2>${when(severities.size > 1, () => FILTER)}${groups.map(card)}</section>`;
}

/** Works without a script: the style sheet hides the other severities. */
const FILTER = html`<p class="filter">
<label><input type="radio" name="only" checked> all</label>
<label><input type="radio" name="only" id="only-warning"> errors and warnings</label>
<label><input type="radio" name="only" id="only-error"> errors</label>
</p>`;

function card([finding, ...others]: readonly Finding[]): Markup {
  const { rule, name, severity, subject, location: { construct }, message, remedy } = finding;
  const similar = similarText(others, (other) => `${objectOf(other)} (${placeOf(other)})`);
  return html`<article class="card of-${severity}">
<div><span class="badge ${severity}">${WORDS[severity]}</span> <strong>${subject.kind === '' ? '' : `${subject.kind} ${objectOf(finding)}`}</strong>
<span class="soft">${rule} ${name}, <code>${placeOf(finding)}</code>${construct === undefined ? '' : `, construct ${construct}`}</span></div>
<p>${message}</p>${similar.map((line) => html`<p class="soft">${line}</p>`)}
<p class="remedy">${remedy}</p>
</article>`;
}

function objectOf({ subject: { namespace, name } }: Finding): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function placeOf({ location: { file, line, column } }: Finding): string {
  if (file === '') return '(no file)';
  return `${file === '-' ? '(standard input)' : file}:${line}:${column}`;
}

/** `2 errors`, in the color of the severity. */
export function badges({ summary: { errors, warnings, infos } }: Pick<Verdict, 'summary'>): Markup {
  const badge = (count: number, word: string, style: string) => when(count > 0, () => html`<span class="badge ${style}">${plural(count, word)}</span> `);
  return html`<p>${errors === 0 ? html`<span class="badge good">no errors</span> ` : badge(errors, 'error', 'error')}${
    badge(warnings, 'warning', 'warning')}${badge(infos, 'note', 'info')}</p>`;
}
