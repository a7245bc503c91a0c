/** Names of rows that stand for no workload, as OpenCost has them. */
export const COST_ROWS = { idle: '__idle__', unallocated: '__unallocated__' } as const;

/**
 * Who pays for the nodes, in a month of 730 hours. All costs are whole cents, and add up: the rows to `totalCost`, and
 * the parts of a row to the total of the row.
 */
export interface CostAllocation {
  /** `workload`, `namespace`, `pool`, `node` or `label:KEY`. */
  readonly by: string;
  readonly currency: string;
  readonly totalCost: number;
  /** What the limits of all NodePools allow at most. `null` if those of one do not bound it. */
  readonly limitCost: number | null;
  /** New and existing nodes with a known price. */
  readonly nodes: number;
  /** How the price of a node is divided among its resources, in proportion: the default prices of OpenCost. */
  readonly weights: { readonly cpuCoreHour: number; readonly ramGiBHour: number; readonly gpuHour: number };
  /** Highest total first. */
  readonly rows: readonly CostRow[];
  /** What the rows share: the requests of DaemonSets. */
  readonly daemonSets: ResourceCosts;
  /** What the rows share: the part of nodes that is reserved for the system. */
  readonly system: ResourceCosts;
  /** What nothing requests. */
  readonly idle: ResourceCosts;
  /** What is missing from the costs, as sentences. */
  readonly notes: readonly string[];
}

export interface ResourceCosts {
  readonly cpuCost: number;
  readonly ramCost: number;
  readonly gpuCost: number;
  readonly totalCost: number;
}

/** The costs of the pods of one row, named as in OpenCost. */
export interface CostRow {
  readonly name: string;
  /** The properties of an allocation of OpenCost that all pods of the row have in common. */
  readonly properties: CostProperties;
  /** Pods without those of DaemonSets. */
  readonly pods: number;
  readonly cpuCoreRequestAverage: number;
  readonly ramByteRequestAverage: number;
  readonly gpuRequestAverage: number;
  readonly cpuCost: number;
  readonly ramCost: number;
  readonly gpuCost: number;
  /** Always 0: the prices of volumes are not part of the catalogue. */
  readonly pvCost: number;
  /** The row's part of DaemonSets and of what is reserved for the system, on the nodes of its pods. */
  readonly sharedCost: number;
  /** The row's part of what nothing requests on the nodes of its pods. */
  readonly idleCost: number;
  readonly totalCost: number;
}

export interface CostProperties {
  readonly namespace?: string;
  readonly controller?: string;
  /** In lower case. */
  readonly controllerKind?: string;
  readonly pod?: string;
  readonly node?: string;
  /** By label key, in which characters other than letters and digits are `_`. */
  readonly labels?: Readonly<Record<string, string>>;
}
