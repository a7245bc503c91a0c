import { annotated, deployment, judge, nodeClass, nodePool, oneOf, types } from './helper';
import { CheckOptions } from '../../../src/validation/options';
import { DoNotDisruptIsNotSpotProof } from '../../../src/validation/rules/do-not-disrupt-is-not-spot-proof';
import { NoPdb } from '../../../src/validation/rules/no-pdb';
import { NoTopologySpread } from '../../../src/validation/rules/no-topology-spread';
import { SoftPreferenceBlocksConsolidation } from '../../../src/validation/rules/soft-preference-blocks-consolidation';
import { SpotFlexibilityLow } from '../../../src/validation/rules/spot-flexibility-low';
import { SpotNoFallback } from '../../../src/validation/rules/spot-no-fallback';
import { SpreadWithoutMinDomains } from '../../../src/validation/rules/spread-without-mindomains';
import { StatefulOrSingletonOnSpot } from '../../../src/validation/rules/stateful-or-singleton-on-spot';
import { karpenterNode, nodeClaim, Plain, pod } from '../cluster/dump';

const ZONE = 'topology.kubernetes.io/zone';
const SPOT = oneOf('karpenter.sh/capacity-type', 'spot');
const SPOT_POOL = [nodeClass(), nodePool('default', { requirements: [types('m5.large'), SPOT] })];
const labelSelector = { matchLabels: { app: 'web' } };

/** A node of Karpenter's, its claim, and pods of Deployment web that run on it. */
function runs(name: string, pods: number, { zone = 'us-east-1a', capacityType = 'spot' } = {}): Plain[] {
  const labels = { [ZONE]: zone, 'karpenter.sh/capacity-type': capacityType, 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' };
  const webPods = Array.from({ length: pods }, (_, at) =>
    pod(`web-1-${name}${at}`, { on: `ip-${name}`, cpu: '100m', owner: ['ReplicaSet', 'web-1'], labels: { 'app': 'web', 'pod-template-hash': '1' } }));
  return [karpenterNode(`ip-${name}`, { labels }), nodeClaim(`ip-${name}`), ...webPods];
}

function cluster(...items: Plain[]): CheckOptions {
  return { cluster: items.map((item, at) => ({ path: `cluster-${at}.json`, text: JSON.stringify(item) })) };
}

describe('pods that all run already', () => {
  test('are too close together for KARP-414 where most are on one node', () => {
    const { findings } = judge(new NoTopologySpread(), [...SPOT_POOL, deployment('web', {}, { replicas: 4 })], cluster(...runs('a', 4)));
    expect(findings[0].message).toMatch(/^4 of 4 pods run on node ip-a, and nothing keeps them apart/);
  });

  test('pass KARP-414 on nodes of their own', () => {
    const { states } = judge(new NoTopologySpread(), [...SPOT_POOL, deployment('web', {}, { replicas: 2 })], cluster(...runs('a', 1), ...runs('b', 1)));
    expect(states).toEqual(['pass Deployment/web']);
  });

  test('are told by KARP-402 with the nodes that they are on', () => {
    const { findings } = judge(new NoPdb(), [...SPOT_POOL, deployment('web', {}, { replicas: 2 })], cluster(...runs('a', 1), ...runs('b', 1)));
    expect(findings[0].message).toContain('; they run on 2 nodes');
  });

  test('are on spot for KARP-514 if their node is', () => {
    const single = [...SPOT_POOL, deployment('web', {}, { replicas: 1 })];
    expect(judge(new StatefulOrSingletonOnSpot(), single, cluster(...runs('a', 1))).findings[0].message).toContain('runs 1 pod, and the node that its pods are on is spot');
    expect(judge(new StatefulOrSingletonOnSpot(), single, cluster(...runs('a', 1, { capacityType: 'on-demand' }))).states).toEqual(['pass Deployment/web']);
  });

  test('are on spot for KARP-410 if some of their nodes are', () => {
    const held = annotated(deployment('web', {}, { replicas: 2 }), { 'karpenter.sh/do-not-disrupt': 'true' });
    const { findings } = judge(new DoNotDisruptIsNotSpotProof(), [...SPOT_POOL, held], cluster(...runs('a', 1), ...runs('b', 1, { capacityType: 'on-demand' })));
    expect(findings[0].message).toMatch(/^1 of the 2 nodes that its pods are on is spot/);
  });

  test('make few types of their NodePool an error for KARP-511 where they have nowhere else to go', () => {
    const web = deployment('web', {}, { replicas: 1 });
    expect(judge(new SpotFlexibilityLow(), [...SPOT_POOL, web], cluster(...runs('a', 1))).findings[0].severity).toBe('error');
  });

  test('are judged by KARP-511 for what they leave of a NodePool that has enough', () => {
    const wide = [nodeClass(), nodePool('default', { requirements: [SPOT] })];
    const web = deployment('web', { nodeSelector: { 'node.kubernetes.io/instance-type': 'm5.large' } }, { replicas: 1 });
    expect(judge(new SpotFlexibilityLow(), [...wide, web], cluster(...runs('a', 1))).states).toEqual(['pass NodePool/default', 'fail Deployment/web']);
  });

  test('have no fallback for KARP-516 where no NodePool takes them on demand', () => {
    const { findings } = judge(new SpotNoFallback(), [...SPOT_POOL, deployment('web', {}, { replicas: 1 })], cluster(...runs('a', 1)));
    expect(findings[0].evidence).toEqual({ workloads: ['Deployment web'] });
  });

  describe('for KARP-415', () => {
    const rule = new SpreadWithoutMinDomains();
    const spread = { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector }] };
    const setup = [...SPOT_POOL, deployment('web', spread, { replicas: 3 })];

    test('are what it warns of where they are all in one zone', () => {
      expect(judge(rule, setup, cluster(...runs('a', 3))).findings[0].message).toContain('while no other one had any, us-east-1a got all 3 pods');
    });

    test('pass in several zones, which Kubernetes knows then', () => {
      expect(judge(rule, setup, cluster(...runs('a', 2), ...runs('b', 1, { zone: 'us-east-1b' }))).states).toEqual(['pass Deployment/web']);
    });
  });

  describe('for KARP-416', () => {
    const rule = new SoftPreferenceBlocksConsolidation();
    const apart = { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname', labelSelector } }] } } };
    const pool = [nodeClass(), nodePool('default', { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] })];
    const web = deployment('web', apart, { replicas: 2 });
    const onDemand = { capacityType: 'on-demand' };
    const items = (name: string) => runs(name, 1, onDemand).map((item) => item.kind === 'Pod' ? { ...item, spec: { ...item.spec as object, ...apart } } : item);

    test('hold nodes that consolidation would remove', () => {
      const { findings } = judge(rule, [...pool, web], cluster(...items('a'), ...items('b')));
      expect(findings[0].evidence).toMatchObject({ nodes: 2, nodesWithoutPreferences: 1, workloads: ['Deployment default/web'] });
    });

    test('pass where their preferences cost no node', () => {
      expect(judge(rule, [...pool, deployment('web', apart, { replicas: 1 })], cluster(...items('a'))).states).toEqual(['pass NodePool/default']);
    });

    test('are not evaluated in a cluster that is too big to be simulated', () => {
      const crowd = deployment('crowd', {}, { replicas: 1000 });
      expect(judge(rule, [...pool, web, crowd], cluster(...items('a'), ...items('b'))).states).toEqual(['not-evaluated NodePool/default']);
    });
  });
});
