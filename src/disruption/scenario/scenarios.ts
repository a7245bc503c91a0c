import { DISRUPTED_TAINT, Interruption, interruptionOfKind, UNAVAILABLE_SECONDS } from '../../contract';
import { Label } from '../../model';
import { Cluster, ClusterNode, Instant } from '../cluster';
import { copyOfClaim, copyOfNode } from '../copies';
import { capacityBlockEnds } from './capacity-block';
import { DeletionTarget, deletions } from './deletion';
import { Disruptor } from './disruptor';
import { drain } from './drain-node';
import { jobEnds } from './job-ends';
import { CONSOLIDATION } from './next-look';
import { nodeRepairs } from './node-repair';
import { Happening, run } from './run';
import { scaleDowns } from './scale-down';
import { ScenarioReport } from './scenario-report';
import { checkTimes, DEFAULT_START, DEFAULT_TIMES, ScenarioTimes } from './scenario-times';
import { base, Stage } from './stage';
import { avoid } from './tried-offerings';
import { lossesOn, UNREACHABLE_SECONDS } from './unreachable';
import { World } from './world';

export const SCENARIOS = [
  'consolidation', 'spot-interruption', 'zone-outage', 'drift', 'expiration', 'capacity-block', 'node-repair', 'deletion', 'scale-down', 'job-end',
] as const;
export type ScenarioName = typeof SCENARIOS[number];

export interface ScenarioOptions {
  /** @default DEFAULT_TIMES */
  readonly times?: Partial<ScenarioTimes>;
  /** Decides which budgets are active. @default a Monday, 12:00 UTC */
  readonly start?: Instant;
  /** The nodes that the scenario `drift` is about. @default - every node, as after a new AMI */
  readonly drifted?: readonly DriftedNode[];
  /** What is deleted in the scenario `deletion`. @default - every NodePool, each by itself */
  readonly of?: DeletionTarget;
  /** Whose pods end in the scenario `job-end`, by `workloadKey`. @default - those of every Job that has any, each by itself */
  readonly jobs?: readonly string[];
}

export interface DriftedNode {
  readonly node: string;
  /** Karpenter's own. */
  readonly reason: string;
  /** What has changed. */
  readonly fields: readonly string[];
}

/** EC2 tells two minutes before it takes a spot instance. */
const SPOT_NOTICE = 120_000;

/**
 * What becomes of the workloads, one report for each thing that can happen: each spot node and each instance pool, each zone, each group of
 * nodes that expire together, each capacity block, each Job.
 *
 * @throws PackerLimitError where the pools alone are more than the solver takes
 * @throws RangeError for a time that it cannot take
 * @throws UnknownTargetError where there is nothing of the name that is to be deleted
 */
export function runScenario(name: ScenarioName, cluster: Cluster, options: ScenarioOptions = {}): ScenarioReport[] {
  const scene = { cluster, start: options.start ?? DEFAULT_START, times: timesOf(name, options) };
  switch (name) {
    case 'consolidation': return [run({ ...base(name, scene), disruptor: new Disruptor(scene.start, CONSOLIDATION) })];
    case 'drift': return [roll(scene, options.drifted)];
    case 'spot-interruption': return spotInterruptions(scene);
    case 'zone-outage': return zones(cluster).map((zone) => zoneOutage(zone, scene));
    case 'expiration': return expirations(scene);
    case 'capacity-block': return capacityBlockEnds(scene);
    case 'node-repair': return nodeRepairs(scene);
    case 'deletion': return deletions(scene, options.of);
    case 'scale-down': return scaleDowns(scene);
    case 'job-end': return jobEnds(scene, options.jobs);
  }
}

/** What holds where nothing else is said. */
export function timesOf(scenario: ScenarioName, { times }: ScenarioOptions): ScenarioTimes {
  return checkTimes({ ...DEFAULT_TIMES, ...(scenario === 'expiration' ? { horizon: Infinity } : {}), ...times });
}

/** Nodes that Karpenter knows to have drifted are rolled in any case. */
function roll(stage: Stage, drifted: readonly DriftedNode[] | undefined): ScenarioReport {
  const reasons = new Map(drifted?.map(({ node, reason }) => [node, reason]));
  const nodes = stage.cluster.nodes.map((node) => {
    const reason = drifted ? reasons.get(node.name) : 'AMIDrift';
    if (!node.claim || node.deleting || reason === undefined) return node;
    const [copy, claim] = [copyOfNode(node), copyOfClaim(node.claim)];
    claim.drifted = { reason, since: stage.start };
    copy.claim = claim;
    return copy;
  });
  const tell = (world: World) => drifted?.forEach(({ node, reason, fields }) => world.tell([`${node} has drifted: ${reason}`, ...fields].join(', ')));
  const disruptor = new Disruptor(stage.start, ['StaticDrift', 'Drift']);
  return run({ ...base('drift', { ...stage, cluster: { ...stage.cluster, nodes } }, [{ at: stage.start, happen: tell }]), disruptor });
}

/** Each spot node by itself, then those of one type and zone together, where there are several. */
function spotInterruptions(stage: Stage): ScenarioReport[] {
  const spot = stage.cluster.nodes.filter(({ labels }) => labels[Label.CAPACITY_TYPE] === 'spot');
  const pools = new Map<string, ClusterNode[]>();
  for (const node of spot) {
    const pool = `${node.labels[Label.INSTANCE_TYPE]} in ${node.labels[Label.ZONE]}`;
    pools.set(pool, [...pools.get(pool) ?? [], node]);
  }
  return [
    ...spot.map((node) => interruption(`node ${node.name}`, [node], stage)),
    ...[...pools].filter(([, nodes]) => nodes.length > 1).map(([pool, nodes]) => interruption(pool, nodes, stage)),
  ];
}

function interruption(subject: string, nodes: readonly ClusterNode[], stage: Stage): ScenarioReport {
  const happen = (world: World) => {
    for (const node of nodes) {
      world.tell(`EC2 will take ${node.name} in two minutes`);
      world.takeAway(node.name, world.now + SPOT_NOTICE);
      act(world, node, interruptionOfKind('spot_interrupted'));
    }
  };
  return run({ ...base('spot-interruption', stage, [{ at: stage.start, happen }]), subject });
}

/** What Karpenter does about an interruption that it hears of. Nodes that are not its own are drained by whoever looks after them. */
function act(world: World, { name, claim, labels }: ClusterNode, { action, unavailable }: Interruption): void {
  if (action === 'NoAction') return;
  const { [Label.INSTANCE_TYPE]: instanceType, [Label.ZONE]: zone, [Label.NODE_POOL]: pool } = labels;
  if (unavailable === 'spot-offering' && pool !== undefined && instanceType !== undefined && zone !== undefined) {
    avoid(world, { instanceType, zone, capacityType: 'spot' }, UNAVAILABLE_SECONDS);
  }
  drain(world, name, action === 'ForcefulTermination' ? 0 : claim?.terminationGracePeriod);
}

function zones({ nodes }: Cluster): string[] {
  return [...new Set(nodes.flatMap(({ labels }) => labels[Label.ZONE] ?? []))].sort();
}

/** The zone answers nothing: its pods are no longer ready at once, and made again when Kubernetes takes them for lost. */
function zoneOutage(zone: string, stage: Stage): ScenarioReport {
  const nodes = stage.cluster.nodes.filter(({ labels }) => labels[Label.ZONE] === zone);
  const begin = (world: World) => {
    world.tell(`zone ${zone} fails`);
    world.cluster = withoutZone(world.cluster, zone);
    world.failedZone = zone;
    for (const { name } of nodes) silence(world, name);
  };
  const declare = (world: World) => {
    for (const { name } of nodes) if (world.nodes.has(name)) world.remove(name, 'is lost');
  };
  const happenings = [
    { at: stage.start, happen: begin },
    ...lossesOn(nodes, stage.start, UNREACHABLE_SECONDS),
    { at: stage.start + UNREACHABLE_SECONDS * 1_000, happen: declare },
  ];
  return run({ ...base('zone-outage', stage, happenings), subject: zone });
}

function silence(world: World, name: string): void {
  const state = world.nodes.get(name)!;
  state.node = { ...state.node, ready: false, taints: [...state.node.taints, { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }, DISRUPTED_TAINT] };
  if (state.phase !== 'draining') state.phase = 'leaving';
  state.silent = true;
  world.pods.fallSilent(name);
}

/** Nothing can be launched there, though its subnets are: so spread still counts it. A class that names no zones has all of the catalogue. */
function withoutZone(cluster: Cluster, zone: string): Cluster {
  const { nodeClasses, nodePools } = cluster.scheduling;
  const zonesOf = (name: string) => nodeClasses.get(name)?.zones ?? cluster.catalog.zones;
  const scheduling = {
    ...cluster.scheduling,
    nodeClasses: new Map([...nodeClasses].map(([name, facts]) => [name, { ...facts, zones: zonesOf(name).filter((each) => each !== zone) }])),
    nodePools: nodePools.map((pool) => {
      const known = { key: Label.ZONE, operator: 'In', values: zonesOf(pool.nodeClass) } as const;
      return { ...pool, requirements: [...pool.requirements, known] };
    }),
  };
  return { ...cluster, scheduling };
}

/** Nodes that expire within the time that one needs to be replaced: no budget keeps these apart. */
function expirations(stage: Stage): ScenarioReport[] {
  const expiring = stage.cluster.nodes.filter(({ claim, deleting }) => claim?.expireAfter !== undefined && !deleting);
  if (expiring.length === 0) return [];
  const happenings = expiring.map(({ name, claim }): Happening => ({
    at: Math.max(stage.start, claim!.createdAt + claim!.expireAfter!),
    happen: (world) => {
      if (!world.nodes.has(name)) return;
      world.tell(`${name} expires`);
      drain(world, name, claim!.terminationGracePeriod);
    },
  }));
  return [run(base('expiration', stage, happenings))];
}
