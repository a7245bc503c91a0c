import { CLASS_REF, judge, manifest, nodeClass, nodePool } from './helper';
import { FeatureGate } from '../../../src/contract';
import { FeatureGateOff } from '../../../src/validation/rules/feature-gate-off';

const rule = new FeatureGateOff();
const STATIC_POOL = manifest('karpenter.sh/v1', 'NodePool', 'fixed', { replicas: 3, template: { spec: { nodeClassRef: CLASS_REF, requirements: [] } } });
const OVERLAY = manifest('karpenter.sh/v1alpha1', 'NodeOverlay', 'discount', { requirements: [], priceAdjustment: '-10%' });
const BUFFER = manifest('autoscaling.x-k8s.io/v1beta1', 'CapacityBuffer', 'spare', { podTemplateRef: { name: 'web' }, replicas: 2 });

const GATED: ReadonlyArray<readonly [FeatureGate, string, string, string]> = [
  ['StaticCapacity', STATIC_POOL, 'NodePool/fixed', 'neither its replicas nor a node for a pod'],
  ['NodeOverlay', OVERLAY, 'NodeOverlay/discount', 'no price and no capacity is changed'],
  ['CapacityBuffer', BUFFER, 'CapacityBuffer/spare', 'no room is kept'],
];

describe('KARP-111 feature-gate-off', () => {
  test.each(GATED)('fails where %s is said to be off', (gate, text, name, consequence) => {
    const { states, findings } = judge(rule, [text], { featureGates: { [gate]: false } });
    expect(states).toEqual([`fail ${name}`]);
    expect(findings[0].severity).toBeUndefined();
    expect(findings[0].message).toContain(consequence);
  });

  test.each(GATED)('warns where nobody says whether %s is on', (gate, text, name) => {
    const { states, findings } = judge(rule, [text]);
    expect(states).toEqual([`fail ${name}`]);
    expect(findings[0]).toMatchObject({ severity: 'warning', evidence: { gate, stated: false } });
    expect(findings[0].remedy).toContain(`--feature-gates ${gate}=true`);
  });

  test.each(GATED)('passes where %s is on', (gate, text, name) => {
    expect(judge(rule, [text], { featureGates: { [gate]: true } }).states).toEqual([`pass ${name}`]);
  });

  test('does not apply to what needs no gate', () => {
    expect(judge(rule, [nodeClass(), nodePool('default')]).outcomes).toEqual([]);
  });
});
