import fc from 'fast-check';
import { EMPTY, VERDICT } from './verdict';
import { check, Finding, playScenario, playScenarios, renderMarkdown, SCENARIO_NAMES } from '../../../src/validation';
import { code, prose } from '../../../src/validation/report/markdown/inline';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../setup';

const [ERROR, WARNING] = VERDICT.findings;
const withFindings = (findings: readonly Finding[]) => renderMarkdown({ ...VERDICT, findings });
const rows = (markdown: string) => markdown.split('\n').filter((line) => line.startsWith('| ') && !/^\| (---|Where|Nodes) /.test(line));

const withoutCode = (markdown: string) => markdown.replace(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');

test('the outcome comes first, with the counts and the rules of the errors', () => {
  expect(renderMarkdown(VERDICT).split('\n\n').slice(0, 2)).toEqual([
    '## 4 of 7 pods fit on 3 nodes, from 0.3000 USD per hour (no packing costs less than 0.2500); 2 pods do not fit; 1 pod is not evaluated.',
    '1 error (KARP-109), 2 warnings, 1 note.',
  ]);
});

test('a finding is a row: where it is, what happens to which object, what to write instead', () => {
  expect(rows(withFindings([WARNING]))[0]).toBe('| `b.yaml:9`<br>KARP-306 missing-requests | **Deployment shop/web**: no cpu request | write one |');
});

test('errors are open, and what is less grave is behind a click; without errors warnings are open', () => {
  expect(withFindings([WARNING, ERROR])).toMatch(/### 1 error\n[^]*<summary>1 warning<\/summary>/);
  expect(withFindings([WARNING])).toContain('### 1 warning\n');
});

test('findings that say the same are one row', () => {
  const alike = Array.from({ length: 9 }, (_, at) => ({ ...WARNING, subject: { ...WARNING.subject, name: `web-${at}` } }));
  expect(withFindings(alike)).toMatch(/### 9 warnings\n/);
  expect(rows(withFindings(alike)).filter((row) => row.includes('KARP-306'))).toEqual([expect.stringContaining('the same of 8 more: shop/web-1 (b.yaml:9)')]);
});

test('equal nodes are one row with their number, the dearest first', () => {
  expect(rows(withFindings([]))).toEqual([
    '| 1 | `default` | `m5.xlarge` | on-demand, us-east-1b | 0.1920 | shop/api, shop/web-2 |',
    '| 2 | `default` | `m5.large`, or 1 more | spot, us-east-1a | 0.0384 | 1 × shop/web |',
  ]);
});

test('a node that cannot be launched says why', () => {
  const [claim] = VERDICT.nodeClaims;
  expect(rows(renderMarkdown({ ...EMPTY, nodeClaims: [{ ...claim, launch: null, launchFailure: 'nothing is left' }] }))[0])
    .toContain('cannot be launched: nothing is left');
});

test('nodes of the cluster that take pods are told, too', () => {
  const filledNodes = [{ node: 'ip-10-0-0-1', nodePool: 'default', pods: ['shop/web-0'] }];
  expect(renderMarkdown({ ...EMPTY, filledNodes })).toContain('<summary>Nodes of the cluster</summary>\n\n```text\n  ip-10-0-0-1 of NodePool default: takes shop/web-0\n');
});

test('pods without a node are told with their reasons, in the words of the text', () => {
  expect(renderMarkdown(VERDICT)).toMatch(/### Pods that do not fit\n\n```text\n {2}2 pods: 2 × shop\/big\n {4}NodePool default: no instance type has enough resources\n/);
});

test('of nothing nothing is told', () => {
  expect(renderMarkdown({ ...EMPTY, assumptions: [] })).toBe('## There are no pods to place.\n\nno errors, no warnings.\n');
});

test('a scenario is told with what becomes of the workloads', () => {
  const sources = [{ path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n') }];
  const markdown = renderMarkdown(check(sources), playScenario(sources, 'drift'));
  expect(markdown).toMatch(/### What becomes of it\n\n```text\ndrift: 1 node, over after [^]*Deployment default\/web: at least/);
});

describe('several scenarios', () => {
  const sources = [{ path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n') }];
  const played = playScenarios(sources, SCENARIO_NAMES);
  const markdown = renderMarkdown(EMPTY, played);

  test('are told in a table, also those of which there is nothing to play', () => {
    expect(markdown).toMatch(/### What becomes of it\n\n\| Scenario \| [^]*\n\| drift \| 1 \| 0\.0960 \| 00:01:20 \| Deployment default\/web has no pod ready for a while \|\n/);
    expect(markdown).toContain('| peak |  |  |  | nothing to play: no autoscaler lets a workload have more pods |\n');
  });

  test('are each behind a click, as is what is taken for granted', () => {
    expect(markdown).toContain('<details>\n<summary>drift</summary>\n\n```text\ndrift: 1 node, over after ');
    expect(markdown).toContain('<details>\n<summary>Taken for granted in scenarios</summary>\n\n```text\n  - it begins at ');
  });

  test('never take more than there is room for', () => {
    const reports = played.reports.flatMap((report) => Array.from({ length: 12 }, (_, at) => ({ ...report, subject: `${at} ${'x'.repeat(400)}` })));
    const findings = Array.from({ length: 5_000 }, (_, at) => ({ ...WARNING, message: `${at} ${'x'.repeat(200)}` }));
    const { length } = renderMarkdown({ ...EMPTY, findings }, { ...played, reports });
    expect(length).toBeGreaterThan(60_000);
    expect(length).toBeLessThan(65_536);
  });
});

test('findings have the room that nothing else takes', () => {
  const findings = Array.from({ length: 5_000 }, (_, at) => ({ ...WARNING, message: `${at} ${'x'.repeat(200)}` }));
  const { length } = renderMarkdown({ ...EMPTY, findings: [ERROR, ...findings] });
  expect(length).toBeGreaterThan(60_000);
  expect(length).toBeLessThan(65_536);
});

test('it is never longer than a comment on GitHub may be, and says what is left out', () => {
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
  expect(markdown).toMatch(/and \d+ findings more: `--format json`/);
  expect(markdown).toMatch(/and \d+ nodes more: `--format json`/);
  expect(markdown).toMatch(/and \d+ lines more: --format text/);
});

describe('what stands in manifests', () => {
  test.each([
    ['a|b', 'a\\|b'], ['<script>', '&lt;script&gt;'], ['*x* _y_', '\\*x\\* \\_y\\_'], ['[a](b)', '\\[a\\](b)'], ['a\nb', 'a<br>b'],
    ['`x`', '\\`x\\`'], ['oci://a http://b.c www.d.e', 'oci\\://a http\\://b.c www\\.d.e'],
  ])('is no markup: %j is written %j', (text, written) => expect(prose(text)).toBe(written));

  test.each([
    ['al2023@latest', 'al2023@latest'], ['write @daily', 'write <code>@daily</code>'], ['ask @the-org/team_a.', 'ask <code>@the-org/team\\_a</code>.'],
    ['as in #12', 'as in <code>#12</code>'], ['an/other#12', 'an/other<code>#12</code>'], ['GH-12', '<code>GH-12</code>'],
  ])('calls nobody, and can be copied: %j is written %j', (text, written) => expect(prose(text)).toBe(written));

  test.each([['a|b', '<code>a\\|b</code>'], ['a`b', '``a`b``'], ['`', '`` ` ``'], ['a\n b', '`a b`'], ['a|@b', '<code>a\\|@b</code>']])('is kept in code: %j is written %j', (text, written) => {
    expect(code(text)).toBe(written);
  });

  test('never breaks a table, or out of a block', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('|', '`', '\n', '<', '>', '\\', '@', 'a', ' ', '~', '\u0007') }), (text) => {
      const [subject, location] = [{ ...WARNING.subject, name: text }, { ...WARNING.location, file: text }];
      const finding = { ...WARNING, message: text, remedy: text, subject, location };
      const markdown = renderMarkdown({ ...EMPTY, findings: [finding], assumptions: [] });
      const [row] = rows(markdown);
      // Bars that no backslash stands before are the table's own.
      expect(row.replace(/\\./g, '').split('|')).toHaveLength(5);
      expect(rows(markdown)).toHaveLength(1);
      expect(withoutCode(renderMarkdown({ ...EMPTY, findings: [finding], assumptions: [text] }))).not.toMatch(/<(?!br>|\/?code>|\/?details>|\/?summary>)/);
    }), { numRuns: 300 });
  });
});
