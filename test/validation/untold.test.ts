import { dump, karpenterNode, object } from './cluster/dump';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from './setup';
import { check, CheckOptions } from '../../src/validation';

const ZONE_ID = 'topology.k8s.aws/zone-id';
const KNOWN: CheckOptions = { zones: ['us-east-1a', 'us-east-1b'], zoneIds: { 'us-east-1a': 'use1-az4', 'us-east-1b': 'use1-az6' } };
const inZone = (id: string) => nodePool(['m5.large']).replace('requirements:\n', `requirements:\n      - { key: ${ZONE_ID}, operator: In, values: [${id}] }\n`);
const selecting = (id: string) => deployment('web', 2, SMALL).replace('    spec:\n', `    spec:\n      nodeSelector: { ${ZONE_ID}: ${id} }\n`);

function verdict(pool: string, workload: string, options: CheckOptions = KNOWN) {
  return check(manifests(pool, NODE_CLASS, workload), options);
}

const zones = ({ nodeClaims }: ReturnType<typeof verdict>) => nodeClaims.map((claim) => claim.zones);

describe('ids of zones', () => {
  test('of a NodePool leave it these zones', () => {
    expect(zones(verdict(inZone('use1-az6'), deployment('web', 1, SMALL)))).toEqual([['us-east-1b']]);
  });

  test('of a pod leave its node these zones', () => {
    expect(zones(verdict(nodePool(['m5.large']), selecting('use1-az4')))).toEqual([['us-east-1a']]);
  });

  test('that no zone of the input has leave nothing', () => {
    expect(verdict(nodePool(['m5.large']), selecting('use1-az1')).summary).toMatchObject({ pods: 2, scheduledPods: 0, nodes: 0 });
  });

  test('are not guessed: pods that ask for one are not evaluated where they are not known', () => {
    const { notEvaluated, nodeClaims } = verdict(nodePool(['m5.large']), selecting('use1-az4'), {});
    expect(nodeClaims).toEqual([]);
    expect(notEvaluated[0].what).toEqual(['the zone of each zone id that it asks for (--zones us-east-1a=use1-az1 and so on tells it)']);
  });

  test('are not guessed: a NodePool that asks for one is not judged where they are not known in full', () => {
    const { notEvaluated, assumptions } = verdict(inZone('use1-az6'), deployment('web', 1, SMALL), { ...KNOWN, zoneIds: { 'us-east-1a': 'use1-az4' } });
    expect(notEvaluated).toHaveLength(1);
    expect(assumptions[0]).toMatch(/^NodePool default is not judged: the zone of each zone id that it asks for \(--zones .*\) is known only at deployment$/);
  });

  test('need not be known where nothing asks for them', () => {
    expect(verdict(nodePool(['m5.large']), deployment('web', 1, SMALL), {}).notEvaluated).toEqual([]);
  });

  test.each([
    ['the nodes', [karpenterNode('a', { labels: { [ZONE_ID]: 'use1-az4' } }), karpenterNode('b', { labels: { 'topology.kubernetes.io/zone': 'us-east-1b', [ZONE_ID]: 'use1-az6' } })]],
    ['the status of the class', [object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', { status: { subnets: [{ zone: 'us-east-1a', zoneID: 'use1-az4' }, { zone: 'us-east-1b', zoneID: 'use1-az6' }] } })]],
  ])('are told by %s of the cluster', (_, items) => {
    const given: CheckOptions = { cluster: dump(...items), zones: KNOWN.zones };
    expect(verdict(inZone('use1-az6'), deployment('web', 9, SMALL), given).nodePools[0].zones).toEqual(['us-east-1b']);
  });
});

describe('instance types', () => {
  const family = (name: string) => nodePool(['x']).replace(/node.kubernetes.io.instance-type, operator: In, values: .x./, `karpenter.k8s.aws/instance-family, operator: In, values: [${name}]`);

  test.each([
    ['a type', nodePool(['r9g.large']), 'r9g.large'],
    ['types', nodePool(['r9g.large', 't8i.small']), 'r9g.large and t8i.small'],
    ['a family', family('r9g'), 'r9g'],
    ['a type, of an architecture that the known one beside it has not', nodePool(['m5.large', 'r9g.large']).replace('requirements:\n', 'requirements:\n      - { key: kubernetes.io/arch, operator: In, values: [arm64] }\n'), 'r9g.large'],
  ])('that may be newer than those known leave a NodePool unjudged: %s', (_, pool, named) => {
    const { nodeClaims, notEvaluated, assumptions, findings } = verdict(pool, deployment('web', 1, SMALL));
    expect([nodeClaims, notEvaluated.length, findings.filter(({ severity }) => severity === 'error')]).toEqual([[], 1, []]);
    expect(assumptions[0]).toBe(`NodePool default is not judged: what ${named} is like, newer than the instance types that are known here if there is such, is known only at deployment`);
  });

  test.each([
    ['a size that a known family has not', nodePool(['m5.3xlarge'])],
    ['a generation that is far away', nodePool(['m55.large'])],
    ['no name of a type', nodePool(['large'])],
  ])('that there are none of are an error: %s', (_, pool) => {
    expect(verdict(pool, deployment('web', 1, SMALL)).findings.map(({ rule }) => rule)).toContain('KARP-201');
  });

  test('beside one that is known leave the NodePool that one', () => {
    expect(verdict(nodePool(['r9g.large', 'm5.large']), deployment('web', 1, SMALL)).nodeClaims.map(({ launch }) => launch!.instanceTypes)).toEqual([['m5.large']]);
  });
});

describe('placement groups', () => {
  const PARTITION = 'karpenter.k8s.aws/placement-group-partition';
  const GROUPED = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { name: apart }\n');
  const deploymentSpread = (replicas: number) => deployment('web', replicas, SMALL,
    `      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${PARTITION}, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n`);
  const spread = deploymentSpread(2);
  const printed = (group: Record<string, unknown>) => [{
    path: 'groups.json',
    text: JSON.stringify({ PlacementGroups: [{ GroupName: 'apart', GroupId: 'pg-1', State: 'available', Strategy: 'spread', ...group }] }),
  }];
  const inGroup = (group: Record<string, unknown>, pool: string, workload = deployment('web', 2, SMALL)) =>
    check(manifests(pool, GROUPED, workload), { cluster: printed(group) });
  const judged = (nodeClass: string, workload: string) => check(manifests(nodePool(['m5.large']), nodeClass, workload));

  test('of which nothing is known make no difference where every type can be launched into any', () => {
    const { assumptions, summary } = judged(GROUPED, deployment('web', 2, SMALL));
    expect(summary.scheduledPods).toBe(2);
    expect(assumptions).toContain('EC2NodeClass main launches into a placement group of which nothing is known: it is taken to have room for every node');
  });

  test('of which nothing is known leave a NodePool unjudged that has types for some of them only', () => {
    const { assumptions, notEvaluated } = check(manifests(nodePool(['m5.large', 't3.large']), GROUPED, deployment('web', 2, SMALL)));
    expect(notEvaluated).toHaveLength(2);
    expect(assumptions[0]).toMatch(/^NodePool default is not judged: the placement group of its EC2NodeClass \(what aws ec2 describe-placement-groups .*\) is known/);
  });

  test.each([
    ['cluster', ['m5.large'], ', but of no burstable, flexible or very old instance type'],
    ['spread', ['m5.large', 't3.large'], ''],
  ])('of the strategy %s take %j', (Strategy, types, exceptions) => {
    const { nodePools, assumptions } = inGroup({ Strategy }, nodePool(['m5.large', 't3.large']));
    expect([...nodePools[0].instanceTypes].sort()).toEqual(types);
    expect(assumptions).toContain(`EC2NodeClass main launches into the placement group pg-1 (${Strategy}): it is taken to have room for every node${exceptions}`);
  });

  test('in partitions have pods spread over these', () => {
    const { nodeClaims, notEvaluated } = inGroup({ Strategy: 'partition', PartitionCount: 3 }, nodePool(['m5.large']), deploymentSpread(3));
    expect(notEvaluated).toEqual([]);
    expect(nodeClaims.map(({ pods }) => pods.length)).toEqual([1, 1, 1]);
  });

  test('have no more partitions than EC2 says', () => {
    const pinned = deployment('web', 1, SMALL).replace('    spec:\n', `    spec:\n      nodeSelector: { ${PARTITION}: "4" }\n`);
    expect(inGroup({ Strategy: 'partition', PartitionCount: 4 }, nodePool(['m5.large']), pinned).summary.scheduledPods).toBe(1);
    expect(inGroup({ Strategy: 'partition', PartitionCount: 3 }, nodePool(['m5.large']), pinned).unschedulable).toHaveLength(1);
  });

  test.each([
    ['is on its way out', { State: 'deleting' }],
    ['has another name', { GroupName: 'together' }],
    ['says no strategy', { Strategy: undefined }],
    ['says no number of partitions', { Strategy: 'partition' }],
  ])('that the file does not tell are not known: one that %s', (_, more) => {
    expect(inGroup(more, nodePool(['m5.large']), spread).notEvaluated[0].what[0]).toMatch(/^the placement group that it asks for/);
  });

  test('are found by their id as well', () => {
    const byId = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { id: pg-1 }\n');
    const verdictOf = (GroupId: string) => check(manifests(nodePool(['m5.large']), byId, spread), { cluster: printed({ GroupId, Strategy: 'partition', PartitionCount: 2 }) });
    expect(verdictOf('pg-1').summary.scheduledPods).toBe(2);
    expect(verdictOf('pg-2').notEvaluated).toHaveLength(2);
  });

  test('whose partitions pods are spread over leave these not evaluated', () => {
    expect(judged(GROUPED, spread).notEvaluated[0].what[0]).toMatch(/^the placement group that it asks for \(what aws ec2 describe-placement-groups prints/);
  });

  test('are nothing that a class without one could give', () => {
    expect(judged(NODE_CLASS, spread).summary).toMatchObject({ scheduledPods: 0, pods: 2 });
  });
});

describe('capacity reservations', () => {
  const TELLS = /^NodePool default is not judged: which capacity reservations its EC2NodeClass finds \(its status, as kubectl get ec2nodeclasses -o yaml prints it, tells it, as a file of --cluster\) /;
  const RESERVING = NODE_CLASS.replace('spec:\n', 'spec:\n  capacityReservationSelectorTerms: [{ tags: { team: a } }]\n');
  const ofTypes = (...types: string[]) => nodePool(['m5.large']).replace('values: [on-demand]', `values: [${types.join(', ')}]`);
  const WEB = deployment('web', 2, SMALL);
  const found = (status: Record<string, unknown>) => dump(object('karpenter.k8s.aws/v1', 'EC2NodeClass', 'main', {
    spec: { capacityReservationSelectorTerms: [{ tags: { team: 'a' } }], subnetSelectorTerms: [{ tags: { a: 'b' } }] }, status,
  }));
  const RESERVATION = { id: 'cr-1', instanceType: 'm5.large', availabilityZone: 'us-east-1a', instanceMatchCriteria: 'targeted', ownerID: '123456789012', reservationType: 'default', state: 'active' };

  test.each([
    ['reserved capacity alone', ofTypes('reserved')],
    ['one of them', ofTypes('reserved', 'on-demand').replace('requirements:\n', 'requirements:\n      - { key: karpenter.k8s.aws/capacity-reservation-id, operator: In, values: [cr-1] }\n')],
  ])('of which nothing is known leave a NodePool of %s unjudged, and its pods not evaluated', (_, pool) => {
    const { assumptions, notEvaluated, findings } = check(manifests(pool, RESERVING, WEB));
    expect(assumptions[0]).toMatch(TELLS);
    expect(notEvaluated).toHaveLength(2);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('of which nothing is known are taken not to be there where there is capacity on demand as well', () => {
    const { assumptions, summary } = check(manifests(ofTypes('reserved', 'on-demand'), RESERVING, WEB));
    expect(summary.scheduledPods).toBe(2);
    expect(assumptions).toContain('EC2NodeClass main selects capacity reservations of which nothing is known: none is taken to be there');
  });

  test.each([
    ['a nodeSelector', '      nodeSelector: { karpenter.sh/capacity-type: reserved }\n'],
    ['a node affinity', '      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: '
      + '[{ matchExpressions: [{ key: karpenter.k8s.aws/capacity-reservation-type, operator: In, values: [capacity-block] }] }] } } }\n'],
  ])('of which nothing is known leave pods not evaluated that ask for them by %s', (_, fields) => {
    const { notEvaluated, unschedulable } = check(manifests(ofTypes('reserved', 'on-demand'), RESERVING, deployment('web', 1, SMALL, fields)));
    expect(unschedulable).toEqual([]);
    expect(notEvaluated[0].what[0]).toMatch(/^the capacity reservations that it asks for \(the status of EC2NodeClass main, /);
  });

  test.each([
    ['a class that selects none', NODE_CLASS, {}],
    ['a class that has found none', RESERVING, { cluster: found({ conditions: [] }) }],
    ['a closed gate', RESERVING, { featureGates: { ReservedCapacity: false } }],
  ])('are known not to be there with %s', (_, nodeClass, options) => {
    expect(check(manifests(ofTypes('reserved'), nodeClass, WEB), options).findings.map(({ rule }) => rule)).toContain('KARP-201');
  });

  test('are known by the status of the class', () => {
    const { summary, nodePools } = check(manifests(ofTypes('reserved'), RESERVING, WEB), { cluster: found({ capacityReservations: [RESERVATION] }) });
    expect([summary.scheduledPods, nodePools[0].capacityTypes]).toEqual([2, ['reserved']]);
  });
});
