import { renderText, Verdict } from '../../../../src/validation';
import { EMPTY, VERDICT } from '../verdict';

const WIDE = 1_000;
const short = (verdict: Verdict) => renderText(verdict, { width: WIDE });
const NO_FIT: Verdict['unschedulable'][number] = { pod: 'a/b', reasons: [], smallestChange: null, changesTried: 0 };
const details = (verdict: Verdict) => renderText(verdict, { width: WIDE, verbose: true });
const headline = (summary: Partial<Verdict['summary']>, rest: Partial<Verdict> = {}) =>
  short({ ...EMPTY, ...rest, summary: { ...EMPTY.summary, ...summary } }).split('\n')[0];

describe('the text report', () => {
  test('contains the outcome, errors, pods that do not fit, nodes, warnings and assumptions in this order', () => {
    expect(
      renderText(VERDICT),
    ).toBe(`4 of 7 pods fit on 3 nodes, from $0.3000/h ($219/month); 2 pods do not fit; 1 pod is not evaluated;
  1 error, 2 warnings, 1 note.
Lower bound: $0.2500/h.

error[KARP-109]: the key "a" is written twice
 --> a.yaml:3:5
  = help: merge the two

Pods that do not fit
  2 pods: 2 × shop/big
    NodePool default: short by 130Mi of memory on m5.xlarge
    → lower memory from 16Gi to 15Gi: then every pod of the workload fits (2 changes tried)

Pods that are not evaluated
  shop/db-0
    persistent volumes, pod affinity

Nodes in us-east-1                         $/h  CPU              memory           pods
  default-2      m5.xlarge on-demand b  0.1920  █████▍░░░░  53%  ▏░░░░░░░░░   1%  █░░░░░░░░░  10%
    runs 1 × shop/api, 1 × shop/web
  default-0 × 2  m5.large spot a        0.0384  █████▊░░░░  57%  ▏░░░░░░░░░   2%  ▊░░░░░░░░░   7%
    runs 1 × shop/web

Capacity buffers
  shop/web: room for 1 of 2 pods, included in the nodes above
  shop/api: room for 1 pod, included in the nodes above

warning[KARP-306]: Deployment shop/web: no cpu request
  --> b.yaml:9:1
  help: write one

Assumptions
  - the cluster is empty
`);
  });

  test('contains all details if it is verbose', () => {
    expect(
      details(VERDICT),
    ).toBe(`4 of 7 pods fit on 3 nodes, from $0.3000/h ($219/month); 2 pods do not fit; 1 pod is not evaluated; 1 error, 2 warnings, 1 note.
Lower bound: $0.2500/h.

error[KARP-109]: the key "a" is written twice
 --> a.yaml:3:5
  = help: merge the two

Pods that do not fit
  2 pods: 2 × shop/big
    NodePool default: no instance type has enough resources
      short by 130Mi of memory on m5.xlarge
      1,363 instance types → 0 (memory 16Gi)
    → lower memory from 16Gi to 15Gi: then every pod of the workload fits (2 changes tried)

Pods that are not evaluated
  shop/db-0
    reasons: persistent volumes, pod affinity

Nodes in us-east-1                         $/h  CPU              memory           pods
  default-2      m5.xlarge on-demand b  0.1920  █████▍░░░░  53%  ▏░░░░░░░░░   1%  █░░░░░░░░░  10%
  default-0 × 2  m5.large spot a        0.0384  █████▊░░░░  57%  ▏░░░░░░░░░   2%  ▊░░░░░░░░░   7%

New nodes
  default-0 and 1 more like it: m5.large spot in us-east-1a at $0.0384/h, or 1 other instance type: EC2 chooses by spare capacity
    runs 1 × shop/web
    requests, including DaemonSets: cpu 1, pods 1
  default-2: m5.xlarge on-demand in us-east-1b at $0.1920/h
    runs shop/api, shop/web-2
    requests, including DaemonSets: cpu 2, pods 2

NodePools
  default: can launch 2 instance types (cheapest m5.large), on-demand and spot, in us-east-1a, us-east-1b
    1,363 instance types → 5 (a) → 2 (c)
  none: can launch nothing

Capacity buffers
  shop/web: room for 1 of 2 pods, included in the nodes above
  shop/api: room for 1 pod, included in the nodes above

Warnings and notes
  b.yaml
    b.yaml:9:1 warning KARP-306 missing-requests
      Deployment shop/web: no cpu request
      → write one

Assumptions
  - the cluster is empty
`);
  });

  test('says below the outcome that a node class is assumed', () => {
    const assumed = 'EC2NodeClass default is not in the input: it is assumed to be a stock AL2023 class';
    expect(short({ ...EMPTY, assumptions: [assumed, 'Karpenter is 1.15.1'] }).split('\n')).toEqual([
      expect.stringContaining('no errors'),
      `Assumed: ${assumed}.`,
      '',
      'Assumptions',
      '  - Karpenter is 1.15.1',
      '',
    ]);
  });

  test('reports in the first line that a node cannot be launched', () => {
    const [first] = VERDICT.nodeClaims;
    const summary = {
      ...EMPTY.summary,
      pods: 1,
      scheduledPods: 1,
      nodes: 1,
      cost: { usdPerHour: null, lowerBoundUsdPerHour: null, currency: 'USD', prices: [] },
    };
    const text = renderText({
      ...EMPTY,
      summary,
      nodeClaims: [{ ...first, launch: null, launchFailure: 'insufficient capacity' }],
    });
    expect(text).toMatch(/^The pod fits on 1 node; 1 node cannot be launched; no errors, /);
  });

  test('prints a node without pods', () => {
    const [first] = VERDICT.nodeClaims;
    const text = details({ ...EMPTY, nodeClaims: [{ ...first, pods: [], requests: {} }] });
    expect(text).toMatch(/^ {2}default-0: .*\n {4}runs no pod\n\n/m);
  });

  test('joins rules that cannot evaluate an object, and objects that a rule cannot evaluate', () => {
    const why = 'the NodePool cannot be used as it is written';
    const assumptions = [
      'the cluster is empty',
      `KARP-105 is not evaluated for NodePool a: ${why}`,
      ...['a', 'b', 'c', 'd', 'e', 'f'].map(
        (name) => `KARP-610 is not evaluated for EC2NodeClass ${name}: its role: unknown`,
      ),
      `KARP-108 is not evaluated for NodePool a: ${why}`,
      `KARP-201 is not evaluated for NodePool a: ${why}`,
      `KARP-201 is not evaluated for NodePool b: ${why}`,
    ];
    expect(
      short({ ...EMPTY, assumptions })
        .split('\n')
        .slice(3),
    ).toEqual([
      '  - the cluster is empty',
      `  - KARP-105, KARP-108 and KARP-201 are not evaluated for NodePool a: ${why}`,
      '  - KARP-610 is not evaluated for EC2NodeClass a, EC2NodeClass b, EC2NodeClass c, EC2NodeClass d and 2 more: its role: unknown',
      `  - KARP-201 is not evaluated for NodePool b: ${why}`,
      '',
    ]);
  });

  test('prints no empty section for input without pods', () => {
    expect(renderText(EMPTY)).toBe(
      'There are no pods to schedule; no errors, no warnings.\n\nAssumptions\n  - the cluster is empty\n',
    );
  });

  test.each<[Partial<Verdict['summary']>, Partial<Verdict>, string]>([
    [
      {
        pods: 1,
        scheduledPods: 1,
        nodes: 1,
        cost: { usdPerHour: 0.1, lowerBoundUsdPerHour: null, currency: 'USD', prices: [] },
      },
      {},
      'The pod fits on 1 node, from $0.1000/h ($73/month); no errors, no warnings.',
    ],
    [{ pods: 3, scheduledPods: 3, nodes: 2 }, {}, 'All 3 pods fit on 2 nodes; no errors, no warnings.'],
    [
      { pods: 2, scheduledPods: 1, nodes: 1 },
      { unschedulable: [NO_FIT] },
      '1 of 2 pods fits on 1 node; 1 pod does not fit; no errors, no warnings.',
    ],
    [{ pods: 1 }, { unschedulable: [NO_FIT] }, 'The pod does not fit; no errors, no warnings.'],
    [{ pods: 1 }, { notEvaluated: [{ pod: 'a/b', what: ['x'] }] }, 'The pod is not evaluated; no errors, no warnings.'],
    [
      { pods: 2 },
      {
        notEvaluated: [
          { pod: 'a/b', what: ['x'] },
          { pod: 'a/c', what: ['x'] },
        ],
      },
      'None of the 2 pods is evaluated; no errors, no warnings.',
    ],
    [
      { pods: 2 },
      { unschedulable: [NO_FIT, { ...NO_FIT, pod: 'a/c' }] },
      'None of the 2 pods fits; no errors, no warnings.',
    ],
    [
      { pods: 2 },
      { unschedulable: [NO_FIT], notEvaluated: [{ pod: 'a/c', what: ['x'] }] },
      'None of the 2 pods is scheduled; 1 pod does not fit; 1 pod is not evaluated; no errors, no warnings.',
    ],
  ])('prints %j in correct English', (summary, rest, expected) => {
    expect(headline(summary, rest)).toBe(expected);
  });

  test('prints the reason without a NodePool for a pod that Karpenter ignores', () => {
    const unschedulable = [
      {
        pod: 'a/b',
        reasons: [{ nodePool: '', message: 'ignored', elimination: [] }],
        smallestChange: null,
        changesTried: 0,
      },
    ];
    expect(renderText({ ...VERDICT, unschedulable })).toContain('  a/b\n    ignored\n\n');
  });

  test('prints how many changes were tried if none helps', () => {
    const [pod] = VERDICT.unschedulable;
    expect(renderText({ ...VERDICT, unschedulable: [{ ...pod, smallestChange: null, changesTried: 16 }] })).toContain(
      '\n    no small change helps (16 tried)\n',
    );
  });

  test('has colors only if requested', () => {
    expect(renderText(VERDICT)).not.toContain('\u001b');
    expect(renderText(VERDICT, { color: true })).toContain('\u001b[31merror[KARP-109]\u001b[39m');
  });

  test('escapes control characters', () => {
    const hostile = { ...VERDICT, assumptions: ['\u001b[2Jgone\r\u0007'] };
    expect(renderText(hostile)).toContain('  - \\x1b[2Jgone\\x0d\\x07\n');
  });

  const alike = (count: number, file = (_: number) => 'web.yaml') => {
    const [, finding] = VERDICT.findings;
    return Array.from({ length: count }, (_, i) => ({
      ...finding,
      subject: { ...finding.subject, name: `web-${i}` },
      location: { ...finding.location, file: file(i), line: i + 1 },
    }));
  };
  const findingsOf = (findings: Verdict['findings']) =>
    /\nWarnings and notes\n([^]*?)\n\n/.exec(details({ ...VERDICT, findings }))![1];

  test('prints three similar findings one by one', () => {
    expect(findingsOf(alike(3)).match(/KARP-306/g)).toHaveLength(3);
  });

  test('prints the first of four similar findings, and names the others with their lines', () => {
    expect(findingsOf(alike(4, (i) => (i < 3 ? 'a.yaml' : 'b.yaml')))).toBe(
      [
        '  a.yaml',
        '    a.yaml:1:1 warning KARP-306 missing-requests',
        '      Deployment shop/web-0: no cpu request',
        '      same for 3 more: shop/web-1 (line 2), shop/web-2 (line 3) and shop/web-3 (b.yaml:4)',
        '      → write one',
      ].join('\n'),
    );
  });

  test('names ten of many similar findings', () => {
    expect(findingsOf(alike(300))).toContain('same for 299 more: shop/web-1 (line 2), ');
    expect(findingsOf(alike(300))).toContain('shop/web-10 (line 11) and 289 more (--format json lists all)\n');
  });

  test('prints findings with different messages one by one', () => {
    const findings = alike(5).map((finding, i) => ({ ...finding, message: `no cpu request of ${i}` }));
    expect(findingsOf(findings).match(/KARP-306/g)).toHaveLength(5);
  });

  test('prints all nodes if it is verbose', () => {
    const [claim] = VERDICT.nodeClaims;
    const nodeClaims = Array.from({ length: 100 }, (_, i) => ({
      ...claim,
      id: `default-${i}`,
      requests: { cpu: `${i}` },
    }));
    expect(details({ ...VERDICT, nodeClaims })).toMatch(/\n {2}default-99: m5\.large/);
  });

  test('names 20 workloads of a node, and counts the others', () => {
    const [claim] = VERDICT.nodeClaims;
    const pods = Array.from({ length: 30 }, (_, i) => [0, 1].map((ordinal) => `shop/app${i}-${ordinal}`)).flat();
    expect(details({ ...VERDICT, nodeClaims: [{ ...claim, pods }] })).toMatch(
      /runs 2 × shop\/app0, .*2 × shop\/app19 and 20 pods of 10 more workloads \(--format json lists all\)\n/,
    );
    const different = [...pods.slice(0, -1), 'shop/other-0'];
    expect(
      details({
        ...VERDICT,
        nodeClaims: [
          { ...claim, pods },
          { ...claim, pods: different },
        ],
      }),
    ).not.toContain('more like it');
  });

  test('prints nodes of the cluster that take the same pods once', () => {
    const filledNodes = ['n1', 'n2', 'n3'].map((node, i) => ({
      node,
      nodePool: i < 2 ? 'default' : null,
      pods: [0, 1].map((ordinal) => `shop/web-${2 * i + ordinal}`),
    }));
    expect(details({ ...VERDICT, filledNodes })).toContain(
      '\nNodes of the cluster\n  n1 of NodePool default and 1 more like it: takes 2 × shop/web\n  n3: takes 2 × shop/web\n\n',
    );
  });

  test('escapes characters that change the text direction', () => {
    expect(renderText({ ...VERDICT, assumptions: ['\u202egnp\u2066', 'größe 日本語 👩‍🚀'] })).toContain(
      '  - \\u202egnp\\u2066\n  - größe 日本語 👩‍🚀\n',
    );
  });

  test('prints NodePools that launch the same, or reject a pod for the same reason, once', () => {
    const [pool] = VERDICT.nodePools;
    const names = Array.from({ length: 15 }, (_, i) => `pool-${i}`);
    const reasonOf = (nodePool: string) => ({
      nodePool,
      message: `no room, karpenter.sh/nodepool In [${nodePool}]`,
      elimination: [],
    });
    const [pod] = VERDICT.unschedulable;
    const text = details({
      ...VERDICT,
      nodePools: names.map((name) => ({ ...pool, name })),
      unschedulable: [{ ...pod, reasons: [...names.map(reasonOf), { ...reasonOf('gpu'), message: 'a taint' }] }],
    });
    const others =
      'same for 14 more: pool-1, pool-2, pool-3, pool-4, pool-5, pool-6, pool-7, pool-8, pool-9, pool-10 and 4 more (--format json lists all)';
    expect(text).toContain(
      `  pool-0: can launch 2 instance types (cheapest m5.large), on-demand and spot, in us-east-1a, us-east-1b\n    1,363 instance types → 5 (a) → 2 (c)\n    ${others}\n\n`,
    );
    expect(text).toContain(
      `    NodePool pool-0: no room, karpenter.sh/nodepool In [pool-0]\n      ${others}\n    NodePool gpu: a taint\n`,
    );
  });

  test('prints at most 20 reasons for a pod', () => {
    const [pod] = VERDICT.unschedulable;
    const reasons = Array.from({ length: 50 }, (_, i) => ({
      nodePool: `pool-${i}`,
      message: `taint ${i}`,
      elimination: [],
    }));
    expect(details({ ...VERDICT, unschedulable: [{ ...pod, reasons }] })).toContain(
      '    NodePool pool-19: taint 19\n    and 30 more NodePools (--format json lists all)\n',
    );
  });

  test('joins objects that are left out for the same reason', () => {
    const assumptions = [
      'the cluster is empty',
      ...[0, 1, 2, 3, 4, 5].map((i) => `Deployment shop/web-${i} is not evaluated: the API server would reject it`),
      ...[0, 1, 2, 3].map((i) => `the pods of Rollout shop/ro-${i} are not counted: only its controller knows them`),
      'NodePool a is not evaluated: the API server would reject it, too',
    ];
    expect(
      short({ ...EMPTY, assumptions })
        .split('\n')
        .slice(3),
    ).toEqual([
      '  - the cluster is empty',
      '  - Deployment shop/web-0, Deployment shop/web-1, Deployment shop/web-2, Deployment shop/web-3 and 2 more are not evaluated: the API server would reject it',
      '  - the pods of Rollout shop/ro-0, Rollout shop/ro-1, Rollout shop/ro-2 and Rollout shop/ro-3 are not counted: only its controller knows them',
      '  - NodePool a is not evaluated: the API server would reject it, too',
      '',
    ]);
  });

  test('prints at most 40 groups of pods', () => {
    const notEvaluated = Array.from({ length: 100 }, (_, i) =>
      [0, 1].map((ordinal) => ({ pod: `shop/db${i}-${ordinal}`, what: [`class ${i}`] })),
    ).flat();
    expect(details({ ...VERDICT, notEvaluated })).toContain(
      '  2 pods: 2 × shop/db39\n    reason: class 39\n  and 120 more pods (--format json lists all)\n\n',
    );
  });
});
