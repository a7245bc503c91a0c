import { VERDICT } from './verdict';
import { check } from '../../../src/validation';
import { aboveBoundSentences, aboveBoundTitle } from '../../../src/validation/report/bound-gap';
import { AboveLowerBound, TopologyCost } from '../../../src/validation/vocabulary/verdict';
import { reportFleet } from '../../support/report-fleet';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

function sentences(aboveLowerBound: AboveLowerBound, usdPerHour = 3, topology?: TopologyCost) {
  const cost = { ...VERDICT.summary.cost, usdPerHour, lowerBoundUsdPerHour: 1, aboveLowerBound, topology };
  return aboveBoundSentences({ nodes: [], workloads: [], nodePools: [], summary: { ...VERDICT.summary, cost } });
}

const CPU = { what: 'cpu', usdPerHour: 0.5 };
const GPU_TYPE = { nodePool: 'gpu', instanceType: 'g6.12xlarge', nodes: 1, usdPerHour: 1.49 };

test('names the parts of the difference, the largest first, without those below 2%', () => {
  const unused = [CPU, { what: 'memory', usdPerHour: 0.01 }];
  expect(sentences({ types: [GPU_TYPE], unused })).toEqual([
    'Dear types (g6.12xlarge) $1.49/h, unused CPUs $0.5000/h.',
  ]);
});

test('says what topology costs', () => {
  const whole = { what: 'whole nodes', usdPerHour: 2 };
  const parts = [
    { what: 'spread over zones' as const, usdPerHour: 1.5 },
    { what: 'anti-affinity between pods' as const, usdPerHour: 0.5 },
  ];
  const withTopology = (topology: TopologyCost) => sentences({ types: [], unused: [whole] }, 3, topology);
  expect(withTopology({ withoutUsdPerHour: 1, parts })).toEqual([
    'More nodes than requests need $2.00/h.',
    'Without spread over zones and anti-affinity between pods, the plan costs $1.00/h: spread over zones adds $1.50/h and anti-affinity between pods adds $0.5000/h.',
  ]);
  expect(withTopology({ withoutUsdPerHour: 1, parts: [{ ...parts[0], usdPerHour: 2 }] })[1]).toBe(
    'Without spread over zones, the plan costs $1.00/h.',
  );
  expect(withTopology({ withoutUsdPerHour: 1, parts: [] })[1]).toBe(
    'Without topology spread and affinity, the plan costs $1.00/h.',
  );
});

test('names the search for cheaper NodePools, except if only topology makes the plan dearer', () => {
  const title = (aboveLowerBound: AboveLowerBound, topology?: TopologyCost, usdPerHour = 3) => {
    const cost = { ...VERDICT.summary.cost, usdPerHour, lowerBoundUsdPerHour: 1, aboveLowerBound, topology };
    return aboveBoundTitle({ summary: { ...VERDICT.summary, cost } });
  };
  const parts = { types: [], unused: [CPU] };
  expect(title(parts)).toBe('Why above the lower bound of $1.00/h (recommend looks for cheaper NodePools)');
  const topology = { withoutUsdPerHour: 1, parts: [] };
  expect(title(parts, topology)).toBe('Why above the lower bound of $1.00/h');
  expect(title(parts, topology, 1)).toBe('What topology adds to the price');
});

test('is empty if the plan costs as little as the bound', () => {
  expect(sentences({ types: [], unused: [] }, 1)).toEqual([]);
});

test('the parts of a check add up to the difference', () => {
  const { usdPerHour, lowerBoundUsdPerHour, aboveLowerBound } = check(reportFleet()).summary.cost;
  const parts = [...aboveLowerBound!.types, ...aboveLowerBound!.unused].map((part) => part.usdPerHour);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(usdPerHour! - lowerBoundUsdPerHour!, 6);
});

test('the plan of a check without topology is priced by scheduling the pods again', () => {
  const spread =
    '      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n';
  const setup = (podFields: string) =>
    manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 3, 'cpu: 200m, memory: 1Gi', podFields));
  const { usdPerHour, topology } = check(setup(spread)).summary.cost;
  const free = check(setup('')).summary.cost;
  expect(topology!.withoutUsdPerHour).toBe(free.usdPerHour);
  expect(topology!.parts).toEqual([
    { what: 'spread over zones', usdPerHour: expect.closeTo(usdPerHour! - free.usdPerHour!, 6) },
  ]);
  expect(free.topology).toBeUndefined();
});

test('two sorts of topology that need the same nodes share their price, and parts add up', () => {
  const web = 'labelSelector: { matchLabels: { app: web } }';
  const both = `      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, ${web} }]
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, ${web} }] } }
`;
  const cost = (replicas: number) =>
    check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', replicas, 'cpu: 200m, memory: 1Gi', both)))
      .summary.cost;
  const three = cost(3);
  const each = { usdPerHour: expect.closeTo((three.usdPerHour! - three.topology!.withoutUsdPerHour) / 2, 6) };
  expect(three.topology!.parts).toEqual([
    { what: 'spread over zones', ...each },
    { what: 'anti-affinity between pods', ...each },
  ]);
  // Six nodes instead of one: the spread alone needs three.
  const six = cost(6);
  expect(six.topology!.parts.map(({ what }) => what)).toEqual(['anti-affinity between pods', 'spread over zones']);
  expect(six.topology!.parts.reduce((sum, part) => sum + part.usdPerHour, 0)).toBeCloseTo(
    six.usdPerHour! - six.topology!.withoutUsdPerHour,
    6,
  );
});
