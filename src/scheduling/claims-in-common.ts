import { PodShape } from './pod-shape';
import { ExistingNode, PodGroup } from './schedule-input';

/**
 * PersistentVolumeClaims that several pods mount: a node holds the volume of one once, however many pods of it mount it. Claims that a single pod
 * mounts are but a count by driver, so that pods that differ in the names of these alone stay equal.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/scheduling/volumeusage.go
 */
export class SharedClaims {
  /** Per claim: its CSI driver. Those of one driver are neighbours. */
  public readonly drivers: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;

  /** @param nodes that say how many volumes of which drivers they hold: all others hold any number */
  public constructor(groups: readonly PodGroup[], nodes: readonly ExistingNode[]) {
    const limited = new Set(nodes.flatMap(({ volumeLimits }) => [...volumeLimits?.keys() ?? []]));
    const shared = limited.size === 0 ? [] : mountedBySeveral(groups, nodes).filter(([, driver]) => limited.has(driver));
    shared.sort(([one, driver], [other, otherDriver]) => inOrder(driver, otherDriver) || inOrder(one, other));
    this.drivers = shared.map(([, driver]) => driver);
    this.numbers = new Map(shared.map(([claim], at) => [claim, at]));
  }

  public get count(): number {
    return this.drivers.length;
  }

  /** The numbers of those that the pod mounts, in order. */
  public of({ mountedClaims }: PodShape): readonly number[] {
    if (mountedClaims === undefined || this.count === 0) return NONE;
    return [...mountedClaims.keys()].flatMap((claim) => this.numbers.get(claim) ?? []).sort((one, other) => one - other);
  }

  /** By CSI driver: the volumes that no other pod has. */
  public ownVolumes({ volumes = NO_VOLUMES, mountedClaims }: PodShape): ReadonlyMap<string, number> {
    if (mountedClaims === undefined) return volumes;
    const own = new Map(volumes);
    for (const [claim, driver] of mountedClaims) if (!this.numbers.has(claim)) own.set(driver, (own.get(driver) ?? 0) + 1);
    return own;
  }

  /** `[node][claim]`: 1 where a pod of the node mounts it. */
  public onNodes(nodes: readonly ExistingNode[]): Uint8Array {
    const held = new Uint8Array(nodes.length * this.count);
    if (this.count === 0) return held;
    nodes.forEach(({ pods }, node) => {
      for (const { shape } of pods) for (const claim of this.of(shape)) held[node * this.count + claim] = 1;
    });
    return held;
  }
}

const NONE: readonly number[] = [];
const NO_VOLUMES: ReadonlyMap<string, number> = new Map();

/** Each with its driver. */
function mountedBySeveral(groups: readonly PodGroup[], nodes: readonly ExistingNode[]): Array<readonly [string, string]> {
  const found = new Map<string, { readonly driver: string; pods: number }>();
  const add = ({ mountedClaims }: PodShape, pods: number) => {
    for (const [claim, driver] of mountedClaims ?? []) {
      const known = found.get(claim);
      if (known) known.pods += pods;
      else found.set(claim, { driver, pods });
    }
  };
  for (const { shape, count } of groups) add(shape, count);
  for (const { pods } of nodes) for (const { shape } of pods) add(shape, 1);
  return [...found].flatMap(([claim, { driver, pods }]) => pods > 1 ? [[claim, driver] as const] : []);
}

function inOrder(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
