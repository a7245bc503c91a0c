import * as fc from 'fast-check';
import { capacityBuffer, nodeClaim, nodeClass, nodeOverlay, nodePool } from './objects';
import { formatFieldPath, formatFieldProblem, validateObject, KARPENTER_RELEASES } from '../../src/contract';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const REQUIREMENTS = [
  { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'], minValues: 1 },
  { key: 'a', operator: 'Gt', values: ['1'] },
];

/** Objects with many fields set. */
const SEEDS = [
  nodePool(
    {
      limits: { cpu: 1, memory: '1Gi' },
      weight: 1,
      disruption: {
        consolidateAfter: '0s',
        budgets: [{ nodes: '1', reasons: ['Empty'], schedule: '@daily', duration: '1h' }],
      },
    },
    {
      requirements: REQUIREMENTS,
      taints: [{ key: 'a', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' }],
      expireAfter: '1h',
    },
    { labels: { a: 'b' }, annotations: { c: 'd' } },
  ),
  nodeClaim({
    requirements: REQUIREMENTS,
    resources: { requests: { cpu: 1 } },
    startupTaints: [{ key: 'a', effect: 'NoExecute' }],
  }),
  nodeClass({
    blockDeviceMappings: [
      {
        deviceName: 'a',
        rootVolume: true,
        ebs: { volumeSize: '1Gi', iops: 3000, volumeType: 'gp3', kmsKeyID: 'a', encrypted: true },
      },
    ],
    kubelet: {
      maxPods: 1,
      evictionHard: { 'memory.available': '5%' },
      kubeReserved: { cpu: '1' },
      clusterDNS: ['10.0.0.1'],
    },
    networkInterfaces: [{ networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' }],
    metadataOptions: { httpTokens: 'required' },
    tags: { a: 'b' },
    capacityReservationSelectorTerms: [{ tags: { a: 'b' } }],
    connectionTracking: { udpTimeout: 30 },
  }),
  nodeOverlay({
    requirements: REQUIREMENTS.map(({ minValues, ...rest }) => rest),
    price: '1',
    capacity: { 'example.com/a': 1 },
    weight: 1,
  }),
  capacityBuffer({ limits: { cpu: 1 }, percentage: 5 }),
] as unknown as Json[];

const hostileText = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'toString',
    'Never',
    '1e400',
    '-1',
    '100%',
    'a@b@c',
    '{{ .Values }}',
    '\u0000',
    '💥',
    'x'.repeat(5000),
  ),
);
const hostileValue = fc.oneof(
  hostileText,
  fc.constantFrom<Json>(null, true, -1, 0, 1.5, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], [null], { '': null }),
  fc.jsonValue() as fc.Arbitrary<Json>,
);

/** The paths of all values inside. */
function pathsOf(value: Json, path: readonly string[] = []): Array<readonly string[]> {
  const children =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, child]) => pathsOf(child as Json, [...path, key]))
      : [];
  return [path, ...children];
}

function replaced(value: Json, [step, ...rest]: readonly string[], by: Json): Json {
  if (step === undefined) return by;
  if (Array.isArray(value) && !/^\d+$/.test(step)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const changed = replaced((value as Record<string, Json>)[step], rest, by);
  Object.defineProperty(copy, step, { value: changed, enumerable: true, configurable: true, writable: true });
  return copy as Json;
}

const mutated = fc
  .record({
    seed: fc.constantFrom(...SEEDS),
    changes: fc.array(fc.record({ index: fc.nat(), value: hostileValue, newKey: fc.option(hostileText) }), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ seed, changes }) =>
    changes.reduce((object, { index, value, newKey }) => {
      const paths = pathsOf(object).slice(1);
      if (paths.length === 0) return object;
      const path = paths[index % paths.length];
      // Without its kind, the object would not be validated.
      return path[0] === 'kind' || path[0] === 'apiVersion'
        ? object
        : replaced(object, newKey === null ? path : [...path.slice(0, -1), newKey], value);
    }, seed),
  );

describe('validateObject with arbitrary input', () => {
  test('returns printable problems and throws no error', () => {
    fc.assert(
      fc.property(mutated, fc.constantFrom(...KARPENTER_RELEASES), (object, version) => {
        for (const problem of validateObject(object, { version }) ?? []) {
          expect(formatFieldPath(problem.path) + formatFieldProblem(problem)).not.toMatch(/undefined|\[object|NaN/);
        }
      }),
      { numRuns: 1_500, seed: 7 },
    );
  });

  test('does not modify the object', () => {
    fc.assert(
      fc.property(mutated, (object) => {
        const before = JSON.stringify(object);
        validateObject(object);
        expect(JSON.stringify(object)).toBe(before);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
