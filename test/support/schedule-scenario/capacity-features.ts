import { Dice } from './dice';
import { Draft, Feature, Json, podOf, poolTemplate, somePools, someWorkloads } from './draft';
import { placementGroups } from './placement-groups';
import { inOneOf, nodePool } from './pools';

const AWS = 'karpenter.k8s.aws/';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';

/** The node class in the cluster: as in the manifests, with the status that Karpenter wrote. */
export function inCluster({ cluster, nodeClasses }: Draft, at: number): Json {
  const {
    metadata: { name },
  } = nodeClasses[at];
  let known = cluster.find(({ kind, metadata }) => kind === 'EC2NodeClass' && metadata.name === name);
  if (!known) {
    known = { ...nodeClasses[at], status: {} };
    cluster.push(known);
  }
  return known;
}

const zonalSubnets: Feature = {
  name: 'zonalSubnets',
  apply(draft) {
    const { dice, settings, nodeClasses } = draft;
    nodeClasses.forEach((_, at) => {
      if (at > 0 && dice.chance(0.4)) return;
      inCluster(draft, at).status.subnets = dice
        .some(settings.zones, dice.between(1, Math.max(1, settings.zones.length - 1)))
        .map((zone, index) => ({
          id: `subnet-0${at}${index}`,
          zone,
          zoneID: `use1-az${settings.zones.indexOf(zone) + 1}`,
        }));
    });
  },
};

const RESERVED_TYPES = [
  'm5.large',
  'm5.xlarge',
  'c5.large',
  'c5.2xlarge',
  'r5.xlarge',
  't3.medium',
  'm6g.large',
  'm6i.2xlarge',
  'p5.48xlarge',
];

const capacityReservations: Feature = {
  name: 'capacityReservations',
  apply(draft) {
    const { dice, settings, nodeClasses, cluster } = draft;
    if (dice.chance(0.08)) settings.featureGates.ReservedCapacity = false;
    nodeClasses[0].spec.capacityReservationSelectorTerms = [{ tags: { team: 'platform' } }];
    const known = inCluster(draft, 0);
    const ids = Array.from({ length: dice.between(1, 4) }, (_, at) => `cr-0${at}f${dice.between(10000, 99999)}`);
    known.spec = nodeClasses[0].spec;
    known.status.capacityReservations = ids.map((id) => reservation(dice, id, settings.zones));
    cluster.push({
      CapacityReservations: ids.map((id) => ({
        CapacityReservationId: id,
        AvailableInstanceCount: dice.pick([0, 1, 1, 2, 3, 10]),
      })),
    });
    for (const pool of somePools(draft)) addCapacityTypes(dice, pool);
    if (!dice.chance(0.3)) return;
    const [wanted] = ids;
    for (const workload of someWorkloads(draft)) {
      podOf(workload).spec.nodeSelector = {
        ...podOf(workload).spec.nodeSelector,
        ...dice.pick<Json>([{ [CAPACITY_TYPE]: 'reserved' }, { [`${AWS}capacity-reservation-id`]: wanted }]),
      };
    }
  },
};

function reservation(dice: Dice, id: string, zones: readonly string[]): Json {
  const block = dice.chance(0.15);
  return {
    id,
    availabilityZone: dice.pick(zones),
    instanceType: dice.pick(RESERVED_TYPES),
    instanceMatchCriteria: dice.pick(['open', 'targeted']),
    ownerID: '012345678901',
    reservationType: block ? 'capacity-block' : 'default',
    interruptible: !block && dice.chance(0.1),
    state: block && dice.chance(0.3) ? 'expiring' : 'active',
  };
}

function addCapacityTypes(dice: Dice, pool: Json): void {
  const requirements: Json[] = poolTemplate(pool).spec.requirements;
  const written = requirements.find(({ key }) => key === CAPACITY_TYPE);
  const values = dice.pick([
    ['reserved', 'on-demand'],
    ['reserved', 'on-demand', 'spot'],
    ['reserved'],
    ['reserved', 'spot'],
  ]);
  if (written) written.values = values;
  else if (dice.chance(0.5)) requirements.push(inOneOf(CAPACITY_TYPE, ...values));
}

const nodeOverlays: Feature = {
  name: 'nodeOverlays',
  apply(draft) {
    const { dice, settings, others, pools } = draft;
    settings.featureGates.NodeOverlay = !dice.chance(0.08);
    if (dice.chance(0.3)) for (const pool of somePools(draft)) poolTemplate(pool).metadata.labels ??= { team: 'blue' };
    const names = pools.map(({ metadata }) => metadata.name as string);
    for (let at = dice.between(1, 5); at > 0; at -= 1) others.push(overlay(dice, names, at));
    for (const workload of dice.chance(0.7) ? someWorkloads(draft) : []) {
      const [resource, amount] = dice.pick([
        ['example.com/widget', '1'],
        ['example.com/widget', '2'],
        ['hugepages-2Mi', '256Mi'],
      ]);
      const { resources } = podOf(workload).spec.containers[0];
      resources.requests = { ...resources.requests, [resource]: amount };
      resources.limits = { ...resources.limits, [resource]: amount };
    }
  },
};

function overlay(dice: Dice, pools: readonly string[], at: number): Json {
  const requirements = dice.some<Json>(
    [
      inOneOf(
        `${AWS}instance-family`,
        ...dice.some(['c5', 'm5', 'r5', 't3', 'm6i', 'c7g', 'm7g', 't4g'], dice.between(1, 4)),
      ),
      inOneOf(CAPACITY_TYPE, dice.pick(['spot', 'on-demand'])),
      inOneOf('karpenter.sh/nodepool', dice.pick(pools)),
      {
        key: `${AWS}instance-cpu`,
        operator: dice.pick(['Gte', 'Lte', 'Gt', 'Lt']),
        values: [dice.pick(['2', '4', '8', '16'])],
      },
      { key: `${AWS}instance-gpu-count`, operator: dice.pick(['Exists', 'DoesNotExist']) },
      { key: 'team', operator: dice.pick(['Exists', 'DoesNotExist']) },
      inOneOf('kubernetes.io/arch', dice.pick(['arm64', 'amd64'])),
      { key: `${AWS}instance-size`, operator: 'NotIn', values: ['large', 'xlarge'] },
    ],
    dice.between(0, 3),
  );
  const single = dice.chance(0.3);
  if (single)
    requirements.push(
      inOneOf(
        'node.kubernetes.io/instance-type',
        dice.pick(['m5.large', 'c5.large', 'm5.xlarge', 't3.medium', 'm6g.large']),
      ),
    );
  const price = single
    ? { price: dice.pick(['0.0501', '1.5003', '0.0307']) }
    : { priceAdjustment: dice.pick(['+10%', '-51.3%', '+0.0213', '+301%', '-7%']) };
  const capacity = dice.pick<Json>([
    { 'example.com/widget': dice.pick(['1', '4', '16']) },
    { 'hugepages-2Mi': dice.pick(['1Gi', '6Gi', '100Gi']) },
    { 'nvidia.com/gpu': '2' },
    { 'example.com/widget': '8', 'hugepages-1Gi': '2Gi' },
  ]);
  return {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    metadata: { name: `overlay-${dice.pick(['a', 'b', 'c', 'd'])}${at}` },
    spec: {
      requirements,
      ...(single || dice.chance(0.7) ? price : {}),
      ...(dice.chance(0.6) ? { capacity } : {}),
      ...(dice.chance(0.7) ? { weight: dice.pick([1, 1, 5, 10]) } : {}),
    },
  };
}

const staticPools: Feature = {
  name: 'staticPools',
  apply(draft) {
    const { dice, settings, pools } = draft;
    settings.featureGates.StaticCapacity = !dice.chance(0.1);
    // If all pools are static, Karpenter schedules no pod.
    if (pools.length === 1) pools.push(nodePool(dice, 1, 'default'));
    for (const pool of somePools(draft).slice(0, pools.length - 1)) {
      pool.spec.replicas = dice.pick([0, 1, 1, 2, 3, 5]);
      delete pool.spec.weight;
      delete pool.spec.limits;
      if (dice.chance(0.3)) pool.spec.limits = { nodes: dice.pick(['1', '2', '10']) };
    }
  },
};

const capacityBuffers: Feature = {
  name: 'capacityBuffers',
  apply(draft) {
    const { dice, settings, workloads, others } = draft;
    settings.featureGates.CapacityBuffer = !dice.chance(0.1);
    const scalable = workloads.filter(({ kind }) => ['Deployment', 'StatefulSet', 'ReplicaSet'].includes(kind));
    for (let at = 0; at < dice.between(1, 2); at += 1) {
      const target = scalable.length > 0 && dice.chance(0.7) ? dice.pick(scalable) : undefined;
      if (!target) others.push(podTemplate(dice, `buffer-${at}`));
      others.push(capacityBuffer(dice, `buffer-${at}`, target));
    }
  },
};

/** @param target workload of the buffer; absent if a PodTemplate has the buffer's name */
export function capacityBuffer(dice: Dice, name: string, target?: Json): Json {
  const size = dice.pick<Json>([
    { replicas: dice.between(1, 6) },
    target ? { percentage: dice.pick([10, 50, 130]) } : { replicas: 3 },
    { replicas: 4, limits: { cpu: dice.pick(['1', '3']) } },
  ]);
  return {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name, ...(target?.metadata.namespace ? { namespace: target.metadata.namespace } : {}) },
    spec: {
      ...(target
        ? { scalableRef: { apiGroup: 'apps', kind: target.kind, name: target.metadata.name } }
        : { podTemplateRef: { name } }),
      ...size,
    },
  };
}

export function podTemplate(dice: Dice, name: string): Json {
  const resources = { requests: { cpu: dice.pick(['500m', '2', '4']), memory: dice.pick(['1Gi', '8Gi']) } };
  return {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'registry.example/app:1', resources }] },
    },
  };
}

/** Applied after the features of node classes and pools. */
export const CAPACITY_FEATURES: readonly Feature[] = [
  zonalSubnets,
  capacityReservations,
  placementGroups,
  nodeOverlays,
  staticPools,
  capacityBuffers,
];
