import { check } from '../../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../../setup';

const WEB = deployment('web', 1, SMALL);

function mostOf(limits: string, types: readonly string[] = ['m5.large', 'c5.large', 'r5.xlarge']): number | null {
  const pool = nodePool(types).replace('limits: { cpu: 1000, memory: 1000Gi }', `limits: ${limits}`);
  return check(manifests(NODE_CLASS, pool, WEB)).nodePools[0].limitCostPerHour;
}

describe('the highest cost that limits allow', () => {
  test('is the limit of CPUs at the highest price of a CPU', () => {
    // r5.xlarge is $0.252 for 4 CPUs, m5.large $0.096 for 2, c5.large $0.085 for 2.
    expect(mostOf('{ cpu: 100 }')).toBeCloseTo(100 * 0.063, 6);
  });

  test('leaves out types that are larger than the limit', () => {
    expect(mostOf('{ cpu: 3 }')).toBeCloseTo(3 * 0.048, 6);
  });

  test('is that of the limit which allows least', () => {
    expect(mostOf('{ cpu: 100, nodes: 2 }')).toBeCloseTo(2 * 0.252, 6);
  });

  test('is open without limits, and with a limit on a resource that some types lack', () => {
    expect(mostOf('{}')).toBeNull();
    expect(mostOf('{ nvidia.com/gpu: 4 }')).toBeNull();
  });

  test('is a whole for all NodePools, and names those whose limits do not bound it', () => {
    const limited = nodePool(['m5.large']).replace('memory: 1000Gi', 'nodes: 10');
    const open = nodePool(['m5.large'], 'open').replace('limits: { cpu: 1000, memory: 1000Gi }', 'limits: {}');
    const costs = (...pools: string[]) => check(manifests(NODE_CLASS, ...pools, WEB), { costBy: 'pool' }).costs!;
    expect(costs(limited)).toMatchObject({ limitCost: 700.8, notes: [] });
    expect(costs(limited, open)).toMatchObject({
      limitCost: null,
      notes: ['no limit bounds the cost of NodePool open'],
    });
  });
});
