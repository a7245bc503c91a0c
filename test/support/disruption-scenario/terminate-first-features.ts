import { DisruptionDraft, DisruptionFeature, Machine, someOf } from './draft';
import { addFault, drift } from './node-features';
import { addPod } from './place-pods';
import { inCluster } from '../schedule-scenario/capacity-features';
import { Json, poolTemplate } from '../schedule-scenario/draft';

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const RESERVATION = 'karpenter.k8s.aws/capacity-reservation-';

/** Nodes that use the capacity reservations, in most scenarios completely. */
const driftOfReservedNodes: DisruptionFeature = {
  name: 'driftOfReservedNodes',
  apply(draft) {
    const { dice, settings } = draft;
    settings.featureGates.TerminateFirstDrift = !dice.chance(0.1);
    reserve(draft, someOf(draft, draft.pools, [0.5, 1, 1, 1]));
    fill(draft);
    for (const { claim } of someOf(draft, launched(draft))) drift(claim, draft);
  },
};

/** Static pools that are at their node limit, or whose capacity reservations are full. */
const driftOfFullStaticPools: DisruptionFeature = {
  name: 'driftOfFullStaticPools',
  apply(draft) {
    const { dice, settings } = draft;
    settings.featureGates.TerminateFirstDrift = !dice.chance(0.1);
    const pools = someOf(draft, draft.pools, [0.5, 1, 1, 1]);
    if (dice.chance(0.6)) reserve(draft, pools);
    for (const pool of pools) {
      makeStatic(draft, pool);
      for (const { claim } of someOf(draft, launchedOf(draft, pool))) drift(claim, draft);
    }
  },
};

/** One unhealthy node for each pool: Karpenter repairs no node of a pool with many unhealthy nodes. */
const repairOfReservedNodes: DisruptionFeature = {
  name: 'repairOfReservedNodes',
  apply(draft) {
    const { dice, settings } = draft;
    settings.featureGates.NodeRepair = true;
    settings.featureGates.TerminateFirstRepair = !dice.chance(0.1);
    const pools = someOf(draft, draft.pools, [0.5, 1, 1, 1]);
    if (dice.chance(0.8)) reserve(draft, pools);
    fill(draft);
    for (const pool of pools) {
      if (dice.chance(0.3)) makeStatic(draft, pool);
      for (const { node } of dice.some(launchedOf(draft, pool), 1)) {
        addFault(node, draft, [35, 120]);
        if (dice.chance(0.2))
          node.metadata.annotations = { ...node.metadata.annotations, 'karpenter.sh/do-not-repair': 'true' };
      }
    }
  },
};

function launched({ machines }: DisruptionDraft): Machine[] {
  return machines.filter(({ claim }) => claim);
}

function launchedOf(draft: DisruptionDraft, { metadata: { name } }: Json): Machine[] {
  return launched(draft).filter(({ pool }) => pool === name);
}

function makeStatic(draft: DisruptionDraft, pool: Json): void {
  const { dice, settings } = draft;
  const own = launchedOf(draft, pool).length;
  settings.featureGates.StaticCapacity = true;
  pool.spec.replicas = Math.max(0, own + dice.pick([-1, 0, 0, 0, 0, 1]));
  delete pool.spec.weight;
  delete pool.spec.limits;
  if (dice.chance(0.6)) pool.spec.limits = { nodes: String(Math.max(1, own + dice.pick([-1, 0, 0, 0, 1, 2]))) };
}

/** Fills most nodes, so that they have no room for the pods of removed nodes. */
function fill(draft: DisruptionDraft): void {
  const { dice } = draft;
  const roomy = dice.pick([0, 0, 0, 0.1, 1]);
  for (const machine of launched(draft)) {
    const cpu = Math.floor(machine.free.cpu) - dice.pick([10, 50, 100]);
    if (machine.free.pods < 1 || cpu < 100 || dice.chance(roomy)) continue;
    const labels = { app: dice.pick(['batch', 'web']) };
    const owner = {
      apiVersion: 'apps/v1',
      kind: dice.pick(['ReplicaSet', 'ReplicaSet', 'StatefulSet']),
      name: 'filler',
      uid: 'of-filler',
      controller: true,
    };
    const containers = [{ name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: `${cpu}m` } } }];
    const tolerations = dice.chance(0.9) ? [{ operator: 'Exists', effect: 'NoSchedule' }] : [];
    addPod(draft, machine, { name: `filler-${machine.name}`, labels, owner, spec: { containers, tolerations } });
  }
}

/** Turns the nodes of the pools into instances of their class's capacity reservations. */
function reserve(draft: DisruptionDraft, pools: readonly Json[]): void {
  const { dice, nodeClasses, cluster } = draft;
  const [nodeClass] = nodeClasses;
  const known = inCluster(draft, 0);
  for (const each of [nodeClass, known])
    each.spec = { ...each.spec, capacityReservationSelectorTerms: [{ tags: { team: 'platform' } }] };
  const reservations: Json[] = [];
  for (const pool of pools) {
    if (poolTemplate(pool).spec.nodeClassRef.name !== nodeClass.metadata.name) continue;
    offer(draft, pool);
    for (const machine of someOf(draft, launchedOf(draft, pool), [0.5, 1, 1])) hold(draft, machine, reservations);
  }
  known.status = {
    ...known.status,
    capacityReservations: [...(known.status?.capacityReservations ?? []), ...reservations],
  };
  const free = () => dice.pick([0, 0, 0, 0, 0, 0, 0, 1]);
  cluster.push({
    CapacityReservations: reservations.map(({ id }) => ({ CapacityReservationId: id, AvailableInstanceCount: free() })),
  });
}

/** Restricts the pool to reserved capacity in most cases. */
function offer({ dice }: DisruptionDraft, pool: Json): void {
  const { spec } = poolTemplate(pool);
  const values = dice.pick([
    ['reserved'],
    ['reserved'],
    ['reserved'],
    ['reserved'],
    ['reserved', 'on-demand'],
    ['reserved', 'spot'],
  ]);
  spec.requirements = [
    ...spec.requirements.filter(({ key }: Json) => key !== CAPACITY_TYPE),
    { key: CAPACITY_TYPE, operator: 'In', values },
  ];
}

/** One reservation for each instance type and zone. */
function hold({ dice }: DisruptionDraft, { node, claim }: Machine, reservations: Json[]): void {
  const { 'node.kubernetes.io/instance-type': instanceType, 'topology.kubernetes.io/zone': availabilityZone } =
    node.metadata.labels;
  if (availabilityZone === undefined) return;
  let found = reservations.find(
    (each) => each.instanceType === instanceType && each.availabilityZone === availabilityZone,
  );
  if (!found) {
    const type = dice.chance(0.1) ? 'capacity-block' : 'default';
    found = {
      id: `cr-1${reservations.length}f${dice.between(10000, 99999)}`,
      availabilityZone,
      instanceType,
      instanceMatchCriteria: dice.pick(['open', 'targeted']),
      ownerID: '012345678901',
      reservationType: type,
      interruptible: type === 'default' && dice.chance(0.1),
      state: type === 'capacity-block' && dice.chance(0.3) ? 'expiring' : 'active',
    };
    reservations.push(found);
  }
  for (const {
    metadata: { labels },
  } of [node, claim]) {
    labels[CAPACITY_TYPE] = 'reserved';
    // Some node classes have found a reservation of another class, or none.
    labels[`${RESERVATION}id`] = dice.chance(0.05) ? 'cr-00000' : found.id;
    labels[`${RESERVATION}type`] = found.reservationType;
    labels[`${RESERVATION}interruptible`] = String(found.interruptible);
  }
}

/** Features that are applied after the node features. */
export const TERMINATE_FIRST_FEATURES: readonly DisruptionFeature[] = [
  driftOfReservedNodes,
  driftOfFullStaticPools,
  repairOfReservedNodes,
];
