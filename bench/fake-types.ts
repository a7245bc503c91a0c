import { InstanceTypeTable, LabelColumn, OfferingPlane } from '../src/catalog';

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const ZONES = ['test-zone-1', 'test-zone-2', 'test-zone-3'];
const NO_SPOT_IN = 'test-zone-3';

/**
 * The instance types of Karpenter's own benchmark: type i has i + 1 CPUs, 2 (i + 1) GiB, room for 10 (i + 1) pods, and
 * offerings of both capacity types (fake.InstanceTypes of kubernetes-sigs/karpenter v1.15.0).
 */
export function fakeTypes(count: number): InstanceTypeTable {
  const of = (value: (at: number) => number): Float64Array =>
    Float64Array.from({ length: count }, (_, at) => value(at));
  const usdPerHour = of((at) => 0.1 * (at + 1) + (0.1 * 2 * (at + 1) * GIB) / 1e9);
  const offered = ZONES.flatMap((zone): OfferingPlane[] => [
    { zone, capacityType: 'on-demand', usdPerHour },
    ...(zone === NO_SPOT_IN ? [] : [{ zone, capacityType: 'spot', usdPerHour }]),
  ]);
  return {
    names: Array.from({ length: count }, (_, at) => `fake-it-${at}`),
    resources: ['cpu', 'memory', 'pods'],
    capacity: [of((at) => 1000 * (at + 1)), of((at) => 2 * (at + 1) * GIB), of((at) => 10 * (at + 1))],
    allocatable: [
      of((at) => 1000 * (at + 1) - 100),
      of((at) => 2 * (at + 1) * GIB - 10 * MIB),
      of((at) => 10 * (at + 1)),
    ],
    labels: [
      {
        key: 'node.kubernetes.io/instance-type',
        values: Array.from({ length: count }, (_, at) => `fake-it-${at}`),
        codes: Int16Array.from({ length: count }, (_, at) => at),
      },
      shared('kubernetes.io/arch', ['amd64'], count),
      shared('kubernetes.io/os', ['darwin', 'linux', 'windows'], count),
      shared('topology.kubernetes.io/zone', ZONES, count),
      shared('karpenter.sh/capacity-type', ['on-demand', 'spot'], count),
    ],
    offerings: offered,
  };
}

/** Label values that every type offers. */
function shared(key: string, values: readonly string[], count: number): LabelColumn {
  return {
    key,
    values,
    codes: new Int16Array(count).fill(-1),
    sets: new Uint32Array(count).fill(2 ** values.length - 1),
  };
}
