import { DEFAULT_NODE_CLASS } from '../../../src/catalog';
import { Cluster, ClusterNode, DisruptionPass, disruptionPass } from '../../../src/disruption';
import { DisruptionContext, runToCompletion } from '../../../src/disruption/context';
import { singleNodeConsolidation } from '../../../src/disruption/methods/single-node-consolidation';
import { Label } from '../../../src/model';
import { input, isIn, ofTypes } from '../../scheduling/builders';
import {
  anyPool,
  APART,
  ClusterMore,
  clusterOf,
  machine,
  MINUTE,
  NodeMore,
  NOW,
  pod,
  PROTECTED,
  TABLE,
} from '../builders';

const SPOT = { capacityType: 'spot' };
const ONE_TYPE = anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] });

function summaries({ commands }: DisruptionPass) {
  return commands.map(({ method, decision, candidates, replacements }) => ({
    method,
    decision,
    nodes: candidates.map(({ node: { name } }) => name),
    types: replacements.map(({ instanceTypes }) => instanceTypes),
  }));
}

function why(pass: DisruptionPass, node = 'a'): string[] {
  return pass.refusals
    .filter(({ method, nodes }) => method === 'SingleNodeConsolidation' && nodes.includes(node))
    .map((refusal) => refusal.why);
}

/** One node with one pod, in a pool of these types. */
function single(
  type: string,
  types: readonly string[],
  more: ClusterMore & { readonly node?: NodeMore; readonly capacityTypes?: readonly string[] } = {},
) {
  const { node, capacityTypes = ['on-demand'], ...rest } = more;
  const pool = anyPool({
    requirements: [ofTypes(...types), isIn(Label.CAPACITY_TYPE, ...capacityTypes), isIn(Label.ZONE, 'us-east-1a')],
  });
  return clusterOf([machine('a', type, [pod('p', { cpu: '500m' })], node)], { pools: [pool], ...rest });
}

/** USD per hour of spot in zone a. */
function spotPrice(type: string): number {
  return TABLE.offerings.find(({ zone, capacityType }) => zone === 'us-east-1a' && capacityType === 'spot')!.usdPerHour[
    TABLE.names.indexOf(type)
  ];
}

/** The cheapest types on spot in zone a, no two at the same price. */
function spotTypes(count: number): string[] {
  const offered = TABLE.names.filter(
    (name) =>
      /^(m|c|r)(5|6)\w*\.(large|xlarge|2xlarge|4xlarge)$/.test(name) && !name.includes('6g') && spotPrice(name) > 0,
  );
  const byPrice = new Map(
    [...offered]
      .sort()
      .reverse()
      .map((name) => [spotPrice(name), name]),
  );
  return [...byPrice]
    .sort(([left], [right]) => left - right)
    .map(([, name]) => name)
    .slice(0, count);
}

describe('singleNodeConsolidation', () => {
  test('lists only zones with a capacity reservation for the types of the replacement, not for dearer types', () => {
    const reservation = (instanceType: string, zone: string, free: number) =>
      ({
        id: `cr-${instanceType}`,
        instanceType,
        zone,
        type: 'default',
        interruptible: false,
        expiring: false,
        free,
      }) as const;
    const reservations = [
      reservation('m5.2xlarge', 'us-east-1a', 0),
      reservation('m5.large', 'us-east-1a', 1),
      reservation('m5.8xlarge', 'us-east-1b', 1),
    ];
    const pools = [
      anyPool({
        requirements: [ofTypes('m5.large', 'm5.2xlarge', 'm5.8xlarge'), isIn(Label.CAPACITY_TYPE, 'reserved')],
      }),
    ];
    const scheduling = input({ pools, pods: [], nodeClasses: [{ ...DEFAULT_NODE_CLASS, reservations }] });
    const node = machine('a', 'm5.2xlarge', [pod('p')], {
      capacityType: 'reserved',
      labels: { [Label.CAPACITY_RESERVATION_ID]: 'cr-m5.2xlarge' },
    });
    const [command] = disruptionPass(clusterOf([node], { pools, scheduling }), NOW).commands;
    expect(command.replacements).toMatchObject([{ instanceTypes: ['m5.large'], zones: ['us-east-1a'] }]);
  });

  test('replaces a node by the cheapest types that hold its pods', () => {
    expect(summaries(disruptionPass(single('m5.xlarge', ['m5.large', 'm5.xlarge', 'c5.large']), NOW))).toEqual([
      { method: 'SingleNodeConsolidation', decision: 'replace', nodes: ['a'], types: [['c5.large', 'm5.large']] },
    ]);
  });

  test('computes the savings', () => {
    const [{ savings, replacements }] = disruptionPass(single('m5.xlarge', ['m5.large', 'm5.xlarge']), NOW).commands;
    expect(savings).toBeCloseTo(0.096);
    expect(replacements[0].cheapest).toMatchObject({ instanceType: 'm5.large', usdPerHour: 0.096 });
  });

  test('keeps a node if the replacement costs the same', () => {
    const pass = disruptionPass(single('m5.large', ['m5.large']), NOW);
    expect(pass.commands).toEqual([]);
    expect(why(pass)).toEqual(["Can't replace with a cheaper node"]);
  });

  test.each(['Strict', 'BestEffort'] as const)(
    'requires minValues among cheaper types, and reports missing cheaper types first: policy %s',
    (minValuesPolicy) => {
      const types = ['m5.large', 'm5.xlarge'];
      const pool = anyPool({
        requirements: [
          { ...ofTypes(...types), minValues: 2 },
          isIn(Label.CAPACITY_TYPE, 'on-demand'),
          isIn(Label.ZONE, 'us-east-1a'),
        ],
      });
      const refusal = (type: string) => {
        const cluster = clusterOf([machine('a', type, [pod('p', { cpu: '500m' })])], {
          pools: [pool],
          scheduling: input({ pools: [pool], pods: [], settings: { minValuesPolicy } }),
        });
        return why(disruptionPass(cluster, NOW));
      };
      expect(refusal('m5.xlarge')).toEqual([
        'Filtering by price: minValues requirement is not met for label(s) (label(s)=[node.kubernetes.io/instance-type])',
      ]);
      expect(refusal('m5.large')).toEqual(["Can't replace with a cheaper node"]);
    },
  );

  test('compares prices in the dearest zone in which the replacement may be launched', () => {
    const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
    const pool = anyPool({
      requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'spot'), isIn(Label.ZONE, ...zones)],
    });
    const prices = zones.map(
      (zone) =>
        TABLE.offerings.find((plane) => plane.zone === zone && plane.capacityType === 'spot')!.usdPerHour[
          TABLE.names.indexOf('m5.large')
        ],
    );
    const cheaper = clusterOf([machine('a', 'm5.large', [pod('p')])], { pools: [pool] });
    expect(Math.max(...prices)).toBeLessThan(0.096);
    expect(summaries(disruptionPass(cheaper, NOW))[0].types).toEqual([['m5.large']]);
  });

  test('replaces an on-demand node by spot only, without falling back to on-demand', () => {
    const [{ replacements }] = disruptionPass(
      single('m5.large', ['m5.large'], { capacityTypes: ['spot', 'on-demand'] }),
      NOW,
    ).commands;
    expect(replacements[0]).toMatchObject({ capacityTypes: ['spot'], cheapest: { capacityType: 'spot' } });
  });

  test('deletes a node if its pods fit on other nodes', () => {
    const nodes = [
      machine('a', 'm5.xlarge', [pod('p')]),
      machine('b', 'm5.large', [pod('kept', undefined, { annotations: PROTECTED })]),
    ];
    expect(summaries(disruptionPass(clusterOf(nodes), NOW))).toEqual([
      { method: 'SingleNodeConsolidation', decision: 'delete', nodes: ['a'], types: [] },
    ]);
  });

  test('does not replace one node by two', () => {
    const pass = disruptionPass(
      clusterOf([machine('a', 'm5.4xlarge', [pod('p', undefined, APART), pod('q', undefined, APART)])]),
      NOW,
    );
    expect(pass.commands).toEqual([]);
    expect(why(pass)).toEqual(["Can't remove without creating 2 candidates"]);
  });

  test("keeps a node whose pods no NodePool can schedule, and reports why in Karpenter's words", () => {
    const [refusal] = why(
      disruptionPass(
        clusterOf([machine('a', 'm5.large', [pod('p', {}, { more: { nodeSelector: { disk: 'ssd' } } })])]),
        NOW,
      ),
    );
    expect(refusal).toMatch(/^not all pods would schedule, default\/p => .*label "disk" does not have known values/);
  });

  test.each<[string, ClusterMore & { readonly node?: NodeMore }, string]>([
    [
      'whose NodePool never consolidates',
      { disruption: { consolidateAfter: undefined } },
      'NodePool "default" has consolidation disabled',
    ],
    [
      'whose NodePool consolidates only empty nodes',
      { disruption: { consolidationPolicy: 'WhenEmpty' } },
      'NodePool "default" has consolidation policy WhenEmpty, but node is not empty',
    ],
    [
      'whose consolidateAfter is not over',
      { disruption: { consolidateAfter: 61 * MINUTE } },
      'consolidateAfter is not over yet',
    ],
    [
      'of a type that does not exist',
      { node: { labels: { [Label.INSTANCE_TYPE]: 'm5.nothing' } } },
      'Instance Type "m5.nothing" not found',
    ],
    ['of a static pool', { pools: [anyPool({ replicas: 1 })] }, 'NodePool "default" is static'],
    [
      'that the budgets refuse',
      { disruption: { budgets: [{ nodes: '0' }] } },
      'the disruption budgets of NodePool "default" allow no more at this time',
    ],
  ])('keeps a node %s', (_, more, refusal) => {
    const pass = disruptionPass(single('m5.xlarge', ['m5.large', 'm5.xlarge'], more), NOW);
    expect(pass.commands).toEqual([]);
    expect(why(pass)).toEqual([refusal]);
  });

  test.each([Label.CAPACITY_TYPE, Label.ZONE])(
    'keeps a node without the label %s, because its price is not known',
    (label) => {
      const cluster = single('m5.xlarge', ['m5.large', 'm5.xlarge']);
      const without = (labels: ClusterNode['labels']) =>
        Object.fromEntries(Object.entries(labels).filter(([key]) => key !== label));
      const nodes = cluster.nodes.map((node) => ({ ...node, labels: without(node.labels) }));
      const pass = disruptionPass({ ...cluster, nodes }, NOW);
      expect(pass.commands).toEqual([]);
      expect(why(pass)).toEqual([`Node does not have label "${label}"`]);
    },
  );

  test('disrupts a node as soon as its consolidateAfter is over', () => {
    expect(
      disruptionPass(
        single('m5.xlarge', ['m5.large', 'm5.xlarge'], { disruption: { consolidateAfter: 60 * MINUTE } }),
        NOW,
      ).commands,
    ).toHaveLength(1);
  });

  test('moves no pods to a node whose consolidateAfter is not over', () => {
    const claim = { createdAt: NOW, initializedAt: NOW };
    const nodes = [machine('a', 'm5.large', [pod('p')]), machine('b', 'm5.large', [pod('q')], { claim })];
    const cluster = clusterOf(nodes, { pools: [ONE_TYPE], disruption: { consolidateAfter: MINUTE } });
    expect(disruptionPass(cluster, NOW).commands).toEqual([]);
    expect(summaries(disruptionPass(cluster, NOW + 2 * MINUTE))[0]).toMatchObject({ decision: 'delete' });
  });

  test('refuses a node whose pods would go to an uninitialized node', () => {
    const nodes = [machine('a', 'm5.large', [pod('p')]), machine('b', 'm5.large', [], { initialized: false })];
    expect(why(disruptionPass(clusterOf(nodes), NOW))).toEqual([
      'not all pods would schedule, default/p => would schedule against uninitialized node/b',
    ]);
  });

  test('schedules the pods of deleting nodes too', () => {
    const full = (name: string, more: NodeMore = {}) =>
      machine(name, 'm5.large', [pod(`p-${name}`, { cpu: '1500m' })], more);
    const nodes = [
      full('a'),
      full('deleting', { deleting: true }),
      machine('b', 'm5.large', [pod('small', { cpu: '100m' }, { annotations: PROTECTED })]),
    ];
    expect(
      disruptionPass(
        clusterOf(
          nodes.filter(({ name }) => name !== 'deleting'),
          { pools: [ONE_TYPE] },
        ),
        NOW,
      ).commands,
    ).toHaveLength(1);
    expect(disruptionPass(clusterOf(nodes, { pools: [ONE_TYPE] }), NOW).commands).toEqual([]);
  });

  test('alternates between NodePools', () => {
    const pools = ['one', 'two'].map((name) =>
      anyPool({ name, requirements: [ofTypes('m5.large', 'm5.xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] }),
    );
    const held = (name: string, pool: string) => machine(name, 'm5.large', [pod(name, { cpu: '1500m' })], { pool });
    const nodes = [held('a', 'two'), held('b', 'one'), held('c', 'one')];
    const { refusals } = runToCompletion(
      singleNodeConsolidation,
      new DisruptionContext(clusterOf(nodes, { pools }), NOW),
    );
    expect(refusals.map(({ nodes: [name] }) => name)).toEqual(['b', 'a', 'c']);
  });
});

describe('spot-to-spot consolidation', () => {
  const cluster = (count: number, open: boolean) => {
    const types = spotTypes(count + 1);
    return single(types[count], types, {
      capacityTypes: ['spot'],
      node: SPOT,
      settings: { spotToSpotConsolidation: open },
    });
  };

  test('requires the feature gate', () => {
    expect(why(disruptionPass(cluster(20, false), NOW))).toEqual([
      "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
    ]);
  });

  test('requires 15 cheaper types', () => {
    expect(why(disruptionPass(cluster(14, true), NOW))).toEqual([
      'SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate to consolidate, got 14',
    ]);
    expect(summaries(disruptionPass(cluster(15, true), NOW))[0].types).toEqual([spotTypes(15)]);
  });

  test('lists at most 15 types', () => {
    expect(summaries(disruptionPass(cluster(20, true), NOW))[0].types).toEqual([spotTypes(15)]);
  });

  // minInstanceTypes of InstanceTypes.SatisfiesMinValues, in computeSpotToSpotConsolidation.
  test.each([
    [18, 18],
    [10, 15],
  ])('lists enough types for minValues of %d, and at least 15', (minValues, named) => {
    const types = spotTypes(21);
    const pool = anyPool({
      requirements: [
        { ...ofTypes(...types), minValues },
        isIn(Label.CAPACITY_TYPE, 'spot'),
        isIn(Label.ZONE, 'us-east-1a'),
      ],
    });
    const flexible = clusterOf([machine('a', types[20], [pod('p', { cpu: '500m' })], SPOT)], {
      pools: [pool],
      settings: { spotToSpotConsolidation: true },
    });
    expect(summaries(disruptionPass(flexible, NOW))[0].types).toEqual([spotTypes(named)]);
  });

  test('requires no number of types to replace several nodes by one', () => {
    const pool = anyPool({
      requirements: [
        ofTypes('m5.large', 'm5.xlarge'),
        isIn(Label.CAPACITY_TYPE, 'spot'),
        isIn(Label.ZONE, 'us-east-1a'),
      ],
    });
    const nodes: ClusterNode[] = ['a', 'b'].map((name) =>
      machine(name, 'm5.xlarge', [pod(name, { cpu: '800m' })], SPOT),
    );
    const both: Cluster = clusterOf(
      nodes.map((node) => ({ ...node, allocatable: new Map([...node.allocatable, ['cpu', 900n]]) })),
      {
        pools: [pool],
        settings: { spotToSpotConsolidation: true },
      },
    );
    expect(summaries(disruptionPass(both, NOW))).toEqual([
      { method: 'MultiNodeConsolidation', decision: 'replace', nodes: ['a', 'b'], types: [['m5.large']] },
    ]);
  });
});

describe('pending pods', () => {
  test('do not prevent consolidation if they cannot be scheduled anyway', () => {
    const pools = [
      anyPool({ requirements: [ofTypes('m5.large', 'm5.xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] }),
    ];
    const scheduling = input({
      pools,
      pods: [{ namespace: 'default', name: 'huge', count: 1, shape: pod('huge', { cpu: '500' }).shape }],
    });
    expect(summaries(disruptionPass({ ...single('m5.xlarge', []), scheduling }, NOW))[0]).toMatchObject({
      decision: 'replace',
    });
  });
});
