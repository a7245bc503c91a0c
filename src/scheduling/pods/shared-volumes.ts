import { PodShape } from '../input/pod-shape';
import { ExistingNode, PodGroup } from '../input/schedule-input';

/**
 * PersistentVolumeClaims that several pods mount. A node attaches such a volume once, no matter how many of its pods
 * mount it.
 *
 * Claims of a single pod are counted by driver only, so that pods that differ only in claim names share one pod class.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/scheduling/volumeusage.go
 */
export class SharedVolumes {
  /** CSI driver by claim number. Claims of one driver are adjacent. */
  public readonly drivers: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;

  /** @param nodes existing nodes. Only drivers with a volume limit on one of them matter. */
  public constructor(groups: readonly PodGroup[], nodes: readonly ExistingNode[]) {
    const limited = new Set(nodes.flatMap(({ volumeLimits }) => [...(volumeLimits?.keys() ?? [])]));
    const shared =
      limited.size === 0 ? [] : mountedBySeveral(groups, nodes).filter(([, driver]) => limited.has(driver));
    shared.sort(([leftClaim, left], [rightClaim, right]) => compare(left, right) || compare(leftClaim, rightClaim));
    this.drivers = shared.map(([, driver]) => driver);
    this.numbers = new Map(shared.map(([claim], number) => [claim, number]));
  }

  public get count(): number {
    return this.drivers.length;
  }

  /** Sorted numbers of the shared claims that the pod mounts. */
  public of({ mountedClaims }: PodShape): readonly number[] {
    if (mountedClaims === undefined || this.count === 0) return NONE;
    return [...mountedClaims.keys()]
      .flatMap((claim) => this.numbers.get(claim) ?? [])
      .sort((left, right) => left - right);
  }

  /** Number of unshared volumes by CSI driver. */
  public ownVolumes({ volumes = NO_VOLUMES, mountedClaims }: PodShape): ReadonlyMap<string, number> {
    if (mountedClaims === undefined) return volumes;
    const own = new Map(volumes);
    for (const [claim, driver] of mountedClaims)
      if (!this.numbers.has(claim)) own.set(driver, (own.get(driver) ?? 0) + 1);
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

/** Pairs of claim and driver. */
function mountedBySeveral(
  groups: readonly PodGroup[],
  nodes: readonly ExistingNode[],
): Array<readonly [string, string]> {
  const mounts = new Map<string, { readonly driver: string; pods: number }>();
  const add = ({ mountedClaims }: PodShape, pods: number) => {
    for (const [claim, driver] of mountedClaims ?? []) {
      const mount = mounts.get(claim);
      if (mount) mount.pods += pods;
      else mounts.set(claim, { driver, pods });
    }
  };
  for (const { shape, count } of groups) add(shape, count);
  for (const { pods } of nodes) for (const { shape } of pods) add(shape, 1);
  return [...mounts].flatMap(([claim, { driver, pods }]) => (pods > 1 ? [[claim, driver] as const] : []));
}

function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
