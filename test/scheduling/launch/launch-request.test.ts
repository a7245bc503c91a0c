import { Catalog } from '../../../src/catalog';
import { RequirementSpec } from '../../../src/model';
import { PlannedNodeClaim } from '../../../src/scheduling';
import { CATALOG, isIn, ofTypes, planOf, pods, pool, InputFields } from '../builders';

const BOTH = isIn('karpenter.sh/capacity-type', 'on-demand', 'spot');
const ON_DEMAND = isIn('karpenter.sh/capacity-type', 'on-demand');

function planWith(
  requirements: readonly RequirementSpec[],
  more: Partial<InputFields> = {},
  catalog: Catalog = CATALOG,
) {
  return planOf({ pools: [pool([], { requirements })], pods: [pods('web', 1, { cpu: '100m' })], ...more }, catalog);
}

function launchOf(
  requirements: readonly RequirementSpec[],
  more: Partial<InputFields> = {},
  catalog: Catalog = CATALOG,
): PlannedNodeClaim['launch'] {
  return planWith(requirements, more, catalog).nodeClaims[0].launch;
}

describe('capacity type of a launch', () => {
  test('is spot if the claim allows spot, with strategy price-capacity-optimized', () => {
    expect(launchOf([ofTypes('m5.large', 'm5.xlarge'), BOTH])).toEqual({
      capacityType: 'spot',
      allocationStrategy: 'price-capacity-optimized',
      instanceTypes: ['m5.large', 'm5.xlarge'],
      zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
      cheapest: {
        instanceType: 'm5.large',
        zone: 'us-east-1a',
        capacityType: 'spot',
        usdPerHour: expect.closeTo(0.03168, 10),
      },
    });
  });

  test('is on-demand otherwise, with strategy lowest-price', () => {
    expect(launchOf([ofTypes('m5.xlarge', 'm5.large'), ON_DEMAND])).toMatchObject({
      capacityType: 'on-demand',
      allocationStrategy: 'lowest-price',
      instanceTypes: ['m5.large', 'm5.xlarge'],
      cheapest: { instanceType: 'm5.large', usdPerHour: 0.096 },
    });
  });

  test('is on-demand if only types without spot offerings are left', () => {
    expect(launchOf([ofTypes('hpc7g.4xlarge'), BOTH])).toMatchObject({
      capacityType: 'on-demand',
      instanceTypes: ['hpc7g.4xlarge'],
    });
  });

  test('excludes types without spot offerings from a spot request', () => {
    expect(launchOf([ofTypes('hpc7g.4xlarge', 'm5.large'), BOTH])).toMatchObject({
      capacityType: 'spot',
      instanceTypes: ['m5.large'],
    });
  });
});

describe('spot filter', () => {
  const half = Catalog.load({ spotPriceRatio: 0.5 });
  const sizes = ofTypes('m5.large', 'm5.xlarge', 'm5.2xlarge');

  test('removes spot offerings above the cheapest on-demand price, and keeps equal prices', () => {
    // m5.large is 0.096 on demand, and m5.xlarge 0.192: half of it is as much.
    expect(launchOf([sizes, BOTH], {}, half)!.instanceTypes).toEqual(['m5.large', 'm5.xlarge']);
  });

  test('removes nothing if on-demand is not allowed', () => {
    expect(launchOf([sizes, isIn('karpenter.sh/capacity-type', 'spot')], {}, half)!.instanceTypes).toEqual([
      'm5.large',
      'm5.xlarge',
      'm5.2xlarge',
    ]);
  });

  test('removes nothing if the NodePool has minValues', () => {
    expect(launchOf([{ ...sizes, minValues: 2 }, BOTH], {}, half)!.instanceTypes).toEqual([
      'm5.large',
      'm5.xlarge',
      'm5.2xlarge',
    ]);
  });
});

describe('exotic type filter', () => {
  test.each([
    ['accelerators', ['m5.xlarge', 'g5.xlarge', 'inf1.xlarge', 'trn1.2xlarge', 'g4ad.xlarge']],
    ['bare metal', ['m5.xlarge', 'm5.metal', 'm7i.metal-24xl']],
  ])('removes types with %s', (_, names) => {
    const [claim] = planWith([ofTypes(...names), ON_DEMAND]).nodeClaims;
    expect([...claim.instanceTypes].sort()).toEqual([...names].sort());
    expect(claim.launch!.instanceTypes).toEqual(['m5.xlarge']);
  });

  test('removes nothing if only exotic types are left', () => {
    expect(launchOf([ofTypes('g5.xlarge', 'm5.metal'), ON_DEMAND])!.instanceTypes).toEqual(['g5.xlarge', 'm5.metal']);
  });

  test('removes nothing if the NodePool has minValues', () => {
    expect(launchOf([{ ...ofTypes('g5.xlarge', 'm5.large'), minValues: 2 }, ON_DEMAND])!.instanceTypes).toEqual([
      'm5.large',
      'g5.xlarge',
    ]);
  });
});

describe('truncation', () => {
  const families = (minValues: number) => [
    { key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues } as const,
    ON_DEMAND,
  ];
  const LABELS = 'label(s) (label(s)=[karpenter.k8s.aws/instance-family])';

  test('sends the 60 cheapest types to EC2', () => {
    const [claim] = planWith([isIn('karpenter.k8s.aws/instance-category', 'c', 'm', 'r'), ON_DEMAND]).nodeClaims;
    expect(claim.instanceTypes.length).toBeGreaterThan(600);
    expect(claim.launch!.instanceTypes).toEqual(claim.instanceTypes.slice(0, 60));
  });

  test("fails a launch whose 60 cheapest types do not meet minValues, with Karpenter's error", () => {
    const [claim] = planWith(families(50)).nodeClaims;
    expect(claim.launch).toBeUndefined();
    expect(claim.launchFailure).toBe(
      'insufficient capacity, truncating instance types based on the passed-in requirements, ' +
        `validating minValues, minValues requirement is not met for ${LABELS}`,
    );
  });

  test("refuses the pods of a claim whose 600 cheapest types do not meet minValues, with Karpenter's error", () => {
    const plan = planWith(families(150));
    expect(plan.nodeClaims).toEqual([]);
    expect(plan.unschedulable).toEqual([
      {
        pod: 'default/web-0',
        group: 0,
        reasons: [
          {
            nodePool: 'default',
            message:
              'pod didn’t schedule because NodePool couldn’t meet minValues requirements, ' +
              `validating minValues, minValues requirement is not met for ${LABELS} (NodePool=default)`,
          },
        ],
      },
    ]);
  });

  test('ignores minValues with the policy BestEffort', () => {
    const [claim] = planWith(families(150), { settings: { minValuesPolicy: 'BestEffort' } }).nodeClaims;
    expect(claim.launch!.instanceTypes).toHaveLength(60);
  });
});
