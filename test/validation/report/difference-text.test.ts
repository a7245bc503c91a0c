import { EMPTY, VERDICT } from './verdict';
import { Difference, renderDifferenceText } from '../../../src/validation';

const NOTHING: Difference = {
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
const linesOf = (difference: Partial<Difference>) => renderDifferenceText({ ...NOTHING, ...difference }).trimEnd().split('\n');
const object = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' } as const;
const drift = { nodePool: 'default', reason: 'NodePoolDrifted', fields: ['spec.template'], certain: true, nodes: ['a', 'b'], atATime: 1 } as const;

test('of no change one line is said', () => {
  expect(renderDifferenceText(NOTHING)).toBe('Nothing changes.\n');
});

test('nodes, cost and findings come first', () => {
  const after = { ...VERDICT.summary, pods: 8, nodes: 1, cost: { usdPerHour: 0.2, lowerBoundUsdPerHour: null } };
  expect(linesOf({ summary: { before: VERDICT.summary, after }, resolved: ['shop/big-0'], findings: { added: VERDICT.findings, removed: VERDICT.findings.slice(0, 1) } }).slice(0, 3)).toEqual([
    '4 of 7 pods on 3 new nodes -> 4 of 8 pods on 1 new node, 0.3000 -> 0.2000 USD per hour (-0.1000).',
    '1 pod that had no node is no longer without: shop/big-0.',
    '1 new error (KARP-109), 1 new warning; 1 finding is gone.',
  ]);
});

test('where nodes and cost stay it is said so', () => {
  expect(linesOf({ objects: [{ ...object, change: 'added', fields: [] }] }).slice(0, 2)).toEqual([
    'As before 4 of 7 pods on 3 new nodes, 0.3000 USD per hour.', 'no new findings; none is gone.',
  ]);
  expect(linesOf({ summary: { before: EMPTY.summary, after: EMPTY.summary }, objects: [{ ...object, change: 'added', fields: [] }] })[0]).toBe('As before 0 of 0 pods on 0 new nodes.');
});

test('fields are told as they were and are, long values and many fields in short', () => {
  const fields = [
    { path: 'a', before: 1, after: '2' }, { path: 'b', before: null, after: ['x'] }, { path: 'c', before: 'y'.repeat(99), after: null },
    ...Array.from({ length: 9 }, (_, at) => ({ path: `d${at}`, before: 0, after: 1 })),
  ];
  const lines = linesOf({ objects: [{ ...object, change: 'changed', fields }, { ...object, namespace: '', change: 'removed', fields: [] }] });
  expect(lines.slice(4, 8)).toEqual(['  Pod shop/web', '    a: 1 -> 2', '    b is written: ["x"]', `    c is no longer written, it was ${'y'.repeat(60)}…`]);
  expect(lines.slice(12, 15)).toEqual(['    d4: 0 -> 1', '    and 4 fields more: --format json lists them all', '  Pod web is removed']);
});

test('of many objects the first are told', () => {
  const objects = Array.from({ length: 45 }, (_, at) => ({ ...object, name: `web-${at}`, change: 'changed' as const, fields: [{ path: 'a', before: 0, after: at }] }));
  expect(linesOf({ objects })).toContain('  and 5 objects more: --format json lists them all');
});

test('objects that are changed alike are told once, after those of Karpenter', () => {
  const fields = [{ path: 'spec.replicas', before: 1, after: 2 }];
  const objects = [...Array.from({ length: 5 }, (_, at) => ({ ...object, name: `web-${at}`, change: 'changed' as const, fields })), {
    ...object, apiVersion: 'karpenter.sh/v1', kind: 'NodePool', namespace: '', name: 'default', change: 'removed' as const, fields: [],
  }];
  expect(linesOf({ objects }).slice(4, 7)).toEqual(['  NodePool default is removed', '  Pod shop/web-0 and 4 more alike', '    spec.replicas: 1 -> 2']);
});

test('NodePools are told by what they can launch and what is launched of them', () => {
  const pool = { name: 'default', change: 'changed', instanceTypes: { added: ['m5.large'], removed: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, zones: NONE, capacityTypes: { added: ['spot'], removed: [] }, nodes: { before: 2, after: 1 }, usdPerHour: { before: 0.2, after: 0.1 } } as const;
  expect(linesOf({ nodePools: [pool, { ...pool, name: 'old', change: 'removed', nodes: { before: 1, after: 1 }, usdPerHour: { before: 0, after: 0 } }] }).slice(4, 10)).toEqual([
    '  default: 2 -> 1 new node, 0.2000 -> 0.1000 USD per hour',
    '    can launch 1 instance type more: m5.large',
    '    can launch 7 instance types fewer: a, b, c, d, e, f, and 1 more still',
    '    can launch 1 capacity type more: spot',
    '  old is removed',
    '    nodes that it has go when it is deleted, whatever its budgets say',
  ]);
});

test.each([
  [{}, '2 nodes of NodePool default drift (NodePoolDrifted: spec.template); its budgets let one go at a time'],
  [{ certain: false, nodes: ['a'], atATime: 0 }, '1 node of NodePool default may drift, by what AWS finds (NodePoolDrifted: spec.template); its budgets let none of them go'],
  [{ nodes: [], atATime: null }, 'whichever nodes NodePool default has drift (NodePoolDrifted: spec.template); --cluster tells which'],
  [{ fields: [], nodes: ['a'], atATime: null }, '1 node of NodePool default drifts (NodePoolDrifted); how many go at a time depends on the hour'],
])('nodes that drift are told with why, and how many may go: %j', (more, expected) => {
  expect(linesOf({ drift: [{ ...drift, ...more }] })[4]).toBe(`  ${expected}`);
});

test('pods that have no node have the reason, new findings the remedy, and those that are gone their names', () => {
  const text = linesOf({ unschedulable: VERDICT.unschedulable, findings: { added: VERDICT.findings.slice(1), removed: VERDICT.findings } }).join('\n');
  expect(text).toMatch(/Pods that have no node now\n {2}2 pods: 2 × shop\/big\n {4}NodePool default: no instance type/);
  expect(text).toMatch(/New findings\n {2}b\.yaml\n {4}b\.yaml:9:1 warning KARP-306 missing-requests\n {6}Deployment shop\/web: no cpu request\n {6}→ write one/);
  expect(text).toMatch(/Findings that are gone\n {2}error KARP-109 duplicate-yaml-key\n {2}warning KARP-306 missing-requests of Deployment shop\/web/);
  expect(text).toContain('Taken for granted\n  - the cluster is empty');
});

test('what stands in manifests does not steer a terminal', () => {
  expect(renderDifferenceText({ ...NOTHING, objects: [{ ...object, name: '\u001b[2J', change: 'added', fields: [] }] })).not.toContain('\u001b');
});
