import { check, CheckOptions } from '../../../src/validation';
import { dump, karpenterNode, object } from '../cluster/dump';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const ZONE_ID = 'topology.k8s.aws/zone-id';
const KNOWN: CheckOptions = {
  zones: ['us-east-1a', 'us-east-1b'],
  zoneIds: { 'us-east-1a': 'use1-az4', 'us-east-1b': 'use1-az6' },
};
const inZone = (id: string) =>
  nodePool(['m5.large']).replace(
    'requirements:\n',
    `requirements:\n      - { key: ${ZONE_ID}, operator: In, values: [${id}] }\n`,
  );
const selecting = (id: string) =>
  deployment('web', 2, SMALL).replace('    spec:\n', `    spec:\n      nodeSelector: { ${ZONE_ID}: ${id} }\n`);

function verdict(pool: string, workload: string, options: CheckOptions = KNOWN) {
  return check(manifests(pool, NODE_CLASS, workload), options);
}

const zones = ({ nodeClaims }: ReturnType<typeof verdict>) => nodeClaims.map((claim) => claim.zones);

describe('zone IDs', () => {
  test('in a NodePool restrict it to their zones', () => {
    expect(zones(verdict(inZone('use1-az6'), deployment('web', 1, SMALL)))).toEqual([['us-east-1b']]);
  });

  test('in a pod restrict its node to their zones', () => {
    expect(zones(verdict(nodePool(['m5.large']), selecting('use1-az4')))).toEqual([['us-east-1a']]);
  });

  test('that no zone has make pods unschedulable', () => {
    expect(verdict(nodePool(['m5.large']), selecting('use1-az1')).summary).toMatchObject({
      pods: 2,
      scheduledPods: 0,
      nodes: 0,
    });
  });

  test('that are unknown make pods that select one not evaluated', () => {
    const { notEvaluated, nodeClaims } = verdict(nodePool(['m5.large']), selecting('use1-az4'), {});
    expect(nodeClaims).toEqual([]);
    expect(notEvaluated[0].what).toEqual([
      'the zone of each zone ID that it selects (pass --zones us-east-1a=use1-az1,…)',
    ]);
  });

  test('that are not all known make a NodePool that selects one not evaluated', () => {
    const { notEvaluated, assumptions } = verdict(inZone('use1-az6'), deployment('web', 1, SMALL), {
      ...KNOWN,
      zoneIds: { 'us-east-1a': 'use1-az4' },
    });
    expect(notEvaluated).toHaveLength(1);
    expect(assumptions[0]).toMatch(
      /^NodePool default is not evaluated: the zone of each zone ID that it selects \(pass --zones .*\) is unknown$/,
    );
  });

  test('need not be known if nothing selects them', () => {
    expect(verdict(nodePool(['m5.large']), deployment('web', 1, SMALL), {}).notEvaluated).toEqual([]);
  });

  test.each([
    [
      'the nodes',
      [
        karpenterNode('a', { labels: { [ZONE_ID]: 'use1-az4' } }),
        karpenterNode('b', { labels: { 'topology.kubernetes.io/zone': 'us-east-1b', [ZONE_ID]: 'use1-az6' } }),
      ],
    ],
    [
      'the status of the class',
      [
        object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', {
          status: {
            subnets: [
              { zone: 'us-east-1a', zoneID: 'use1-az4' },
              { zone: 'us-east-1b', zoneID: 'use1-az6' },
            ],
          },
        }),
      ],
    ],
  ])('are read from %s of the cluster', (_, items) => {
    const given: CheckOptions = { cluster: dump(...items), zones: KNOWN.zones };
    expect(verdict(inZone('use1-az6'), deployment('web', 9, SMALL), given).nodePools[0].zones).toEqual(['us-east-1b']);
  });
});

describe('instance types', () => {
  const family = (name: string) =>
    nodePool(['x']).replace(
      /node.kubernetes.io.instance-type, operator: In, values: .x./,
      `karpenter.k8s.aws/instance-family, operator: In, values: [${name}]`,
    );

  test.each([
    ['a type', nodePool(['r10g.large']), 'r10g.large'],
    ['types', nodePool(['r10g.large', 't9i.small']), 'r10g.large and t9i.small'],
    ['a family', family('r10g'), 'r10g'],
    [
      'a type, with an architecture that excludes the known one',
      nodePool(['m5.large', 'r10g.large']).replace(
        'requirements:\n',
        'requirements:\n      - { key: kubernetes.io/arch, operator: In, values: [arm64] }\n',
      ),
      'r10g.large',
    ],
  ])('that may be newer than the catalog make a NodePool not evaluated: %s', (_, pool, named) => {
    const { nodeClaims, notEvaluated, assumptions, findings } = verdict(pool, deployment('web', 1, SMALL));
    expect([
      nodeClaims,
      notEvaluated.length,
      findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule),
    ]).toEqual([[], 1, ['KARP-004']]);
    expect(assumptions[0]).toBe(
      `NodePool default is not evaluated: the instance type data of ${named}, possibly newer than this catalog, is unknown`,
    );
    expect(assumptions.join('\n')).not.toContain('known only at deployment');
  });

  test.each([
    ['an unknown size of a known family', nodePool(['m5.3xlarge'])],
    ['a generation far beyond the newest', nodePool(['m55.large'])],
    ['an invalid name', nodePool(['large'])],
  ])('that cannot exist are an error: %s', (_, pool) => {
    expect(verdict(pool, deployment('web', 1, SMALL)).findings.map(({ rule }) => rule)).toContain('KARP-251');
  });

  test('that may be newer are ignored if the NodePool also has a known type', () => {
    expect(
      verdict(nodePool(['r10g.large', 'm5.large']), deployment('web', 1, SMALL)).nodeClaims.map(
        ({ launch }) => launch!.instanceTypes,
      ),
    ).toEqual([['m5.large']]);
  });

  test.each([
    ['a type', nodePool(['t8i.small']), 't8i.small'],
    ['a family', family('t8i'), 't8i.nano, t8i.micro, t8i.small and t8i.medium'],
  ])('without a recorded price make a NodePool not evaluated if the region sells them: %s', (_, pool, named) => {
    const { assumptions, findings } = verdict(pool, deployment('web', 1, SMALL));
    expect(findings.map(({ rule }) => rule)).not.toContain('KARP-201');
    expect(assumptions[0]).toBe(
      `NodePool default is not evaluated: the price of ${named} (pass a catalogue that karpenter-constructs catalog update makes) is unknown`,
    );
  });

  test.each([
    ['adds a resource', { capacity: { 'example.com/fpga': 1 } }, {}, []],
    ['changes the price by a percentage', { priceAdjustment: '-20%' }, {}, []],
    ['sets the price', { price: '0.02' }, {}, ['t8i.small']],
    ['sets the price without the feature gate', { price: '0.02' }, { NodeOverlay: false }, []],
  ])('without a recorded price and with a NodeOverlay that %s', (_, spec, gates, launched) => {
    const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['t8i.small'] }];
    const overlay = JSON.stringify({
      apiVersion: 'karpenter.sh/v1alpha1',
      kind: 'NodeOverlay',
      metadata: { name: 'fpga' },
      spec: { requirements, ...spec },
    });
    const documents = manifests(nodePool(['t8i.small']), NODE_CLASS, `${overlay}\n`, deployment('web', 1, SMALL));
    const { nodeClaims } = check(documents, { ...KNOWN, featureGates: { NodeOverlay: true, ...gates } });
    expect(nodeClaims.flatMap(({ launch }) => launch!.instanceTypes)).toEqual(launched);
  });

  test('without a recorded price are ignored if the NodePool also has a type with one', () => {
    expect(
      verdict(nodePool(['t8i.small', 'm5.large']), deployment('web', 1, SMALL)).nodeClaims.map(
        ({ launch }) => launch!.instanceTypes,
      ),
    ).toEqual([['m5.large']]);
  });

  test.each([
    ['only as capacity blocks', 'trn2.48xlarge'],
    ['in no zone of the region', 'x8aedz.large'],
  ])('that are sold %s launch nothing', (_, type) => {
    expect(verdict(nodePool([type]), deployment('web', 1, SMALL)).findings.map(({ rule }) => rule)).toContain(
      'KARP-201',
    );
  });
});

describe('placement groups', () => {
  const PARTITION = 'karpenter.k8s.aws/placement-group-partition';
  const GROUPED = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { name: apart }\n');
  const deploymentSpread = (replicas: number) =>
    deployment(
      'web',
      replicas,
      SMALL,
      `      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${PARTITION}, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n`,
    );
  const spread = deploymentSpread(2);
  const printed = (group: Record<string, unknown>) => [
    {
      path: 'groups.json',
      text: JSON.stringify({
        PlacementGroups: [{ GroupName: 'apart', GroupId: 'pg-1', State: 'available', Strategy: 'spread', ...group }],
      }),
    },
  ];
  const inGroup = (group: Record<string, unknown>, pool: string, workload = deployment('web', 2, SMALL)) =>
    check(manifests(pool, GROUPED, workload), { cluster: printed(group) });
  const judged = (nodeClass: string, workload: string) => check(manifests(nodePool(['m5.large']), nodeClass, workload));

  test('that are unknown make no difference if every type can be launched into any', () => {
    const { assumptions, summary } = judged(GROUPED, deployment('web', 2, SMALL));
    expect(summary.scheduledPods).toBe(2);
    expect(assumptions).toContain(
      'EC2NodeClass main launches into a placement group that is not in the input: the group has room for every node',
    );
  });

  test('that are unknown make a NodePool not evaluated if its types depend on the strategy', () => {
    const { assumptions, notEvaluated } = check(
      manifests(nodePool(['m5.large', 't3.large']), GROUPED, deployment('web', 2, SMALL)),
    );
    expect(notEvaluated).toHaveLength(2);
    expect(assumptions[0]).toMatch(
      /^NodePool default is not evaluated: the placement group of its EC2NodeClass \(pass the output of aws ec2 describe-placement-groups .*\) is unknown/,
    );
  });

  test.each([
    ['cluster', ['m5.large'], ', except for burstable, flexible and very old instance types'],
    ['spread', ['m5.large', 't3.large'], ''],
  ])('with the strategy %s take %j', (Strategy, types, exceptions) => {
    const { nodePools, assumptions } = inGroup({ Strategy }, nodePool(['m5.large', 't3.large']));
    expect([...nodePools[0].instanceTypes].sort()).toEqual(types);
    expect(assumptions).toContain(
      `EC2NodeClass main launches into the placement group pg-1 (${Strategy}): the group has room for every node${exceptions}`,
    );
  });

  test('with partitions spread pods over them', () => {
    const { nodeClaims, notEvaluated } = inGroup(
      { Strategy: 'partition', PartitionCount: 3 },
      nodePool(['m5.large']),
      deploymentSpread(3),
    );
    expect(notEvaluated).toEqual([]);
    expect(nodeClaims.map(({ pods }) => pods.length)).toEqual([1, 1, 1]);
  });

  test('have the number of partitions from the file', () => {
    const pinned = deployment('web', 1, SMALL).replace(
      '    spec:\n',
      `    spec:\n      nodeSelector: { ${PARTITION}: "4" }\n`,
    );
    expect(
      inGroup({ Strategy: 'partition', PartitionCount: 4 }, nodePool(['m5.large']), pinned).summary.scheduledPods,
    ).toBe(1);
    expect(
      inGroup({ Strategy: 'partition', PartitionCount: 3 }, nodePool(['m5.large']), pinned).unschedulable,
    ).toHaveLength(1);
  });

  test.each([
    ['is being deleted', { State: 'deleting' }],
    ['has another name', { GroupName: 'together' }],
    ['has no strategy', { Strategy: undefined }],
    ['has no number of partitions', { Strategy: 'partition' }],
  ])('are unknown if the file has only one that %s', (_, more) => {
    expect(inGroup(more, nodePool(['m5.large']), spread).notEvaluated[0].what[0]).toMatch(
      /^the placement group that it selects/,
    );
  });

  test('are found by ID, too', () => {
    const byId = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { id: pg-1 }\n');
    const verdictOf = (GroupId: string) =>
      check(manifests(nodePool(['m5.large']), byId, spread), {
        cluster: printed({ GroupId, Strategy: 'partition', PartitionCount: 2 }),
      });
    expect(verdictOf('pg-1').summary.scheduledPods).toBe(2);
    expect(verdictOf('pg-2').notEvaluated).toHaveLength(2);
  });

  test('that are unknown make pods that spread over partitions not evaluated', () => {
    expect(judged(GROUPED, spread).notEvaluated[0].what[0]).toMatch(
      /^the placement group that it selects \(pass the output of aws ec2 describe-placement-groups/,
    );
  });

  test('are missing for a class without one, so pods that spread over partitions are unschedulable', () => {
    expect(judged(NODE_CLASS, spread).summary).toMatchObject({ scheduledPods: 0, pods: 2 });
  });
});

describe('capacity reservations', () => {
  const NOT_EVALUATED =
    /^NodePool default is not evaluated: which capacity reservations its EC2NodeClass selects \(pass the output of kubectl get ec2nodeclasses -o yaml as a --cluster file\) /;
  const RESERVING = NODE_CLASS.replace(
    'spec:\n',
    'spec:\n  capacityReservationSelectorTerms: [{ tags: { team: a } }]\n',
  );
  const ofTypes = (...types: string[]) =>
    nodePool(['m5.large']).replace('values: [on-demand]', `values: [${types.join(', ')}]`);
  const WEB = deployment('web', 2, SMALL);
  const clusterWith = (status: Record<string, unknown>) =>
    dump(
      object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', {
        spec: {
          capacityReservationSelectorTerms: [{ tags: { team: 'a' } }],
          subnetSelectorTerms: [{ tags: { a: 'b' } }],
        },
        status,
      }),
    );
  const RESERVATION = {
    id: 'cr-1',
    instanceType: 'm5.large',
    availabilityZone: 'us-east-1a',
    instanceMatchCriteria: 'targeted',
    ownerID: '123456789012',
    reservationType: 'default',
    state: 'active',
  };

  test.each([
    ['only reserved capacity', ofTypes('reserved')],
    [
      'one reservation',
      ofTypes('reserved', 'on-demand').replace(
        'requirements:\n',
        'requirements:\n      - { key: karpenter.k8s.aws/capacity-reservation-id, operator: In, values: [cr-1] }\n',
      ),
    ],
  ])('that are unknown make a NodePool with %s, and its pods, not evaluated', (_, pool) => {
    const { assumptions, notEvaluated, findings } = check(manifests(pool, RESERVING, WEB));
    expect(assumptions[0]).toMatch(NOT_EVALUATED);
    expect(notEvaluated).toHaveLength(2);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(['KARP-004']);
  });

  test('that are unknown are not used if on-demand capacity is allowed as well', () => {
    const { assumptions, summary } = check(manifests(ofTypes('reserved', 'on-demand'), RESERVING, WEB));
    expect(summary.scheduledPods).toBe(2);
    expect(assumptions).toContain(
      'EC2NodeClass main selects capacity reservations that are not in the input: none is used',
    );
  });

  test.each([
    ['a nodeSelector', '      nodeSelector: { karpenter.sh/capacity-type: reserved }\n'],
    [
      'a node affinity',
      '      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: ' +
        '[{ matchExpressions: [{ key: karpenter.k8s.aws/capacity-reservation-type, operator: In, values: [capacity-block] }] }] } } }\n',
    ],
  ])('that are unknown make pods not evaluated that require them by %s', (_, fields) => {
    const { notEvaluated, unschedulable } = check(
      manifests(ofTypes('reserved', 'on-demand'), RESERVING, deployment('web', 1, SMALL, fields)),
    );
    expect(unschedulable).toEqual([]);
    expect(notEvaluated[0].what[0]).toMatch(
      /^the capacity reservations that it requires \(pass the status of EC2NodeClass main, /,
    );
  });

  test.each([
    ['a class that selects none', NODE_CLASS, {}],
    ['a class whose status has none', RESERVING, { cluster: clusterWith({ conditions: [] }) }],
    ['the feature gate off', RESERVING, { featureGates: { ReservedCapacity: false } }],
  ])('are known to be missing with %s', (_, nodeClass, options) => {
    expect(check(manifests(ofTypes('reserved'), nodeClass, WEB), options).findings.map(({ rule }) => rule)).toContain(
      'KARP-201',
    );
  });

  test('are read from the status of the class', () => {
    const { summary, nodePools } = check(manifests(ofTypes('reserved'), RESERVING, WEB), {
      cluster: clusterWith({ capacityReservations: [RESERVATION] }),
    });
    expect([summary.scheduledPods, nodePools[0].capacityTypes]).toEqual([2, ['reserved']]);
  });
});
