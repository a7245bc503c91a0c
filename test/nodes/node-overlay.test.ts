import { JsonPatch, Lazy } from 'cdk8s';
import { newChart, specOf } from './fixtures';
import * as nodes from '../../src/nodes';

const { CapacityType, InstanceFamily, NodeOverlay, NodePool, OverlayPrice, Requirement } = nodes;

function written(props: nodes.NodeOverlayProps): any {
  const chart = newChart();
  new NodeOverlay(chart, 'overlay', props);
  return specOf(chart, 'NodeOverlay');
}

describe('NodeOverlay', () => {
  test('applies to all instance types by default', () => {
    expect(written({})).toEqual({ requirements: [] });
  });

  test('writes requirements, including one on a NodePool', () => {
    const pool = NodePool.fromNodePoolName(newChart(), 'pool', 'batch');
    expect(
      written({ requirements: [Requirement.nodePool().in(pool), Requirement.instanceCpu().greaterThanOrEqual(4)] })
        .requirements,
    ).toEqual([
      { key: 'karpenter.sh/nodepool', operator: 'In', values: ['batch'] },
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gte', values: ['4'] },
    ]);
  });

  test.each([
    [5, '5'],
    [0.0416, '0.0416'],
    [1e-7, '0.0000001'],
  ])('writes a price of %d without an exponent', (price, text) => {
    expect(written({ price: OverlayPrice.fixed(price) }).price).toBe(text);
  });

  test.each([
    [OverlayPrice.adjustedBy(0.5), '+0.5'],
    [OverlayPrice.adjustedBy(-0.5), '-0.5'],
    [OverlayPrice.adjustedBy(-1e-7), '-0.0000001'],
    [OverlayPrice.adjustedByPercent(10), '+10%'],
    [OverlayPrice.adjustedByPercent(-15.5), '-15.5%'],
    [OverlayPrice.adjustedByPercent(-100), '-100%'],
  ])('%#: writes an adjustment of the price with its sign', (price, text) => {
    expect(written({ price }).priceAdjustment).toBe(text);
  });

  test('has methods that add to its collections, and getters that return copies', () => {
    const chart = newChart();
    const overlay = new NodeOverlay(chart, 'overlay', { weight: 10, capacity: { 'hugepages-2Mi': '100Mi' } });
    overlay.addRequirements(Requirement.capacityType().in(CapacityType.SPOT));
    overlay.addCapacity('example.com/dongle', '2');
    overlay.requirements.length = 0;
    Object.assign(overlay.capacity, { more: '1' });
    expect(overlay.weight).toBe(10);
    expect(specOf(chart, 'NodeOverlay')).toEqual({
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }],
      capacity: { 'hugepages-2Mi': '100Mi', 'example.com/dongle': '2' },
      weight: 10,
    });
  });

  test('writes fields of newer releases by a JSON patch', () => {
    const chart = newChart();
    new NodeOverlay(chart, 'overlay', {}).addJsonPatch(JsonPatch.add('/spec/newField', 1));
    expect(specOf(chart, 'NodeOverlay').newField).toBe(1);
  });

  test('accepts values that are known only at synth', () => {
    expect(written({ price: OverlayPrice.fixed(Lazy.any({ produce: () => '0.25' }) as any) }).price).toBe('0.25');
  });
});

describe('NodeOverlay with invalid props', () => {
  test.each<[string, nodes.NodeOverlayProps, string]>([
    [
      'a weight of 0',
      { weight: 0 },
      'chart/overlay/spec.weight: must be an integer from 1 to 10000, got 0; write an integer from 1 to 10000',
    ],
    [
      'a price below 0',
      { price: OverlayPrice.fixed(-1) },
      'chart/overlay/spec.price: must be a price in USD per hour, as a string without an exponent, got "-1"',
    ],
    [
      'a discount over 100%',
      { price: OverlayPrice.adjustedByPercent(-101) },
      'chart/overlay/spec.priceAdjustment: must be an amount or a percentage with its sign, down to -100%, got "-101%"',
    ],
    [
      'more CPU',
      { capacity: { cpu: '1' } },
      'chart/overlay/spec.capacity.cpu: must be an extended resource, got "cpu"; remove it',
    ],
    [
      'minValues',
      { requirements: [Requirement.instanceFamily().in(InstanceFamily.M5).withMinValues(1)] },
      'chart/overlay/spec.requirements[0].minValues: is no field of the API',
    ],
  ])('rejects %s', (_, props, message) => {
    expect(() => written(props)).toThrow(message);
  });
});
