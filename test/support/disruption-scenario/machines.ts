import { ago, DisruptionDraft, HOUR, Machine, MINUTE } from './draft';
import { groupFor, groupLabels, isOfTypes } from './group-labels';
import { fits } from './requirements';
import {
  Catalog,
  DEFAULT_NODE_CLASS,
  describeInstanceType,
  InstanceTypeTable,
  supportsClusterPlacementGroups,
} from '../../../src/catalog';
import { Json, poolTemplate } from '../schedule-scenario/draft';
import { PUBLISHED_TYPES } from '../schedule-scenario/types';
import { uniformFigures } from '../uniform-figures';

const READY = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
/** Limits of a machine: larger nodes are rarely launched for the workloads of the scenarios. */
const MOST_CPUS = 32;
const DRAWS = 60;

/** A node of the pool that has existed for some time and has no pods. */
export function addMachine(draft: DisruptionDraft, pool: Json): Machine {
  const { dice, settings, machines } = draft;
  const name = `${pool.metadata.name}-${dice.pick(['a', 'k', 'z'])}${String(machines.length).padStart(2, '0')}`;
  const reservation = reservationFor(draft, pool);
  const group = groupFor(draft, pool);
  const type = typeFor(draft, pool, group?.Strategy === 'cluster', reservation?.instanceType);
  const zone = reservation?.availabilityZone ?? valueOf(draft, pool, 'topology.kubernetes.io/zone', settings.zones);
  const created = dice.between(10 * MINUTE, 100 * HOUR);
  const labels = {
    ...type.labels,
    ...labelsOf(pool),
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': settings.region,
    'karpenter.sh/nodepool': pool.metadata.name,
    ...(reservation ? reservedLabels(reservation) : { 'karpenter.sh/capacity-type': capacityTypeFor(draft, pool) }),
    ...(group ? groupLabels(dice, group, pool) : {}),
  };
  const {
    taints = [],
    startupTaints,
    nodeClassRef,
    requirements,
    expireAfter,
    terminationGracePeriod,
  } = poolTemplate(pool).spec;
  const status = { capacity: type.capacity, allocatable: type.allocatable };
  const providerID = `aws:///${zone}/i-${name}`;
  const createdAt = ago(draft, created);
  const machine: Machine = {
    name,
    pool: pool.metadata.name,
    node: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        uid: `node-${name}`,
        creationTimestamp: createdAt,
        labels: { ...labels, 'kubernetes.io/hostname': name, ...READY },
      },
      spec: { providerID, taints },
      status: { ...status, conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: createdAt }] },
    },
    claim: {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `${name}c`, uid: `claim-${name}`, creationTimestamp: createdAt, labels },
      spec: { nodeClassRef, requirements, taints, startupTaints, expireAfter, terminationGracePeriod },
      status: {
        ...status,
        providerID,
        nodeName: name,
        conditions: ['Launched', 'Registered', 'Initialized'].map((each) =>
          condition(each, ago(draft, created - MINUTE)),
        ),
        ...(dice.chance(0.7) ? { lastPodEventTime: ago(draft, dice.between(0, Math.min(created, 2 * HOUR))) } : {}),
      },
    },
    pods: [],
    free: {
      cpu: millis(type.allocatable.cpu),
      memory: mebis(type.allocatable.memory),
      pods: Number(type.allocatable.pods),
    },
  };
  machines.push(machine);
  return machine;
}

export function condition(type: string, lastTransitionTime: string, reason = type): Json {
  return { type, status: 'True', reason, message: '', lastTransitionTime };
}

/** An instance in a capacity reservation of the pool's node class. */
function reservationFor({ dice, cluster, settings }: DisruptionDraft, pool: Json): Json | undefined {
  const {
    nodeClassRef: { name },
  } = poolTemplate(pool).spec;
  const known =
    cluster.find(({ kind, metadata }) => kind === 'EC2NodeClass' && metadata.name === name)?.status
      ?.capacityReservations ?? [];
  const usable = (known as Json[]).filter(({ instanceType }) => tableFor(settings).names.includes(instanceType));
  return usable.length > 0 && dice.chance(0.5) ? dice.pick(usable) : undefined;
}

function reservedLabels({ id, reservationType, interruptible }: Json): Json {
  return {
    'karpenter.sh/capacity-type': 'reserved',
    'karpenter.k8s.aws/capacity-reservation-id': id,
    'karpenter.k8s.aws/capacity-reservation-type': reservationType,
    'karpenter.k8s.aws/capacity-reservation-interruptible': String(interruptible),
  };
}

function capacityTypeFor(draft: DisruptionDraft, pool: Json): string {
  const value = valueOf(draft, pool, 'karpenter.sh/capacity-type', ['spot', 'on-demand', 'on-demand']);
  return value === 'reserved' ? 'on-demand' : value;
}

function typeFor({ dice, settings }: DisruptionDraft, pool: Json, close: boolean, name?: string) {
  const table = tableFor(settings);
  if (name !== undefined) return describeInstanceType(table, table.names.indexOf(name));
  const requirements = (poolTemplate(pool).spec.requirements as Json[]).filter(isOfTypes);
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const type = describeInstanceType(table, dice.between(0, table.names.length - 1));
    if (close && !supportsClusterPlacementGroups(type.name)) continue;
    if (Number.parseInt(type.capacity.cpu, 10) <= MOST_CPUS && fits(type.labels, requirements)) return type;
  }
  return describeInstanceType(table, dice.between(0, table.names.length - 1));
}

const tables = new Map<string, InstanceTypeTable>();

function tableFor(settings: DisruptionDraft['settings']): InstanceTypeTable {
  const { region, zones, instanceTypes = PUBLISHED_TYPES } = settings;
  const key = JSON.stringify([region, zones, instanceTypes]);
  const table =
    tables.get(key) ??
    Catalog.load({ region, zones, instanceTypes, figures: uniformFigures(region) }).resolve(DEFAULT_NODE_CLASS);
  tables.set(key, table);
  return table;
}

function valueOf({ dice }: DisruptionDraft, pool: Json, key: string, all: readonly string[]): string {
  const written = (poolTemplate(pool).spec.requirements as Json[]).find(
    (each) => each.key === key && each.operator === 'In',
  );
  return dice.pick(written?.values ?? all);
}

/** The labels of a node of the pool that do not depend on its instance type. */
function labelsOf(pool: Json): Json {
  const { metadata, spec } = poolTemplate(pool);
  const custom = (spec.requirements as Json[])
    .filter(({ key, operator }) => /^(team|tier)/.test(key) && operator === 'In')
    .map(({ key, values }) => [key, values[0]]);
  return {
    ...Object.fromEntries(custom),
    ...metadata.labels,
    'karpenter.k8s.aws/ec2nodeclass': spec.nodeClassRef.name,
  };
}

export function millis(cpu = '0'): number {
  return cpu.endsWith('m') ? Number.parseInt(cpu, 10) : Number(cpu) * 1_000;
}

const MEBIS: Readonly<Record<string, number>> = { Ki: 1 / 1_024, Mi: 1, Gi: 1_024, Ti: 1_024 ** 2 };

export function mebis(memory = '0'): number {
  const [, digits, unit] = /^([\d.]+)([KMGT]i)?$/.exec(memory) ?? [];
  return Number(digits ?? 0) * (unit ? MEBIS[unit] : 1 / 1_024 ** 2);
}
