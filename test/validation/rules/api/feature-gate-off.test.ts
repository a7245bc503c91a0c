import { FeatureGate } from '../../../../src/contract';
import { check } from '../../../../src/validation';
import { featureGateOff } from '../../../../src/validation/rules/api/feature-gate-off';
import { CLASS_REF, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = featureGateOff;
const STATIC_POOL = manifest('karpenter.sh/v1', 'NodePool', 'fixed', {
  replicas: 3,
  template: { spec: { nodeClassRef: CLASS_REF, requirements: [] } },
});
const OVERLAY = manifest('karpenter.sh/v1alpha1', 'NodeOverlay', 'discount', {
  requirements: [],
  priceAdjustment: '-10%',
});
const BUFFER = manifest('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', 'spare', {
  podTemplateRef: { name: 'web' },
  replicas: 2,
});

const GATED: ReadonlyArray<readonly [FeatureGate, string, string, string]> = [
  ['StaticCapacity', STATIC_POOL, 'NodePool/fixed', 'launches no nodes, neither its replicas nor for pending pods'],
  ['NodeOverlay', OVERLAY, 'NodeOverlay/discount', 'Karpenter changes no price and no capacity'],
  ['CapacityBuffer', BUFFER, 'CapacityBuffer/spare', 'Karpenter reserves no spare capacity'],
];

describe('KARP-111 feature-gate-off', () => {
  test('has an edit of the only release of Karpenter, which a check confirms', () => {
    const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: karpenter, namespace: kube-system }
spec:
  chart: { spec: { chart: karpenter, version: 1.8.1, sourceRef: { kind: HelmRepository, name: karpenter } } }
  values:
    settings:
      featureGates:
        nodeOverlay: false
`;
    const overlay = `apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata: { name: discount }
spec: { requirements: [], priceAdjustment: "-10%" }
`;
    const finding = (text: string) =>
      check([{ path: 'a.yaml', text: [release, overlay, text].join('---\n') }]).findings.find(
        ({ rule: id }) => id === 'KARP-111',
      );
    expect(finding('')?.fix?.edits.map(({ line, text }) => [line, text])).toEqual([[9, 'true']]);
    expect(finding(release.replace('name: karpenter,', 'name: second,'))?.fix).toBeUndefined();
  });

  test.each(GATED)('reports an error if %s is set to off', (gate, text, name, consequence) => {
    const { states, findings } = judge(rule, [text], { featureGates: { [gate]: false } });
    expect(states).toEqual([`fail ${name}`]);
    expect(findings[0].severity).toBeUndefined();
    expect(findings[0].message).toContain(consequence);
  });

  test.each(GATED)('reports a warning if %s is not set', (gate, text, name) => {
    const { states, findings } = judge(rule, [text]);
    expect(states).toEqual([`fail ${name}`]);
    expect(findings[0]).toMatchObject({ severity: 'warning', evidence: { gate, stated: false } });
    expect(findings[0].remedy).toContain(`--feature-gates ${gate}=true`);
  });

  test.each(GATED)('passes if %s is on', (gate, text, name) => {
    expect(judge(rule, [text], { featureGates: { [gate]: true } }).states).toEqual([`pass ${name}`]);
  });

  test('reports a feature gate once, and names the other objects that need it', () => {
    const { states, findings } = judge(rule, [
      OVERLAY,
      OVERLAY.replace('discount', 'second'),
      OVERLAY.replace('discount', 'third'),
      BUFFER,
    ]);
    expect(states).toEqual(['fail NodeOverlay/discount', 'fail CapacityBuffer/spare']);
    expect(findings[0].message).toMatch(/; the same holds for NodeOverlay second and NodeOverlay third$/);
    expect(findings[0].evidence).toMatchObject({ others: ['NodeOverlay second', 'NodeOverlay third'] });
  });

  test('does not apply to NodePools of EKS Auto Mode', () => {
    expect(judge(rule, [STATIC_POOL.replace('karpenter.k8s.aws', 'eks.amazonaws.com')]).outcomes).toEqual([]);
  });

  test('does not apply to objects that need no feature gate', () => {
    expect(judge(rule, [nodeClass(), nodePool('default')]).outcomes).toEqual([]);
  });
});
