/**
 * The problem as the kernel reads it: numbers and flat arrays, named as the exported globals of assembly/input.ts, which
 * says what each holds.
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
  /** The key of zones, or -1 where nothing asks for one. */
  readonly zoneKey: number;
  readonly reservationCount: number;
  readonly reservationFree: Int32Array;
  readonly planeReservation: Int32Array;
  readonly reservedFallback: number;
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
  readonly classGuardStart: Int32Array;
  readonly classGuards: Int32Array;
  readonly classInverseStart: Int32Array;
  readonly classInverse: Int32Array;
  readonly runCount: number;
  readonly runs: Int32Array;
}

/** What a set of requirements says of one label: the numbers of its values, or of those that it excludes. */
export interface KeyRequirement {
  readonly key: number;
  /** Whether `values` are the excluded ones. */
  readonly complement: boolean;
  /** In order. */
  readonly values: readonly number[];
  /** Inclusive, of values that are integers. */
  readonly gte?: bigint;
  readonly lte?: bigint;
}

/** What the kernel decided. Type bitsets are `typeBytes` long, bit `i` is type `i`. */
export interface PackerSolution {
  readonly typeBytes: number;
  /** Per template. */
  readonly options: Uint8Array;
  /** `[templateCount + 1]`: where each template's daemonset groups start. */
  readonly groupStart: Int32Array;
  readonly groupTypes: Uint8Array;
  /** `[groups × daemonCount]`: 1 where the daemonset runs on the group's types. */
  readonly groupDaemons: Uint8Array;
  readonly claimCount: number;
  /** Per claim: template, the kernel's requirement set, pods. */
  readonly claims: Int32Array;
  readonly claimTypes: Uint8Array;
  /** `[claimCount × planesPerClaim]`: 1 for each offering plane of the claim's view that its requirements and reservations leave, 2 for another in a zone that they leave. */
  readonly claimPlanes: Uint8Array;
  readonly planesPerClaim: number;
  /** By the number of the kernel's requirement set: what those of claims say of labels that are not well known, and which values of well-known ones they exclude. */
  readonly claimSets: ReadonlyMap<number, readonly KeyRequirement[]>;
  /** Pairs (group, claim), in order of placement; an existing node is -1 less its number. */
  readonly placements: Int32Array;
  /** Pairs (group, pods left over). */
  readonly leftovers: Int32Array;
  /**
   * `[classCount × templateCount]`: a `Refusal`, with `FilterFlag`s on top of `Refusal.FILTERED`. This, and all below that tells why pods are left
   * over, is empty in a brief answer where none are.
   */
  readonly refusals: Int32Array;
  /** Per class: the number, among its own, of the variant that the refusals are of. */
  readonly lastVariants: Int32Array;
  /** `[templateCount × limitCount]`: what is left of each limit; of one that a template does not have, the largest i64. */
  readonly limitsLeft: BigInt64Array;
  /** Per topology group: where its counts start in `topologyCounts`; of a group over hosts, its column in `hostCounts`. */
  readonly topologyCountStart: Int32Array;
  /** Pods per value of the group's label. */
  readonly topologyCounts: Int32Array;
  /** `[(existing nodes + claims) × hostGroups]`, as far as some pod was counted. */
  readonly hostCounts: Int32Array;
  readonly hostGroups: number;
  /** How many times a claim or template was tried. */
  readonly tries: number;
  /** What counts towards the bound of steps. */
  readonly steps: number;
  /** What the kernel's memory has grown to. */
  readonly memoryBytes: number;
}

/** Why a template does not take a pod, as assembly/attempts.ts numbers it. */
export enum Refusal {
  NONE = 0,
  TAINT = 1,
  REQUIREMENTS = 2,
  NODE_LIMIT = 3,
  LIMITS = 4,
  MIN_VALUES = 5,
  /** In the low byte; the topology group's number plus one stands above it. */
  TOPOLOGY = 6,
  VOLUMES = 7,
  /** Not refused, but put off until other claims are launched. */
  RESERVED = 8,
  RESERVATIONS_FULL = 9,
  FILTERED = 64,
}

/** Which criteria some instance type met, where none met all. */
export enum FilterFlag {
  REQUIREMENTS = 1,
  FITS = 2,
  OFFERING = 4,
  REQUIREMENTS_AND_FITS = 8,
  REQUIREMENTS_AND_OFFERING = 16,
  FITS_AND_OFFERING = 32,
}

/** What all questions about the same pools, instance types and classes of pods have in common. */
export type StandingPart = Omit<PackerProblem, keyof QuestionPart>;

/** What one question adds. */
export type QuestionPart = Pick<PackerProblem,
  | 'templateNodes' | 'limitRemaining' | 'nodeCount' | 'nodeSet' | 'nodeTaintSet' | 'nodeRemaining' | 'nodePorts' | 'nodeUsable'
  | 'topologyActive' | 'topologyDomains' | 'topologyInitial' | 'hostInitial' | 'runCount' | 'runs' | 'reservedFallback'>;

/** What variations of one question have in common: some pods come in, and one node takes no more. */
export interface VariationsPart {
  /** Of the variation with most pods to come in. */
  readonly morePods: bigint;
  /** The number of the first group that is not one of the question's. */
  readonly firstMoreGroup: number;
  /** Of the nodes that are not up yet, which stand behind the others. */
  readonly firstNodeNotUp: number;
}

/** All of them, as assembly/variations.ts has them. */
export interface Variations {
  readonly count: number;
  /** What each begins with, six numbers. */
  readonly heads: readonly number[];
  readonly words: readonly number[];
}
