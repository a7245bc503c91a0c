import * as fc from 'fast-check';
import { Catalog } from '../../../src/catalog';
import { explainedBound, schedule } from '../../../src/scheduling';
import { daemonSet, input, InputFields, node, ofTypes, pods, pool } from '../builders';

const catalog = Catalog.load({ zones: ['us-east-1a'] });
const HOSTNAME = 'kubernetes.io/hostname';

function gapOf(scene: InputFields) {
  const plan = schedule(input(scene), catalog);
  const prices = plan.nodeClaims.map(({ launch }) => launch!.cheapest.usdPerHour);
  const price = prices.reduce((sum, usd) => sum + usd, 0);
  const bound = explainedBound(input(scene), plan, catalog);
  return { bound: bound?.usdPerHour ?? price, price, gap: bound?.gap(prices) };
}

describe('the difference between a plan and its lower bound', () => {
  test('is what an instance type costs above the worth of its room, which smaller types have for less', () => {
    // Karpenter packs all pods on one node, and only r5.4xlarge ($1.008) holds them. 15 CPUs on c5.large are cheaper.
    const { price, bound, gap } = gapOf({
      pools: [pool([ofTypes('r5.4xlarge', 'c5.large')])],
      pods: [pods('web', 50, { cpu: '300m' })],
    });
    expect(price).toBeCloseTo(1.008, 7);
    const [type] = gap!.types;
    expect(type).toMatchObject({ nodePool: 'default', instanceType: 'r5.4xlarge', nodes: 1 });
    expect(type.usdPerHour).toBeGreaterThan((price - bound) / 2);
  });

  test('is empty if nothing is cheaper than the plan', () => {
    const { gap } = gapOf({ pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 20, { cpu: '965m' })] });
    expect(gap).toEqual({ types: [], unused: [] });
  });

  test('is undefined without a launch', () => {
    const scene = input({ pools: [pool([ofTypes('m5.large')])], pods: [pods('web', 1, { cpu: '1' })] });
    const plan = schedule(scene, catalog);
    const failed = { ...plan, nodeClaims: plan.nodeClaims.map(({ launch, ...claim }) => claim) };
    expect(explainedBound(scene, failed, catalog)!.gap([0])).toBeUndefined();
  });

  test('has parts that are not negative and add up, for any pods', () => {
    const group = fc.record({
      count: fc.integer({ min: 1, max: 20 }),
      cpu: fc.integer({ min: 1, max: 3000 }),
      memory: fc.integer({ min: 1, max: 6000 }),
      isApart: fc.boolean(),
      arch: fc.constantFrom(undefined, 'arm64', 'amd64'),
    });
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 4 }), fc.boolean(), (groups, hasNode) => {
        const scene = {
          pools: [
            pool([ofTypes('m5.large', 'm5.xlarge', 'r5.large', 'm6g.large', 'c6g.xlarge')]),
            pool([ofTypes('c5.2xlarge', 'm6g.2xlarge')], { name: 'other' }),
          ],
          pods: groups.map(({ count, cpu, memory, isApart, arch }, index) =>
            pods(
              `web${index}`,
              count,
              { cpu: `${cpu}m`, memory: `${memory}Mi` },
              {
                labels: { app: `web${index}` },
                ...(isApart
                  ? {
                      podAntiAffinity: {
                        required: [{ topologyKey: HOSTNAME, labelSelector: { matchLabels: { app: `web${index}` } } }],
                        preferred: [],
                      },
                    }
                  : {}),
                ...(arch === undefined ? {} : { nodeSelector: { 'kubernetes.io/arch': arch } }),
              },
            ),
          ),
          daemonSets: [daemonSet('agent', { cpu: '100m', memory: '64Mi' })],
          nodes: hasNode ? [node('old', { cpu: '4', memory: '8Gi', pods: '20' })] : [],
        };
        const { price, bound, gap: parts } = gapOf(scene);
        if (parts === undefined) return expect(price - bound).toBeLessThan(1e-9);
        const amounts = [...parts.types, ...parts.unused].map(({ usdPerHour }) => usdPerHour);
        expect(Math.min(0, ...amounts)).toBe(0);
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(Math.max(0, price - bound), 4);
      }),
      { seed: 48, numRuns: 60 },
    );
  });
});
