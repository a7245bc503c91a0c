import { formatFieldPath, formatFieldProblem, readSchedulerConfig } from '../../src/contract';

const ZONE = 'topology.kubernetes.io/zone';
const SPREAD = { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway' };
const config = (...defaultConstraints: unknown[]) => ({ podTopologySpread: { defaultConstraints } });

function firstProblem(document: unknown): string | undefined {
  const [problem] = readSchedulerConfig(document).problems;
  return problem && `${formatFieldPath(problem.path)}: ${formatFieldProblem(problem)}`;
}

describe('readSchedulerConfig', () => {
  test.each([[null], [{}], [{ podTopologySpread: {} }], [config()]])('returns no constraints for %j', (document) => {
    expect(readSchedulerConfig(document)).toEqual({ config: { defaultConstraints: [] }, problems: [] });
  });

  test('accepts several keys, and one key with both values of whenUnsatisfiable', () => {
    const constraints = [
      SPREAD,
      { ...SPREAD, whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 },
      { ...SPREAD, topologyKey: 'kubernetes.io/hostname', nodeTaintsPolicy: 'Honor' },
    ];
    expect(readSchedulerConfig(config(...constraints)).config).toEqual({ defaultConstraints: constraints });
  });

  test.each<[string, unknown, string]>([
    ['no object', 'x', ': must be an object, got "x"; write an object with podTopologySpread'],
    [
      'an unknown field',
      { profiles: [] },
      'profiles: is not a field that Karpenter knows here, got []; write podTopologySpread',
    ],
    [
      'no list',
      { podTopologySpread: { defaultConstraints: {} } },
      'podTopologySpread.defaultConstraints: must be a list, got {}; write items that begin with "-"',
    ],
    [
      'no skew',
      config({ ...SPREAD, maxSkew: 0 }),
      'podTopologySpread.defaultConstraints[0].maxSkew: must be an integer of 1 or more, got 0; write 1',
    ],
    [
      'no key',
      config({ ...SPREAD, topologyKey: '' }),
      'podTopologySpread.defaultConstraints[0].topologyKey: must be a label key, got ""; ',
    ],
    [
      'another policy',
      config({ ...SPREAD, whenUnsatisfiable: 'Maybe' }),
      'podTopologySpread.defaultConstraints[0].whenUnsatisfiable: must be one of DoNotSchedule, ScheduleAnyway, got "Maybe"; write ScheduleAnyway',
    ],
    [
      'a selector',
      config({ ...SPREAD, labelSelector: {} }),
      'podTopologySpread.defaultConstraints[0].labelSelector: must not be set, because Karpenter derives the selector from each pod, got {}; remove it',
    ],
    [
      'matchLabelKeys',
      config({ ...SPREAD, matchLabelKeys: ['a'] }),
      'podTopologySpread.defaultConstraints[0].matchLabelKeys: must not be set, because it has no effect on default constraints, got ["a"]; remove it',
    ],
    [
      'a duplicate',
      config(SPREAD, { ...SPREAD, maxSkew: 2 }),
      'podTopologySpread.defaultConstraints[1]: is a duplicate of [0], got ',
    ],
  ])('rejects a document with %s', (_, document, problem) => {
    expect(firstProblem(document)).toMatch(new RegExp(`^${problem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
    expect(readSchedulerConfig(document).config).toBeUndefined();
  });
});
