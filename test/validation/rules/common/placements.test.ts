import { CheckOptions } from '../../../../src/validation/check-options';
import { noTopologySpread } from '../../../../src/validation/rules/disruption/availability/no-topology-spread';
import { singleReplica } from '../../../../src/validation/rules/disruption/availability/single-replica';
import { spreadWithoutMinDomains } from '../../../../src/validation/rules/disruption/availability/spread-without-mindomains';
import { softPreferenceBlocksConsolidation } from '../../../../src/validation/rules/disruption/consolidation/soft-preference-blocks-consolidation';
import { doNotDisruptIsNotSpotProof } from '../../../../src/validation/rules/disruption/eviction/do-not-disrupt-is-not-spot-proof';
import { noPdb } from '../../../../src/validation/rules/disruption/pdb/no-pdb';
import { spotFlexibilityLow } from '../../../../src/validation/rules/interruption/spot/spot-flexibility-low';
import { spotNoFallback } from '../../../../src/validation/rules/interruption/spot/spot-no-fallback';
import { karpenterNode, nodeClaim, Plain, pod } from '../../cluster/dump';
import { annotated, deployment, judge, nodeClass, nodePool, oneOf, pdb, types } from '../judge';

const ZONE = 'topology.kubernetes.io/zone';
const SPOT = oneOf('karpenter.sh/capacity-type', 'spot');
const SPOT_POOL = [nodeClass(), nodePool('default', { requirements: [types('m5.large'), SPOT] })];
const labelSelector = { matchLabels: { app: 'web' } };

/** A Karpenter node, its NodeClaim, and pods of Deployment web that run on it. */
function nodeWithPods(name: string, pods: number, { zone = 'us-east-1a', capacityType = 'spot' } = {}): Plain[] {
  const labels = {
    [ZONE]: zone,
    'karpenter.sh/capacity-type': capacityType,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
  };
  const webPods = Array.from({ length: pods }, (_, index) =>
    pod(`web-1-${name}${index}`, {
      on: `ip-${name}`,
      cpu: '100m',
      owner: ['ReplicaSet', 'web-1'],
      labels: { app: 'web', 'pod-template-hash': '1' },
    }),
  );
  return [karpenterNode(`ip-${name}`, { labels }), nodeClaim(`ip-${name}`), ...webPods];
}

function cluster(...items: Plain[]): CheckOptions {
  return { cluster: items.map((item, index) => ({ path: `cluster-${index}.json`, text: JSON.stringify(item) })) };
}

describe('rules on running pods', () => {
  test('KARP-414 reports pods that run on one node', () => {
    const { findings } = judge(
      noTopologySpread,
      [...SPOT_POOL, deployment('web', {}, { replicas: 4 }), pdb({ maxUnavailable: 1 })],
      cluster(...nodeWithPods('a', 4)),
    );
    expect(findings[0].message).toMatch(/^4 of 4 pods run on node ip-a, because nothing spreads them/);
  });

  test('KARP-414 passes pods on nodes of their own', () => {
    const { states } = judge(
      noTopologySpread,
      [...SPOT_POOL, deployment('web', {}, { replicas: 2 }), pdb({ maxUnavailable: 1 })],
      cluster(...nodeWithPods('a', 1), ...nodeWithPods('b', 1)),
    );
    expect(states).toEqual(['pass Deployment/web']);
  });

  test('KARP-402 counts the nodes of the pods', () => {
    const { findings } = judge(
      noPdb,
      [...SPOT_POOL, deployment('web', {}, { replicas: 2 })],
      cluster(...nodeWithPods('a', 1), ...nodeWithPods('b', 1)),
    );
    expect(findings[0].message).toContain('; they run on 2 nodes');
  });

  test('KARP-401 reports a pod on a spot node', () => {
    const single = [...SPOT_POOL, deployment('web', {}, { replicas: 1 })];
    expect(judge(singleReplica, single, cluster(...nodeWithPods('a', 1))).findings[0].message).toContain(
      '; the node that runs its pods is spot, which EC2 may interrupt',
    );
    expect(
      judge(singleReplica, single, cluster(...nodeWithPods('a', 1, { capacityType: 'on-demand' }))).findings[0]
        .evidence,
    ).toMatchObject({ spotNodes: 0 });
  });

  test('KARP-410 reports pods if some of their nodes are spot', () => {
    const held = annotated(deployment('web', {}, { replicas: 2 }), { 'karpenter.sh/do-not-disrupt': 'true' });
    const { findings } = judge(
      doNotDisruptIsNotSpotProof,
      [...SPOT_POOL, held],
      cluster(...nodeWithPods('a', 1), ...nodeWithPods('b', 1, { capacityType: 'on-demand' })),
    );
    expect(findings[0].message).toMatch(/^1 of the 2 nodes that run its pods is spot/);
  });

  test('KARP-511 reports an error for few types if the pods have no other NodePool', () => {
    const web = deployment('web', {}, { replicas: 1 });
    expect(judge(spotFlexibilityLow, [...SPOT_POOL, web], cluster(...nodeWithPods('a', 1))).findings[0].severity).toBe(
      'error',
    );
  });

  test('KARP-511 reports pods that allow few types of a flexible NodePool', () => {
    const wide = [nodeClass(), nodePool('default', { requirements: [SPOT] })];
    const web = deployment(
      'web',
      { nodeSelector: { 'node.kubernetes.io/instance-type': 'm5.large' } },
      { replicas: 1 },
    );
    expect(judge(spotFlexibilityLow, [...wide, web], cluster(...nodeWithPods('a', 1))).states).toEqual([
      'pass NodePool/default',
      'fail Deployment/web',
    ]);
  });

  test('KARP-516 reports pods that no NodePool runs on demand', () => {
    const { findings } = judge(
      spotNoFallback,
      [...SPOT_POOL, deployment('web', {}, { replicas: 1 })],
      cluster(...nodeWithPods('a', 1)),
    );
    expect(findings[0].evidence).toEqual({ workloads: ['Deployment web'] });
  });

  describe('KARP-415', () => {
    const rule = spreadWithoutMinDomains;
    const spread = {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
    };
    const setup = [...SPOT_POOL, deployment('web', spread, { replicas: 3 })];

    test('reports pods that all run in one zone', () => {
      expect(judge(rule, setup, cluster(...nodeWithPods('a', 3))).findings[0].message).toContain(
        'while no other zone had a node, us-east-1a got all 3 pods',
      );
    });

    test('passes pods in several zones', () => {
      expect(
        judge(rule, setup, cluster(...nodeWithPods('a', 2), ...nodeWithPods('b', 1, { zone: 'us-east-1b' }))).states,
      ).toEqual(['pass Deployment/web']);
    });
  });

  describe('KARP-416', () => {
    const rule = softPreferenceBlocksConsolidation;
    const apart = {
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } },
          ],
        },
      },
    };
    const pool = [
      nodeClass(),
      nodePool('default', { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] }),
    ];
    const web = deployment('web', apart, { replicas: 2 });
    const onDemand = { capacityType: 'on-demand' };
    const items = (name: string) =>
      nodeWithPods(name, 1, onDemand).map((item) =>
        item.kind === 'Pod' ? { ...item, spec: { ...(item.spec as object), ...apart } } : item,
      );

    test('reports nodes that consolidation would remove without preferences', () => {
      const { findings } = judge(rule, [...pool, web], cluster(...items('a'), ...items('b')));
      expect(findings[0].evidence).toMatchObject({
        nodes: 2,
        nodesWithoutPreferences: 1,
        workloads: ['Deployment default/web'],
      });
    });

    test('passes preferences that keep no additional node', () => {
      expect(judge(rule, [...pool, deployment('web', apart, { replicas: 1 })], cluster(...items('a'))).states).toEqual([
        'pass NodePool/default',
      ]);
    });

    test('is not evaluated for a cluster that is too large to simulate', () => {
      const crowd = deployment('crowd', {}, { replicas: 1000 });
      expect(judge(rule, [...pool, web, crowd], cluster(...items('a'), ...items('b'))).states).toEqual([
        'not-evaluated NodePool/default',
      ]);
    });
  });
});
