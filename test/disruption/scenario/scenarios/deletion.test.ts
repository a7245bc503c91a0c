import {
  ClusterNode,
  PodDisruptionBudget,
  runScenario,
  ScenarioOptions,
  UnknownTargetError,
  workloadKey,
} from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, ClusterMore, clusterOf, HOUR, machine, NodeMore, NOW, pod, PROTECTED } from '../../builders';

const LABELS = { app: 'web' };
const WEB = workloadKey('default', { kind: 'Deployment', name: 'web' });
const BLOCKING: PodDisruptionBudget = {
  namespace: 'default',
  name: 'web',
  selector: { matchLabels: LABELS },
  maxUnavailable: 0,
};
const POOLS = ['default', 'other'].map((name) =>
  anyPool({ name, requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] }),
);

const web = (name: string) => pod(name, { cpu: '1500m' }, { more: { labels: LABELS } });
const single = (name: string, more: NodeMore = {}) => machine(name, 'm5.large', [web(`web-${name}`)], more);

function remove(nodes: readonly ClusterNode[], of: ScenarioOptions['of'], more: ClusterMore = {}) {
  const cluster = clusterOf(nodes, { pools: POOLS, replicas: new Map([[WEB, nodes.length]]), ...more });
  return runScenario('deletion', cluster, { start: NOW, of });
}

const events = (timeline: ReadonlyArray<{ readonly what: string }>) =>
  timeline.map(({ what }) => what.replace(/ \(.*/, ''));
const launched = (timeline: ReadonlyArray<{ readonly what: string }>) =>
  events(timeline).filter((what) => what.endsWith('is launched'));

test('the deletion of the last NodePool leaves pods pending that fit on no other node, with the reason', () => {
  const other = { ...machine('mng', 'm5.large'), claim: undefined, labels: { [Label.HOSTNAME]: 'mng' } };
  const [report] = remove(
    [single('a'), single('b'), other],
    { kind: 'nodepool', name: 'default' },
    { pools: POOLS.slice(0, 1) },
  );
  expect(report.pending).toHaveLength(1);
  expect(report.unplaced.map(({ why }) => why)).toEqual(['no dynamic nodepools found']);
  expect(report.after.nodes).toBe(1);
});

describe('the deletion of a node by hand', () => {
  test('drains the node regardless of disruption budgets, and reschedules its pods', () => {
    const [report] = remove(
      [single('a'), single('b')],
      { kind: 'node', name: 'a' },
      { disruption: { budgets: [{ nodes: '0' }] } },
    );
    expect(report.subject).toBe('Node a');
    expect(events(report.timeline).slice(0, 2)).toEqual(['Node a is deleted', 'a drains']);
    expect(report).toMatchObject({ pending: [], after: { nodes: 2 } });
  });

  test('waits for a PodDisruptionBudget, except if the node has a terminationGracePeriod', () => {
    const node = single('a');
    expect(remove([node], { kind: 'node', name: 'a' }, { pdbs: [BLOCKING] })[0].stuck[0]).toMatchObject({
      what: 'node a',
    });
    const bounded = { ...node, claim: { ...node.claim!, terminationGracePeriod: HOUR } };
    expect(remove([bounded], { kind: 'node', name: 'a' }, { pdbs: [BLOCKING] })[0].stuck).toEqual([]);
  });

  test('changes nothing if the node is already deleting', () => {
    const going = { ...single('a'), deleting: true };
    expect(events(remove([going], { kind: 'node', name: 'a' }, { pdbs: [BLOCKING] })[0].timeline)).toEqual([
      'a drains',
      'Node a is deleted',
    ]);
  });

  test('removes a node that Karpenter does not manage at once, with its pods', () => {
    const [report] = remove([{ ...single('a'), claim: undefined }], { kind: 'node', name: 'a' }, { pdbs: [BLOCKING] });
    expect(events(report.timeline).slice(0, 2)).toEqual(['Node a is deleted', 'a is terminated, and its pods with it']);
  });

  test('has the same effect on the NodeClaim, by its own name', () => {
    const node = single('a');
    const [report] = remove([{ ...node, claim: { ...node.claim!, name: 'default-x2k4b' } }], {
      kind: 'nodeclaim',
      name: 'default-x2k4b',
    });
    expect(events(report.timeline).slice(0, 2)).toEqual(['NodeClaim default-x2k4b is deleted', 'a drains']);
  });

  test.each([
    [{ kind: 'node', name: 'c' } as const, 'there is no node "c"; write for example node/a'],
    [{ kind: 'nodeclaim', name: 'c' } as const, 'there is no nodeclaim "c"; write for example nodeclaim/a'],
    [{ kind: 'nodepool', name: 'c' } as const, 'there is no nodepool "c"; write for example nodepool/default'],
  ])('rejects an unknown name: %o', (of, message) => {
    expect(() => remove([single('a')], of)).toThrow(new UnknownTargetError(message));
  });
});

describe('the deletion of a NodePool', () => {
  test('drains all of its nodes at once, and no others', () => {
    const [report] = remove([single('a'), single('b'), single('c', { pool: 'other' })], {
      kind: 'nodepool',
      name: 'default',
    });
    expect(events(report.timeline).slice(0, 3)).toEqual([
      'NodePool default is deleted, and its NodeClaims with it',
      'a drains',
      'b drains',
    ]);
    expect(events(report.timeline)).not.toContain('c drains');
  });

  test('ignores a node that has its label but no NodeClaim', () => {
    const foreign = single('b', { claim: undefined });
    expect(events(remove([single('a'), foreign], { kind: 'nodepool', name: 'default' })[0].timeline)).not.toContain(
      'b drains',
    );
    expect(remove([foreign], undefined)).toEqual([]);
  });

  test('launches nodes of other NodePools for its pods', () => {
    const [report] = remove([single('a'), single('b')], { kind: 'nodepool', name: 'default' });
    expect(launched(report.timeline)).toEqual([
      expect.stringMatching(/^other-new-/),
      expect.stringMatching(/^other-new-/),
    ]);
    expect(report.pending).toEqual([]);
  });

  test('leaves pods pending if there is no other NodePool', () => {
    const [report] = remove([single('a')], { kind: 'nodepool', name: 'default' }, { pools: POOLS.slice(0, 1) });
    expect(report.pending).toHaveLength(1);
    expect(report.workloads[0].lowestReady).toBe(0);
  });

  test('is simulated for each NodePool with nodes if no name is given', () => {
    const subjects = remove([single('a'), single('c', { pool: 'other' })], undefined).map(({ subject }) => subject);
    expect(subjects).toEqual(['NodePool default', 'NodePool other']);
  });
});

describe('a static NodePool', () => {
  const sized = (replicas: number, nodeLimit?: bigint) => [
    anyPool({
      requirements: POOLS[0].requirements,
      replicas,
      ...(nodeLimit === undefined ? {} : { limits: new Map([['nodes', nodeLimit]]) }),
    }),
  ];
  const down = (nodes: readonly ClusterNode[], replicas: number) =>
    runScenario('scale-down', clusterOf(nodes, { pools: sized(replicas) }), { start: NOW });
  const drained = (nodes: readonly ClusterNode[], replicas: number) =>
    events(down(nodes, replicas)[0].timeline)
      .filter((what) => what.endsWith('drains'))
      .map((what) => what.split(' ')[0]);

  test('launches a node as soon as another is deleted', () => {
    const [report] = remove([single('a'), single('b')], { kind: 'node', name: 'a' }, { pools: sized(2) });
    expect(report.timeline.filter(({ what }) => what.includes('is launched'))).toEqual([
      { second: 0, what: expect.stringMatching(/^default-new-/) },
    ]);
    expect(report.after.nodes).toBe(2);
  });

  test('launches the node after the other is removed if its limit allows no more', () => {
    const [report] = remove([single('a'), single('b')], { kind: 'node', name: 'a' }, { pools: sized(2, 2n) });
    expect(report.timeline.filter(({ what }) => what.includes('is launched'))).toEqual([
      { second: 10, what: expect.stringMatching(/^default-new-/) },
    ]);
  });

  test('launches missing nodes at once in a zone outage, and replacements when nodes are lost', () => {
    const [report] = runScenario(
      'zone-outage',
      clusterOf([single('a'), single('b', { zone: 'us-east-1b' })], { pools: sized(3) }),
      { start: NOW },
    );
    expect(report.subject).toBe('us-east-1a');
    expect(report.timeline.filter(({ what }) => what.includes('is launched')).map(({ second }) => second)).toEqual([
      0, 350,
    ]);
    expect(report.after.nodes).toBe(3);
  });

  test('deletes surplus nodes regardless of disruption budgets, and launches none', () => {
    const [report, ...others] = down([single('a'), single('b'), single('c')], 1);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ subject: 'NodePool default', before: { nodes: 3 }, after: { nodes: 1 } });
    expect(launched(report.timeline)).toEqual([]);
  });

  test('deletes nodes with only DaemonSet pods first, then by disruption cost, and nodes with a protected pod last', () => {
    const idle = machine('d', 'm5.large', [
      pod('agent', undefined, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' } }),
    ]);
    const costly = machine('a', 'm5.large', [pod('x', { cpu: '100m' }), pod('y', { cpu: '100m' })]);
    const nodes = [
      costly,
      single('b'),
      idle,
      machine('c', 'm5.large', [pod('kept', { cpu: '100m' }, { annotations: PROTECTED })]),
    ];
    expect(drained(nodes, 3)).toEqual(['d']);
    expect(drained(nodes, 2)).toEqual(['d', 'b']);
    expect(drained(nodes, 1)).toEqual(['d', 'b', 'a']);
    expect(drained(nodes, 0)).toEqual(['d', 'b', 'a', 'c']);
  });

  test('deletes the node first that expires sooner, if the pods are equal', () => {
    const aged = (name: string, hours: number) => {
      const node = single(name);
      return { ...node, claim: { ...node.claim!, createdAt: NOW - hours * HOUR, expireAfter: 10 * HOUR } };
    };
    expect(drained([aged('a', 1), aged('b', 9)], 1)).toEqual(['b']);
  });

  test('returns no report without surplus nodes', () => {
    expect(down([single('a')], 1)).toEqual([]);
  });
});
