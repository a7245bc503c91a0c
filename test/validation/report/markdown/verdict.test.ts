import fc from 'fast-check';
import {
  check,
  Finding,
  readSession,
  simulateScenario,
  simulateScenarios,
  renderMarkdown,
  SCENARIO_NAMES,
} from '../../../../src/validation';
import { code, prose } from '../../../../src/validation/report/markdown/inline';
import { reportFleet } from '../../../support/report-fleet';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';
import { EMPTY, VERDICT } from '../verdict';

const [ERROR, WARNING] = VERDICT.findings;
const withFindings = (findings: readonly Finding[]) => renderMarkdown({ ...VERDICT, findings });
const rows = (markdown: string) =>
  markdown.split('\n').filter((line) => line.startsWith('| ') && !/^\| (---|Where|NodePool) /.test(line));

const findingRows = (markdown: string) => rows(markdown).filter((row) => row.startsWith('| [KARP-'));
const withoutCode = (markdown: string) => markdown.replace(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');

test('renders the outcome with the counts first, then a table of NodePools', () => {
  expect(renderMarkdown(VERDICT).split('\n\n').slice(0, 3)).toEqual([
    '## 4 of 7 pods fit on 3 nodes, from \\$0.3000/h (\\$219/month); 2 pods do not fit; 1 pod is not evaluated; 1 error, 2 warnings, 1 note.',
    '| NodePool | Nodes | Instance types | Per month | CPU requested | Memory requested |\n| --- | --- | --- | --- | --- | --- |\n' +
      '| `default` | 3 | 2 × `m5.large`, `m5.xlarge` | \\$196 | 55% | 1% |',
    'Lower bound: \\$0.2500/h.',
  ]);
});

test('has at most 10 KB for a fleet of 60 Deployments', () => {
  const markdown = renderMarkdown(check(reportFleet()));
  expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(10_240);
  expect(
    rows(markdown)
      .slice(0, 6)
      .map((row) => row.split(' | ').slice(0, 2).join(' ')),
  ).toEqual(['| `general` 3', '| `gpu` 3', '| `critical` 1', '| `batch` 3', '| `arm` 3', '| **all** 13']);
});

test('renders a finding as a row with place, message and remedy', () => {
  expect(findingRows(withFindings([WARNING]))[0]).toBe(
    '| [KARP-306] missing-requests<br>[`b.yaml:9`](b.yaml#L9) | **Deployment shop/web**: no cpu request | write one |',
  );
  expect(withFindings([WARNING, WARNING]).match(/^\[KARP-306\]: https:.*\/docs\/rules\/KARP-306\.md$/gm)).toHaveLength(
    1,
  );
});

test.each([
  ['./a b/(c).yaml', '[`./a b/(c).yaml:9`](a%20b/%28c%29.yaml#L9)'],
  ['/x/b.yaml', '`/x/b.yaml:9`'],
  ['../b.yaml', '`../b.yaml:9`'],
  ['C:\\b.yaml', '<code>C:\\\\b.yaml:9</code>'],
  ['-', '`(standard input):9`'],
  ['', '`(no file)`'],
])('links to the line of a file below the working folder: %s', (file, place) => {
  expect(findingRows(withFindings([{ ...WARNING, location: { ...WARNING.location, file } }]))[0]).toContain(
    `<br>${place} | `,
  );
});

test('lists notes without their messages', () => {
  const info = { ...WARNING, severity: 'info' as const };
  expect(withFindings([info, { ...info, location: { ...info.location, line: 12 } }])).toContain(
    '<summary>2 notes</summary>\n\n- [KARP-306] missing-requests × 2: [`b.yaml:9`](b.yaml#L9), [`:12`](b.yaml#L12)\n',
  );
});

test('opens only errors', () => {
  expect(withFindings([WARNING, ERROR])).toMatch(
    /<details open>\n<summary>1 error<\/summary>[^]*<details>\n<summary>1 warning<\/summary>/,
  );
});

test('renders the warnings of a rule as one row with its first places', () => {
  const alike = Array.from({ length: 9 }, (_, at) => ({
    ...WARNING,
    subject: { ...WARNING.subject, name: `web-${at}` },
  }));
  expect(withFindings(alike)).toContain('<summary>9 warnings</summary>');
  expect(findingRows(withFindings(alike))).toEqual([
    expect.stringContaining(
      '| [KARP-306] missing-requests × 9<br>[`b.yaml:9`](b.yaml#L9), [`:9`](b.yaml#L9), [`:9`](b.yaml#L9) | **Deployment shop/web-0**',
    ),
  ]);
});

test('renders equal nodes as one line, the most expensive first', () => {
  expect(withFindings([])).toMatch(
    /<summary>3 nodes<\/summary>\n\n```text\nNodes in us-east-1 .*\n {2}default-2 {6}m5\.xlarge .*\n.*\n {2}default-0 × 2 {2}m5\.large /,
  );
});

test('renders why a node cannot be launched', () => {
  const [claim] = VERDICT.nodeClaims;
  const nodes = [{ ...VERDICT.nodes[0], name: claim.id, instanceType: null, price: null }];
  expect(
    rows(
      renderMarkdown({ ...EMPTY, nodes, nodeClaims: [{ ...claim, launch: null, launchFailure: 'nothing is left' }] }),
    )[0],
  ).toBe('| `default` | 1 | cannot be launched: nothing is left | unknown | 57% | 2% |');
});

test('counts existing and new nodes of a NodePool, and sums up many NodePools', () => {
  const nodes = Array.from({ length: 20 }, (_, at) => ({
    ...VERDICT.nodes[0],
    nodePool: at < 3 ? null : `pool-${at}`,
    existing: at < 2,
  }));
  expect(
    rows(renderMarkdown({ ...EMPTY, nodes }))
      .map((row) => row.split(' | ').slice(0, 2).join(' '))
      .filter((row) => !row.includes('pool-')),
  ).toEqual(['| no NodePool 2 and 1 new', '| 6 more 6', '| **all** 2 and 18 new']);
});

test('renders nodes of the cluster that take pods', () => {
  const filledNodes = [{ node: 'ip-10-0-0-1', nodePool: 'default', pods: ['shop/web-0'] }];
  expect(renderMarkdown({ ...EMPTY, filledNodes })).toContain(
    '<summary>Nodes of the cluster</summary>\n\n```text\n  ip-10-0-0-1 of NodePool default: takes shop/web-0\n',
  );
});

test('renders pods without a node as in the text report', () => {
  expect(renderMarkdown(VERDICT)).toMatch(
    /<details open>\n<summary>Pods that do not fit<\/summary>\n\n```text\n {2}2 pods: 2 × shop\/big\n {4}NodePool default: no instance type has enough resources\n/,
  );
});

test('renders no empty section', () => {
  expect(renderMarkdown({ ...EMPTY, assumptions: [] })).toBe(
    '## There are no pods to schedule; no errors, no warnings.\n',
  );
});

test('renders the impact of a scenario on workloads', () => {
  const sources = [
    { path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n') },
  ];
  const markdown = renderMarkdown(check(sources), simulateScenario(sources, 'drift'));
  expect(markdown).toMatch(/### Impact\n\n```text\ndrift: 1 node, done after [^]*Deployment default\/web: at least/);
});

describe('several scenarios', () => {
  const sources = [
    { path: 'a.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n') },
  ];
  const result = simulateScenarios(readSession(sources), SCENARIO_NAMES);
  const markdown = renderMarkdown(EMPTY, result);

  test('are summarized in a table, including skipped scenarios', () => {
    expect(markdown).toMatch(
      /### Impact\n\n\| Scenario \| [^]*\n\| drift \| 1 \| 0\.0960 \| 80 s \| Deployment default\/web temporarily has no ready pod \|\n/,
    );
    expect(markdown).toContain(
      '| peak |  |  |  | nothing to simulate: no autoscaler allows more pods than a workload has |\n',
    );
  });

  test('are collapsed one by one, as are their assumptions', () => {
    expect(markdown).toContain('<details>\n<summary>drift</summary>\n\n```text\ndrift: 1 node, done after ');
    expect(markdown).toContain(
      '<details>\n<summary>Assumptions in scenarios</summary>\n\n```text\n  - the simulation starts at ',
    );
  });

  test('never exceed the length of a GitHub comment', () => {
    const reports = result.reports.flatMap((report) =>
      Array.from({ length: 12 }, (_, at) => ({ ...report, subject: `${at} ${'x'.repeat(400)}` })),
    );
    const findings = Array.from({ length: 5_000 }, (_, at) => ({ ...ERROR, message: `${at} ${'x'.repeat(200)}` }));
    const { length } = renderMarkdown({ ...EMPTY, findings }, { ...result, reports });
    expect(length).toBeGreaterThan(15_000);
    expect(length).toBeLessThan(40_000);
  });
});

test('is much shorter than a GitHub comment, and counts what is left out', () => {
  const findings = Array.from({ length: 5_000 }, (_, at) => ({
    ...ERROR,
    message: `${at} ${'x'.repeat(200)}`,
    location: { ...ERROR.location, line: at },
  }));
  const nodes = Array.from({ length: 3_000 }, (_, at) => ({ ...VERDICT.nodes[0], nodePool: `pool-${at}` }));
  const unschedulable = Array.from({ length: 3_000 }, (_, at) => ({
    ...VERDICT.unschedulable[0],
    pod: `shop/x${at}y`,
    smallestChange: `change ${at}`,
  }));
  const assumptions = Array.from({ length: 3_000 }, (_, at) => `sentence ${at} ${'x'.repeat(90)}`);
  const notEvaluated = unschedulable.map(({ pod, smallestChange }) => ({
    pod,
    what: [`${smallestChange} ${'x'.repeat(300)}`],
  }));
  const capacityBuffers = assumptions.map((name) => ({ name, pods: 1, scheduledPods: 1 }));
  const nodePools = assumptions.map((name, at) => ({ ...VERDICT.nodePools[0], name, zones: [`zone-${at}`] }));
  const filledNodes = assumptions.map((node, at) => ({ node, nodePool: null, pods: [`shop/y${at}z`] }));
  const big = {
    ...VERDICT,
    findings,
    nodes,
    unschedulable,
    notEvaluated,
    capacityBuffers,
    nodePools,
    filledNodes,
    assumptions,
  };
  const markdown = renderMarkdown(big);
  expect(markdown.length).toBeLessThan(20_000);
  expect(markdown).toMatch(/and [\d,]+ more findings \(--format json lists all\)/);
  expect(markdown).toMatch(/and [\d,]+ more nodes \(--verbose prints all\)/);
  expect(markdown).toMatch(/and [\d,]+ more lines \(--format text prints all\)/);
});

describe('text from manifests', () => {
  test.each([
    ['a|b', 'a\\|b'],
    ['<script>', '&lt;script&gt;'],
    ['*x* _y_', '\\*x\\* \\_y\\_'],
    ['[a](b)', '\\[a\\](b)'],
    ['a\nb', 'a<br>b'],
    ['`x`', '\\`x\\`'],
    ['oci://a http://b.c www.d.e', 'oci\\://a http\\://b.c www\\.d.e'],
  ])('becomes no markup: %j is escaped as %j', (text, written) => expect(prose(text)).toBe(written));

  test.each([
    ['al2023@latest', 'al2023@latest'],
    ['write @daily', 'write <code>@daily</code>'],
    ['ask @the-org/team_a.', 'ask <code>@the-org/team\\_a</code>.'],
    ['as in #12', 'as in <code>#12</code>'],
    ['an/other#12', 'an/other<code>#12</code>'],
    ['mail a.b@example.com now', 'mail <code>a.b@example.com</code> now'],
    ['x 0123456789abcdef0123456789abcdef01234567 y', 'x <code>0123456789abcdef0123456789abcdef01234567</code> y'],
    ['al2023@latest', 'al2023@latest'],
    ['GH-12', '<code>GH-12</code>'],
  ])('notifies no GitHub user and links no issue: %j is escaped as %j', (text, written) =>
    expect(prose(text)).toBe(written),
  );

  test.each([
    ['a|b', '<code>a\\|b</code>'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a\n b', '`a b`'],
    ['a|@b', '<code>a\\|@b</code>'],
  ])('is unchanged as code: %j is rendered as %j', (text, written) => {
    expect(code(text)).toBe(written);
  });

  test('never breaks a table, and never ends a code block', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('|', '`', '\n', '<', '>', '\\', '@', 'a', ' ', '~', '\u0007') }),
        (text) => {
          const [subject, location] = [
            { ...WARNING.subject, name: text },
            { ...WARNING.location, file: text },
          ];
          const finding = { ...WARNING, message: text, remedy: text, subject, location };
          const markdown = renderMarkdown({ ...EMPTY, findings: [finding], assumptions: [] });
          const [row] = rows(markdown);
          // Bars without a backslash are the table's own.
          expect(row.replace(/\\./g, '').split('|')).toHaveLength(5);
          expect(rows(markdown)).toHaveLength(1);
          expect(withoutCode(renderMarkdown({ ...EMPTY, findings: [finding], assumptions: [text] }))).not.toMatch(
            /<(?!br>|\/?code>|\/?details>|details open>|\/?summary>)/,
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});
