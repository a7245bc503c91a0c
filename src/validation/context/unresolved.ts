import { Catalog, DEFAULT_NODE_CLASS, NodeClassFacts } from '../../catalog';
import { isGateEnabled } from '../../contract';
import { Label, listText, Requirements } from '../../model';
import { PodShape, compatibleTypes, matchingTypes, NodePoolSpec } from '../../scheduling';
import { ManifestModel, NodeOverlayManifest, NodePoolManifest, WorkloadManifest } from '../manifest';
import { decidedRegion } from './decided-region';
import { CheckOptions } from '../check-options';
import { typesDependOnStrategy, placementGroupsByClass, UNKNOWN_GROUP } from './placement-groups';
import { classesWithUnknownReservations, launchesOnlyReserved, requiresReserved } from './reservations';

/** Labels of nodes that are launched into a placement group. */
const PLACEMENT_LABELS = [Label.PLACEMENT_GROUP_ID, Label.PLACEMENT_GROUP_PARTITION];

const PASS_GROUPS = '(pass the output of aws ec2 describe-placement-groups as a --cluster file)';
const GROUP_OF_CLASS = `the placement group of its EC2NodeClass ${PASS_GROUPS}`;
const PASS_STATUS = '(pass the output of kubectl get ec2nodeclasses -o yaml as a --cluster file)';

/** Labels of new nodes whose values are not in the input, with a description for messages. */
interface UnresolvedLabels {
  readonly keys: readonly string[];
  readonly what: string;
  /** Whether pods may still use them as a topology key, in spread constraints and pod affinity. @default false */
  readonly isUsableAsTopologyKey?: boolean;
}

/**
 * Leaves out what depends on unknown facts, instead of guessing:
 *
 * - zone IDs, which differ by account
 * - placement groups and capacity reservations, which only EC2 knows
 * - instance types that are newer than the catalog, or than its prices
 * - the region, if no NodePool names one and pods name several
 * - the zones of NodePools that are known only at deployment, for pods that select a zone
 *
 * NodePools and pods that depend on such a fact are not evaluated.
 */
export function dropUnresolved(model: ManifestModel, options: CheckOptions, catalog: Catalog): ManifestModel {
  const withLabels = unresolvedLabels(model, options).reduce(dropLabels, model);
  const withZones = dropPodsOfZones(withLabels);
  return dropReservations(dropNewerTypes(dropStrategies(withZones, catalog), options, catalog), options);
}

/** Leaves out the pods that select a zone, if a NodePool has zones that are known only at deployment. */
function dropPodsOfZones(model: ManifestModel): ManifestModel {
  const names = model.nodePools.flatMap(({ object, spec, hasUnknownZones }) =>
    spec && hasUnknownZones ? [object.name] : [],
  );
  if (names.length === 0) return model;
  const what = `the zones of NodePool ${listText(names, 'or')}, which are known only at deployment`;
  const zones: UnresolvedLabels = { keys: [Label.ZONE], what, isUsableAsTopologyKey: true };
  return withPodShapes(model, (shape) => (selectsAny(shape, zones) ? notEvaluated(shape, what) : shape));
}

/** Leaves out the NodePools and pods that use only reserved capacity. */
function dropReservations(model: ManifestModel, options: CheckOptions): ManifestModel {
  const unknown = new Set(classesWithUnknownReservations(model, options));
  if (unknown.size === 0) return model;
  const ofPool = `which capacity reservations its EC2NodeClass selects ${PASS_STATUS}`;
  const ofPod = `the capacity reservations that it requires (pass the status of EC2NodeClass ${listText([...unknown])}, as kubectl prints it, as a --cluster file)`;
  const pool = (manifest: NodePoolManifest) =>
    unknown.has(manifest.spec?.nodeClass ?? '') && launchesOnlyReserved(manifest)
      ? withoutSpec(manifest, ofPool)
      : manifest;
  return withPodShapes(withPools(model, pool), (shape) =>
    requiresReserved(shape) ? notEvaluated(shape, ofPod) : shape,
  );
}

/** Leaves out the NodePools whose only instance types, or their prices, may be newer than the catalog. */
function dropNewerTypes(model: ManifestModel, { featureGates }: CheckOptions, catalog: Catalog): ManifestModel {
  const { nodeClasses, cluster } = model;
  const classes = new Map(
    [...(cluster?.nodeClasses ?? []), ...nodeClasses].map(({ object, facts }) => [object.name, facts]),
  );
  const setsPrices = isGateEnabled(featureGates, 'NodeOverlay') && model.nodeOverlays.some(maySetPrice);
  return withPools(model, (manifest) => {
    if (manifest.spec === undefined) return manifest;
    const nodeClass = classes.get(manifest.spec.nodeClass);
    const newer = typesNewerThanCatalog(manifest.spec, catalog, nodeClass);
    if (newer.length > 0)
      return withoutSpec(manifest, `the instance type data of ${listText(newer)}, possibly newer than this catalog,`);
    const unpriced = setsPrices ? [] : typesOfUnknownPrice(manifest.spec, catalog, nodeClass);
    return unpriced.length === 0
      ? manifest
      : withoutSpec(
          manifest,
          `the price of ${listText(unpriced)} (pass a catalogue that karpenter-constructs catalog update makes)`,
        );
  });
}

/** Whether a NodeOverlay may give a type without a price its price: a percentage of an unknown price is unknown. */
function maySetPrice({ spec, tokens = [] }: NodeOverlayManifest): boolean {
  return tokens.length > 0 || (spec?.priceChange !== undefined && !/^[+-]/.test(spec.priceChange));
}

function withPools(model: ManifestModel, change: (manifest: NodePoolManifest) => NodePoolManifest): ManifestModel {
  const { nodePools, cluster } = model;
  return {
    ...model,
    nodePools: nodePools.map(change),
    ...(cluster ? { cluster: { ...cluster, nodePools: cluster.nodePools.map(change) } } : {}),
  };
}

/** Leaves out the NodePools whose instance types depend on the strategy of an unknown placement group. */
function dropStrategies(model: ManifestModel, catalog: Catalog): ManifestModel {
  const unknown = new Set(classesWithUnknownGroups(model));
  if (unknown.size === 0) return model;
  const { nodeClasses, cluster } = model;
  const classes = new Map(
    [...(cluster?.nodeClasses ?? []), ...nodeClasses].map((nodeClass) => [nodeClass.object.name, nodeClass]),
  );
  return withPools(model, (manifest) => {
    const name = manifest.spec?.nodeClass ?? '';
    return unknown.has(name) && typesDependOnStrategy(manifest, classes.get(name)!, catalog)
      ? withoutSpec(manifest, GROUP_OF_CLASS)
      : manifest;
  });
}

/** EC2NodeClasses that select a placement group which the input does not contain. */
export function classesWithUnknownGroups(model: ManifestModel): string[] {
  return [...placementGroupsByClass(model)].flatMap(([name, group]) => (group === UNKNOWN_GROUP ? [name] : [])).sort();
}

function unresolvedLabels(model: ManifestModel, options: CheckOptions): UnresolvedLabels[] {
  const { zones = [], zoneIds = {} } = options;
  const { by, named } = decidedRegion(options, model);
  const regions = by === 'pods' ? named : [];
  const whichRegion = `the region of the cluster, ${listText(regions, 'or')} (pass --region),`;
  const hasAllZoneIds = zones.length > 0 && zones.every((zone) => Object.hasOwn(zoneIds, zone));
  return [
    ...(hasAllZoneIds
      ? []
      : [
          {
            keys: [Label.ZONE_ID],
            what: 'the zone of each zone ID that it selects (pass --zones us-east-1a=use1-az1,…)',
          },
        ]),
    ...(regions.length < 2
      ? []
      : [{ keys: [Label.ZONE, Label.REGION], what: whichRegion, isUsableAsTopologyKey: true }]),
    ...(classesWithUnknownGroups(model).length === 0
      ? []
      : [{ keys: PLACEMENT_LABELS, what: `the placement group that it selects ${PASS_GROUPS}` }]),
  ];
}

function dropLabels(model: ManifestModel, unresolved: UnresolvedLabels): ManifestModel {
  return withPodShapes(
    withPools(model, (manifest) => withoutRequirement(manifest, unresolved)),
    (shape) => (selectsAny(shape, unresolved) ? notEvaluated(shape, unresolved.what) : shape),
  );
}

function withPodShapes(model: ManifestModel, change: (shape: PodShape) => PodShape): ManifestModel {
  const { workloads, cluster } = model;
  const pods = cluster?.pods.map((group) => ({ ...group, shape: change(group.shape) })) ?? [];
  return {
    ...model,
    workloads: workloads.map((workload) => withShapes(workload, change)),
    ...(cluster ? { cluster: { ...cluster, pods } } : {}),
  };
}

function notEvaluated(shape: PodShape, what: string): PodShape {
  return { ...shape, notEvaluated: [...shape.notEvaluated, what] };
}

function withoutRequirement(pool: NodePoolManifest, { keys, what }: UnresolvedLabels): NodePoolManifest {
  const { spec } = pool;
  if (
    !spec ||
    !keys.some(
      (key) => spec.requirements.some((requirement) => requirement.key === key) || Object.hasOwn(spec.labels, key),
    )
  )
    return pool;
  return withoutSpec(pool, what);
}

function withoutSpec(pool: NodePoolManifest, what: string): NodePoolManifest {
  return { ...pool, spec: undefined, missingFacts: [...(pool.missingFacts ?? []), what] };
}

function withShapes(workload: WorkloadManifest, change: (shape: PodShape) => PodShape): WorkloadManifest {
  const { shape, ordinals } = workload;
  return {
    ...workload,
    ...(shape ? { shape: change(shape) } : {}),
    ...(ordinals ? { ordinals: ordinals.map((range) => ({ ...range, shape: change(range.shape) })) } : {}),
  };
}

function selectsAny(shape: PodShape, { keys: unresolved, isUsableAsTopologyKey = false }: UnresolvedLabels): boolean {
  const {
    nodeSelector,
    requiredNodeAffinity,
    preferredNodeAffinity,
    topologySpread = [],
    podAffinity,
    podAntiAffinity,
    volumeTopology = [],
  } = shape;
  const terms = [...requiredNodeAffinity, ...preferredNodeAffinity.map(({ term }) => term)];
  const affinities = [podAffinity, podAntiAffinity].flatMap((affinity) =>
    affinity ? [...affinity.required, ...affinity.preferred.map(({ term }) => term)] : [],
  );
  const keys = [
    ...Object.keys(nodeSelector),
    ...terms.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key)),
    ...(isUsableAsTopologyKey ? [] : [...topologySpread, ...affinities].map(({ topologyKey }) => topologyKey)),
    ...volumeTopology.flatMap((specs) => specs.map(({ key }) => key)),
  ];
  return unresolved.some((key) => keys.includes(key));
}

const KEYS = [Label.INSTANCE_TYPE, Label.INSTANCE_FAMILY];
const FAMILY = /^[a-z]+(?:-\d+tb)?(\d+)[a-z0-9-]*$/;

/**
 * Instance types or families that a NodePool requires by name and that the catalog does not have, but EC2 may have by
 * now. Their family is unknown, and its generation is at most the next one. Empty if the NodePool has other instance
 * types to launch.
 *
 * @param nodeClass of the pool, if it is known
 */
function typesNewerThanCatalog(
  { requirements }: NodePoolSpec,
  catalog: Catalog,
  nodeClass: NodeClassFacts = DEFAULT_NODE_CLASS,
): string[] {
  const required = Requirements.from(requirements);
  const named = KEYS.flatMap((key) =>
    required.has(key) && !required.get(key).complement ? [...required.get(key).values] : [],
  );
  if (named.length === 0) return [];
  const families = new Set(catalog.names.map(familyOf));
  const newest = Math.max(...[...families].map(generationOf).filter((generation) => !Number.isNaN(generation)));
  const newer = named.filter((value) => !families.has(familyOf(value)) && generationOf(familyOf(value)) <= newest + 1);
  return newer.length === 0 || matchingTypes(catalog.resolve(nodeClass), required).length > 0 ? [] : newer.sort();
}

/**
 * Instance types that meet the requirements and are sold in the region, but whose price no record has. Karpenter reads
 * it from the price list. Empty if the NodePool has other instance types to launch.
 *
 * @param nodeClass of the pool, if it is known
 */
function typesOfUnknownPrice(
  { requirements }: NodePoolSpec,
  catalog: Catalog,
  nodeClass: NodeClassFacts = DEFAULT_NODE_CLASS,
): string[] {
  const required = Requirements.from(requirements);
  const table = catalog.resolve(nodeClass);
  if (matchingTypes(table, required).length > 0) return [];
  const isCompatible = compatibleTypes(table, required);
  return catalog.names.filter((name, type) => isCompatible[type] && catalog.isPriceUnrecorded(name));
}

function familyOf(name: string): string {
  return name.split('.')[0];
}

/** NaN if the text is not the name of an instance family. */
function generationOf(family: string): number {
  return Number(FAMILY.exec(family)?.[1] ?? NaN);
}
