import { SeededRandom } from './seeded-random';
import { Label, WELL_KNOWN_LABELS } from '../../model';
import { DaemonSetSpec, ExistingNode, ScheduleInput } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';
import { withDaemonsOnHostPorts } from '../nodes/existing-nodes';
import { launchedNode } from '../nodes/launched-node';
import { Offer, PlannedNodeClaim } from '../schedule-plan';

/** A node that Karpenter launches, or that exists from the start. */
export interface SettlingNode {
  /** Absent if the node exists from the start. */
  readonly claim?: PlannedNodeClaim;
  /** What EC2 launches for the claim. */
  readonly offer?: Offer;
  /** Seconds since the start. */
  readonly launchedAt: number;
  readonly phase: 'launched' | 'registered' | 'ready';
  readonly node: ExistingNode;
  /** The node as it is once it has registered; its name is drawn then. @default - it exists from the start */
  readonly registered?: Omit<ExistingNode, 'name'>;
  /** Number of pods by group that kube-scheduler has bound to the node. */
  readonly bound: ReadonlyMap<number, number>;
}

const NO_PODS: ReadonlyMap<number, number> = new Map();

export function existingNode(node: ExistingNode, claim?: PlannedNodeClaim): SettlingNode {
  const phase = node.initialized ? 'ready' : 'registered';
  return { claim, offer: claim?.launch?.cheapest, launchedAt: 0, phase, node, bound: NO_PODS };
}

/** The node in a later phase. When it registers, Karpenter uses the name of the Node instead of the NodeClaim's. */
export function inPhase(settling: SettlingNode, phase: 'registered' | 'ready', random: SeededRandom): SettlingNode {
  const { node, registered } = settling;
  const [name, pods] = settling.phase === 'launched' ? [random.name(), registered!.pods] : [node.name, node.pods];
  return { ...settling, phase, node: { ...registered!, name, pods, initialized: phase === 'ready' } };
}

/** The node with more pods bound to it. */
export function withBoundPods(
  settling: SettlingNode,
  groups: ReadonlyMap<number, number>,
  { pods }: ScheduleInput,
): SettlingNode {
  const bound = new Map(settling.bound);
  const added = [...groups].flatMap(([group, count]) => {
    bound.set(group, (bound.get(group) ?? 0) + count);
    const { namespace, name, shape } = pods[group];
    return new Array<ExistingNode['pods'][number]>(count).fill({ namespace, name, shape, daemon: false });
  });
  return { ...settling, bound, node: { ...settling.node, pods: [...settling.node.pods, ...added] } };
}

/** A launched node before and after its registration. */
interface NodeParts {
  readonly launched: Omit<ExistingNode, 'name'>;
  readonly registered: Omit<ExistingNode, 'name'>;
}

/** Launches nodes. Nodes with equal labels share their objects, because results are kept by these. */
export class NodeLauncher {
  private readonly parts = new Map<string, NodeParts>();

  public constructor(private readonly daemonSets: readonly DaemonSetSpec[]) {}

  /**
   * The node of a launch: EC2 takes the cheapest type in any of the zones with its price. Undefined if the launch
   * fails. Karpenter names NodeClaims at random.
   *
   * @param ordinal different for every node of the pool
   */
  public launch(
    claim: PlannedNodeClaim,
    template: PoolTemplate,
    random: SeededRandom,
    { launchedAt, ordinal }: { readonly launchedAt: number; readonly ordinal: number },
  ): SettlingNode | undefined {
    if (claim.launch === undefined) return undefined;
    const offer = inRandomZone(claim, template, random);
    const { launched, registered } = this.partsOf(claim, offer, template, ordinal);
    const node = { name: `${claim.nodePool}-${random.name()}`, ...launched };
    return { claim, offer, launchedAt, phase: 'launched', node, registered, bound: NO_PODS };
  }

  private partsOf(claim: PlannedNodeClaim, offer: Offer, template: PoolTemplate, ordinal: number): NodeParts {
    const { instanceType, zone, capacityType, reservation, partition } = offer;
    const custom = claim.requirements.filter(({ key, complement }) => complement || !WELL_KNOWN_LABELS.has(key));
    // The number of a label without a fixed value differs from node to node.
    const hasArbitrary = custom.some(({ key, complement }) => complement && !WELL_KNOWN_LABELS.has(key));
    const key = [
      claim.nodePool,
      instanceType,
      zone,
      capacityType,
      reservation,
      partition,
      claim.requests.has('vpc.amazonaws.com/efa'),
      hasArbitrary ? ordinal : '',
      ...custom.map((requirement) => requirement.toString()),
    ].join();
    let parts = this.parts.get(key);
    if (parts === undefined) {
      const launched = launchedNode(template, offer, claim, ordinal);
      const { [Label.REGISTERED]: _, [Label.INITIALIZED]: __, ...labels } = launched.labels;
      parts = {
        launched: { ...launched, labels, initialized: false, claimOnly: true },
        registered: withDaemonsOnHostPorts({ name: claim.nodePool, ...launched }, this.daemonSets),
      };
      this.parts.set(key, parts);
    }
    return parts;
  }
}

function inRandomZone(
  { zones, launch: request }: PlannedNodeClaim,
  { table }: PoolTemplate,
  random: SeededRandom,
): Offer {
  const { cheapest } = request!;
  if (cheapest.reservation !== undefined) return cheapest;
  const type = table.names.indexOf(cheapest.instanceType);
  const equal = zones.filter((zone) =>
    table.offerings.some(
      (plane) =>
        plane.zone === zone &&
        plane.reservation === undefined &&
        plane.capacityType === cheapest.capacityType &&
        plane.partition === cheapest.partition &&
        plane.usdPerHour[type] === cheapest.usdPerHour,
    ),
  );
  return { ...cheapest, zone: equal.length === 0 ? cheapest.zone : random.pick(equal) };
}
