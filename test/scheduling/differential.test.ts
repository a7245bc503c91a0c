import fc from 'fast-check';
import { CATALOG, input, isIn, pods } from './builders';
import { reference } from './reference';
import { scenario } from './scenarios';
import { Catalog } from '../../src/catalog';
import { PodGroup, ScheduleInput, schedule } from '../../src/scheduling';

function summary(scheduleInput: ScheduleInput, catalog: Catalog) {
  const plan = schedule(scheduleInput, catalog);
  return {
    claims: plan.nodeClaims.map((claim) => ({
      pool: claim.nodePool,
      pods: claim.pods,
      types: [...claim.instanceTypes].sort(),
    })),
    unschedulable: plan.unschedulable.map(({ pod }) => pod).sort(),
  };
}

test('the kernel returns the same claims and instance types as the reference implementation', () => {
  fc.assert(
    fc.property(scenario, (scheduleInput) => {
      expect(summary(scheduleInput, CATALOG)).toEqual(reference(scheduleInput, CATALOG));
    }),
    {
      numRuns: Number(process.env.DIFFERENTIAL_RUNS ?? 40),
      seed: process.env.DIFFERENTIAL_SEED ? Number(process.env.DIFFERENTIAL_SEED) : 1,
    },
  );
}, 120_000);

const sized = fc.tuple(
  fc.integer({ min: 1, max: 60 }),
  fc.record({
    cpu: fc.constantFrom('150m', '300m', '650m', '1200m', '1500m'),
    memory: fc.constantFrom('64Mi', '700Mi', '1800Mi', '3Gi', '5Gi'),
  }),
);

test("the kernel tries dozens of open claims in the order of Go's unstable sort", () => {
  fc.assert(
    fc.property(fc.array(sized, { minLength: 4, maxLength: 8 }), (groups) => {
      const scheduleInput = input({
        pools: [
          {
            name: 'small',
            weight: 0,
            nodeClass: 'default',
            labels: {},
            taints: [],
            limits: new Map(),
            requirements: [isIn('node.kubernetes.io/instance-type', 'm5.large', 'c5.large')],
          },
        ],
        pods: groups.map(([count, requests], index): PodGroup => pods(`w${index}`, count, requests, {})),
      });
      expect(summary(scheduleInput, CATALOG)).toEqual(reference(scheduleInput, CATALOG));
    }),
    { numRuns: 8, seed: 1 },
  );
}, 120_000);
