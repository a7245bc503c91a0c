/**
 * The problem, as the host writes it: numbers are exported globals; arrays are copied to memory from `allocate`, and a
 * global has the address. Every name here is one of `PackerProblem`, `WhatIfParameters` or `BindingParameters` in
 * src/kernel/packer-problem.ts.
 *
 * A "type bitset" has one bit per instance type, padded to whole v128 vectors. A "view" is the table of instance types
 * as one node class resolves it. Label values are numbered; the numbers of one key are consecutive, and each key starts
 * at a word of 64 bits.
 */

/** How many instance types, label keys, views, and resources that some request names. */
export let typeCount: i32 = 0;
export let keyCount: i32 = 0;
export let viewCount: i32 = 0;
export let resourceCount: i32 = 0;

/** i32[keyCount + 1]: the first 64-bit word of each key in a requirement row. */
export let keyWordStart: usize = 0;
/** i32[keyCount]: how many values the key has. */
export let keyValueCount: usize = 0;
/** u8[keyCount]: 1 for a well-known label, which need not be defined on the node side. */
export let keyWellKnown: usize = 0;
/** Per value slot (64 × words): i64, the value as an integer; and u8, 1 if it is one. */
export let valueInteger: usize = 0;
export let valueIsInteger: usize = 0;

/** u8[viewCount × keyCount]: 1 if types of the view have the label. */
export let viewHasKey: usize = 0;
/**
 * i32[viewCount × value slots]: 1 + the number of the type bitset in `valueTypes` with the types that have the value; 0
 * if no type has it.
 */
export let viewValueTypes: usize = 0;
export let valueTypes: usize = 0;
/** i64[viewCount × resourceCount × typeCount]. */
export let allocatable: usize = 0;
/** Type bitset per view: types without a negative allocatable amount. */
export let viewUsable: usize = 0;

/** Offering planes of a view: i32[viewCount + 1] starts. */
export let planeStart: usize = 0;
/** Per plane: i32 start of its requirements (planes + 1 entries). */
export let planeTermStart: usize = 0;
/** Per plane term: key, and value slot within the key or -1 for DoesNotExist. i32 pairs. */
export let planeTerms: usize = 0;
/** Type bitset per plane: types with an available offering. */
export let planeTypes: usize = 0;
/** The key of zones, or -1 if no requirement names it. */
export let zoneKey: i32 = -1;

/**
 * Capacity reservations: i32 per reservation, the instances that can be launched into it; i32 per plane its
 * reservation, or -1.
 */
export let reservationCount: i32 = 0;
export let reservationFree: usize = 0;
export let planeReservation: usize = 0;
/** 1: a pod does not wait for reservations that other claims hold, and is placed elsewhere. */
export let reservedFallback: i32 = 0;
/** Seed of the draws among equally good domains; 0: the first one is picked. */
export let tieSeed: i32 = 0;

/** Given requirement sets: flags u8[n × keyCount], bounds i64[n × keyCount] each, words u64[n × words]. */
export let givenSets: i32 = 0;
export let givenFlags: usize = 0;
export let givenGte: usize = 0;
export let givenLte: usize = 0;
export let givenWords: usize = 0;

/** Templates, best first: i32 view, i32 requirement set. */
export let templateCount: i32 = 0;
export let templateView: usize = 0;
export let templateSet: usize = 0;
/** i64[templateCount]: nodes that the limit still allows; i64.MAX_VALUE without a limit. */
export let templateNodes: usize = 0;
/** Resources with a limit: i64[templateCount × limitCount] left, i64[viewCount × limitCount × typeCount] capacity. */
export let limitCount: i32 = 0;
export let limitRemaining: usize = 0;
export let limitCapacity: usize = 0;
/** minValues of the templates: i32[templateCount + 1] starts, then pairs (key, minimum). */
export let minValuesStart: usize = 0;
export let minValues: usize = 0;
/** 1: lower the minValues of new claims to what the types have (BestEffort). */
export let minValuesBestEffort: i32 = 0;

/** Daemonsets: i64[daemonCount × resourceCount] requests; i32 starts of their variants (requirement sets, ORed). */
export let daemonCount: i32 = 0;
export let daemonRequests: usize = 0;
export let daemonVariantStart: usize = 0;
export let daemonVariantSet: usize = 0;
/** u8[daemonCount × templateCount]. */
export let daemonTolerates: usize = 0;

/** Distinct host ports are numbered. The number of u64 words of a set of ports; 0 if no pod has one. */
export let portWords: i32 = 0;
/**
 * u64[daemonCount × portWords], u64[classCount × portWords]: the ports used; and per class the ports that conflict with
 * its own.
 */
export let daemonPorts: usize = 0;
export let classPorts: usize = 0;
export let classPortConflicts: usize = 0;

/** Pod classes: i64[classCount × resourceCount] requests; i32 starts of their variants, least relaxed first. */
export let classCount: i32 = 0;
export let classRequests: usize = 0;
export let classVariantStart: usize = 0;
/** i32 requirement set per variant; u8[variants × taintSetCount] tolerates. */
export let variantSet: usize = 0;
export let variantTolerates: usize = 0;
/** i32[classCount + 1]: starts of the requirement sets of its volumes, ORed; none if the volumes require nothing. */
export let classVolumeStart: usize = 0;
export let classVolumeSets: usize = 0;
/**
 * Volumes that several pods mount: i32 per volume, its resource (volumes of one resource are consecutive); and per
 * class its volumes.
 */
export let sharedCount: i32 = 0;
export let sharedResource: usize = 0;
export let classSharedStart: usize = 0;
export let classShared: usize = 0;

/** How many sets of taints: those of the templates, in order, then those of the existing nodes. */
export let taintSetCount: i32 = 0;

/** Existing nodes in the order in which Karpenter tries them. i32 per node: requirement set, taint set. */
export let nodeCount: i32 = 0;
export let nodeSet: usize = 0;
export let nodeTaintSet: usize = 0;
/** i64[nodeCount × resourceCount]: amounts left for pods; u64[nodeCount × portWords]: ports used. */
export let nodeRemaining: usize = 0;
export let nodePorts: usize = 0;
/**
 * u8[nodeCount]: 0 if the node takes no pods, for example because an amount left is negative, even if no pod requests
 * the resource.
 */
export let nodeUsable: usize = 0;
/** u8[nodeCount × sharedCount]: 1 if the volume is already attached. */
export let nodeShared: usize = 0;

/** i32 per variant: its requirement set without preferences. */
export let variantStrictSet: usize = 0;

/**
 * Topology groups. i32 each: label key or -1 for the host name, type (0 spread, 1 affinity, 2 anti-affinity), maxSkew,
 * minDomains or -1.
 */
export let topologyCount: i32 = 0;
export let topologyKey: usize = 0;
export let topologyType: usize = 0;
export let topologyMaxSkew: usize = 0;
export let topologyMinDomains: usize = 0;
/** u8 per group: 1 if a pod has the group from the start, 0 if only relaxing adds it. */
export let topologyActive: usize = 0;
/**
 * i32 per group: its first word in `topologyDomains`, u64 words with a bit for each value of its key that is a domain.
 */
export let topologyDomainStart: usize = 0;
export let topologyDomains: usize = 0;
/**
 * i32[topologyCount + 1]: starts of the requirement sets, ORed, that a node must meet to count; none if all nodes
 * count.
 */
export let topologyFilterStart: usize = 0;
export let topologyFilters: usize = 0;
/**
 * i32 per group: where its counts start, one per value of its key; for a group over hosts, its column among those
 * groups.
 */
export let topologyCountStart: usize = 0;
/** i32 per count: pods counted from the start; i32[nodeCount × groups over hosts]: the same for hosts. */
export let topologyInitial: usize = 0;
export let hostInitial: usize = 0;
/** u8[topologyCount × taintSetCount]: 1 if nodes with these taints count. */
export let topologyTolerates: usize = 0;
/** Per variant: the groups that constrain it, and u8, 1 if the group counts the pod itself. */
export let variantGroupStart: usize = 0;
export let variantGroups: usize = 0;
export let variantGroupSelf: usize = 0;
/**
 * Per class: the groups that count its pods; the anti-affinity of other pods that selects it; its own anti-affinity
 * towards other pods.
 */
export let classCountedStart: usize = 0;
export let classCounted: usize = 0;
export let classInverseAntiAffinityStart: usize = 0;
export let classInverseAntiAffinity: usize = 0;
export let classOwnAntiAffinityStart: usize = 0;
export let classOwnAntiAffinity: usize = 0;

/** The queue: i32 triples (class, count, group) in Karpenter's order. The group identifies the pods. */
export let runCount: i32 = 0;
export let runs: usize = 0;

/**
 * What-if queries (what-if-queries.ts): how many, how many words follow their headers, the largest number of added
 * pods, the number of the first group of added pods, and the first node that is not initialized.
 */
export let whatIfCount: i32 = 0;
export let whatIfWords: i32 = 0;
export let maxAddedPods: i64 = 0;
export let firstAddedGroup: i32 = 0;
export let firstUninitializedNode: i32 = 0;

/**
 * 1: the query binds pods as kube-scheduler does, each to the node that is emptiest afterwards. i64 pairs per node: its
 * allocatable CPU and memory; and the numbers of these resources, or -1 if no pod requests them.
 */
export let bindsPods: i32 = 0;
export let nodeAllocatable: usize = 0;
export let cpuResource: i32 = -1;
export let memoryResource: i32 = -1;
