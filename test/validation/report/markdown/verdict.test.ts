import fc from 'fast-check';
import { check, Finding, simulateScenario, simulateScenarios, renderMarkdown, SCENARIO_NAMES } from '../../../../src/validation';
import { code, prose } from '../../../../src/validation/report/markdown/inline';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';
import { EMPTY, VERDICT } from '../verdict';

const [ERROR, WARNING] = VERDICT.findings;
const withFindings = (findings: readonly Finding[]) => renderMarkdown({ ...VERDICT, findings });
const rows = (markdown: string) => markdown.split('\n').filter((line) => line.startsWith('| ') && !/^\| (---|Where|Nodes) /.test(line));

const withoutCode = (markdown: string) => markdown.replace(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');

test('renders the outcome first, with the counts and the rules of the errors', () => {
  expect(renderMarkdown(VERDICT).split('\n\n').slice(0, 2)).toEqual([
    '## 4 of 7 pods fit on 3 nodes, from \\$0.3000/h (\\$219/month, lower bound \\$0.2500/h); 2 pods do not fit; 1 pod is not evaluated.',
    '1 error (KARP-109), 2 warnings, 1 note.',
  ]);
});

test('renders a finding as a row with place, message and remedy', () => {
  expect(rows(withFindings([WARNING]))[0]).toBe('| `b.yaml:9`<br>KARP-306 missing-requests | **Deployment shop/web**: no cpu request | write one |');
});

test('collapses all findings except the most severe', () => {
  expect(withFindings([WARNING, ERROR])).toMatch(/### 1 error\n[^]*<summary>1 warning<\/summary>/);
  expect(withFindings([WARNING])).toContain('### 1 warning\n');
});

test('renders similar findings as one row', () => {
  const alike = Array.from({ length: 9 }, (_, at) => ({ ...WARNING, subject: { ...WARNING.subject, name: `web-${at}` } }));
  expect(withFindings(alike)).toMatch(/### 9 warnings\n/);
  expect(rows(withFindings(alike)).filter((row) => row.includes('KARP-306'))).toEqual([expect.stringContaining('same for 8 more: shop/web-1 (b.yaml:9)')]);
});

test('renders equal nodes as one row, the most expensive first', () => {
  expect(rows(withFindings([]))).toEqual([
    '| 1 | `default` | `m5.xlarge` | on-demand, us-east-1b | 0.1920 | shop/api, shop/web-2 |',
    '| 2 | `default` | `m5.large`, or 1 more | spot, us-east-1a | 0.0384 | 1 × shop/web |',
  ]);
});

test('renders why a node cannot be launched', () => {
  const [claim] = VERDICT.nodeClaims;
  expect(rows(renderMarkdown({ ...EMPTY, nodeClaims: [{ ...claim, launch: null, launchFailure: 'nothing is left' }] }))[0])
    .toContain('cannot be launched: nothing is left');
});

test('renders nodes of the cluster that take pods', () => {
  const filledNodes = [{ node: 'ip-10-0-0-1', nodePool: 'default', pods: ['shop/web-0'] }];
  expect(renderMarkdown({ ...EMPTY, filledNodes })).toContain('<summary>Nodes of the cluster</summary>\n\n```text\n  ip-10-0-0-1 of NodePool default: takes shop/web-0\n');
});

test('renders pods without a node as in the text report', () => {
  expect(renderMarkdown(VERDICT)).toMatch(/### Pods that do not fit\n\n```text\n {2}2 pods: 2 × shop\/big\n {4}NodePool default: no instance type has enough resources\n/);
});

test('renders no empty section', () => {
  expect(renderMarkdown({ ...EMPTY, assumptions: [] })).toBe('## There are no pods to schedule.\n\nno errors, no warnings.\n');
});

test('renders the impact of a scenario on workloads', () => {
  const sources = [{ path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n') }];
  const markdown = renderMarkdown(check(sources), simulateScenario(sources, 'drift'));
  expect(markdown).toMatch(/### Impact\n\n```text\ndrift: 1 node, done after [^]*Deployment default\/web: at least/);
});

describe('several scenarios', () => {
  const sources = [{ path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n') }];
  const result = simulateScenarios(sources, SCENARIO_NAMES);
  const markdown = renderMarkdown(EMPTY, result);

  test('are summarized in a table, including skipped scenarios', () => {
    expect(markdown).toMatch(/### Impact\n\n\| Scenario \| [^]*\n\| drift \| 1 \| 0\.0960 \| 00:01:20 \| Deployment default\/web temporarily has no ready pod \|\n/);
    expect(markdown).toContain('| peak |  |  |  | nothing to simulate: no autoscaler allows more pods than a workload has |\n');
  });

  test('are collapsed one by one, as are their assumptions', () => {
    expect(markdown).toContain('<details>\n<summary>drift</summary>\n\n```text\ndrift: 1 node, done after ');
    expect(markdown).toContain('<details>\n<summary>Assumptions in scenarios</summary>\n\n```text\n  - the simulation starts at ');
  });

  test('never exceed the length of a GitHub comment', () => {
    const reports = result.reports.flatMap((report) => Array.from({ length: 12 }, (_, at) => ({ ...report, subject: `${at} ${'x'.repeat(400)}` })));
    const findings = Array.from({ length: 5_000 }, (_, at) => ({ ...WARNING, message: `${at} ${'x'.repeat(200)}` }));
    const { length } = renderMarkdown({ ...EMPTY, findings }, { ...result, reports });
    expect(length).toBeGreaterThan(60_000);
    expect(length).toBeLessThan(65_536);
  });
});

test('findings use the room that other parts leave', () => {
  const findings = Array.from({ length: 5_000 }, (_, at) => ({ ...WARNING, message: `${at} ${'x'.repeat(200)}` }));
  const { length } = renderMarkdown({ ...EMPTY, findings: [ERROR, ...findings] });
  expect(length).toBeGreaterThan(60_000);
  expect(length).toBeLessThan(65_536);
});

test('is never longer than a GitHub comment, and counts what is left out', () => {
  const findings = Array.from({ length: 5_000 }, (_, at) => ({ ...WARNING, message: `${at} ${'x'.repeat(200)}`, location: { ...WARNING.location, line: at } }));
  const nodeClaims = Array.from({ length: 3_000 }, (_, at) => ({ ...VERDICT.nodeClaims[0], nodePool: `pool-${at}` }));
  const unschedulable = Array.from({ length: 3_000 }, (_, at) => ({ ...VERDICT.unschedulable[0], pod: `shop/x${at}y`, smallestChange: `change ${at}` }));
  const assumptions = Array.from({ length: 3_000 }, (_, at) => `sentence ${at} ${'x'.repeat(90)}`);
  const notEvaluated = unschedulable.map(({ pod, smallestChange }) => ({ pod, what: [`${smallestChange} ${'x'.repeat(300)}`] }));
  const capacityBuffers = assumptions.map((name) => ({ name, pods: 1, scheduledPods: 1 }));
  const nodePools = assumptions.map((name, at) => ({ ...VERDICT.nodePools[0], name, zones: [`zone-${at}`] }));
  const filledNodes = assumptions.map((node, at) => ({ node, nodePool: null, pods: [`shop/y${at}z`] }));
  const big = { ...VERDICT, findings, nodeClaims, unschedulable, notEvaluated, capacityBuffers, nodePools, filledNodes, assumptions };
  const markdown = renderMarkdown(big);
  expect(markdown.length).toBeGreaterThan(60_000);
  expect(markdown.length).toBeLessThan(65_536);
  expect(markdown).toMatch(/and \d+ more findings \(--format json lists all\)/);
  expect(markdown).toMatch(/and \d+ more nodes \(--format json lists all\)/);
  expect(markdown).toMatch(/and \d+ more lines \(--format text prints all\)/);
});

describe('text from manifests', () => {
  test.each([
    ['a|b', 'a\\|b'], ['<script>', '&lt;script&gt;'], ['*x* _y_', '\\*x\\* \\_y\\_'], ['[a](b)', '\\[a\\](b)'], ['a\nb', 'a<br>b'],
    ['`x`', '\\`x\\`'], ['oci://a http://b.c www.d.e', 'oci\\://a http\\://b.c www\\.d.e'],
  ])('becomes no markup: %j is escaped as %j', (text, written) => expect(prose(text)).toBe(written));

  test.each([
    ['al2023@latest', 'al2023@latest'], ['write @daily', 'write <code>@daily</code>'], ['ask @the-org/team_a.', 'ask <code>@the-org/team\\_a</code>.'],
    ['as in #12', 'as in <code>#12</code>'], ['an/other#12', 'an/other<code>#12</code>'], ['GH-12', '<code>GH-12</code>'],
  ])('notifies no GitHub user and links no issue: %j is escaped as %j', (text, written) => expect(prose(text)).toBe(written));

  test.each([['a|b', '<code>a\\|b</code>'], ['a`b', '``a`b``'], ['`', '`` ` ``'], ['a\n b', '`a b`'], ['a|@b', '<code>a\\|@b</code>']])('is unchanged as code: %j is rendered as %j', (text, written) => {
    expect(code(text)).toBe(written);
  });

  test('never breaks a table, and never ends a code block', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('|', '`', '\n', '<', '>', '\\', '@', 'a', ' ', '~', '\u0007') }), (text) => {
      const [subject, location] = [{ ...WARNING.subject, name: text }, { ...WARNING.location, file: text }];
      const finding = { ...WARNING, message: text, remedy: text, subject, location };
      const markdown = renderMarkdown({ ...EMPTY, findings: [finding], assumptions: [] });
      const [row] = rows(markdown);
      // Bars without a backslash are the table's own.
      expect(row.replace(/\\./g, '').split('|')).toHaveLength(5);
      expect(rows(markdown)).toHaveLength(1);
      expect(withoutCode(renderMarkdown({ ...EMPTY, findings: [finding], assumptions: [text] }))).not.toMatch(/<(?!br>|\/?code>|\/?details>|\/?summary>)/);
    }), { numRuns: 300 });
  });
});
