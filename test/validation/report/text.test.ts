import { EMPTY, VERDICT } from './verdict';
import { renderText, Verdict } from '../../../src/validation';

const headline = (summary: Partial<Verdict['summary']>, rest: Partial<Verdict> = {}) =>
  renderText({ ...EMPTY, ...rest, summary: { ...EMPTY.summary, ...summary } }).split('\n')[0];

describe('the text report', () => {
  test('tells the outcome, where pods land, what is wrong, and what is taken for granted', () => {
    expect(renderText(VERDICT)).toBe(`4 of 7 pods fit on 3 nodes, from 0.3000 USD per hour (no packing costs less than 0.2500); 2 pods do not fit; 1 pod is not evaluated.
1 error (KARP-109), 2 warnings, 1 note.

NodePools
  default: can launch 2 instance types, the cheapest m5.large; on-demand and spot; in us-east-1a, us-east-1b
    of 1363 instance types 5 are left by a, 2 by c
  none: can launch nothing

Nodes
  default-0 and 1 more like it: m5.large spot in us-east-1a at 0.0384 USD per hour, or 1 other instance type: EC2 chooses by spare capacity
    runs 1 × shop/web
    requests, with its daemons, cpu 1, pods 1
  default-2: m5.xlarge on-demand in us-east-1b at 0.1920 USD per hour
    runs shop/api, shop/web-2
    requests, with its daemons, cpu 2, pods 2

Capacity buffers
  shop/web: room for 1 of 2 pods on the nodes above, which count these pods as any others
  shop/api: room for 1 pod on the nodes above, which count these pods as any others

Pods that do not fit
  2 pods: 2 × shop/big
    NodePool default: no instance type has enough resources
      short by 130Mi of memory on m5.xlarge
      of 1363 instance types 0 are left by memory 16Gi
    → lower memory from 16Gi to 15Gi: with it every pod of the workload fits (2 changes tried)

Pods that are not evaluated
  shop/db-0
    reasons: persistent volumes, pod affinity

Findings
  a.yaml
    a.yaml:3:5 error KARP-109 duplicate-yaml-key
      the key "a" is written twice
      → merge the two
  b.yaml
    b.yaml:9:1 warning KARP-306 missing-requests
      Deployment shop/web: no cpu request
      → write one

Taken for granted
  - the cluster is empty
`);
  });

  test('names the rules whose errors are to be looked for, few of many', () => {
    const [error] = VERDICT.findings;
    const findings = [...Array.from({ length: 7 }, (_, i) => ({ ...error, rule: `KARP-${307 - i}` })), error, error];
    expect(renderText({ ...VERDICT, summary: { ...VERDICT.summary, errors: 9 }, findings }).split('\n')[1])
      .toBe('9 errors (KARP-109, KARP-301, KARP-302, KARP-303, KARP-304 and 3 rules more), 2 warnings, 1 note.');
    expect(renderText({ ...VERDICT, findings: findings.slice(0, 6) }).split('\n')[1]).toContain('KARP-306 and 1 rule more)');
  });

  test('says in the first line that a node cannot be launched', () => {
    const [first] = VERDICT.nodeClaims;
    const summary = { ...EMPTY.summary, pods: 1, scheduledPods: 1, nodes: 1, cost: { usdPerHour: null, lowerBoundUsdPerHour: null } };
    const text = renderText({ ...EMPTY, summary, nodeClaims: [{ ...first, launch: null, launchFailure: 'insufficient capacity' }] });
    expect(text).toMatch(/^The one pod fits on 1 node; 1 node cannot be launched\.\n/);
  });

  test('says of a node without pods that it has none', () => {
    const [first] = VERDICT.nodeClaims;
    const text = renderText({ ...EMPTY, nodeClaims: [{ ...first, pods: [], requests: {} }] });
    expect(text).toMatch(/^ {2}default-0: .*\n {4}runs no pod\n\n/m);
  });

  test('says in one line what many rules could not tell of an object, or a rule of many objects', () => {
    const why = 'the NodePool cannot be used as it is written';
    const assumptions = [
      'the cluster is empty',
      `KARP-105 is not evaluated for NodePool a: ${why}`,
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `KARP-610 is not evaluated for EC2NodeClass ${name}: its role: unknown`),
      `KARP-108 is not evaluated for NodePool a: ${why}`,
      `KARP-201 is not evaluated for NodePool a: ${why}`,
      `KARP-201 is not evaluated for NodePool b: ${why}`,
    ];
    expect(renderText({ ...EMPTY, assumptions }).split('\n').slice(4)).toEqual([
      '  - the cluster is empty',
      `  - KARP-105, KARP-108 and KARP-201 are not evaluated for NodePool a: ${why}`,
      '  - KARP-610 is not evaluated for EC2NodeClass a, EC2NodeClass b, EC2NodeClass c, EC2NodeClass d and 2 more: its role: unknown',
      `  - KARP-201 is not evaluated for NodePool b: ${why}`,
      '',
    ]);
  });

  test('of an input without pods says so, and prints no empty part', () => {
    expect(renderText(EMPTY)).toBe('There are no pods to place.\nno errors, no warnings.\n\nTaken for granted\n  - the cluster is empty\n');
  });

  test.each<[Partial<Verdict['summary']>, Partial<Verdict>, string]>([
    [{ pods: 1, scheduledPods: 1, nodes: 1, cost: { usdPerHour: 0.1, lowerBoundUsdPerHour: null } }, {}, 'The one pod fits on 1 node, from 0.1000 USD per hour.'],
    [{ pods: 3, scheduledPods: 3, nodes: 2 }, {}, 'All 3 pods fit on 2 nodes.'],
    [{ pods: 2, scheduledPods: 1, nodes: 1 }, { unschedulable: [{ pod: 'a/b', reasons: [], smallestChange: null, changesTried: 0 }] }, '1 of 2 pods fits on 1 node; 1 pod does not fit.'],
    [{ pods: 1 }, { unschedulable: [{ pod: 'a/b', reasons: [], smallestChange: null, changesTried: 0 }] }, 'The one pod does not fit.'],
    [{ pods: 1 }, { notEvaluated: [{ pod: 'a/b', what: ['x'] }] }, 'The one pod is not evaluated.'],
    [{ pods: 2 }, { notEvaluated: [{ pod: 'a/b', what: ['x'] }, { pod: 'a/c', what: ['x'] }] }, 'None of 2 pods is placed; 2 pods are not evaluated.'],
  ])('counts %j in good English', (summary, rest, expected) => {
    expect(headline(summary, rest)).toBe(expected);
  });

  test('says of a pod that Karpenter passes over why, and names no NodePool', () => {
    const unschedulable = [{ pod: 'a/b', reasons: [{ nodePool: '', message: 'ignored', elimination: [] }], smallestChange: null, changesTried: 0 }];
    expect(renderText({ ...VERDICT, unschedulable })).toContain('  a/b\n    ignored\n\n');
  });

  test('says of a pod for which no change helps how many were tried', () => {
    const [pod] = VERDICT.unschedulable;
    expect(renderText({ ...VERDICT, unschedulable: [{ ...pod, smallestChange: null, changesTried: 16 }] })).toContain('\n    none of the 16 changes tried helps\n');
  });

  test('has colours only when asked', () => {
    expect(renderText(VERDICT)).not.toContain('\u001b');
    expect(renderText(VERDICT, { color: true })).toContain('\u001b[31merror\u001b[39m');
  });

  test('lets no name steer the terminal', () => {
    const hostile = { ...VERDICT, assumptions: ['\u001b[2Jgone\r\u0007'] };
    expect(renderText(hostile)).toContain('  - \\x1b[2Jgone\\x0d\\x07\n');
  });

  const alike = (count: number, file = (_: number) => 'web.yaml') => {
    const [, finding] = VERDICT.findings;
    return Array.from({ length: count }, (_, i) => ({
      ...finding, subject: { ...finding.subject, name: `web-${i}` }, location: { ...finding.location, file: file(i), line: i + 1 },
    }));
  };
  const findingsOf = (findings: Verdict['findings']) => /\nFindings\n([^]*?)\n\n/.exec(renderText({ ...VERDICT, findings }))![1];

  test('tells each of three findings that say the same', () => {
    expect(findingsOf(alike(3)).match(/KARP-306/g)).toHaveLength(3);
  });

  test('of four findings that say the same tells the first, and names the others where they are', () => {
    expect(findingsOf(alike(4, (i) => i < 3 ? 'a.yaml' : 'b.yaml'))).toBe([
      '  a.yaml',
      '    a.yaml:1:1 warning KARP-306 missing-requests',
      '      Deployment shop/web-0: no cpu request',
      '      the same of 3 more: shop/web-1 (line 2), shop/web-2 (line 3), shop/web-3 (b.yaml:4)',
      '      → write one',
    ].join('\n'));
  });

  test('names ten of many that say the same', () => {
    expect(findingsOf(alike(300))).toContain('the same of 299 more: shop/web-1 (line 2), ');
    expect(findingsOf(alike(300))).toContain('shop/web-10 (line 11), and 289 more still: --format json lists them all\n');
  });

  test('tells findings of different words by themselves', () => {
    const findings = alike(5).map((finding, i) => ({ ...finding, message: `no cpu request of ${i}` }));
    expect(findingsOf(findings).match(/KARP-306/g)).toHaveLength(5);
  });

  test('of many different nodes stops somewhere', () => {
    const [claim] = VERDICT.nodeClaims;
    const nodeClaims = Array.from({ length: 100 }, (_, i) => ({ ...claim, id: `default-${i}`, requests: { cpu: `${i}` } }));
    expect(renderText({ ...VERDICT, nodeClaims })).toContain('  and 60 nodes more: --format json lists them all\n');
  });

  test('of a node that runs many workloads names some, and counts the others', () => {
    const [claim] = VERDICT.nodeClaims;
    const pods = Array.from({ length: 30 }, (_, i) => [0, 1].map((ordinal) => `shop/app${i}-${ordinal}`)).flat();
    expect(renderText({ ...VERDICT, nodeClaims: [{ ...claim, pods }] })).toMatch(/runs 2 × shop\/app0, .*2 × shop\/app19 and 20 pods of 10 workloads more: --format json lists them all\n/);
    const different = [...pods.slice(0, -1), 'shop/other-0'];
    expect(renderText({ ...VERDICT, nodeClaims: [{ ...claim, pods }, { ...claim, pods: different }] })).not.toContain('more like it');
  });

  test('says once of nodes of the cluster what the same pods come to', () => {
    const filledNodes = ['n1', 'n2', 'n3'].map((node, i) => ({ node, nodePool: i < 2 ? 'default' : null, pods: [0, 1].map((ordinal) => `shop/web-${2 * i + ordinal}`) }));
    expect(renderText({ ...VERDICT, filledNodes }))
      .toContain('\nNodes of the cluster\n  n1 of NodePool default and 1 more like it: takes 2 × shop/web\n  n3: takes 2 × shop/web\n\n');
  });

  test('lets no name turn the direction of the text around', () => {
    expect(renderText({ ...VERDICT, assumptions: ['\u202egnp\u2066', 'größe 日本語 👩‍🚀'] })).toContain('  - \\u202egnp\\u2066\n  - größe 日本語 👩‍🚀\n');
  });

  test('says once of NodePools that launch the same, and that refuse a pod for the same, that it is so', () => {
    const [pool] = VERDICT.nodePools;
    const names = Array.from({ length: 15 }, (_, i) => `pool-${i}`);
    const reasonOf = (nodePool: string) => ({ nodePool, message: `no room, karpenter.sh/nodepool In [${nodePool}]`, elimination: [] });
    const [pod] = VERDICT.unschedulable;
    const text = renderText({
      ...VERDICT,
      nodePools: names.map((name) => ({ ...pool, name })),
      unschedulable: [{ ...pod, reasons: [...names.map(reasonOf), { ...reasonOf('gpu'), message: 'a taint' }] }],
    });
    const others = 'the same of 14 more: pool-1, pool-2, pool-3, pool-4, pool-5, pool-6, pool-7, pool-8, pool-9, pool-10, and 4 more still: --format json lists them all';
    expect(text).toContain(`  pool-0: can launch 2 instance types, the cheapest m5.large; on-demand and spot; in us-east-1a, us-east-1b\n    of 1363 instance types 5 are left by a, 2 by c\n    ${others}\n\n`);
    expect(text).toContain(`    NodePool pool-0: no room, karpenter.sh/nodepool In [pool-0]\n      ${others}\n    NodePool gpu: a taint\n`);
  });

  test('of many NodePools that refuse a pod for different reasons stops somewhere', () => {
    const [pod] = VERDICT.unschedulable;
    const reasons = Array.from({ length: 50 }, (_, i) => ({ nodePool: `pool-${i}`, message: `taint ${i}`, elimination: [] }));
    expect(renderText({ ...VERDICT, unschedulable: [{ ...pod, reasons }] })).toContain('    NodePool pool-19: taint 19\n    and 30 NodePools more: --format json lists them all\n');
  });

  test('says in one line that many objects are left out for the same reason', () => {
    const assumptions = [
      'the cluster is empty',
      ...[0, 1, 2, 3, 4, 5].map((i) => `Deployment shop/web-${i} is not judged: the API server would refuse it`),
      ...[0, 1, 2, 3].map((i) => `the pods of Rollout shop/ro-${i} are not counted: only its controller knows which it makes`),
      'NodePool a is not judged: the API server would refuse it, too',
    ];
    expect(renderText({ ...EMPTY, assumptions }).split('\n').slice(4)).toEqual([
      '  - the cluster is empty',
      '  - Deployment shop/web-0, Deployment shop/web-1, Deployment shop/web-2, Deployment shop/web-3 and 2 more are not judged: the API server would refuse it',
      '  - the pods of Rollout shop/ro-0, Rollout shop/ro-1, Rollout shop/ro-2 and Rollout shop/ro-3 are not counted: only its controller knows which it makes',
      '  - NodePool a is not judged: the API server would refuse it, too',
      '',
    ]);
  });

  test('of pods with many different reasons stops somewhere', () => {
    const notEvaluated = Array.from({ length: 100 }, (_, i) => [0, 1].map((ordinal) => ({ pod: `shop/db${i}-${ordinal}`, what: [`class ${i}`] }))).flat();
    expect(renderText({ ...VERDICT, notEvaluated })).toContain('  2 pods: 2 × shop/db39\n    reason: class 39\n  and 120 pods more: --format json lists them all\n\n');
  });
});
