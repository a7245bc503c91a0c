import { saturate } from './amounts';
import { RequirementSets } from './requirement-sets';
import { Vocabulary } from './vocabulary';
import { Label, Requirement, Requirements, Toleration, untolerated } from '../../model';
import { ExistingNode } from '../input/schedule-input';
import { PoolTemplate } from '../launch/pool-template';
import { isVolumeResource, NodeView } from '../nodes/existing-nodes';
import { HostPorts } from '../pods/host-ports';

const UNLIMITED = 2n ** 63n;

/** A host name that no node has. */
export const PLACEHOLDER_HOSTNAME = 'hostname-placeholder';

/**
 * Adds a host name to the requirements of new nodes. The real name is unknown, but it is none that a pod or a volume
 * can require.
 */
export function withHostname(requirements: Requirements): Requirements {
  const copy = requirements.copy();
  copy.add(Requirement.from({ key: Label.HOSTNAME, operator: 'In', values: [PLACEHOLDER_HOSTNAME] }));
  return copy;
}

/** Numbers the sets of taints: those of the templates, in order, then the distinct ones of the nodes. */
export class TaintSets {
  private readonly tests: Array<(tolerations: readonly Toleration[], moving: boolean) => boolean>;
  private readonly numbers = new Map<string, number>();

  /** @param mayChange whether `pendingPodsOnly` of a node may be different in a later query */
  constructor(templates: readonly PoolTemplate[], nodes: readonly NodeView[], mayChange: boolean) {
    this.tests = templates.map(
      ({ pool }) =>
        (tolerations) =>
          untolerated(pool.taints, tolerations).length === 0,
    );
    for (const {
      node: { taints, pendingPodsOnly: settling = false },
    } of nodes) {
      this.add(taints, settling);
      if (mayChange) this.add(taints, !settling);
    }
  }

  private add(taints: ExistingNode['taints'], settling: boolean): void {
    const key = keyOf({ taints, pendingPodsOnly: settling });
    if (this.numbers.has(key)) return;
    this.numbers.set(key, this.tests.length);
    this.tests.push((tolerations, moving) => !(moving && settling) && untolerated(taints, tolerations).length === 0);
  }

  get count(): number {
    return this.tests.length;
  }

  numberOf({ node }: NodeView): number {
    return this.knownNumberOf(node)!;
  }

  /** Undefined if no node had these taints when the sets were numbered. */
  knownNumberOf(node: ExistingNode): number | undefined {
    return this.numbers.get(keyOf(node));
  }

  /** Per set: 1 if the tolerations tolerate it. Without tolerations, taints do not matter, and all sets have 1. */
  row(tolerations: readonly Toleration[] | undefined, moving = false): number[] {
    return this.tests.map((tolerated) => (tolerations === undefined || tolerated(tolerations, moving) ? 1 : 0));
  }
}

function keyOf({ taints, pendingPodsOnly: settling }: Pick<ExistingNode, 'taints' | 'pendingPodsOnly'>): string {
  return `${settling ? 'settling ' : ''}${JSON.stringify(taints)}`;
}

/**
 * Numbers the requirement sets of the nodes. Only labels that some other set names are included, so call it after all
 * other sets are numbered.
 */
export function nodeSets(nodes: readonly NodeView[], sets: RequirementSets, vocabulary: Vocabulary): Int32Array {
  const keys = vocabulary.keys();
  return Int32Array.from(nodes, ({ requirements }) => sets.numberOfPart(requirements, keys));
}

export function encodeNodes(
  nodes: readonly NodeView[],
  nodeSet: Int32Array,
  taints: TaintSets,
  resources: readonly string[],
  ports: HostPorts,
) {
  return {
    nodeCount: nodes.length,
    nodeSet,
    nodeTaintSet: Int32Array.from(nodes, (node) => taints.numberOf(node)),
    nodeRemaining: BigInt64Array.from(nodes.flatMap((node) => remainingOf(node, resources))),
    nodePorts: ports.encode(nodes.map(({ hostPorts }) => hostPorts)),
    nodeUsable: Uint8Array.from(nodes, (node) => (isUsable(node) ? 1 : 0)),
  };
}

/** Amounts left, in the order of the resources. */
export function remainingOf({ remaining }: Pick<NodeView, 'remaining'>, resources: readonly string[]): bigint[] {
  return resources.map((resource) =>
    saturate(remaining.get(resource) ?? (isVolumeResource(resource) ? UNLIMITED : 0n)),
  );
}

/** Whether the node takes pods. If an amount is negative, no pod fits, not even one without requests. */
export function isUsable({ node, remaining }: Pick<NodeView, 'node' | 'remaining'>): boolean {
  return !node.markedForDeletion && [...remaining.values()].every((amount) => amount >= 0n);
}
