import { capacityBuffer, problemsOf, nodeClass, nodeOverlay, nodePool } from './objects';
import {
  isKnownKarpenterVersion,
  KARPENTER_RELEASES,
  NEWEST_KARPENTER_VERSION,
  OLDEST_KARPENTER_VERSION,
  releaseFor,
} from '../../src/contract';
import { compilePattern } from '../../src/contract/regexp';
import { kindsOf, Schema } from '../../src/contract/schema';
import { hasMeaning } from '../../src/contract/schema/pattern-meaning';

function patternsOf(schema: Schema): string[] {
  const children = [...Object.values(schema.properties ?? {}), schema.items, schema.additionalProperties].filter(
    (child): child is Schema => typeof child === 'object',
  );
  return [...(schema.pattern === undefined ? [] : [schema.pattern]), ...children.flatMap(patternsOf)];
}

describe('Karpenter version', () => {
  test.each([
    ['1.0', '1.0.8'],
    ['v1.0.4', '1.0.8'],
    ['1.3.9', '1.3.3'],
    ['1.5.0', '1.8.6'],
    ['1.11.0', '1.13.0'],
    ['1.15.9', '1.15.1'],
  ])('%s is validated with the CRDs of %s', (version, release) => {
    expect(releaseFor(version)).toBe(release);
  });

  test.each([
    [OLDEST_KARPENTER_VERSION, true],
    ['1.15', true],
    [NEWEST_KARPENTER_VERSION, true],
    ['1.16.0', false],
    ['0.37.0', false],
    ['2.0', false],
    ['latest', false],
  ])('%s is known: %s', (version, known) => {
    expect(isKnownKarpenterVersion(version)).toBe(known);
  });

  test.each([
    [
      'Gte',
      '1.8',
      nodePool({}, { requirements: [{ key: 'a', operator: 'Gte', values: ['1'] }] }),
      ['rejected spec.template.spec.requirements[0].operator'],
    ],
    [
      'Balanced',
      '1.8',
      nodePool({ disruption: { consolidateAfter: '0s', consolidationPolicy: 'Balanced' } }),
      ['rejected spec.disruption.consolidationPolicy'],
    ],
    [
      'disruption without consolidateAfter',
      '1.0',
      nodePool({ disruption: {} }),
      ['rejected spec.disruption.consolidateAfter'],
    ],
    ['static pools', '1.3', nodePool({ replicas: 1 }), ['rejected spec.replicas']],
    [
      'capacity reservations',
      '1.0',
      nodeClass({ capacityReservationSelectorTerms: [{ id: 'cr-1' }] }),
      ['rejected spec.capacityReservationSelectorTerms'],
    ],
    [
      'placement groups',
      '1.10',
      nodeClass({ placementGroupSelector: { name: 'a' } }),
      ['rejected spec.placementGroupSelector'],
    ],
    [
      'Windows2025',
      '1.8',
      nodeClass({ amiSelectorTerms: [{ alias: 'windows2025@latest' }] }),
      ['rejected spec.amiSelectorTerms[0].alias'],
    ],
    [
      'labels of kubernetes.io',
      '1.8',
      nodePool({}, {}, { labels: { 'a.kubernetes.io/b': 'c' } }),
      ['rejected spec.template.metadata.labels["a.kubernetes.io/b"]'],
    ],
  ])('does not support %s in %s, but in the newest release', (_, version, raw, expected) => {
    expect(problemsOf(raw, { version })).toEqual(expected);
    expect(problemsOf(raw)).toEqual([]);
  });

  test('does not serve kinds of later releases', () => {
    expect([problemsOf(nodeOverlay(), { version: '1.3' }), problemsOf(capacityBuffer(), { version: '1.13' })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test.each(KARPENTER_RELEASES)('%s has only patterns with a description and linear matching time', (release) => {
    const patterns = [...new Set(kindsOf(release).flatMap(({ schema }) => patternsOf(schema.properties!.spec)))];
    expect(patterns.filter((pattern) => !hasMeaning(pattern))).toEqual([]);
    const started = process.cpuUsage();
    for (const pattern of patterns) compilePattern(pattern).test('0a '.repeat(10_000));
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });
});
