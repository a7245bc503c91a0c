import fc from 'fast-check';
import { CATALOG, daemonSet, input, isIn, ofTypes, pods, pool, Scene } from './builders';
import { scenario } from './scenarios';
import { parseResourceList } from '../../src/model';
import { explainPod, PodExplanation, schedule, ScheduleInput, solveInput, TopologySpread } from '../../src/scheduling';

const ZONE = 'topology.kubernetes.io/zone';
const SMALL = { cpu: '100m', memory: '64Mi' };

function explain(scene: Scene, pod: string): PodExplanation {
  const name = pod.replace(/-\d+$/, '');
  return explainPod(solveInput(input(scene), CATALOG), scene.pods.findIndex((group) => group.name === name), `default/${pod}`);
}

function steps(explanation: PodExplanation, nodePool = 'default'): string[] {
  return explanation.nodePools.find((story) => story.nodePool === nodePool)!.elimination.map(({ constraint, left }) => `${left} ${constraint}`);
}

describe('a pod that opens a node', () => {
  const scene: Scene = {
    pools: [
      pool([ofTypes('m5.large', 'm5.xlarge', 'c5.large')], { limits: parseResourceList({ cpu: 100 }) }),
      pool([], { name: 'gpu', weight: 10, taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      pool([], { name: 'a' }),
    ],
    pods: [pods('web', 1, { cpu: '1900m' }, { nodeSelector: { [ZONE]: 'us-east-1b' } })],
    daemonSets: [daemonSet('agent', { cpu: '100m' })],
  };

  test('hears of each pool in the order in which it was asked', () => {
    expect(explain(scene, 'web-0').nodePools.map(({ nodePool, outcome }) => `${nodePool} ${outcome}`)).toEqual(['gpu refuses', 'default takes it', 'a not tried']);
  });

  test('hears what each constraint left, from the whole catalogue to what is possible', () => {
    expect(steps(explain(scene, 'web-0'))).toEqual([
      '1363 catalogue',
      '3 node.kubernetes.io/instance-type In [c5.large m5.large m5.xlarge]',
      '3 karpenter.sh/capacity-type In [on-demand]',
      '3 an available offering',
      '3 allocatable left for pods',
      '3 limits.cpu, 100 left of 100',
      `3 the pod's ${ZONE} In [us-east-1b]`,
      '3 offered as on-demand in us-east-1b',
      '3 cpu 1900m',
      '3 pods 1',
      '1 daemonsets (cpu 100m, pods 1)',
    ]);
  });

  test('hears of a refusal up to where it died', () => {
    expect(steps(explain(scene, 'web-0'), 'gpu').slice(-1)).toEqual(['0 the taint gpu:NoSchedule, not tolerated']);
    expect(explain(scene, 'web-0').nodePools[0]).toMatchObject({ message: 'did not tolerate taint (taint=gpu:NoSchedule)' });
  });

  test('hears what became of the node', () => {
    expect(explain(scene, 'web-0')).toMatchObject({
      position: 1,
      placedPods: 1,
      openNodeClaims: 0,
      node: { name: 'default-0', kind: 'new NodeClaim', podsBefore: 0, instanceTypes: 1, instanceTypesInTheEnd: 1, cheapest: { instanceType: 'm5.xlarge', zone: 'us-east-1b' } },
    });
  });
});

describe('a pod that joins a node', () => {
  const scene: Scene = { pools: [pool([ofTypes('m5.large', 'm5.xlarge')])], pods: [pods('web', 3, { cpu: '900m' })] };

  test('hears how many pods were there and what they had left', () => {
    const { node, nodePools } = explain(scene, 'web-2');
    expect(nodePools).toEqual([]);
    expect(node).toMatchObject({ name: 'default-0', kind: 'open NodeClaim', podsBefore: 2, instanceTypesBefore: 2, instanceTypes: 1 });
    expect(node!.elimination.slice(-2)).toEqual([
      { constraint: 'the 2 pods that it has already', left: 2 }, { constraint: 'this pod beside them: together they request cpu 2700m', left: 1 },
    ]);
  });

  test('or that was there before is told the node', () => {
    const allocatable = parseResourceList({ cpu: 4, memory: '8Gi', pods: 10 });
    const node = { name: 'n1', labels: {}, taints: [], allocatable, capacity: allocatable, initialized: true, pods: [] };
    const solved = solveInput({ ...input(scene), nodes: [node] }, CATALOG);
    expect(explainPod(solved, 0, 'default/web-1').node).toMatchObject({ name: 'n1', kind: 'existing node', podsBefore: 1 });
  });
});

describe('what the pod would rather have', () => {
  test('is told where it had to be given up', () => {
    const spread: TopologySpread = { maxSkew: 1, topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} };
    const web = pods('web', 1, SMALL, {
      preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn(ZONE, 'us-east-1f')] } }],
      requiredNodeAffinity: [{ matchExpressions: [isIn('team', 'a')] }, { matchExpressions: [isIn('kubernetes.io/arch', 'arm64')] }],
      podAffinity: { required: [], preferred: [{ weight: 1, term: { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'none' } } } }] },
      topologySpread: [spread],
    });
    expect(explain({ pools: [pool([])], pods: [web] }, 'web-0').givenUp).toEqual([
      'the required node affinity term team In [a], because another is left',
      `the preferred pod affinity over ${ZONE}`,
      `the preferred node affinity ${ZONE} In [us-east-1f]`,
      'the topology spread over rack, which need not be met',
    ]);
  });

  test('is not told where nothing was', () => {
    expect(explain({ pools: [pool([])], pods: [pods('web', 1, SMALL)] }, 'web-0').givenUp).toEqual([]);
  });
});

test('a pod that Karpenter passes over is told why', () => {
  expect(explain({ pools: [pool([])], pods: [pods('web', 1, SMALL, { nodeSelector: { 'kubernetes.io/hostname': 'n1' } })] }, 'web-0').notTried)
    .toContain('kubernetes.io/hostname is restricted');
});

describe('every explanation agrees with the plan', () => {
  const spread: TopologySpread = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} };
  const spreading = (scene: ScheduleInput): ScheduleInput =>
    ({ ...scene, pods: scene.pods.map((group, at) => at % 2 === 0 ? group : { ...group, shape: { ...group.shape, topologySpread: [spread] } }) });

  function agrees(scene: ScheduleInput): void {
    const plan = schedule(scene, CATALOG);
    const solved = solveInput(scene, CATALOG);
    for (const { id, pods: placed } of plan.nodeClaims) {
      placed.forEach((pod, at) => {
        if (at > 1 && at < placed.length - 1) return;
        const story = explainPod(solved, scene.pods.findIndex(({ name }) => pod.startsWith(`default/${name}-`)), pod);
        expect(story.node).toMatchObject({ name: id, podsBefore: at, kind: at === 0 ? 'new NodeClaim' : 'open NodeClaim' });
        const told = at === 0 ? story.nodePools.find(({ outcome }) => outcome === 'takes it')!.elimination : story.node!.elimination;
        expect([pod, told[told.length - 1].left]).toEqual([pod, story.node!.instanceTypes]);
        expect(told.every(({ left }, step) => step === 0 || left <= told[step - 1].left)).toBe(true);
      });
    }
    for (const { pod, group } of plan.unschedulable) {
      for (const { outcome, elimination } of explainPod(solved, group, pod).nodePools) {
        expect([outcome, elimination[elimination.length - 1].left]).toEqual([outcome === 'no instance types' ? outcome : 'refuses', 0]);
      }
    }
  }

  test.each<[string, (scene: ScheduleInput) => ScheduleInput]>([['without topology', (scene) => scene], ['with topology', spreading]])('%s', (_, change) => {
    const settings = { numRuns: Number(process.env.EXPLANATION_RUNS ?? 8), seed: Number(process.env.EXPLANATION_SEED ?? 7), endOnFailure: true };
    fc.assert(fc.property(scenario, (scene) => agrees(change(scene))), settings);
  }, 120_000);
});
