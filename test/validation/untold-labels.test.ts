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

describe('placement groups', () => {
  const PARTITION = 'karpenter.k8s.aws/placement-group-partition';
  const GROUPED = NODE_CLASS.replace('spec:\n', 'spec:\n  placementGroupSelector: { name: apart }\n');
  const spread = deployment('web', 2, SMALL,
    `      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ${PARTITION}, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: web } } }]\n`);
  const judged = (nodeClass: string, workload: string) => check(manifests(nodePool(['m5.large']), nodeClass, workload));

  test('of a class are taken to have room for every type, and the verdict says so', () => {
    const { assumptions, summary } = judged(GROUPED, deployment('web', 2, SMALL));
    expect(summary.scheduledPods).toBe(2);
    expect(assumptions).toContain('EC2NodeClass main launches into a placement group: it is taken to have room for every instance type');
  });

  test('whose partitions pods are spread over leave these not evaluated', () => {
    expect(judged(GROUPED, spread).notEvaluated[0].what).toEqual(['the placement group that it asks for']);
  });

  test('are nothing that a class without one could give', () => {
    expect(judged(NODE_CLASS, spread).summary).toMatchObject({ scheduledPods: 0, pods: 2 });
  });
});
