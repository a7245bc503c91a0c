import { spotFlexibilityLow } from '../../../../../src/validation/rules/interruption/spot/spot-flexibility-low';
import { deployment, judge, manifest, nodeClass, nodePool, oneOf, types } from '../../judge';

const rule = spotFlexibilityLow;
const SPOT = oneOf('karpenter.sh/capacity-type', 'spot');
const FEW = types('m5.large', 'm6i.large', 'm7i.large');
const GENERAL = oneOf('karpenter.k8s.aws/instance-category', 'm');

describe('KARP-511 spot-flexibility-low', () => {
  test('warns of a NodePool with few types on spot if on-demand is allowed too', () => {
    const { states, findings } = judge(rule, [
      nodeClass(),
      nodePool('few', { requirements: [FEW] }),
      deployment('web'),
    ]);
    expect(states).toEqual(['fail NodePool/few']);
    expect(findings[0].message).toContain('allows only 3 instance types (');
    expect(findings[0]).toMatchObject({
      severity: 'warning',
      evidence: { instanceTypes: 3, wanted: 15, zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] },
    });
  });

  test('advises on-demand only if it is not allowed already', () => {
    const remedies = (...requirements: (typeof SPOT)[]) =>
      judge(rule, [nodeClass(), nodePool('few', { requirements }), deployment('web')]).findings.map(
        ({ remedy }) => remedy,
      );
    expect(remedies(FEW, SPOT)[0]).toContain('or allow on-demand too: karpenter.sh/capacity-type In [spot, on-demand]');
    expect(remedies(FEW)).toEqual(['allow 15 or more instance types, of several families and sizes']);
  });

  test('fails with severity error if the pods have no on-demand fallback', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('few', { requirements: [FEW, SPOT] }), deployment('web')]);
    expect(findings[0].severity).toBe('error');
  });

  test("warns of pods whose requests fit few of the NodePool's types", () => {
    const requests = { cpu: '90', memory: '300Gi' };
    const families = oneOf('karpenter.k8s.aws/instance-family', 'm5', 'm6i', 'm7i');
    const { states, findings } = judge(rule, [
      nodeClass(),
      nodePool('many', { requirements: [families] }),
      deployment('big', {}, { requests, replicas: 5 }),
      deployment('web'),
    ]);
    expect(states).toEqual(['pass NodePool/many', 'fail Deployment/big', 'pass Deployment/web']);
    expect(findings[0]).toMatchObject({ severity: 'warning' });
    expect(findings[0].message).toMatch(
      /^fits only on \d+ instance types \(.*\) in \d zones on spot in NodePool many, because of its requests and constraints: /,
    );
  });

  test('notes it only of pods on one node, with on-demand as the next choice', () => {
    const requests = { cpu: '90', memory: '300Gi' };
    const families = oneOf('karpenter.k8s.aws/instance-family', 'm5', 'm6i', 'm7i');
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('many', { requirements: [families] }),
      deployment('big', {}, { requests }),
    ]);
    expect(findings).toEqual([expect.objectContaining({ severity: 'info' })]);
  });

  test('advises to remove the label that restricts a NodePool to spot, whatever its requirements allow', () => {
    const both = oneOf('karpenter.sh/capacity-type', 'spot', 'on-demand');
    const labels = { 'karpenter.sh/capacity-type': 'spot' };
    const pool = nodePool('few', { requirements: [FEW, both], labels });
    const [{ remedy }] = judge(rule, [nodeClass(), pool, deployment('web')]).findings;
    expect(remedy).toMatch(/, or remove the label karpenter\.sh\/capacity-type of its template/);
  });

  test("counts only the types that the pod's node selector allows", () => {
    const { findings } = judge(rule, [
      nodeClass(),
      nodePool('many', { requirements: [GENERAL, SPOT] }),
      deployment('web', { nodeSelector: { 'karpenter.k8s.aws/instance-family': 'm5' } }),
    ]);
    expect(findings[0].evidence).toMatchObject({ nodePools: ['many'], wanted: 15 });
    expect(findings[0].evidence.instanceTypes).toBeLessThan(15);
  });

  describe('with many types', () => {
    const ZONE = 'topology.kubernetes.io/zone';
    const zonal = (...zones: string[]) =>
      zones.map((zone) => nodePool(`in-${zone}`, { requirements: [GENERAL, oneOf(ZONE, zone)] }));

    test('warns once of a NodePool that keeps the pods of several workloads in one zone', () => {
      const { states, findings } = judge(rule, [
        nodeClass(),
        ...zonal('us-east-1b'),
        deployment('web'),
        deployment('api'),
      ]);
      expect(states).toEqual(['fail NodePool/in-us-east-1b']);
      expect(findings[0]).toMatchObject({
        evidence: { zones: ['us-east-1b'], workloads: 2 },
        message: expect.stringContaining('its spot nodes are all in zone us-east-1b'),
        remedy: 'allow more zones',
        path: ['spec', 'template', 'spec', 'requirements', 1],
      });
    });

    test('advises on-demand for a NodePool of one zone that launches spot nodes only', () => {
      const pool = nodePool('one', { requirements: [GENERAL, oneOf(ZONE, 'us-east-1b'), SPOT] });
      const { findings } = judge(rule, [nodeClass(), pool, deployment('web')]);
      expect(findings.map(({ remedy }) => remedy)).toEqual(['allow more zones, or on-demand nodes too']);
    });

    test('warns of pods that their node selector limits to one zone', () => {
      const { states, findings } = judge(rule, [
        nodeClass(),
        nodePool('many', { requirements: [GENERAL] }),
        deployment('web', { nodeSelector: { [ZONE]: 'us-east-1a' } }),
      ]);
      expect(states).toEqual(['pass NodePool/many', 'fail Deployment/web']);
      expect(findings[0].message).toContain('fits on spot only in zone us-east-1a');
    });

    test('notes pods of one zone if pods of the same image require another one', () => {
      const pinned = (name: string, zone: string) => deployment(name, { nodeSelector: { [ZONE]: zone } });
      const { findings } = judge(rule, [
        nodeClass(),
        nodePool('many', { requirements: [GENERAL] }),
        pinned('web-a', 'us-east-1a'),
        pinned('web-b', 'us-east-1b'),
      ]);
      expect(findings.map(({ severity }) => severity)).toEqual(['info', 'info']);
    });

    test('warns of pods that do not tolerate the NodePools of other zones', () => {
      const tainted = nodePool('in-b', {
        requirements: [GENERAL, oneOf(ZONE, 'us-east-1b')],
        taints: [{ key: 'team', value: 'ml', effect: 'NoSchedule' }],
      });
      const states = (pod: object) =>
        judge(rule, [nodeClass(), ...zonal('us-east-1a'), tainted, deployment('web', pod)]).states;
      expect(states({})).toContain('fail NodePool/in-us-east-1a');
      expect(states({ tolerations: [{ key: 'team', operator: 'Exists' }] })).toContain('pass Deployment/web');
    });

    test('passes if several single-zone NodePools accept the pods', () => {
      expect(judge(rule, [nodeClass(), ...zonal('us-east-1a', 'us-east-1b'), deployment('web')]).states.at(-1)).toBe(
        'pass Deployment/web',
      );
    });
  });

  test('passes with fifteen types and fails with fourteen', () => {
    const all = ['m5', 'm6i', 'm6a', 'm7i', 'm7a'].flatMap((family) =>
      ['large', 'xlarge', '2xlarge'].map((size) => `${family}.${size}`),
    );
    const states = (count: number) =>
      judge(rule, [nodeClass(), nodePool('some', { requirements: [types(...all.slice(0, count))] }), deployment('web')])
        .states;
    expect(states(15)).toEqual(['pass NodePool/some', 'pass Deployment/web']);
    expect(states(14)).toEqual(['fail NodePool/some']);
  });

  test('passes with enough types', () => {
    expect(judge(rule, [nodeClass(), nodePool('many', { requirements: [GENERAL] }), deployment('web')]).states).toEqual(
      ['pass NodePool/many', 'pass Deployment/web'],
    );
  });

  test('warns of a launch for which an overlay leaves one type that is cheaper than on demand', () => {
    const overlay = (capacityType: string) =>
      manifest('karpenter.sh/v1alpha1', 'NodeOverlay', 'discount', {
        requirements: [oneOf('karpenter.sh/capacity-type', capacityType), types('m7i.xlarge')],
        priceAdjustment: '-70%',
      });
    const requirements = [
      oneOf('karpenter.k8s.aws/instance-category', 'c', 'm', 'r'),
      oneOf('kubernetes.io/arch', 'amd64'),
    ];
    const pods = deployment('web', {}, { requests: { cpu: '3', memory: '6Gi' } });
    const judged = (capacityType: string) =>
      judge(rule, [nodeClass(), nodePool('many', { requirements }), pods, overlay(capacityType)], {
        featureGates: { NodeOverlay: true },
      });
    const [finding] = judged('on-demand').findings;
    expect(finding.message).toContain('asks EC2 for only');
    expect(finding.evidence).toMatchObject({ overlays: ['discount'] });
    expect(judged('spot').findings).toEqual([]);
  });

  test('passes if no other type has the accelerator of those that are allowed', () => {
    const gpuName = oneOf('karpenter.k8s.aws/instance-gpu-name', 'h100');
    expect(judge(rule, [nodeClass(), nodePool('gpu', { requirements: [gpuName, SPOT] })]).states).toEqual([
      'pass NodePool/gpu',
    ]);
  });

  test('counts the types that would do with the same accelerator', () => {
    const { findings } = judge(rule, [nodeClass(), nodePool('gpu', { requirements: [types('g5.xlarge')] })]);
    expect(findings[0].remedy).toMatch(/^allow all \d+ instance types that would do, of several families and sizes/);
  });

  test('notes few types with an accelerator if on-demand is allowed too', () => {
    const severities = (...more: (typeof SPOT)[]) =>
      judge(rule, [
        nodeClass(),
        nodePool('gpu', { requirements: [types('g5.xlarge', 'g5.2xlarge'), ...more] }),
      ]).findings.map(({ severity }) => severity);
    expect(severities()).toEqual(['info']);
    expect(severities(SPOT)).toEqual(['warning']);
  });

  test('passes pods that fit on no other type of the region', () => {
    const huge = { cpu: '100', memory: '2500Gi' };
    const { states } = judge(rule, [
      nodeClass(),
      nodePool('any', { requirements: [SPOT] }),
      deployment('huge', {}, { requests: huge, replicas: 1 }),
    ]);
    expect(states).toEqual(['pass NodePool/any', 'pass Deployment/huge']);
  });

  test('does not apply to on-demand NodePools', () => {
    const onDemand = nodePool('few', { requirements: [FEW, oneOf('karpenter.sh/capacity-type', 'on-demand')] });
    expect(judge(rule, [nodeClass(), onDemand, deployment('web')]).outcomes).toEqual([]);
  });

  test('is not evaluated if the instance types of the NodePool are not known', () => {
    expect(judge(rule, [nodeClass('other'), nodePool('few', { requirements: [FEW] })]).states).toEqual([
      'not-evaluated NodePool/few',
    ]);
  });
});
