/**
 * The problem, as the encoder writes it: numbers set as exported globals, arrays placed in memory with `allocate` and
 * handed over as the address in a global. Every name here is one of `PackerProblem` in src/kernel/packer-problem.ts.
 *
 * A "type bitset" has one bit an instance type, padded to whole v128 vectors. A "view" is the catalogue as one node class
 * resolves it. Values of labels have global ids; those of one key are neighbours, and each key's start at a word of 64 bits.
 */

/** Instance types; label keys; views; resources that some request names; values of all keys together. */
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
/** i64 per value slot (64 × words): the value as an integer; and u8: 1 where it is one. */
export let valueInteger: usize = 0;
export let valueIsInteger: usize = 0;

/** u8[viewCount × keyCount]: 1 where the types of the view carry the label at all. */
export let viewHasKey: usize = 0;
/** i32[viewCount × value slots]: number, from 1, of the type bitset in `valueTypes` of the types with that value; 0 for none. */
export let viewValueTypes: usize = 0;
export let valueTypes: usize = 0;
/** i64[viewCount × resourceCount × typeCount]. */
export let allocatable: usize = 0;
/** Type bitset per view: no allocatable amount is negative. */
export let viewUsable: usize = 0;

/** Offering planes of a view: i32[viewCount + 1] starts. */
export let planeStart: usize = 0;
/** Per plane: i32 start of its requirements (planes + 1 entries). */
export let planeTermStart: usize = 0;
/** Per plane term: key, and value slot within the key or -1 for DoesNotExist. i32 pairs. */
export let planeTerms: usize = 0;
/** Type bitset per plane: where the offering is available. */
export let planeTypes: usize = 0;
/** The key of zones, or -1 where nothing asks for one. */
export let zoneKey: i32 = -1;

/** Capacity reservations: i32 per reservation, the instances that can be launched into it; i32 per plane its reservation, or -1. */
export let reservationCount: i32 = 0;
export let reservationFree: usize = 0;
export let planeReservation: usize = 0;
/** 1: a pod whose reservations other claims keep is put elsewhere, and does not wait for these to be launched. */
export let reservedFallback: i32 = 0;

/** Requirement sets given: flags u8[n × keyCount], bounds i64[n × keyCount] each, words u64[n × words]. */
export let givenSets: i32 = 0;
export let givenFlags: usize = 0;
export let givenGte: usize = 0;
export let givenLte: usize = 0;
export let givenWords: usize = 0;

/** Templates, best first: i32 view, i32 requirement set. */
export let templateCount: i32 = 0;
export let templateView: usize = 0;
export let templateSet: usize = 0;
/** i64[templateCount]: nodes still allowed; i64.MAX_VALUE without a limit. */
export let templateNodes: usize = 0;
/** Resources with a limit: i64[templateCount × limitCount] left, i64[viewCount × limitCount × typeCount] capacity. */
export let limitCount: i32 = 0;
export let limitRemaining: usize = 0;
export let limitCapacity: usize = 0;
/** minValues of the templates: i32[templateCount + 1] starts, then pairs (key, minimum). */
export let minValuesStart: usize = 0;
export let minValues: usize = 0;
/** 1: relax minValues of new claims to what is there (BestEffort). */
export let minValuesBestEffort: i32 = 0;

/** Daemonsets: i64[daemonCount × resourceCount] requests; i32 starts of their variants (requirement sets, ORed). */
export let daemonCount: i32 = 0;
export let daemonRequests: usize = 0;
export let daemonVariantStart: usize = 0;
export let daemonVariantSet: usize = 0;
/** u8[daemonCount × templateCount]. */
export let daemonTolerates: usize = 0;

/** Host ports, distinct ones numbered: u64 words of a set of them; 0 where no pod has any. */
export let portWords: i32 = 0;
/** u64[daemonCount × portWords], u64[classCount × portWords]: the ports taken; and of classes the ports that conflict with these. */
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
/** i32[classCount + 1] starts of the requirement sets that its volumes put on the node, ORed; none: its volumes need nothing. */
export let classVolumeStart: usize = 0;
export let classVolumeSets: usize = 0;
/** Volumes that several pods claim: i32 each, the resource that they are of; those of one are neighbours. And per class which it has. */
export let sharedCount: i32 = 0;
export let sharedResource: usize = 0;
export let classSharedStart: usize = 0;
export let classShared: usize = 0;

/** Sets of taints: those of the templates, in their order, then those of the existing nodes. */
export let taintSetCount: i32 = 0;

/** Nodes that are there, in the order in which Karpenter tries them. i32 each: requirement set, taint set. */
export let nodeCount: i32 = 0;
export let nodeSet: usize = 0;
export let nodeTaintSet: usize = 0;
/** i64[nodeCount × resourceCount]: what is left for pods; u64[nodeCount × portWords]: ports taken. */
export let nodeRemaining: usize = 0;
export let nodePorts: usize = 0;
/** u8[nodeCount]: 0 where some amount left is negative, even of a resource that no pod asks for: nothing fits there. */
export let nodeUsable: usize = 0;
/** u8[nodeCount × sharedCount]: 1 where the node holds the volume already. */
export let nodeShared: usize = 0;

/** i32 per variant: its requirement set without the preference. */
export let variantStrictSet: usize = 0;

/** Topology groups. i32 each: label key or -1 for the host name, type (0 spread, 1 affinity, 2 anti-affinity), maxSkew, minDomains or -1. */
export let topologyCount: i32 = 0;
export let topologyKey: usize = 0;
export let topologyType: usize = 0;
export let topologyMaxSkew: usize = 0;
export let topologyMinDomains: usize = 0;
/** u8: 1 where some pod has the group from the start, 0 where only relaxing brings it in. */
export let topologyActive: usize = 0;
/** i32 per group: the first of its words in `topologyDomains`, u64 with a bit for each value of its key that is a domain. */
export let topologyDomainStart: usize = 0;
export let topologyDomains: usize = 0;
/** i32[topologyCount + 1] starts of requirement sets, ORed, that a node must meet to count; none: all count. */
export let topologyFilterStart: usize = 0;
export let topologyFilters: usize = 0;
/** i32 per group: where its counts start, one a value of its key, or its column among the groups over hosts. */
export let topologyCountStart: usize = 0;
/** i32 each: pods counted from the start; i32[nodeCount × groups over hosts]. */
export let topologyInitial: usize = 0;
export let hostInitial: usize = 0;
/** u8[topologyCount × taintSetCount]: whether nodes with these taints count as far as taints go. */
export let topologyTolerates: usize = 0;
/** Per variant: the groups that constrain it, and u8 whether each counts the pod itself. */
export let variantGroupStart: usize = 0;
export let variantGroups: usize = 0;
export let variantGroupSelf: usize = 0;
/** Per class: groups that count its pods; anti-affinity of others that keeps it away; its own anti-affinity, seen from the others. */
export let classCountedStart: usize = 0;
export let classCounted: usize = 0;
export let classGuardStart: usize = 0;
export let classGuards: usize = 0;
export let classInverseStart: usize = 0;
export let classInverse: usize = 0;

/** The queue: i32 triples (class, count, group), in Karpenter's order; a group is whose pods they are. */
export let runCount: i32 = 0;
export let runs: usize = 0;

/**
 * Variations of the question (assembly/variations.ts): how many, and of how many words besides what each begins with; how many pods may come
 * in, the number of their first group, and the first node not up.
 */
export let variationCount: i32 = 0;
export let variationWords: i32 = 0;
export let morePods: i64 = 0;
export let firstMoreGroup: i32 = 0;
export let firstNodeNotUp: i32 = 0;
