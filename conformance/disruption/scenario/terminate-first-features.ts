import { DisruptionDraft, DisruptionFeature, Machine, someOf } from './draft';
import { addPod } from './inhabit';
import { addFault, drift } from './node-features';
import { inCluster } from '../../schedule/scenario/capacity-features';
import { Json, poolTemplate } from '../../schedule/scenario/draft';

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const RESERVATION = 'karpenter.k8s.aws/capacity-reservation-';

/** Nodes that hold what there is of capacity reservations, and mostly all of it. */
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

/** Static pools that may have no node more, or whose capacity reservations have room for none. */
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

/** One of a pool: Karpenter repairs none where many are not well. */
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
        if (dice.chance(0.2)) node.metadata.annotations = { ...node.metadata.annotations, 'karpenter.sh/do-not-repair': 'true' };
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

/** Most nodes have no room for pods of others. */
function fill(draft: DisruptionDraft): void {
  const { dice } = draft;
  const roomy = dice.pick([0, 0, 0, 0.1, 1]);
  for (const machine of launched(draft)) {
    const cpu = Math.floor(machine.free.cpu) - dice.pick([10, 50, 100]);
    if (machine.free.pods < 1 || cpu < 100 || dice.chance(roomy)) continue;
    const labels = { app: dice.pick(['batch', 'web']) };
    const owner = { apiVersion: 'apps/v1', kind: dice.pick(['ReplicaSet', 'ReplicaSet', 'StatefulSet']), name: 'filler', uid: 'of-filler', controller: true };
    const containers = [{ name: 'main', image: 'registry.example/app:1', resources: { requests: { cpu: `${cpu}m` } } }];
    const tolerations = dice.chance(0.9) ? [{ operator: 'Exists', effect: 'NoSchedule' }] : [];
    addPod(draft, machine, { name: `filler-${machine.name}`, labels, owner, spec: { containers, tolerations } });
  }
}

/** Nodes of the pools are instances of reservations of their class now. */
function reserve(draft: DisruptionDraft, pools: readonly Json[]): void {
  const { dice, nodeClasses, cluster } = draft;
  const [nodeClass] = nodeClasses;
  const known = inCluster(draft, 0);
  for (const each of [nodeClass, known]) each.spec = { ...each.spec, capacityReservationSelectorTerms: [{ tags: { team: 'platform' } }] };
  const reservations: Json[] = [];
  for (const pool of pools) {
    if (poolTemplate(pool).spec.nodeClassRef.name !== nodeClass.metadata.name) continue;
    offer(draft, pool);
    for (const machine of someOf(draft, launchedOf(draft, pool), [0.5, 1, 1])) hold(draft, machine, reservations);
  }
  known.status = { ...known.status, capacityReservations: [...known.status?.capacityReservations ?? [], ...reservations] };
  const free = () => dice.pick([0, 0, 0, 0, 0, 0, 0, 1]);
  cluster.push({ CapacityReservations: reservations.map(({ id }) => ({ CapacityReservationId: id, AvailableInstanceCount: free() })) });
}

/** Reserved capacity alone, most often. */
function offer({ dice }: DisruptionDraft, pool: Json): void {
  const { spec } = poolTemplate(pool);
  const values = dice.pick([['reserved'], ['reserved'], ['reserved'], ['reserved'], ['reserved', 'on-demand'], ['reserved', 'spot']]);
  spec.requirements = [...spec.requirements.filter(({ key }: Json) => key !== CAPACITY_TYPE), { key: CAPACITY_TYPE, operator: 'In', values }];
}

/** Those of one type and zone are in one reservation. */
function hold({ dice }: DisruptionDraft, { node, claim }: Machine, reservations: Json[]): void {
  const { 'node.kubernetes.io/instance-type': instanceType, 'topology.kubernetes.io/zone': availabilityZone } = node.metadata.labels;
  if (availabilityZone === undefined) return;
  let found = reservations.find((each) => each.instanceType === instanceType && each.availabilityZone === availabilityZone);
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
  for (const { metadata: { labels } } of [node, claim]) {
    labels[CAPACITY_TYPE] = 'reserved';
    // Of some it has found a reservation of another class, or none.
    labels[`${RESERVATION}id`] = dice.chance(0.05) ? 'cr-00000' : found.id;
    labels[`${RESERVATION}type`] = found.reservationType;
    labels[`${RESERVATION}interruptible`] = String(found.interruptible);
  }
}

/** After those of nodes: what is left of these. */
export const TERMINATE_FIRST_FEATURES: readonly DisruptionFeature[] = [driftOfReservedNodes, driftOfFullStaticPools, repairOfReservedNodes];
