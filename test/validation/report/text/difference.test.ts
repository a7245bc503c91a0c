import { Difference, renderDifferenceText } from '../../../../src/validation';
import { EMPTY, VERDICT } from '../verdict';

const UNCHANGED: Difference = {
  schemaVersion: '1',
  summary: { before: VERDICT.summary, after: VERDICT.summary },
  objects: [],
  nodePools: [],
  unschedulable: [],
  resolved: [],
  drift: [],
  findings: { added: [], removed: [] },
  assumptions: ['the cluster is empty'],
};
const NONE = { added: [], removed: [] };
const linesOf = (difference: Partial<Difference>) =>
  renderDifferenceText({ ...UNCHANGED, ...difference })
    .trimEnd()
    .split('\n');
const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' } as const;
const drift = {
  nodePool: 'default',
  reason: 'NodePoolDrifted',
  fields: ['spec.template'],
  certain: true,
  nodes: ['a', 'b'],
  atATime: 1,
} as const;

test('prints one line if nothing changes', () => {
  expect(renderDifferenceText(UNCHANGED)).toBe('Nothing changes.\n');
});

test('prints the change of price, nodes, pods and findings first', () => {
  const after = {
    ...VERDICT.summary,
    pods: 8,
    nodes: 1,
    cost: { usdPerHour: 0.2, lowerBoundUsdPerHour: null, currency: 'USD', prices: [] },
  };
  expect(
    linesOf({
      summary: { before: VERDICT.summary, after },
      resolved: ['shop/big-0'],
      findings: { added: VERDICT.findings, removed: VERDICT.findings.slice(0, 1) },
    }).slice(0, 3),
  ).toEqual([
    '-$73/month: $0.3000/h → $0.2000/h; 3 → 1 new node; 4 of 7 → 4 of 8 pods fit.',
    '1 pod without a node before is resolved: shop/big-0.',
    '1 new error (KARP-109), 1 new warning; 1 finding resolved.',
  ]);
});

test('prints the range of random names, and says if they alone may change the price', () => {
  const range = (nodes: number, least: number, median: number, most: number) => ({
    orders: 20,
    nodes: { least: nodes, median: nodes, most: nodes },
    usdPerHour: { least, median, most },
    pendingPods: { least: 0, median: 0, most: 0 },
  });
  const rangeLine = (before: ReturnType<typeof range> | null, after: ReturnType<typeof range>) =>
    linesOf({ objects: [{ ...object, change: 'added', fields: [] }], settled: { before, after } })[1];
  expect(rangeLine(range(2, 0.2, 0.3, 0.4), range(3, 0.25, 0.35, 0.5))).toBe(
    'Depending on random names: 2 nodes, $0.2000/h to $0.4000/h → 3 nodes, $0.2500/h to $0.5000/h. Random names alone may make this change of the price.',
  );
  expect(rangeLine(range(2, 0.2, 0.3, 0.4), range(3, 0.6, 0.6, 0.7))).toMatch(/\$0\.7000\/h\.$/);
  expect(rangeLine(null, range(3, 0.6, 0.6, 0.7))).toMatch(/: none → 3 nodes, /);
  expect(rangeLine(range(2, 0.2, 0.2, 0.2), range(3, 0.3, 0.3, 0.3))).toBe('no new findings; none resolved.');
});

test('prints unchanged nodes and cost', () => {
  expect(linesOf({ objects: [{ ...object, change: 'added', fields: [] }] }).slice(0, 2)).toEqual([
    'Unchanged: $0.3000/h ($219/month); 3 new nodes; 4 of 7 pods fit.',
    'no new findings; none resolved.',
  ]);
  expect(
    linesOf({
      summary: { before: EMPTY.summary, after: EMPTY.summary },
      objects: [{ ...object, change: 'added', fields: [] }],
    })[0],
  ).toBe('Unchanged: 0 new nodes; 0 of 0 pods fit.');
});

test('prints fields before and after, with long values and many fields shortened', () => {
  const fields = [
    { path: 'a', before: 1, after: '2' },
    { path: 'b', before: null, after: ['x'] },
    { path: 'c', before: 'y'.repeat(99), after: null },
    ...Array.from({ length: 9 }, (_, at) => ({ path: `d${at}`, before: 0, after: 1 })),
  ];
  const lines = linesOf({
    objects: [
      { ...object, change: 'changed', fields },
      { ...object, namespace: '', change: 'removed', fields: [] },
    ],
  });
  expect(lines.slice(4, 8)).toEqual([
    '  Pod shop/web',
    '    a: 1 → 2',
    '    b: added, ["x"]',
    `    c: removed, was ${'y'.repeat(60)}…`,
  ]);
  expect(lines.slice(12, 15)).toEqual([
    '    d4: 0 → 1',
    '    and 4 more fields (--format json lists all)',
    '  Pod web is removed',
  ]);
});

test('prints at most 40 objects', () => {
  const objects = Array.from({ length: 45 }, (_, at) => ({
    ...object,
    name: `web-${at}`,
    change: 'changed' as const,
    fields: [{ path: 'a', before: 0, after: at }],
  }));
  expect(linesOf({ objects })).toContain('  and 5 more objects (--format json lists all)');
});

test("prints objects with the same change once, after Karpenter's objects", () => {
  const fields = [{ path: 'spec.replicas', before: 1, after: 2 }];
  const objects = [
    ...Array.from({ length: 5 }, (_, at) => ({ ...object, name: `web-${at}`, change: 'changed' as const, fields })),
    {
      ...object,
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      namespace: '',
      name: 'default',
      change: 'removed' as const,
      fields: [],
    },
  ];
  expect(linesOf({ objects }).slice(4, 7)).toEqual([
    '  NodePool default is removed',
    '  Pod shop/web-0 and 4 more like it',
    '    spec.replicas: 1 → 2',
  ]);
});

test('prints what NodePools can launch, and their new nodes', () => {
  const pool = {
    name: 'default',
    change: 'changed',
    instanceTypes: { added: ['m5.large'], removed: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    zones: NONE,
    capacityTypes: { added: ['spot'], removed: [] },
    nodes: { before: 2, after: 1 },
    usdPerHour: { before: 0.2, after: 0.1 },
  } as const;
  expect(
    linesOf({
      nodePools: [
        pool,
        {
          ...pool,
          name: 'old',
          change: 'removed',
          nodes: { before: 1, after: 1 },
          usdPerHour: { before: 0, after: 0 },
        },
      ],
    }).slice(4, 10),
  ).toEqual([
    '  default: 2 → 1 new node, $0.2000/h → $0.1000/h',
    '    can launch 1 more instance type: m5.large',
    '    can launch 7 fewer instance types: a, b, c, d, e, f and 1 more',
    '    can launch 1 more capacity type: spot',
    '  old is removed',
    '    deleting it deletes its nodes, regardless of disruption budgets',
  ]);
});

test.each([
  [{}, '2 nodes of NodePool default drift (NodePoolDrifted: spec.template); its budgets allow 1 at a time'],
  [
    { certain: false, nodes: ['a'], atATime: 0 },
    '1 node of NodePool default may drift, depending on what the selectors match in AWS (NodePoolDrifted: spec.template); its budgets allow none',
  ],
  [
    { nodes: [], atATime: null },
    'all nodes of NodePool default drift (NodePoolDrifted: spec.template); pass --cluster to list them',
  ],
  [
    { fields: [], nodes: ['a'], atATime: null },
    '1 node of NodePool default drifts (NodePoolDrifted); the number of nodes at a time depends on the budget schedule',
  ],
])('prints nodes that drift, with the reason and the budget: %j', (more, expected) => {
  expect(linesOf({ drift: [{ ...drift, ...more }] })[4]).toBe(`  ${expected}`);
});

test('prints pods that no longer fit, new findings and resolved findings', () => {
  const text = linesOf({
    unschedulable: VERDICT.unschedulable,
    findings: { added: VERDICT.findings.slice(1), removed: VERDICT.findings },
  }).join('\n');
  expect(text).toMatch(/Pods that no longer fit\n {2}2 pods: 2 × shop\/big\n {4}NodePool default: no instance type/);
  expect(text).toMatch(
    /New findings\n {2}b\.yaml\n {4}b\.yaml:9:1 warning KARP-306 missing-requests\n {6}Deployment shop\/web: no cpu request\n {6}→ write one/,
  );
  expect(text).toMatch(
    /Resolved findings\n {2}error KARP-109 duplicate-yaml-key\n {2}warning KARP-306 missing-requests of Deployment shop\/web/,
  );
  expect(text).toContain('Assumptions\n  - the cluster is empty');
});

test('escapes control characters', () => {
  expect(
    renderDifferenceText({ ...UNCHANGED, objects: [{ ...object, name: '\u001b[2J', change: 'added', fields: [] }] }),
  ).not.toContain('\u001b');
});
