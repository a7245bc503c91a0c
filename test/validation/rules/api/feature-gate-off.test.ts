import { FeatureGate } from '../../../../src/contract';
import { FeatureGateOff } from '../../../../src/validation/rules/api/feature-gate-off';
import { CLASS_REF, judge, manifest, nodeClass, nodePool } from '../judge';

const rule = new FeatureGateOff();
const STATIC_POOL = manifest('karpenter.sh/v1', 'NodePool', 'fixed', { replicas: 3, template: { spec: { nodeClassRef: CLASS_REF, requirements: [] } } });
const OVERLAY = manifest('karpenter.sh/v1alpha1', 'NodeOverlay', 'discount', { requirements: [], priceAdjustment: '-10%' });
const BUFFER = manifest('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', 'spare', { podTemplateRef: { name: 'web' }, replicas: 2 });

const GATED: ReadonlyArray<readonly [FeatureGate, string, string, string]> = [
  ['StaticCapacity', STATIC_POOL, 'NodePool/fixed', 'launches no nodes, neither its replicas nor for pending pods'],
  ['NodeOverlay', OVERLAY, 'NodeOverlay/discount', 'Karpenter changes no price and no capacity'],
  ['CapacityBuffer', BUFFER, 'CapacityBuffer/spare', 'Karpenter reserves no spare capacity'],
];

describe('KARP-111 feature-gate-off', () => {
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

  test('reports one gate once, with all objects that need it', () => {
    const [, overlay] = GATED.find(([gate]) => gate === 'NodeOverlay')!;
    const second = overlay.replace(/name": ?"[^"]+/, 'name":"second');
    const { findings } = judge(rule, [overlay, second]);
    expect(findings).toHaveLength(1);
    expect(findings[0].message).toMatch(/; so does second$/);
  });

  test('does not apply to objects that need no feature gate', () => {
    expect(judge(rule, [nodeClass(), nodePool('default')]).outcomes).toEqual([]);
  });
});
