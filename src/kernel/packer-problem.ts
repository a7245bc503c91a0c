/**
 * The problem in the form that the kernel reads: numbers and flat arrays, named like the exported globals in
 * assembly/input.ts, which documents each.
 */
export interface PackerProblem {
  readonly typeCount: number;
  readonly keyCount: number;
  readonly viewCount: number;
  readonly resourceCount: number;
  readonly keyWordStart: Int32Array;
  readonly keyValueCount: Int32Array;
  readonly keyWellKnown: Uint8Array;
  readonly valueInteger: BigInt64Array;
  readonly valueIsInteger: Uint8Array;
  readonly viewHasKey: Uint8Array;
  readonly viewValueTypes: Int32Array;
  readonly valueTypes: Uint8Array;
  readonly allocatable: BigInt64Array;
  readonly viewUsable: Uint8Array;
  readonly planeStart: Int32Array;
  readonly planeTermStart: Int32Array;
  readonly planeTerms: Int32Array;
  readonly planeTypes: Uint8Array;
  /** The key of zones, or -1 if no requirement names it. */
  readonly zoneKey: number;
  readonly reservationCount: number;
  readonly reservationFree: Int32Array;
  readonly planeReservation: Int32Array;
  readonly reservedFallback: number;
  readonly tieSeed: number;
  readonly givenSets: number;
  readonly givenFlags: Uint8Array;
  readonly givenGte: BigInt64Array;
  readonly givenLte: BigInt64Array;
  readonly givenWords: BigUint64Array;
  readonly templateCount: number;
  readonly templateView: Int32Array;
  readonly templateSet: Int32Array;
  readonly templateNodes: BigInt64Array;
  readonly limitCount: number;
  readonly limitRemaining: BigInt64Array;
  readonly limitCapacity: BigInt64Array;
  readonly minValuesStart: Int32Array;
  readonly minValues: Int32Array;
  readonly minValuesBestEffort: number;
  readonly daemonCount: number;
  readonly daemonRequests: BigInt64Array;
  readonly daemonVariantStart: Int32Array;
  readonly daemonVariantSet: Int32Array;
  readonly daemonTolerates: Uint8Array;
  readonly portWords: number;
  readonly daemonPorts: BigUint64Array;
  readonly classPorts: BigUint64Array;
  readonly classPortConflicts: BigUint64Array;
  readonly classCount: number;
  readonly classRequests: BigInt64Array;
  readonly classVariantStart: Int32Array;
  readonly variantSet: Int32Array;
  readonly variantTolerates: Uint8Array;
  readonly classVolumeStart: Int32Array;
  readonly classVolumeSets: Int32Array;
  readonly sharedCount: number;
  readonly sharedResource: Int32Array;
  readonly classSharedStart: Int32Array;
  readonly classShared: Int32Array;
  readonly taintSetCount: number;
  readonly nodeCount: number;
  readonly nodeSet: Int32Array;
  readonly nodeTaintSet: Int32Array;
  readonly nodeRemaining: BigInt64Array;
  readonly nodePorts: BigUint64Array;
  readonly nodeUsable: Uint8Array;
  readonly nodeShared: Uint8Array;
  readonly variantStrictSet: Int32Array;
  readonly topologyCount: number;
  readonly topologyKey: Int32Array;
  readonly topologyType: Int32Array;
  readonly topologyMaxSkew: Int32Array;
  readonly topologyMinDomains: Int32Array;
  readonly topologyActive: Uint8Array;
  readonly topologyDomainStart: Int32Array;
  readonly topologyDomains: BigUint64Array;
  readonly topologyCountStart: Int32Array;
  readonly topologyInitial: Int32Array;
  readonly hostInitial: Int32Array;
  readonly topologyFilterStart: Int32Array;
  readonly topologyFilters: Int32Array;
  readonly topologyTolerates: Uint8Array;
  readonly variantGroupStart: Int32Array;
  readonly variantGroups: Int32Array;
  readonly variantGroupSelf: Uint8Array;
  readonly classCountedStart: Int32Array;
  readonly classCounted: Int32Array;
  readonly classInverseAntiAffinityStart: Int32Array;
  readonly classInverseAntiAffinity: Int32Array;
  readonly classOwnAntiAffinityStart: Int32Array;
  readonly classOwnAntiAffinity: Int32Array;
  readonly runCount: number;
  readonly runs: Int32Array;
}

/** The requirement of a set on one label: the numbers of the allowed values, or of the excluded ones. */
export interface KeyRequirement {
  readonly key: number;
  /** Whether `values` are excluded. */
  readonly complement: boolean;
  /** Ascending. */
  readonly values: readonly number[];
  /** Inclusive bounds of integer values. */
  readonly gte?: bigint;
  readonly lte?: bigint;
}

/** The decisions of the kernel. A type bitset has `typeBytes` bytes; bit `i` is type `i`. */
export interface PackerSolution {
  readonly typeBytes: number;
  /** Type bitset per template: the types that it can launch. */
  readonly options: Uint8Array;
  /** `[templateCount + 1]`: where the DaemonSet groups of each template start. */
  readonly groupStart: Int32Array;
  readonly groupTypes: Uint8Array;
  /** `[groups × daemonCount]`: 1 if the DaemonSet runs on the types of the group. */
  readonly groupDaemons: Uint8Array;
  readonly claimCount: number;
  /** Triples per claim: template, requirement set of the kernel, pods. */
  readonly claims: Int32Array;
  readonly claimTypes: Uint8Array;
  /**
   * `[claimCount × planesPerClaim]`, per offering plane of the claim's view: 1 if its requirements and reservations
   * allow the plane, 2 if they only allow its zone, else 0.
   */
  readonly claimPlanes: Uint8Array;
  readonly planesPerClaim: number;
  /**
   * By requirement set of a claim: its requirements on labels that are not well known, and the values of well-known
   * labels that it excludes.
   */
  readonly claimSets: ReadonlyMap<number, readonly KeyRequirement[]>;
  /** Pairs (group, claim) in order of placement. An existing node is written as -1 minus its number. */
  readonly placements: Int32Array;
  /** Pairs (group, pods left over). */
  readonly leftovers: Int32Array;
  /**
   * `[classCount × templateCount]`: a `PackerRefusal`; `PackerRefusal.FILTERED` is combined with `FilterFlag`s. In a
   * brief solution without leftover pods, this and the other reasons below are empty.
   */
  readonly refusals: Int32Array;
  /** Per class: which of its variants the refusals are about. */
  readonly lastVariants: Int32Array;
  /** `[templateCount × limitCount]`: what is left of each limit; the largest i64 if the template has no such limit. */
  readonly limitsLeft: BigInt64Array;
  /**
   * Per topology group: where its counts start in `topologyCounts`; for a group over hosts, its column in `hostCounts`.
   */
  readonly topologyCountStart: Int32Array;
  /** Pods per value of the label of the group. */
  readonly topologyCounts: Int32Array;
  /** `[(existing nodes + claims) × hostGroups]`, up to the last host with a counted pod. */
  readonly hostCounts: Int32Array;
  readonly hostGroups: number;
  /** How many times a claim or a template was tried. */
  readonly tries: number;
  /** Steps that count towards the bound. */
  readonly steps: number;
  /** The size of the kernel's memory. */
  readonly memoryBytes: number;
}

/** Why a template does not take a pod. The numbers are defined in assembly/attempts.ts. */
export enum PackerRefusal {
  NONE = 0,
  TAINT = 1,
  REQUIREMENTS = 2,
  NODE_LIMIT = 3,
  LIMITS = 4,
  MIN_VALUES = 5,
  /** In the low byte. The bits above have 1 + the number of the topology group. */
  TOPOLOGY = 6,
  VOLUMES = 7,
  /** Not refused, but deferred until other claims are launched. */
  RESERVED = 8,
  RESERVATIONS_FULL = 9,
  FILTERED = 64,
}

/** Which criteria some instance type meets, if none meets all. */
export enum FilterFlag {
  REQUIREMENTS = 1,
  FITS = 2,
  OFFERING = 4,
  REQUIREMENTS_AND_FITS = 8,
  REQUIREMENTS_AND_OFFERING = 16,
  FITS_AND_OFFERING = 32,
}

/** The part of the problem that all queries about the same pools, instance types and pod classes share. */
export type SharedProblem = Omit<PackerProblem, keyof QueryProblem>;

/** The part of the problem that a query adds. */
export type QueryProblem = Pick<
  PackerProblem,
  | 'templateNodes'
  | 'limitRemaining'
  | 'nodeCount'
  | 'nodeSet'
  | 'nodeTaintSet'
  | 'nodeRemaining'
  | 'nodePorts'
  | 'nodeUsable'
  | 'topologyActive'
  | 'topologyDomains'
  | 'topologyInitial'
  | 'hostInitial'
  | 'runCount'
  | 'runs'
  | 'reservedFallback'
  | 'tieSeed'
>;

/**
 * The part that the what-if queries about one base query share. In each, one node is removed and its pods are added.
 */
export interface WhatIfParameters {
  /** The largest number of added pods. */
  readonly maxAddedPods: bigint;
  /** The number of the first group of added pods. Groups of the base query have lower numbers. */
  readonly firstAddedGroup: number;
  /** The first node that is not initialized. Such nodes come after all others. */
  readonly firstUninitializedNode: number;
}

/** How a query binds pods to nodes. */
export interface BindingParameters {
  /** `[nodeCount][2]`: CPU and memory. */
  readonly nodeAllocatable: BigInt64Array;
  /** The numbers of the resources CPU and memory; -1 if no pod requests them. */
  readonly cpuResource: number;
  readonly memoryResource: number;
}

/** What-if queries in the format of assembly/what-if-queries.ts. */
export interface WhatIfQueries {
  readonly count: number;
  /** Six numbers per query. */
  readonly headers: readonly number[];
  readonly words: readonly number[];
}
