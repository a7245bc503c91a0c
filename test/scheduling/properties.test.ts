import { violations } from './verifier';
import { Catalog } from '../../src/catalog';
import { costLowerBound, ScheduleInput, schedule, SchedulePlan } from '../../src/scheduling';
import { readSession } from '../../src/validation';
import { PlanCost } from '../../src/validation/check/cost';
import { generate } from '../support/schedule-scenario/generate';

const SEED = 20_261_121;
const SCENARIOS = 80;

interface Solved {
  readonly name: string;
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  readonly plan: SchedulePlan;
}

const solved: Solved[] = Array.from({ length: SCENARIOS }, (_, number) => {
  const { name, manifests, cluster, settings } = generate(SEED, number);
  const options = { ...settings, ...(cluster === '' ? {} : { cluster: [{ path: 'cluster.yaml', text: cluster }] }) };
  const { input, catalog } = readSession([{ path: 'scenario.yaml', text: manifests }], options);
  return { name, input, catalog, plan: schedule(input, catalog) };
});

test('every scheduled pod fits its node, its constraints and the other pods', () => {
  expect(
    solved.flatMap(({ name, input, plan, catalog }) =>
      violations(input, plan, catalog).map((what) => `${name}: ${what}`),
    ),
  ).toEqual([]);
});

test('the scenarios contain scheduled and unschedulable pods', () => {
  expect(solved.reduce((sum, { plan }) => sum + plan.nodeClaims.length, 0)).toBeGreaterThan(SCENARIOS);
  expect(solved.reduce((sum, { plan }) => sum + plan.unschedulable.length, 0)).toBeGreaterThan(SCENARIOS);
});

test('no plan is cheaper than its lower bound', () => {
  for (const { name, input, catalog, plan } of solved) {
    const price = new PlanCost({ input, catalog, plan }).usdPerHour() ?? Infinity;
    const bound = costLowerBound(input, plan, catalog) ?? 0;
    expect({ name, isBelow: bound <= price + 1e-7 }).toEqual({ name, isBelow: true });
  }
});

test('the same input gives the same plan', () => {
  for (const { input, catalog, plan } of solved.slice(0, 20)) expect(schedule(input, catalog)).toEqual(plan);
});

test('an additional pool with the lowest priority makes no pod without topology constraints unschedulable', () => {
  for (const { name, input, catalog, plan } of solved) {
    if (
      input.pods.some(
        ({ shape }) => (shape.topologySpread ?? []).length > 0 || shape.podAffinity || shape.podAntiAffinity,
      )
    )
      continue;
    const last = {
      name: '',
      weight: 0,
      nodeClass: [...input.nodeClasses.keys()][0],
      labels: {},
      requirements: [],
      taints: [],
      limits: new Map(),
    };
    const more = schedule({ ...input, nodePools: [...input.nodePools, last] }, catalog);
    expect({ name, left: more.unschedulable.length <= plan.unschedulable.length }).toEqual({ name, left: true });
  }
});

test('the order of equal pods does not matter', () => {
  for (const { input, catalog, plan } of solved.slice(0, 40)) {
    const single = input.pods.flatMap((group, index) =>
      Array.from({ length: group.count }, (_, pod) => ({ ...group, name: `${index}-${pod}`, count: 1, bare: true })),
    );
    const apart = schedule({ ...input, pods: single }, catalog);
    const sizes = ({ nodeClaims }: SchedulePlan) => nodeClaims.map(({ pods }) => pods.length);
    expect(sizes(apart)).toEqual(sizes(plan));
  }
});

test('the verifier rejects a wrong plan', () => {
  const { input, catalog, plan } = solved.find((candidate) => candidate.plan.nodeClaims.length > 1)!;
  const [first, second, ...rest] = plan.nodeClaims;
  const crowded = { ...first, groups: new Map([...first.groups].map(([group, count]) => [group, count * 1000])) };
  expect(violations(input, { ...plan, nodeClaims: [crowded, second, ...rest] }, catalog).join()).toContain(
    'do not fit on',
  );
  expect(violations(input, { ...plan, nodeClaims: rest }, catalog).join()).toContain('in the plan');
});
