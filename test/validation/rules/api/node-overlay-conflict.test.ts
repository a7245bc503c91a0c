import { check } from '../../../../src/validation';
import { nodeOverlayConflict } from '../../../../src/validation/rules/api/node-overlay-conflict';
import { CLASS_REF, judge, manifest, nodeClass, nodePool, types } from '../judge';

const rule = nodeOverlayConflict;
const ON = { featureGates: { NodeOverlay: true } };
const overlay = (name: string, spec: object) =>
  manifest('karpenter.sh/v1alpha1', 'NodeOverlay', name, { requirements: [], ...spec });
const SETUP = [nodeClass(), nodePool('default', { requirements: [types('m5.large')] })];

describe('KARP-116 node-overlay-conflict', () => {
  test('reports the overlay that Karpenter ignores, and passes the one that it applies', () => {
    const { states, findings } = judge(
      rule,
      [...SETUP, overlay('a', { price: '1', requirements: [types('m5.large')] }), overlay('b', { price: '2' })],
      ON,
    );
    expect(states).toEqual(['fail NodeOverlay/a', 'pass NodeOverlay/b']);
    expect(findings[0].message).toContain(
      'another NodeOverlay of the same weight, 0, also sets the price of m5.large (NodePool default)',
    );
    expect(findings[0].evidence).toEqual({ weight: 0, nodePool: 'default', instanceType: 'm5.large', what: 'price' });
  });

  test('points at the resource that both overlays set', () => {
    const capacity = { 'a.com/x': 1 };
    const { findings } = judge(
      rule,
      [...SETUP, overlay('a', { capacity, weight: 3 }), overlay('b', { capacity, weight: 3 })],
      ON,
    );
    expect(findings[0]).toMatchObject({
      path: ['spec', 'capacity', 'a.com/x'],
      evidence: { what: 'a.com/x', weight: 3 },
    });
  });

  test('passes overlays of different weights', () => {
    expect(
      judge(rule, [...SETUP, overlay('a', { price: '1', weight: 1 }), overlay('b', { price: '2' })], ON).findings,
    ).toEqual([]);
  });

  test('does not apply while the feature gate is off', () => {
    expect(judge(rule, [...SETUP, overlay('a', { price: '1' }), overlay('b', { price: '2' })]).outcomes).toEqual([]);
  });
});

describe('check with a NodeOverlay in the input', () => {
  const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] };
  const pool = manifest('karpenter.sh/v1', 'NodePool', 'default', {
    template: { spec: { nodeClassRef: CLASS_REF, requirements: [types('m5.large'), onDemand] } },
  });
  const pod = manifest('v1', 'Pod', 'web', {
    containers: [{ name: 'main', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
  });
  const text = [nodeClass(), pool, pod, overlay('half', { priceAdjustment: '-50%' })].join('\n---\n');

  test.each([
    [undefined, 0.096, false],
    [true, 0.048, true],
  ])('uses the overlay price only with the feature gate on: %s', (NodeOverlay, usdPerHour, isAssumed) => {
    const verdict = check([{ path: 'a.yaml', text }], { featureGates: NodeOverlay ? { NodeOverlay } : {} });
    expect(verdict.summary.cost).toMatchObject({ usdPerHour, lowerBoundUsdPerHour: usdPerHour });
    expect(verdict.assumptions.includes('prices are changed by these NodeOverlays: half')).toBe(isAssumed);
  });
});
