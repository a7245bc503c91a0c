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
const played = (...reports: ScenarioReport[]) => ({ reports, assumptions: ['EC2 has capacity'], notEvaluated: [] });

/** Text of elements, without the style sheet. */
const textOf = (page: string) => page.replace(/<style>[^]*<\/style>/, '').replace(/<title>[^]*<\/title>/, '').replace(/<[^>]*>/g, ' ')
  .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&#39;/g, '\'').replace(/&quot;/g, '"').replace(/&amp;/g, '&').replace(/\s+/g, ' ');
const withFindings = (findings: readonly Finding[]): Verdict => ({ ...EMPTY, findings });
const chartsOf = (page: string) => page.match(/<svg[^]*?<\/svg>/g) ?? [];

test('the outcome is the heading and the title, with how many findings there are', () => {
  const page = renderHtml(VERDICT);
  expect(page).toMatch(/<title>Karpenter: 4 of 7 pods fit on 3 nodes/);
  expect(textOf(page)).toMatch(/^ 4 of 7 pods fit on 3 nodes, from 0\.3000 USD per hour .* 1 error 2 warnings 1 note /);
});

test('it fetches nothing and runs nothing', () => {
  const page = renderHtml(VERDICT, played(REPORT));
  expect(page).toContain('<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;">');
  expect(page).not.toMatch(/<script|<link|<img|\bon\w+=|url\((?!#)|@import/);
});

test('findings are told the gravest first, each with its place and what to write instead', () => {
  const text = textOf(renderHtml(withFindings([WARNING, ERROR])));
  expect(text).toMatch(/error KARP-109 duplicate-yaml-key, a\.yaml:3:5 the key "a" is written twice merge the two .*warning Deployment shop\/web KARP-306 missing-requests, b\.yaml:9:1/);
});

test('findings can be hidden by severity where there are several', () => {
  expect(renderHtml(withFindings([WARNING, ERROR]))).toContain('id="only-error"');
  expect(renderHtml(withFindings([WARNING]))).not.toContain('id="only-error"');
});

test('pods without a node have the reason of each NodePool, and what would help', () => {
  expect(textOf(renderHtml(VERDICT))).toMatch(/Pods that do not fit 2 pods: 2 × shop\/big default : no instance type has enough resources short by 130Mi .* lower memory from 16Gi to 15Gi: with it every pod of the workload fits \(2 changes tried\)/);
});

test('nodes are told with what they cost, and a bar for each NodePool', () => {
  const page = renderHtml(VERDICT);
  expect(textOf(page)).toMatch(/1 default m5\.xlarge on-demand, us-east-1b 0\.1920 shop\/api, shop\/web-2 2 default m5\.large or 1 more spot, us-east-1a 0\.0384 1 × shop\/web/);
  expect(chartsOf(page)).toEqual([expect.stringMatching(/^<svg role="img" aria-label="USD per hour of each NodePool: default 0\.2688"[^]*on-demand, USD per hour/)]);
});

test('nodes of the cluster that take pods are told', () => {
  const filledNodes = [{ node: 'ip-10-0-0-1', nodePool: 'default', pods: ['shop/web-7'] }];
  expect(textOf(renderHtml({ ...EMPTY, filledNodes }))).toContain('Nodes of the cluster ip-10-0-0-1 of NodePool default: takes shop/web-7');
});

test('of many NodePools the dearest have a bar of their own', () => {
  const [claim] = VERDICT.nodeClaims;
  const nodeClaims = Array.from({ length: 30 }, (_, at) => ({
    ...claim, nodePool: `pool-${String(at).padStart(2, '0')}`, launch: { ...claim.launch!, cheapest: { ...claim.cheapest!, usdPerHour: at + 1 } },
  }));
  const [chart] = chartsOf(renderHtml({ ...EMPTY, nodeClaims }));
  expect(chart).toMatch(/aria-label="[^"]*: pool-29 30\.0000, [^"]*, pool-19 20\.0000, all others 190\.0000"/);
});

test('a node that cannot be launched says why', () => {
  const nodeClaims = [{ ...VERDICT.nodeClaims[0], launch: null, launchFailure: 'nothing is left' }];
  const page = renderHtml({ ...EMPTY, nodeClaims });
  expect(textOf(page)).toContain('cannot be launched: nothing is left');
  expect(chartsOf(page)).toEqual([]);
});

describe('of a scenario', () => {
  const page = renderHtml(EMPTY, played(REPORT));

  test('it tells what is stuck, what becomes of each workload, and what happens when', () => {
    expect(textOf(page)).toMatch(/drift of all: 2 -> 1 node, .* node b is stuck: a PodDisruptionBudget allows nothing; let one pod go /);
    expect(textOf(page)).toMatch(/Deployment shop\/web 0 4 4 00:00:20 Deployment shop\/api 1 1 0 – .*00:01:00 a is gone/);
  });

  test('it draws how many pods are ready and nodes there are', () => {
    expect(chartsOf(page)).toEqual([expect.stringMatching(/^<svg role="img" aria-label="drift of all: at least 0 pods ready, and at most 2 nodes"[^]*pods ready \(left\)/)]);
  });

  test.each([[80, '00:00:15'], [6_500, '00:15:00'], [90_000, '04:00:00'], [2_000_000, '96:00:00']])('of %d s it has labels that people count time in: %s', (seconds, label) => {
    const course = REPORT.course.map((entry) => ({ ...entry, second: Math.round(entry.second * seconds / 80) }));
    const [chart] = chartsOf(renderHtml(EMPTY, played({ ...REPORT, course, seconds })));
    expect([...chart!.matchAll(/>(\d\d:\d\d:\d\d)</g)].slice(0, 2).map(([, text]) => text)).toEqual(['00:00:00', label]);
  });

  test('it draws nothing where nothing comes or goes', () => {
    expect(chartsOf(renderHtml(EMPTY, played({ ...REPORT, course: REPORT.course.slice(0, 1) })))).toEqual([]);
  });

  test('a long course keeps the moment with the fewest ready pods, and how it ends', () => {
    const course = Array.from({ length: 20_000 }, (_, second) => ({ second, nodes: 7, readyPods: second === 12_345 ? 1 : 50 + second % 2 }));
    const [chart] = chartsOf(renderHtml(EMPTY, played({ ...REPORT, course, seconds: 20_000 })));
    expect(chart!.length).toBeLessThan(40_000);
    const heights = [...chart!.match(/<path d="M[\d. ]+(?:L[\d. ]+)+"[^>]*stroke="#3d7dca"/)![0].matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
    // The axis goes down the page: one moment is far below all others.
    expect(heights.filter((y) => y > 150)).not.toEqual([]);
  });

  test('it says so where nothing of the kind can happen', () => {
    expect(textOf(renderHtml(EMPTY, played()))).toContain('Nothing of the kind can happen here.');
  });
});

describe('of several scenarios', () => {
  const several = (...reports: ScenarioReport[]) => renderHtml(EMPTY, { ...played(...reports), notPlayed: [{ scenario: 'peak', why: 'no autoscaler' }] });
  const page = several(REPORT, { ...REPORT, scenario: 'expiration' });

  test('it has a table first, which leads to each', () => {
    expect(textOf(page)).toMatch(/What becomes of it Scenario Nodes USD per hour Takes What becomes of it drift 2 -> 1 0\.1000 00:01:20 1 node is stuck; Deployment shop\/web has no pod ready/);
    expect(page).toMatch(/<a href="#expiration">expiration<\/a>[^]*<div id="expiration">[^]*<h3>expiration of all: /);
  });

  test('it says of which there is nothing to play', () => {
    expect(textOf(page)).toContain('peak nothing to play: no autoscaler ');
    expect(textOf(several())).not.toContain('Nothing of the kind');
  });

  test('it draws each', () => {
    expect(chartsOf(page)).toHaveLength(2);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('the same verdict gives the same bytes, however many pages were made before', () => {
  expect(renderHtml(VERDICT, played(REPORT, REPORT))).toBe(renderHtml(VERDICT, played(REPORT, REPORT)));
});

test('whatever stands in manifests is text', () => {
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
  }, { ...played({ ...REPORT, subject: text, workloads: [{ ...REPORT.workloads[0], workload: text }], course: [] }), notEvaluated: [text] });
  const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', '\'': '#39' }[character]};`);
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('<', '>', '&', '"', '\'', '/', 'script', '=', ' ') }).map((text) => `x${text}x`), (text) => {
    expect(page(text)).toBe(page('xTOKENx').replaceAll('xTOKENx', escaped(text)));
  }), { numRuns: 100 });
});

test('names in charts are text, too', () => {
  const nodeClaims = [{ ...VERDICT.nodeClaims[0], nodePool: '<script>"&' }];
  const [chart] = chartsOf(renderHtml({ ...EMPTY, nodeClaims }));
  expect(chart).not.toMatch(/<script/);
  expect(chart).toContain('&lt;script&gt;');
});
