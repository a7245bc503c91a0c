import { NodeVerdict, Verdict } from '../../vocabulary/verdict';

/** The parts of a node that the script of the page reads. */
export type PageNode = Pick<
  NodeVerdict,
  | 'name'
  | 'existing'
  | 'nodePool'
  | 'instanceType'
  | 'zone'
  | 'capacityType'
  | 'price'
  | 'capacity'
  | 'allocatable'
  | 'requests'
  | 'workloads'
  | 'cheaperTypes'
> & {
  /** Instance types that the launch names, the cheapest first, at most `MAX_TYPES`. */
  readonly types: readonly string[];
  /** How many instance types the launch names. */
  readonly typeCount: number;
};

/** What the script of the page reads, as JSON in the page. */
export interface PageData {
  readonly currency: string;
  /** The price of all nodes with a known price. */
  readonly total: number;
  readonly nodes: readonly PageNode[];
  /** By NodePool: the instance types left after each requirement. */
  readonly pools: Readonly<Record<string, NodePoolSteps>>;
}

export type NodePoolSteps = ReadonlyArray<readonly [constraint: string, left: number]>;

const MAX_TYPES = 6;

export function pageData(
  { nodes, nodePools, nodeClaims, summary }: Verdict,
  stepText: (constraint: string) => string,
): PageData {
  const launches = new Map(nodeClaims.map(({ id, launch }) => [id, launch?.instanceTypes ?? []]));
  return {
    currency: summary.cost.currency,
    total: nodes.reduce((sum, { price }) => sum + (price?.perHour ?? 0), 0),
    nodes: nodes.map((node) => {
      const types = launches.get(node.name) ?? [];
      return { ...node, types: types.slice(0, MAX_TYPES), typeCount: types.length };
    }),
    pools: Object.fromEntries(
      nodePools.map(({ name, elimination }) => [
        name,
        elimination
          .filter(({ left }, index) => index === 0 || left < elimination[index - 1].left)
          .map(
            ({ constraint, left }, index) =>
              [index === 0 ? 'instance types that Karpenter knows' : stepText(constraint), left] as const,
          ),
      ]),
    ),
  };
}

/** JSON that cannot end a script element. */
export function scriptJson(data: PageData): string {
  return JSON.stringify(data)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}
