import { anchor, html, Markup, NOTHING, when } from './markup';
import { countText, printableLine } from '../../../model';
import { displayName, objectOf } from '../../vocabulary/subject';
import { Excerpt, Finding, Verdict } from '../../vocabulary/verdict';
import { rulePageUrl } from '../rule-page';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const WORDS = { error: 'error', warning: 'warning', info: 'note' } as const;
/** More findings of a rule are shown on request. */
const SHOWN = 6;

/** What the page knows about a rule beside its findings. */
export interface RuleSummary {
  readonly id: string;
  readonly summary: string;
}

type Patches = ReadonlyMap<Finding, string>;
type FindingsOf = Pick<Verdict, 'findings' | 'nodes' | 'workloads'>;

/**
 * The findings by rule: the most severe first, then the most frequent.
 *
 * @param patches the patch of each finding, in the order of the findings
 */
export function findingsPart(
  verdict: FindingsOf,
  rules: readonly RuleSummary[],
  patches: ReadonlyArray<string | undefined>,
  title = 'Findings',
): Markup {
  const { findings } = verdict;
  const patchByFinding: Patches = new Map(
    findings.flatMap((finding, index) => {
      const patch = patches[index];
      return patch === undefined ? [] : [[finding, patch] as const];
    }),
  );
  if (findings.length === 0) {
    return html`<section id="findings" class="sec"><header><h2>Findings</h2></header><div class="card empty"><b>No finding</b>None of the rules found a mistake. The <a href="#assumptions">assumptions</a> say what that rests on.</div></section>
`;
  }
  const groups = groupByRule(findings);
  const summaries = new Map(rules.map(({ id, summary }) => [id, summary]));
  return html`<section id="findings" class="sec" aria-labelledby="h-findings"><header><h2 id="h-findings">${title}</h2><p>${countText(findings.length, 'finding')} of ${countText(groups.length, 'rule')}. Open one to see its source and what to write instead.</p></header>
<div class="card">${filters(findings, verdict)}<div class="groups">${groups.map((group) => ruleGroup(group, summaries, verdict, patchByFinding))}</div>
<div class="empty" data-none hidden><b>No finding matches</b><button type="button" class="btn" data-clear>Clear the filters</button></div></div></section>
`;
}

function groupByRule(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.rule);
    if (group) group.push(finding);
    else groups.set(finding.rule, [finding]);
  }
  const rank = (group: readonly Finding[]) => Math.min(...group.map(({ severity }) => SEVERITIES.indexOf(severity)));
  return [...groups.values()]
    .map((group) => group.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)))
    .sort((a, b) => rank(a) - rank(b) || b.length - a.length || (a[0].rule < b[0].rule ? -1 : 1));
}

function filters(findings: readonly Finding[], verdict: FindingsOf): Markup {
  const counts = SEVERITIES.map(
    (severity) => [severity, findings.filter((finding) => finding.severity === severity).length] as const,
  );
  const choices = (label: string, name: string, values: readonly string[]) =>
    when(
      values.length > 1,
      () =>
        html`<select data-filter="${name}" aria-label="${label}"><option value="">All ${label.toLowerCase()}</option>${values.map((value) => html`<option value="${value}">${value}</option>`)}</select>`,
    );
  const unique = (values: readonly string[]) => [...new Set(values.filter((value) => value !== ''))].sort();
  const pools = poolsByWorkload(verdict);
  return html`<div class="filters" data-script hidden><span class="seg" role="group" aria-label="Severity"><button type="button" data-severity="" aria-pressed="true">All ${findings.length}</button>${counts.map(
    ([severity, count]) =>
      when(
        count > 0,
        () =>
          html`<button type="button" data-severity="${severity}" aria-pressed="false">${countText(count, WORDS[severity])}</button>`,
      ),
  )}</span>
<input type="search" placeholder="Search name, message, rule or file" aria-label="Search findings">${choices('Namespaces', 'ns', unique(findings.map(({ subject }) => subject.namespace)))}${choices(
    'Pools',
    'pool',
    unique(findings.flatMap((finding) => poolsOf(finding, pools))),
  )}${choices('Files', 'file', unique(findings.map(({ location }) => location.file)))}<span class="count" role="status">${countText(findings.length, 'finding')}</span></div>
`;
}

function ruleGroup(
  group: readonly Finding[],
  summaries: ReadonlyMap<string, string>,
  verdict: FindingsOf,
  patches: Patches,
): Markup {
  const [{ rule, name, severity }] = group;
  const pools = poolsByWorkload(verdict);
  const summary = summaries.get(rule) ?? '';
  return html`<details class="grp" id="${anchor('rule', rule)}"${severity === 'error' ? new Markup(' open') : NOTHING}><summary><span class="ico ${severity}" aria-hidden="true"></span><span class="t">${titleOf(name)} <span class="vh">${WORDS[severity]}</span><span class="id">${rule}</span><span class="d">${summary}</span></span><span class="cnt">${group.length}</span></summary>
<div class="gb"><p class="about"><a href="${rulePageUrl(rule)}">About ${rule}: why it matters, with an example, and how to accept it</a></p>${group.map((finding, index) => item(finding, index, pools, patches.get(finding)))}${when(group.length > SHOWN, () => html`<button type="button" class="btn more" data-more hidden>Show ${group.length - SHOWN} more</button>`)}</div></details>
`;
}

/** `missing-requests` as a title: `Missing requests`. Abbreviations keep their capitals. */
function titleOf(name: string): string {
  const words = name
    .split('-')
    .map((word) => ABBREVIATIONS.get(word) ?? word)
    .join(' ');
  return words[0].toUpperCase() + words.slice(1);
}

const ABBREVIATIONS = new Map([
  ['pdb', 'PDB'],
  ['ami', 'AMI'],
  ['iam', 'IAM'],
  ['eks', 'EKS'],
  ['ec2', 'EC2'],
  ['gpu', 'GPU'],
  ['cpu', 'CPU'],
  ['ebs', 'EBS'],
  ['imds', 'IMDS'],
  ['sqs', 'SQS'],
  ['nth', 'NTH'],
  ['yaml', 'YAML'],
  ['api', 'API'],
  ['crd', 'CRD'],
  ['pvc', 'PVC'],
  ['os', 'OS'],
  ['nodepool', 'NodePool'],
  ['nodeclass', 'EC2NodeClass'],
]);

function item(
  finding: Finding,
  index: number,
  pools: ReadonlyMap<string, readonly string[]>,
  patch: string | undefined,
): Markup {
  const { severity, subject, location, message, remedy, fix } = finding;
  const object = objectOf(finding.subject);
  const place = placeOf(finding);
  const [first] = message.split('\n');
  return html`<details class="it${index >= SHOWN ? ' rest' : ''}" data-severity="${severity}" data-ns="${subject.namespace}" data-pool="${poolsOf(finding, pools).join(' ')}" data-file="${location.file}"><summary><span class="ico ${severity}" aria-hidden="true"></span><span class="w">${object === '' ? place : object}</span><span class="m">${first}</span><span class="l mono">${place}</span></summary>
<div class="ib"><p class="msg">${message}</p><p class="remedy">${remedy}</p>${when(location.construct !== undefined, () => html`<p class="soft">construct ${location.construct!}</p>`)}<div class="two">${source(finding)}${when(
    patch !== undefined,
    () =>
      html`<div class="code"><div class="cx"><span>${fix!.title}${fix!.safe ? '' : ' (look at it first)'}</span><button type="button" class="btn" data-copy hidden>Copy the patch</button></div><pre tabindex="0" class="patch">${patchLines(patch!)}</pre></div>`,
  )}</div></div></details>
`;
}

/** The source of the finding, and that of its second place. */
function source({ excerpt, location, severity, related }: Finding): Markup {
  const other = related && sourceAt(related.location, related.excerpt, severity, related.label);
  return html`${sourceAt(location, excerpt, severity)}${other ?? NOTHING}`;
}

function sourceAt(
  { line, column, file }: Finding['location'],
  excerpt: Excerpt | undefined,
  severity: string,
  label?: string,
): Markup {
  if (!excerpt) return NOTHING;
  return html`<div class="code"><div class="cx"><span class="mono">${file}</span>${label === undefined ? NOTHING : html`<span>${label}</span>`}</div><pre tabindex="0">${excerpt.lines.map(
    (text, index) => {
      const number = excerpt.line + index;
      const row = html`<div${number === line ? html` class="hit ${severity}"` : NOTHING}><span class="ln">${number}</span>${text}</div>`;
      const indent = text.slice(0, column - 1).replace(/[^\t]/g, ' ');
      return number === line && column <= text.length
        ? html`${row}<div class="car ${severity}"><span class="ln"></span>${indent}^</div>`
        : row;
    },
  )}</pre></div>`;
}

/** The patch as it is copied: every line is a block of its own, with its line end. */
export function patchLines(patch: string): Markup {
  return html`${patch
    .replace(/\n$/, '')
    .split('\n')
    .map(
      (line) =>
        html`<span class="${line.startsWith('+') ? 'da' : line.startsWith('-') ? 'dd' : 'dc'}">${printableLine(line)}\n</span>`,
    )}`;
}

function placeOf({ location: { file, line, column } }: Finding): string {
  return file === '' ? displayName(file) : `${displayName(file)}:${line}:${column}`;
}

/** The NodePools that a finding is about: itself, or those with nodes for the workload. */
function poolsOf(
  { subject: { kind, namespace, name } }: Finding,
  byWorkload: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return kind === 'NodePool' ? [name] : (byWorkload.get(`${kind} ${namespace}/${name}`) ?? []);
}

function poolsByWorkload({ workloads, nodes }: FindingsOf): ReadonlyMap<string, readonly string[]> {
  const pools = new Map(nodes.map(({ name, nodePool }) => [name, nodePool]));
  return new Map(
    workloads.map(({ kind, namespace, name, nodes: used }) => [
      `${kind} ${namespace}/${name}`,
      [...new Set(Object.keys(used).flatMap((node) => pools.get(node) ?? []))].sort(),
    ]),
  );
}
