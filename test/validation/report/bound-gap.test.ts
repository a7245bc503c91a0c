import { VERDICT } from './verdict';
import { check } from '../../../src/validation';
import { aboveBoundSentences, aboveBoundTitle } from '../../../src/validation/report/bound-gap';
import { AboveLowerBound } from '../../../src/validation/vocabulary/verdict';
import { reportFleet } from '../../support/report-fleet';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

function sentences(aboveLowerBound: AboveLowerBound, usdPerHour = 3) {
  const cost = { ...VERDICT.summary.cost, usdPerHour, lowerBoundUsdPerHour: 1, aboveLowerBound };
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
  expect(sentences({ types: [], unused: [whole], withoutTopologyUsdPerHour: 1 })).toEqual([
    'More nodes than requests need $2.00/h.',
    'Without topology spread and affinity between pods, the plan costs $1.00/h.',
  ]);
});

test('names the search for cheaper NodePools, except if only topology makes the plan dearer', () => {
  const title = (aboveLowerBound: AboveLowerBound) => {
    const cost = { ...VERDICT.summary.cost, usdPerHour: 3, lowerBoundUsdPerHour: 1, aboveLowerBound };
    return aboveBoundTitle({ summary: { ...VERDICT.summary, cost } });
  };
  const parts = { types: [], unused: [CPU] };
  expect(title(parts)).toBe('Why above the lower bound of $1.00/h (recommend looks for cheaper NodePools)');
  expect(title({ ...parts, withoutTopologyUsdPerHour: 1 })).toBe('Why above the lower bound of $1.00/h');
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
  const { cost } = check(setup(spread)).summary;
  expect(cost.aboveLowerBound!.withoutTopologyUsdPerHour).toBe(check(setup('')).summary.cost.usdPerHour);
  expect(check(setup('')).summary.cost.aboveLowerBound).toBeUndefined();
});
