import { Catalog } from '../catalog';
import { Label } from '../model';
import { PodShape } from '../scheduling';
import { ManifestModel, NodePoolManifest, WorkloadManifest } from './manifest';
import { regionsNamed } from './named-zones';
import { newerTypes } from './newer-types';
import { CheckOptions } from './options';
import { dependsOnStrategy, placementGroups, UNKNOWN_GROUP } from './placement-groups';
import { classesOfUnknownReservations, launchesReservedAlone, wantsReservedAlone } from './reservations';

/** Those that EC2 gives instances of placement groups. */
const PLACEMENT_LABELS = [Label.PLACEMENT_GROUP_ID, Label.PLACEMENT_GROUP_PARTITION];

const TOLD_BY = '(what aws ec2 describe-placement-groups prints tells it, as a file of --cluster)';
const GROUP_OF_CLASS = `the placement group of its EC2NodeClass ${TOLD_BY}`;
const IN_ITS_STATUS = '(its status, as kubectl get ec2nodeclasses -o yaml prints it, tells it, as a file of --cluster)';

/** Labels of new nodes whose values nothing in the input tells, and how to call these. */
interface Untold {
  readonly keys: readonly string[];
  readonly what: string;
  /** Whether pods that spread over them, or keep together or apart by them, may be placed as if they were known. @default false */
  readonly mayBeSpreadOver?: boolean;
}

/**
 * Without what depends on what is not known: on ids of zones, which differ by account, on placement groups and capacity reservations,
 * which only EC2 knows, on instance types that came after those of the catalogue, and on the region, where several are named.
 * NodePools that do are not judged, and such pods not evaluated.
 */
export function withoutUntold(model: ManifestModel, options: CheckOptions, catalog: Catalog): ManifestModel {
  return withoutReservations(withoutNewerTypes(withoutStrategies(untoldLabels(model, options).reduce(without, model), catalog), catalog), options);
}

/** Without the pools and the pods that have a node only where there is a reservation. */
function withoutReservations(model: ManifestModel, options: CheckOptions): ManifestModel {
  const unknown = new Set(classesOfUnknownReservations(model, options));
  if (unknown.size === 0) return model;
  const what = `which capacity reservations its EC2NodeClass finds ${IN_ITS_STATUS}`;
  const asked = `the capacity reservations that it asks for (the status of EC2NodeClass ${[...unknown].join(' and ')}, as kubectl prints it, tells them, as a file of --cluster)`;
  const pool = (manifest: NodePoolManifest) => unknown.has(manifest.spec?.nodeClass ?? '') && launchesReservedAlone(manifest) ? notJudged(manifest, what) : manifest;
  return withPodShapes(withPools(model, pool), (own) => wantsReservedAlone(own) ? notEvaluated(own, asked) : own);
}

/** Without the pools that name none but instance types that the catalogue may be too old for. */
function withoutNewerTypes(model: ManifestModel, catalog: Catalog): ManifestModel {
  const { nodeClasses, cluster } = model;
  const classes = new Map([...cluster?.nodeClasses ?? [], ...nodeClasses].map(({ object, facts }) => [object.name, facts]));
  return withPools(model, (manifest) => {
    const newer = manifest.spec ? newerTypes(manifest.spec, catalog, classes.get(manifest.spec.nodeClass)) : [];
    return newer.length === 0 ? manifest : notJudged(manifest, `what ${newer.join(' and ')} is like, newer than the instance types that are known here if there is such,`);
  });
}

function withPools(model: ManifestModel, change: (manifest: NodePoolManifest) => NodePoolManifest): ManifestModel {
  const { nodePools, cluster } = model;
  return { ...model, nodePools: nodePools.map(change), ...cluster ? { cluster: { ...cluster, nodePools: cluster.nodePools.map(change) } } : {} };
}

/** Without the pools that have other instance types with one strategy of their class's unknown group than with another. */
function withoutStrategies(model: ManifestModel, catalog: Catalog): ManifestModel {
  const unknown = new Set(classesOfUnknownGroups(model));
  if (unknown.size === 0) return model;
  const { nodeClasses, cluster } = model;
  const classes = new Map([...cluster?.nodeClasses ?? [], ...nodeClasses].map((each) => [each.object.name, each]));
  return withPools(model, (manifest) => {
    const name = manifest.spec?.nodeClass ?? '';
    return unknown.has(name) && dependsOnStrategy(manifest, classes.get(name)!, catalog) ? notJudged(manifest, GROUP_OF_CLASS) : manifest;
  });
}

/** Node classes that launch into placement groups of which nothing is known. */
export function classesOfUnknownGroups(model: ManifestModel): string[] {
  return [...placementGroups(model)].flatMap(([name, group]) => group === UNKNOWN_GROUP ? [name] : []).sort();
}

function untoldLabels(model: ManifestModel, { region, zones = [], zoneIds = {} }: CheckOptions): Untold[] {
  const regions = region === undefined && zones.length === 0 ? regionsNamed(model) : [];
  const whichRegion = `which of the regions ${regions.join(' and ')} the cluster is in (--region tells it)`;
  const zonesTold = zones.length > 0 && zones.every((zone) => Object.hasOwn(zoneIds, zone));
  return [
    ...zonesTold ? [] : [{ keys: [Label.ZONE_ID], what: 'the zone of each zone id that it asks for (--zones us-east-1a=use1-az1 and so on tells it)' }],
    ...regions.length < 2 ? [] : [{ keys: [Label.ZONE, Label.REGION], what: whichRegion, mayBeSpreadOver: true }],
    ...classesOfUnknownGroups(model).length === 0 ? [] : [{ keys: PLACEMENT_LABELS, what: `the placement group that it asks for ${TOLD_BY}` }],
  ];
}

function without(model: ManifestModel, untold: Untold): ManifestModel {
  return withPodShapes(
    withPools(model, (manifest) => withoutRequirement(manifest, untold)),
    (own) => asksFor(own, untold) ? notEvaluated(own, untold.what) : own,
  );
}

function withPodShapes(model: ManifestModel, shape: (own: PodShape) => PodShape): ManifestModel {
  const { workloads, cluster } = model;
  const pods = cluster?.pods.map((group) => ({ ...group, shape: shape(group.shape) })) ?? [];
  return { ...model, workloads: workloads.map((workload) => withShapes(workload, shape)), ...cluster ? { cluster: { ...cluster, pods } } : {} };
}

function notEvaluated(shape: PodShape, what: string): PodShape {
  return { ...shape, notEvaluated: [...shape.notEvaluated, what] };
}

function withoutRequirement(pool: NodePoolManifest, { keys, what }: Untold): NodePoolManifest {
  const { spec } = pool;
  if (!spec || !keys.some((key) => spec.requirements.some((requirement) => requirement.key === key) || Object.hasOwn(spec.labels, key))) return pool;
  return notJudged(pool, what);
}

function notJudged(pool: NodePoolManifest, what: string): NodePoolManifest {
  return { ...pool, spec: undefined, tokens: [...pool.tokens ?? [], what] };
}

function withShapes(workload: WorkloadManifest, change: (shape: PodShape) => PodShape): WorkloadManifest {
  const { shape, ordinals } = workload;
  return {
    ...workload,
    ...shape ? { shape: change(shape) } : {},
    ...ordinals ? { ordinals: ordinals.map((range) => ({ ...range, shape: change(range.shape) })) } : {},
  };
}

function asksFor(shape: PodShape, { keys: untold, mayBeSpreadOver = false }: Untold): boolean {
  const { nodeSelector, requiredNodeAffinity, preferredNodeAffinity, topologySpread = [], podAffinity, podAntiAffinity, volumeTopology = [] } = shape;
  const terms = [...requiredNodeAffinity, ...preferredNodeAffinity.map(({ term }) => term)];
  const affinities = [podAffinity, podAntiAffinity].flatMap((each) => each ? [...each.required, ...each.preferred.map(({ term }) => term)] : []);
  const keys = [
    ...Object.keys(nodeSelector),
    ...terms.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key)),
    ...mayBeSpreadOver ? [] : [...topologySpread, ...affinities].map(({ topologyKey }) => topologyKey),
    ...volumeTopology.flatMap((specs) => specs.map(({ key }) => key)),
  ];
  return untold.some((key) => keys.includes(key));
}
