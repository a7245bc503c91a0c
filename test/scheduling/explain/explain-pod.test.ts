import fc from 'fast-check';
import { parseResourceList } from '../../../src/model';
import {
  explainPod,
  PodExplanation,
  schedule,
  ScheduleInput,
  solveInput,
  TopologySpread,
} from '../../../src/scheduling';
import { CATALOG, daemonSet, input, isIn, ofTypes, pods, pool, InputFields } from '../builders';
import { scenario } from '../scenarios';

const ZONE = 'topology.kubernetes.io/zone';
const SMALL = { cpu: '100m', memory: '64Mi' };

function explain(scene: InputFields, pod: string): PodExplanation {
  const name = pod.replace(/-\d+$/, '');
  return explainPod(
    solveInput(input(scene), CATALOG),
    scene.pods.findIndex((group) => group.name === name),
    `default/${pod}`,
  );
}

function steps(explanation: PodExplanation, nodePool = 'default'): string[] {
  return explanation.nodePools
    .find((candidate) => candidate.nodePool === nodePool)!
    .elimination.map(({ constraint, left }) => `${left} ${constraint}`);
}

describe('explainPod for a pod that opens a node', () => {
  const scene: InputFields = {
    pools: [
      pool([ofTypes('m5.large', 'm5.xlarge', 'c5.large')], { limits: parseResourceList({ cpu: 100 }) }),
      pool([], { name: 'gpu', weight: 10, taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
      pool([], { name: 'a' }),
    ],
    pods: [pods('web', 1, { cpu: '1900m' }, { nodeSelector: { [ZONE]: 'us-east-1b' } })],
    daemonSets: [daemonSet('agent', { cpu: '100m' })],
  };

  test('lists the pools in the order of tries', () => {
    expect(explain(scene, 'web-0').nodePools.map(({ nodePool, outcome }) => `${nodePool} ${outcome}`)).toEqual([
      'gpu refuses',
      'default takes it',
      'a not tried',
    ]);
  });

  test('lists the instance types left after each constraint', () => {
    expect(steps(explain(scene, 'web-0'))).toEqual([
      '1391 all instance types',
      '3 node.kubernetes.io/instance-type In [c5.large m5.large m5.xlarge]',
      '3 karpenter.sh/capacity-type In [on-demand]',
      '3 an available offering',
      '3 allocatable left for pods',
      '3 limits.cpu, 100 of 100 left',
      `3 the pod's ${ZONE} In [us-east-1b]`,
      '3 offered as on-demand in us-east-1b',
      '3 cpu 1900m',
      '3 pods 1',
      '1 daemonsets with cpu 100m, pods 1',
    ]);
  });

  test('ends the list of a refusal at the constraint that leaves none', () => {
    expect(steps(explain(scene, 'web-0'), 'gpu').slice(-1)).toEqual(['0 the taint gpu:NoSchedule, not tolerated']);
    expect(explain(scene, 'web-0').nodePools[0]).toMatchObject({
      message: 'did not tolerate taint (taint=gpu:NoSchedule)',
    });
  });

  test('describes the node', () => {
    expect(explain(scene, 'web-0')).toMatchObject({
      position: 1,
      placedPods: 1,
      openNodeClaims: 0,
      node: {
        name: 'default-0',
        kind: 'new NodeClaim',
        podsBefore: 0,
        instanceTypes: 1,
        instanceTypesInTheEnd: 1,
        cheapest: { instanceType: 'm5.xlarge', zone: 'us-east-1b' },
      },
    });
  });
});

describe('explainPod for a pod that joins a node', () => {
  const scene: InputFields = {
    pools: [pool([ofTypes('m5.large', 'm5.xlarge')])],
    pods: [pods('web', 3, { cpu: '900m' })],
  };

  test('returns the number of earlier pods and their instance types', () => {
    const { node, nodePools } = explain(scene, 'web-2');
    expect(nodePools).toEqual([]);
    expect(node).toMatchObject({
      name: 'default-0',
      kind: 'open NodeClaim',
      podsBefore: 2,
      instanceTypesBefore: 2,
      instanceTypes: 1,
    });
    expect(node!.elimination.slice(-2)).toEqual([
      { constraint: 'the 2 pods already on it', left: 2 },
      { constraint: 'this pod added: together they request cpu 2700m', left: 1 },
    ]);
  });

  test('returns the existing node', () => {
    const allocatable = parseResourceList({ cpu: 4, memory: '8Gi', pods: 10 });
    const node = {
      name: 'n1',
      labels: {},
      taints: [],
      allocatable,
      capacity: allocatable,
      initialized: true,
      pods: [],
    };
    const solved = solveInput({ ...input(scene), nodes: [node] }, CATALOG);
    expect(explainPod(solved, 0, 'default/web-1').node).toMatchObject({
      name: 'n1',
      kind: 'existing node',
      podsBefore: 1,
    });
  });
});

describe('relaxed preferences', () => {
  test('are listed in order', () => {
    const spread: TopologySpread = {
      maxSkew: 1,
      topologyKey: 'rack',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: {},
    };
    const web = pods('web', 1, SMALL, {
      preferredNodeAffinity: [{ weight: 1, term: { matchExpressions: [isIn(ZONE, 'us-east-1f')] } }],
      requiredNodeAffinity: [
        { matchExpressions: [isIn('team', 'a')] },
        { matchExpressions: [isIn('kubernetes.io/arch', 'arm64')] },
      ],
      podAffinity: {
        required: [],
        preferred: [{ weight: 1, term: { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'none' } } } }],
      },
      topologySpread: [spread],
    });
    expect(explain({ pools: [pool([])], pods: [web] }, 'web-0').givenUp).toEqual([
      'the required node affinity term team In [a] (another term remains)',
      `the preferred pod affinity over ${ZONE}`,
      `the preferred node affinity ${ZONE} In [us-east-1f]`,
      'the topology spread over rack (ScheduleAnyway)',
    ]);
  });

  test('are empty if nothing is relaxed', () => {
    expect(explain({ pools: [pool([])], pods: [pods('web', 1, SMALL)] }, 'web-0').givenUp).toEqual([]);
  });
});

test('explainPod returns the reason for a pod that Karpenter ignores', () => {
  expect(
    explain(
      { pools: [pool([])], pods: [pods('web', 1, SMALL, { nodeSelector: { 'kubernetes.io/hostname': 'n1' } })] },
      'web-0',
    ).notTried,
  ).toContain('kubernetes.io/hostname is restricted');
});

describe('explanations agree with the plan', () => {
  const spread: TopologySpread = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: {},
  };
  const spreading = (scene: ScheduleInput): ScheduleInput => ({
    ...scene,
    pods: scene.pods.map((group, at) =>
      at % 2 === 0 ? group : { ...group, shape: { ...group.shape, topologySpread: [spread] } },
    ),
  });

  function agrees(scene: ScheduleInput): void {
    const plan = schedule(scene, CATALOG);
    const solved = solveInput(scene, CATALOG);
    for (const { id, pods: placed } of plan.nodeClaims) {
      placed.forEach((pod, at) => {
        if (at > 1 && at < placed.length - 1) return;
        const explained = explainPod(
          solved,
          scene.pods.findIndex(({ name }) => pod.startsWith(`default/${name}-`)),
          pod,
        );
        expect(explained.node).toMatchObject({
          name: id,
          podsBefore: at,
          kind: at === 0 ? 'new NodeClaim' : 'open NodeClaim',
        });
        const eliminated =
          at === 0
            ? explained.nodePools.find(({ outcome }) => outcome === 'takes it')!.elimination
            : explained.node!.elimination;
        expect([pod, eliminated[eliminated.length - 1].left]).toEqual([pod, explained.node!.instanceTypes]);
        expect(eliminated.every(({ left }, step) => step === 0 || left <= eliminated[step - 1].left)).toBe(true);
      });
    }
    for (const { pod, group } of plan.unschedulable) {
      for (const { outcome, elimination } of explainPod(solved, group, pod).nodePools) {
        expect([outcome, elimination[elimination.length - 1].left]).toEqual([
          outcome === 'no instance types' ? outcome : 'refuses',
          0,
        ]);
      }
    }
  }

  test.each<[string, (scene: ScheduleInput) => ScheduleInput]>([
    ['without topology', (scene) => scene],
    ['with topology', spreading],
  ])(
    '%s',
    (_, change) => {
      const settings = {
        numRuns: Number(process.env.EXPLANATION_RUNS ?? 8),
        seed: Number(process.env.EXPLANATION_SEED ?? 7),
        endOnFailure: true,
      };
      fc.assert(
        fc.property(scenario, (scene) => agrees(change(scene))),
        settings,
      );
    },
    120_000,
  );
});
