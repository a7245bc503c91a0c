import { CATALOG, isIn, ofTypes, planOf, pods, pool, Scene } from './builders';
import { Catalog } from '../../src/catalog';
import { RequirementSpec } from '../../src/model';
import { PlannedNodeClaim } from '../../src/scheduling';

const BOTH = isIn('karpenter.sh/capacity-type', 'on-demand', 'spot');
const ON_DEMAND = isIn('karpenter.sh/capacity-type', 'on-demand');

function planWith(requirements: readonly RequirementSpec[], more: Partial<Scene> = {}, catalog: Catalog = CATALOG) {
  return planOf({ pools: [pool([], { requirements })], pods: [pods('web', 1, { cpu: '100m' })], ...more }, catalog);
}

function launchOf(requirements: readonly RequirementSpec[], more: Partial<Scene> = {}, catalog: Catalog = CATALOG): PlannedNodeClaim['launch'] {
  return planWith(requirements, more, catalog).nodeClaims[0].launch;
}

describe('the capacity type of a launch', () => {
  test('is spot where the claim may be spot, and EC2 then chooses by capacity among all its types', () => {
    expect(launchOf([ofTypes('m5.large', 'm5.xlarge'), BOTH])).toEqual({
      capacityType: 'spot',
      allocationStrategy: 'price-capacity-optimized',
      instanceTypes: ['m5.large', 'm5.xlarge'],
      zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
      cheapest: { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot', usdPerHour: expect.closeTo(0.0384, 10) },
    });
  });

  test('is on-demand otherwise, where the lowest price decides', () => {
    expect(launchOf([ofTypes('m5.xlarge', 'm5.large'), ON_DEMAND])).toMatchObject({
      capacityType: 'on-demand',
      allocationStrategy: 'lowest-price',
      instanceTypes: ['m5.large', 'm5.xlarge'],
      cheapest: { instanceType: 'm5.large', usdPerHour: 0.096 },
    });
  });

  test('is on-demand where only types without spot are left', () => {
    expect(launchOf([ofTypes('hpc7g.4xlarge'), BOTH])).toMatchObject({ capacityType: 'on-demand', instanceTypes: ['hpc7g.4xlarge'] });
  });

  test('leaves types that are sold on demand only out of a request for spot', () => {
    expect(launchOf([ofTypes('hpc7g.4xlarge', 'm5.large'), BOTH])).toMatchObject({ capacityType: 'spot', instanceTypes: ['m5.large'] });
  });
});

describe('spot that costs more than on-demand', () => {
  const half = Catalog.load({ spotPriceRatio: 0.5 });
  const sizes = ofTypes('m5.large', 'm5.xlarge', 'm5.2xlarge');

  test('is left out: a spot price equal to the cheapest on-demand price stays, and a higher one goes', () => {
    // m5.large is 0.096 on demand, and m5.xlarge 0.192: half of it is as much.
    expect(launchOf([sizes, BOTH], {}, half)!.instanceTypes).toEqual(['m5.large', 'm5.xlarge']);
  });

  test('stays where on-demand is not allowed', () => {
    expect(launchOf([sizes, isIn('karpenter.sh/capacity-type', 'spot')], {}, half)!.instanceTypes).toEqual(['m5.large', 'm5.xlarge', 'm5.2xlarge']);
  });

  test('stays where the NodePool wants a variety of types', () => {
    expect(launchOf([{ ...sizes, minValues: 2 }, BOTH], {}, half)!.instanceTypes).toEqual(['m5.large', 'm5.xlarge', 'm5.2xlarge']);
  });
});

describe('exotic types', () => {
  test.each([
    ['accelerators', ['m5.xlarge', 'g5.xlarge', 'inf1.xlarge', 'trn1.2xlarge', 'g4ad.xlarge']],
    ['bare metal', ['m5.xlarge', 'm5.metal', 'm7i.metal-24xl']],
  ])('leave %s to those who ask for them', (_, names) => {
    const [claim] = planWith([ofTypes(...names), ON_DEMAND]).nodeClaims;
    expect([...claim.instanceTypes].sort()).toEqual([...names].sort());
    expect(claim.launch!.instanceTypes).toEqual(['m5.xlarge']);
  });

  test('are launched where nothing else is left', () => {
    expect(launchOf([ofTypes('g5.xlarge', 'm5.metal'), ON_DEMAND])!.instanceTypes).toEqual(['g5.xlarge', 'm5.metal']);
  });

  test('are launched where the NodePool wants a variety of types', () => {
    expect(launchOf([{ ...ofTypes('g5.xlarge', 'm5.large'), minValues: 2 }, ON_DEMAND])!.instanceTypes).toEqual(['m5.large', 'g5.xlarge']);
  });
});

describe('truncation', () => {
  const families = (minValues: number) => [{ key: 'karpenter.k8s.aws/instance-family', operator: 'Exists', minValues } as const, ON_DEMAND];
  const LABELS = 'label(s) (label(s)=[karpenter.k8s.aws/instance-family])';

  test('asks EC2 for the 60 cheapest types', () => {
    const [claim] = planWith([isIn('karpenter.k8s.aws/instance-category', 'c', 'm', 'r'), ON_DEMAND]).nodeClaims;
    expect(claim.instanceTypes.length).toBeGreaterThan(600);
    expect(claim.launch!.instanceTypes).toEqual(claim.instanceTypes.slice(0, 60));
  });

  test('fails a launch whose 60 cheapest types have too few values, in Karpenter\'s words', () => {
    const [claim] = planWith(families(50)).nodeClaims;
    expect(claim.launch).toBeUndefined();
    expect(claim.launchFailure).toBe('insufficient capacity, truncating instance types based on the passed-in requirements, '
      + `validating minValues, minValues requirement is not met for ${LABELS}`);
  });

  test('refuses the pods of a claim whose 600 cheapest types have too few values, in Karpenter\'s words', () => {
    const plan = planWith(families(150));
    expect(plan.nodeClaims).toEqual([]);
    expect(plan.unschedulable).toEqual([{
      pod: 'default/web-0',
      group: 0,
      reasons: [{
        nodePool: 'default',
        message: 'pod didn’t schedule because NodePool couldn’t meet minValues requirements, '
          + `validating minValues, minValues requirement is not met for ${LABELS} (NodePool=default)`,
      }],
    }]);
  });

  test('is done all the same under the policy BestEffort', () => {
    const [claim] = planWith(families(150), { settings: { minValuesPolicy: 'BestEffort' } }).nodeClaims;
    expect(claim.launch!.instanceTypes).toHaveLength(60);
  });
});
