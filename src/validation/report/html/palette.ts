import { FieldNode, namespaceOf } from './node-field';

/** Number of colors for namespaces or workloads, `k0` to `k11` in the style sheet. */
const COLORS = 12;
const OTHERS = 'others';

/** Colors of namespaces or workloads: those with the most pods have their own, all others share one. */
export class Palette {
  /** In name order, with the shared color last. */
  public readonly entries: ReadonlyArray<{ readonly key: string; readonly color: string; readonly pods: number }>;
  private readonly colors: ReadonlyMap<string, string>;
  private readonly shared: string;

  public constructor(pods: ReadonlyMap<string, number>) {
    const byPods = [...pods].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
    const own = byPods
      .slice(0, byPods.length > COLORS ? COLORS - 1 : COLORS)
      .map(([key]) => key)
      .sort();
    const others = byPods.slice(own.length).reduce((sum, [, count]) => sum + count, 0);
    this.colors = new Map(own.map((key, index) => [key, `k${index}`]));
    this.shared = `k${COLORS - 1}`;
    this.entries = [
      ...own.map((key) => ({ key, color: this.colorOf(key), pods: pods.get(key)! })),
      ...(others === 0 ? [] : [{ key: OTHERS, color: this.shared, pods: others }]),
    ];
  }

  public colorOf(key: string): string {
    return this.colors.get(key) ?? this.shared;
  }
}

/** The colors of the namespaces, or of the workloads, with pods on the nodes. */
export function paletteOf(nodes: readonly FieldNode[], color: 'namespace' | 'workload'): Palette {
  const pods = new Map<string, number>();
  for (const { workloads } of nodes) {
    for (const { workload, pods: count } of workloads) {
      const key = color === 'workload' ? workload : namespaceOf(workload);
      pods.set(key, (pods.get(key) ?? 0) + count);
    }
  }
  return new Palette(pods);
}
