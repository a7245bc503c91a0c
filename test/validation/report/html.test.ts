import fc from 'fast-check';
import { EMPTY, VERDICT } from './verdict';
import { ScenarioReport } from '../../../src/disruption';
import { Finding, renderHtml, Verdict } from '../../../src/validation';

const [ERROR, WARNING] = VERDICT.findings;
const SIZE = { nodes: 2, usdPerHour: 0.1 };
const REPORT: ScenarioReport = {
  scenario: 'drift',
  subject: 'all',
  timeline: [{ second: 60, what: 'a is gone' }],
  course: [{ second: 0, nodes: 2, readyPods: 4 }, { second: 60, nodes: 1, readyPods: 0 }, { second: 80, nodes: 1, readyPods: 4 }],
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
const scenarioResult = (...reports: ScenarioReport[]) => ({ reports, assumptions: ['EC2 has capacity'], notEvaluated: [] });

/** The text of a page, without the style sheet. */
const textOf = (page: string) => page.replace(/<style>[^]*<\/style>/, '').replace(/<title>[^]*<\/title>/, '').replace(/<[^>]*>/g, ' ')
  .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&#39;/g, '\'').replace(/&quot;/g, '"').replace(/&amp;/g, '&').replace(/\s+/g, ' ');
const withFindings = (findings: readonly Finding[]): Verdict => ({ ...EMPTY, findings });
const chartsOf = (page: string) => page.match(/<svg[^]*?<\/svg>/g) ?? [];

test('the outcome is heading and title, followed by the number of findings', () => {
  const page = renderHtml(VERDICT);
  expect(page).toMatch(/<title>Karpenter: 4 of 7 pods fit on 3 nodes/);
  expect(textOf(page)).toMatch(/^ 4 of 7 pods fit on 3 nodes, from \$0\.3000\/h .* 1 error 2 warnings 1 note /);
});

test('fetches nothing and runs nothing', () => {
  const page = renderHtml(VERDICT, scenarioResult(REPORT));
  expect(page).toContain('<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;">');
  expect(page).not.toMatch(/<script|<link|<img|\bon\w+=|url\((?!#)|@import/);
});

test('shows the most severe findings first, with place and remedy', () => {
  const text = textOf(renderHtml(withFindings([WARNING, ERROR])));
  expect(text).toMatch(/error KARP-109 duplicate-yaml-key, a\.yaml:3:5 the key "a" is written twice merge the two .*warning Deployment shop\/web KARP-306 missing-requests, b\.yaml:9:1/);
});

test('can filter findings by severity if there are several severities', () => {
  expect(renderHtml(withFindings([WARNING, ERROR]))).toContain('id="only-error"');
  expect(renderHtml(withFindings([WARNING]))).not.toContain('id="only-error"');
});

test('shows for pods without a node the reason of each NodePool, and what would help', () => {
  expect(textOf(renderHtml(VERDICT))).toMatch(/Pods that do not fit 2 pods: 2 × shop\/big default : no instance type has enough resources short by 130Mi .* lower memory from 16Gi to 15Gi: then every pod of the workload fits \(2 changes tried\)/);
});

test('shows nodes with their price, and a bar for each NodePool', () => {
  const page = renderHtml(VERDICT);
  expect(textOf(page)).toMatch(/1 default m5\.xlarge on-demand, us-east-1b 0\.1920 shop\/api, shop\/web-2 2 default m5\.large or 1 more spot, us-east-1a 0\.0384 1 × shop\/web/);
  expect(chartsOf(page)).toEqual([expect.stringMatching(/^<svg role="img" aria-label="Price per hour of each NodePool: default \$0\.2688\/h"[^]*on-demand, \$\/h/)]);
});

test('shows nodes of the cluster that take pods', () => {
  const filledNodes = [{ node: 'ip-10-0-0-1', nodePool: 'default', pods: ['shop/web-7'] }];
  expect(textOf(renderHtml({ ...EMPTY, filledNodes }))).toContain('Nodes of the cluster ip-10-0-0-1 of NodePool default: takes shop/web-7');
});

test('only the most expensive of many NodePools have a bar of their own', () => {
  const [claim] = VERDICT.nodeClaims;
  const nodeClaims = Array.from({ length: 30 }, (_, at) => ({
    ...claim, nodePool: `pool-${String(at).padStart(2, '0')}`, launch: { ...claim.launch!, cheapest: { ...claim.cheapest!, usdPerHour: at + 1 } },
  }));
  const [chart] = chartsOf(renderHtml({ ...EMPTY, nodeClaims }));
  expect(chart).toMatch(/aria-label="[^"]*: pool-29 \$30\.0000\/h, [^"]*, pool-19 \$20\.0000\/h, all others \$190\.0000\/h"/);
});

test('shows why a node cannot be launched', () => {
  const nodeClaims = [{ ...VERDICT.nodeClaims[0], launch: null, launchFailure: 'nothing is left' }];
  const page = renderHtml({ ...EMPTY, nodeClaims });
  expect(textOf(page)).toContain('cannot be launched: nothing is left');
  expect(chartsOf(page)).toEqual([]);
});

describe('a scenario', () => {
  const page = renderHtml(EMPTY, scenarioResult(REPORT));

  test('shows stuck nodes, workloads and the timeline', () => {
    expect(textOf(page)).toMatch(/drift of all: 2 -> 1 node, .* node b is stuck: a PodDisruptionBudget allows nothing; let one pod go /);
    expect(textOf(page)).toMatch(/Deployment shop\/web 0 4 4 00:00:20 Deployment shop\/api 1 1 0 – .*00:01:00 a is gone/);
  });

  test('draws ready pods and nodes over time', () => {
    expect(chartsOf(page)).toEqual([expect.stringMatching(/^<svg role="img" aria-label="drift of all: at least 0 pods ready, and at most 2 nodes"[^]*pods ready \(left\)/)]);
  });

  test.each([[80, '00:00:15'], [6_500, '00:15:00'], [90_000, '04:00:00'], [2_000_000, '96:00:00']])('has axis labels at usual times for %d s: %s', (seconds, label) => {
    const course = REPORT.course.map((entry) => ({ ...entry, second: Math.round(entry.second * seconds / 80) }));
    const [chart] = chartsOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, course, seconds })));
    expect([...chart!.matchAll(/>(\d\d:\d\d:\d\d)</g)].slice(0, 2).map(([, text]) => text)).toEqual(['00:00:00', label]);
  });

  test('draws nothing if nothing changes', () => {
    expect(chartsOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, course: REPORT.course.slice(0, 1) })))).toEqual([]);
  });

  test('keeps the fewest ready pods and the end of a long time series', () => {
    const course = Array.from({ length: 20_000 }, (_, second) => ({ second, nodes: 7, readyPods: second === 12_345 ? 1 : 50 + second % 2 }));
    const [chart] = chartsOf(renderHtml(EMPTY, scenarioResult({ ...REPORT, course, seconds: 20_000 })));
    expect(chart!.length).toBeLessThan(40_000);
    const heights = [...chart!.match(/<path d="M[\d. ]+(?:L[\d. ]+)+"[^>]*stroke="#3d7dca"/)![0].matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    // The y axis points down: the lowest point has the largest coordinate.
    expect(heights.filter((y) => y > 150)).not.toEqual([]);
  });

  test('shows that a scenario cannot happen', () => {
    expect(textOf(renderHtml(EMPTY, scenarioResult()))).toContain('Nothing to simulate: this scenario affects nothing here.');
  });
});

describe('several scenarios', () => {
  const several = (...reports: ScenarioReport[]) => renderHtml(EMPTY, { ...scenarioResult(...reports), notPlayed: [{ scenario: 'peak', why: 'no autoscaler' }] });
  const page = several(REPORT, { ...REPORT, scenario: 'expiration' });

  test('have a table first, with a link to each', () => {
    expect(textOf(page)).toMatch(/Impact Scenario Nodes \$\/h Duration Impact drift 2 -> 1 0\.1000 00:01:20 1 node is stuck; Deployment shop\/web temporarily has no ready pod/);
    expect(page).toMatch(/<a href="#expiration">expiration<\/a>[^]*<div id="expiration">[^]*<h3>expiration of all: /);
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
  const page = (text: string) => renderHtml({
    ...EMPTY,
    findings: [{
      ...WARNING,
      message: text,
      remedy: text,
      subject: { ...WARNING.subject, name: text },
      location: { ...WARNING.location, file: text, construct: text },
    }],
    unschedulable: [{ ...VERDICT.unschedulable[0], pod: text, reasons: [{ ...VERDICT.unschedulable[0].reasons[0], message: text, nodePool: text }] }],
    assumptions: [text],
  }, { ...scenarioResult({ ...REPORT, subject: text, workloads: [{ ...REPORT.workloads[0], workload: text }], course: [] }), notEvaluated: [text] });
  const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', '\'': '#39' }[character]};`);
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', '\'', '/', 'script', '=', ' ') }).map((text) => `x${text}x`), (text) => {
    expect(page(text)).toBe(page('xTOKENx').replaceAll('xTOKENx', escaped(text)));
  }), { numRuns: 100 });
});

test('escapes names in charts', () => {
  const nodeClaims = [{ ...VERDICT.nodeClaims[0], nodePool: '<script>"&' }];
  const [chart] = chartsOf(renderHtml({ ...EMPTY, nodeClaims }));
  expect(chart).not.toMatch(/<script/);
  expect(chart).toContain('&lt;script&gt;');
});
