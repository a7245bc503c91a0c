import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { EMPTY, VERDICT } from './verdict';
import { ScenarioReport } from '../../../src/disruption';
import { Difference, Finding, renderDifferenceHtml, renderHtml, Verdict } from '../../../src/validation';

const [ERROR, WARNING] = VERDICT.findings;
const SIZE = { nodes: 2, usdPerHour: 0.1 };
const REPORT: ScenarioReport = {
  scenario: 'drift',
  subject: 'all',
  timeline: [{ second: 60, what: 'a is terminated' }],
  timeSeries: [
    { second: 0, nodes: 2, readyPods: 4 },
    { second: 60, nodes: 1, readyPods: 0 },
    { second: 80, nodes: 1, readyPods: 4 },
  ],
  workloads: [
    { workload: 'Deployment shop/web', replicas: 4, lowestReady: 0, evictions: 4, secondsBelowBudget: 20 },
    { workload: 'Deployment shop/api', replicas: 1, lowestReady: 1, evictions: 0 },
  ],
  pending: [],
  unplaced: [],
  lost: [],
  stuck: [{ what: 'node b', why: 'a PodDisruptionBudget allows nothing', remedy: 'let one pod go' }],
  drains: [],
  before: SIZE,
  after: { ...SIZE, nodes: 1 },
  seconds: 80,
  unfinished: false,
};
const scenarioResult = (...reports: ScenarioReport[]) => ({
  reports,
  assumptions: ['EC2 has capacity'],
  notEvaluated: [],
});

/** The text of a page, without the style sheet. */
const textOf = (page: string) =>
  page
    .replace(/<(style|script)[^]*?<\/\1>/g, '')
    .replace(/<title>[^]*<\/title>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
const withFindings = (findings: readonly Finding[]): Verdict => ({ ...EMPTY, findings });
const chartsOf = (page: string) => page.match(/<svg role="img"[^]*?<\/svg>/g) ?? [];

test('the outcome is heading and title, followed by five figures', () => {
  const page = renderHtml(VERDICT);
  expect(page).toMatch(/<title>Karpenter: 4 of 7 pods fit on 3 nodes/);
  expect(textOf(page)).toMatch(
    /4 of 7 pods fit on 3 nodes, from \$0\.3000\/h .* Pods placed 4 of 7 .* Nodes 3 .* Price .* Lower bound of any packing .* Findings 1 error 2 warnings/,
  );
});

test('runs only its own script and fetches nothing', () => {
  const page = renderHtml(VERDICT, scenarioResult(REPORT));
  const hashOf = (text: string) => `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
  const [, script] = /<script>([^]*?)<\/script>/.exec(page)!;
  const [, style] = /<style>([^]*?)<\/style>/.exec(page)!;
  expect(page).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src ${hashOf(script)}; style-src ${hashOf(style)}; `,
  );
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.replace(script, '')).not.toMatch(/<link|<img|\son\w+=|url\((?!#)|@import/);
});

test('groups findings by rule, the most severe first, with object, place, message and remedy', () => {
  const text = textOf(renderHtml(withFindings([WARNING, ERROR])));
  expect(text).toMatch(
    /Duplicate YAML key error KARP-109 1 About KARP-109: why it matters, with an example, and how to accept it a\.yaml:3:5 the key "a" is written twice a\.yaml:3:5 the key "a" is written twice merge the two .*Missing requests warning KARP-306 1 About .*Deployment shop\/web no cpu request b\.yaml:9:1/,
  );
});

test('links each rule to its page and prints its summary', () => {
  const page = renderHtml(withFindings([WARNING]), undefined, [
    { id: 'KARP-306', summary: 'A container has no requests.' },
  ]);
  expect(page).toContain(
    'href="https://github.com/karpenter-constructs/karpenter-constructs/blob/main/docs/rules/KARP-306.md"',
  );
  expect(textOf(page)).toContain('A container has no requests.');
});

test('marks the place of a finding in its source, and shows the fix as a patch', () => {
  const excerpt = { line: 8, lines: ['spec:', '  replcas: 2', '  selector: {}'] };
  const fix = {
    title: 'rename replcas to replicas',
    file: 'b.yaml',
    safe: true,
    edits: [{ line: 9, column: 3, endLine: 9, endColumn: 10, text: 'replicas' }],
  };
  const page = renderHtml(withFindings([{ ...WARNING, location: { ...WARNING.location, column: 3 }, excerpt, fix }]));
  expect(textOf(page)).toContain('8 spec: 9 replcas: 2 ^ 10 selector: {}');
  expect(textOf(page)).toContain(
    'rename replcas to replicas Copy the patch --- a/b.yaml +++ b/b.yaml @@ -8,3 +8,3 @@ spec: - replcas: 2 + replicas: 2 selector: {}',
  );
});

test('says that there is no finding', () => {
  expect(textOf(renderHtml(EMPTY))).toContain('No finding None of the rules found a mistake.');
});

test('shows for pods without a node the reason of each NodePool, and what would help', () => {
  expect(textOf(renderHtml(VERDICT))).toMatch(
    /Pods that do not fit 2 pods: 2 × shop\/big default : no instance type has enough resources short by 130Mi .* lower memory from 16Gi to 15Gi: then every pod of the workload fits \(2 changes tried\)/,
  );
});

test('draws a tile for each node, grouped by NodePool', () => {
  const page = renderHtml(VERDICT);
  expect(page.match(/class="tile"/g)).toHaveLength(3);
  expect(textOf(page)).toContain('default-2 $0.1920 m5.xlarge on-demand us-east-1b CPU 53% Mem 1%');
  expect(textOf(page)).toContain('default 3 nodes · 4 pods · $0.2688/h, 100% of the price');
});

test('draws many nodes as small tiles without text', () => {
  const [first] = VERDICT.nodes;
  const nodes = Array.from({ length: 150 }, (_, index) => ({ ...first, name: `default-${index}` }));
  const page = renderHtml({ ...VERDICT, nodes });
  expect(page).toContain('class="map dense"');
  expect(page.match(/class="tile"/g)).toHaveLength(150);
  expect(page).toContain('aria-label="default-0, m5.large, spot, us-east-1a, $0.0384/h, 1 pod, CPU 57%, Memory 2%"');
});

test('lists the nodes as a table, too', () => {
  expect(textOf(renderHtml(VERDICT))).toMatch(
    /Nodes as a table .* default-0 default m5\.large spot us-east-1a \$0\.0384\/h 1 57% 2% 1 × shop\/web default-1 /,
  );
});

test('shows zones, protection and price of each workload', () => {
  expect(textOf(renderHtml(VERDICT))).toMatch(
    /shop\/big Deployment 0 of 2 1 CPU, no memory .* shop\/web Deployment 3 1 CPU, no memory 1a 1b PDB spread over zones \$73/,
  );
});

test('shows how many instance types each requirement of a NodePool leaves, and its limits', () => {
  expect(textOf(renderHtml(VERDICT))).toMatch(
    /default weight 10 3 nodes · .* 1,363 instance types that Karpenter knows 5 a 2 c CPU limit 8 of 100, 8% Cheapest types: m5\.large, m5\.xlarge none taint gpu=true:NoSchedule .* This pool can launch no instance type/,
  );
});

describe('a scenario', () => {
  const page = renderHtml(EMPTY, scenarioResult(REPORT));

  test('shows stuck nodes, workloads and the timeline', () => {
    expect(textOf(page)).toMatch(
      /drift of all: 2 → 1 node, .* node b is stuck: a PodDisruptionBudget allows nothing; let one pod go /,
    );
    expect(textOf(page)).toMatch(
      /Deployment shop\/web 0 4 4 20 s Deployment shop\/api 1 1 0 – .*00:01:00 a is terminated/,
    );
  });

  test('draws ready pods and nodes over time', () => {
    expect(chartsOf(page)).toEqual([
      expect.stringMatching(
        /^<svg role="img" aria-label="drift of all: at least 0 pods ready, and at most 2 nodes"[^]*pods ready \(left\)/,
      ),
    ]);
  });

  test.each([
    [80, '00:00:15'],
    [6_500, '00:15:00'],
    [90_000, '04:00:00'],
    [2_000_000, '96:00:00'],
  ])('has axis labels at usual times for %d s: %s', (seconds, label) => {
    const timeSeries = REPORT.timeSeries.map((entry) => ({
      ...entry,
      second: Math.round((entry.second * seconds) / 80),
    }));
    const [chart] = chartsOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, timeSeries, seconds })));
    expect([...chart!.matchAll(/>(\d\d:\d\d:\d\d)</g)].slice(0, 2).map(([, text]) => text)).toEqual([
      '00:00:00',
      label,
    ]);
  });

  test('draws nothing if nothing changes', () => {
    expect(
      chartsOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, timeSeries: REPORT.timeSeries.slice(0, 1) }))),
    ).toEqual([]);
  });

  test('keeps the fewest ready pods and the end of a long time series', () => {
    const timeSeries = Array.from({ length: 20_000 }, (_, second) => ({
      second,
      nodes: 7,
      readyPods: second === 12_345 ? 1 : 50 + (second % 2),
    }));
    const [chart] = chartsOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, timeSeries, seconds: 20_000 })));
    expect(chart!.length).toBeLessThan(40_000);
    const heights = [
      ...chart!.match(/<path d="M[\d. ]+(?:L[\d. ]+)+"[^>]*stroke="#3d7dca"/)![0].matchAll(/[ML][\d.]+ ([\d.]+)/g),
    ].map(([, y]) => Number(y));
    // The y axis points down: the lowest point has the largest coordinate.
    expect(heights.filter((y) => y > 150)).not.toEqual([]);
  });

  test('shows what falls back where, and how long pods wait', () => {
    const nodes = [{ value: 'spot', before: 2, after: 0 }];
    const fallback = { by: 'capacity type' as const, nodes, waitingPods: 3, longestWaitSeconds: 80 };
    const text = textOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, fallback })));
    expect(text).toContain('nodes by capacity type: spot 2 → 0');
    expect(text).toContain('3 pods wait for a node, the longest 80 s');
  });

  test('shows the nodes that a rollout needs', () => {
    const cost = { launches: 2, mostNodes: 4, extraNodeMinutes: 20, extraCost: 0.1, seconds: 600, isDone: true };
    const rollout = { ...cost, withoutSurge: { ...cost, launches: 0 } };
    const text = textOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, scenario: 'rollout', rollout })));
    expect(text).toContain('launches 2 nodes: at most 4 instead of 2 nodes, 20 node-minutes more');
    expect(text).toContain('with maxSurge: 0 and maxUnavailable: 1: no node');
  });

  test('shows that a scenario cannot happen', () => {
    expect(textOf(renderHtml(EMPTY, scenarioResult()))).toContain(
      'Nothing to simulate: this scenario affects nothing here.',
    );
  });
});

describe('several scenarios', () => {
  const several = (...reports: ScenarioReport[]) =>
    renderHtml(EMPTY, { ...scenarioResult(...reports), notSimulated: [{ scenario: 'peak', why: 'no autoscaler' }] });
  const page = several(REPORT, { ...REPORT, scenario: 'expiration' });

  test('have a table first, with a link to each', () => {
    expect(textOf(page)).toMatch(
      /Scenario Nodes \$\/h Duration Impact drift 2 → 1 0\.1000 80 s 1 node is stuck; Deployment shop\/web temporarily has no ready pod/,
    );
    expect(page).toMatch(
      /<a href="#scenario-expiration">expiration<\/a>[^]*<div id="scenario-expiration">[^]*<h3>expiration of all: /,
    );
  });

  test('include skipped scenarios with their reason', () => {
    expect(textOf(page)).toContain('peak nothing to simulate: no autoscaler ');
    expect(textOf(several())).not.toContain('Nothing to simulate:');
  });

  test('are drawn one by one', () => {
    expect(chartsOf(page)).toHaveLength(2);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('the same verdict gives the same bytes, regardless of earlier pages', () => {
  expect(renderHtml(VERDICT, scenarioResult(REPORT, REPORT))).toBe(renderHtml(VERDICT, scenarioResult(REPORT, REPORT)));
});

test('escapes text from manifests', () => {
  const page = (text: string) =>
    renderHtml(
      {
        ...EMPTY,
        findings: [
          {
            ...WARNING,
            message: text,
            remedy: text,
            subject: { ...WARNING.subject, name: text },
            location: { ...WARNING.location, file: text, construct: text },
          },
        ],
        unschedulable: [
          {
            ...VERDICT.unschedulable[0],
            pod: text,
            reasons: [{ ...VERDICT.unschedulable[0].reasons[0], message: text, nodePool: text }],
          },
        ],
        assumptions: [text],
      },
      {
        ...scenarioResult({
          ...REPORT,
          subject: text,
          workloads: [{ ...REPORT.workloads[0], workload: text }],
          timeSeries: [],
        }),
        notEvaluated: [text],
      },
    );
  const escaped = (text: string) =>
    text.replace(
      /[&<>"']/g,
      (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[character]};`,
    );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", '/', 'script', '=', ' ') }).map((text) => `x${text}x`),
      (text) => {
        expect(page(text)).toBe(page('xTOKENx').replaceAll('xTOKENx', escaped(text)));
      },
    ),
    { numRuns: 100 },
  );
});

test('escapes names in the drawing and in the data of its script', () => {
  const page = renderHtml({
    ...VERDICT,
    nodes: [
      {
        ...VERDICT.nodes[0],
        name: '</script><script>"&',
        nodePool: '<script>',
        workloads: [{ workload: '<b>/<i>', pods: 1, requests: { cpu: 1 } }],
      },
    ],
  });
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).not.toContain('<b>/<i>');
  expect(page).toContain('\\u003cscript>');
});

describe('a difference', () => {
  const summary = { before: { ...VERDICT.summary, nodes: 2 }, after: VERDICT.summary };
  const difference: Difference = {
    schemaVersion: '1',
    summary,
    objects: [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        change: 'changed',
        fields: [{ path: 'spec.replicas', before: 1, after: 2 }],
      },
    ],
    nodePools: [],
    unschedulable: [],
    resolved: [],
    drift: [],
    findings: { added: [ERROR], removed: [WARNING] },
    assumptions: ['the cluster is empty'],
  };

  test('shows price, nodes, pods and findings before and after, then the changes', () => {
    const text = textOf(renderDifferenceHtml(difference));
    expect(text).toMatch(
      /Price a month \$219 \$219 before, ±\$0 New nodes 3 2 before Pods placed 4 of 7 4 of 7 before Findings 1 new 1 finding resolved/,
    );
    expect(text).toMatch(/Changes Deployment shop\/web spec\.replicas: 1 → 2/);
    expect(text).toMatch(/New findings 1 finding of 1 rule.* KARP-109/);
  });

  test('says that nothing changes', () => {
    const same = {
      ...difference,
      summary: { before: VERDICT.summary, after: VERDICT.summary },
      objects: [],
      findings: { added: [], removed: [] },
    };
    expect(textOf(renderDifferenceHtml(same))).toContain('Nothing changes.');
  });
});
