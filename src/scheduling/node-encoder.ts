import { Label, Requirement, Requirements, Toleration, untolerated } from '../model';
import { saturate } from './amounts';
import { isVolumeResource, NodeView } from './existing-nodes';
import { HostPorts } from './host-ports';
import { RequirementSets } from './requirement-sets';
import { ExistingNode } from './schedule-input';
import { PoolTemplate } from './templates';
import { Vocabulary } from './vocabulary';

const UNLIMITED = 2n ** 63n;

/** What no node that is still to come is called. */
export const PLACEHOLDER_HOSTNAME = 'hostname-placeholder';

/** The host name as a requirement of new nodes: it is not known, but no name that a pod or a volume can ask for. */
export function withHostname(requirements: Requirements): Requirements {
  const named = requirements.copy();
  named.add(Requirement.from({ key: Label.HOSTNAME, operator: 'In', values: [PLACEHOLDER_HOSTNAME] }));
  return named;
}

/** The sets of taints that pods are held against: those of the templates, in their order, then the distinct ones of the nodes. */
export class TaintSets {
  private readonly tests: Array<(tolerations: readonly Toleration[], moving: boolean) => boolean>;
  private readonly numbers = new Map<string, number>();

  /** @param settles whether nodes may settle that do not now, and the other way round */
  constructor(templates: readonly PoolTemplate[], nodes: readonly NodeView[], settles: boolean) {
    this.tests = templates.map(({ pool }) => (tolerations) => untolerated(pool.taints, tolerations).length === 0);
    for (const { node: { taints, settling = false } } of nodes) {
      this.add(taints, settling);
      if (settles) this.add(taints, !settling);
    }
  }

  private add(taints: ExistingNode['taints'], settling: boolean): void {
    const key = keyOf({ taints, settling });
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

  /** Undefined for taints that no node had. */
  knownNumberOf(node: ExistingNode): number | undefined {
    return this.numbers.get(keyOf(node));
  }

  /** 1 for each set that these tolerate; all of them where taints do not matter. */
  row(tolerations: readonly Toleration[] | undefined, moving = false): number[] {
    return this.tests.map((tolerated) => tolerations === undefined || tolerated(tolerations, moving) ? 1 : 0);
  }
}

function keyOf({ taints, settling }: Pick<ExistingNode, 'taints' | 'settling'>): string {
  return `${settling ? 'settling ' : ''}${JSON.stringify(taints)}`;
}

/** Numbers the requirement sets of the nodes: of their labels, those that something asks for. Call it when all other sets are known. */
export function nodeSets(nodes: readonly NodeView[], sets: RequirementSets, vocabulary: Vocabulary): Int32Array {
  const keys = vocabulary.keys();
  return Int32Array.from(nodes, ({ requirements }) => sets.numberOfPart(requirements, keys));
}

export function encodeNodes(nodes: readonly NodeView[], nodeSet: Int32Array, taints: TaintSets, resources: readonly string[], ports: HostPorts) {
  return {
    nodeCount: nodes.length,
    nodeSet,
    nodeTaintSet: Int32Array.from(nodes, (node) => taints.numberOf(node)),
    nodeRemaining: BigInt64Array.from(nodes.flatMap((node) => remainingOf(node, resources))),
    nodePorts: ports.encode(nodes.map(({ hostPorts }) => hostPorts)),
    nodeUsable: Uint8Array.from(nodes, (node) => isUsable(node) ? 1 : 0),
  };
}

/** What is left of each resource. */
export function remainingOf({ remaining }: Pick<NodeView, 'remaining'>, resources: readonly string[]): bigint[] {
  return resources.map((resource) => saturate(remaining.get(resource) ?? (isVolumeResource(resource) ? UNLIMITED : 0n)));
}

/** Where some amount is negative nothing fits, not even a pod that asks for nothing. */
export function isUsable({ node, remaining }: Pick<NodeView, 'node' | 'remaining'>): boolean {
  return !node.leaving && [...remaining.values()].every((amount) => amount >= 0n);
}
