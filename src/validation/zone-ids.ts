import { Label } from '../model';
import { PodShape } from '../scheduling';
import { ManifestModel, NodePoolManifest, WorkloadManifest } from './manifest';
import { CheckOptions } from './options';

const UNKNOWN = 'the zone of each zone id that it asks for';
const REMEDY = '--zones us-east-1a=use1-az1 and so on tells it';

/** Which zone has which id, as the cluster tells; each account has an order of its own. */
export function zoneIdsOf({ cluster }: ManifestModel): Record<string, string> {
  if (!cluster) return {};
  const ofNodes = cluster.nodes.map(({ labels }) => [labels[Label.ZONE], labels[Label.ZONE_ID]]);
  const ofClasses = [...cluster.classes.values()].flatMap(({ zoneIds }) => Object.entries(zoneIds));
  return Object.fromEntries([...ofNodes, ...ofClasses].filter(([zone, id]) => zone !== undefined && id !== undefined));
}

/**
 * Without what depends on ids of zones where it is not known which zones these are: such NodePools are not judged, and such pods not
 * evaluated.
 */
export function withKnownZoneIds(model: ManifestModel, { zones = [], zoneIds = {} }: CheckOptions): ManifestModel {
  if (zones.length > 0 && zones.every((zone) => Object.hasOwn(zoneIds, zone))) return model;
  const { cluster } = model;
  return {
    ...model,
    nodePools: model.nodePools.map(withoutZoneIds),
    workloads: model.workloads.map(withUnknownZones),
    ...cluster ? { cluster: {
      ...cluster,
      nodePools: cluster.nodePools.map(withoutZoneIds),
      pods: cluster.pods.map((group) => asksForZoneIds(group.shape) ? { ...group, shape: marked(group.shape) } : group),
    } } : {},
  };
}

function withoutZoneIds(pool: NodePoolManifest): NodePoolManifest {
  const { spec, tokens = [] } = pool;
  if (!spec || !(spec.requirements.some(({ key }) => key === Label.ZONE_ID) || Object.hasOwn(spec.labels, Label.ZONE_ID))) return pool;
  return { ...pool, spec: undefined, tokens: [...tokens, `${UNKNOWN} (${REMEDY})`] };
}

function withUnknownZones(workload: WorkloadManifest): WorkloadManifest {
  const { shape, ordinals } = workload;
  if (!shape || !asksForZoneIds(shape)) return workload;
  return { ...workload, shape: marked(shape), ...ordinals ? { ordinals: ordinals.map((range) => ({ ...range, shape: marked(range.shape) })) } : {} };
}

function marked(shape: PodShape): PodShape {
  return { ...shape, notEvaluated: [...shape.notEvaluated, `${UNKNOWN}, which differs by account (${REMEDY})`] };
}

function asksForZoneIds(shape: PodShape): boolean {
  const { nodeSelector, requiredNodeAffinity, preferredNodeAffinity, topologySpread = [], podAffinity, podAntiAffinity, volumeTopology = [] } = shape;
  const terms = [...requiredNodeAffinity, ...preferredNodeAffinity.map(({ term }) => term)];
  const affinities = [podAffinity, podAntiAffinity].flatMap((each) => each ? [...each.required, ...each.preferred.map(({ term }) => term)] : []);
  const keys = [
    ...Object.keys(nodeSelector),
    ...terms.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key)),
    ...[...topologySpread, ...affinities].map(({ topologyKey }) => topologyKey),
    ...volumeTopology.flatMap((specs) => specs.map(({ key }) => key)),
  ];
  return keys.includes(Label.ZONE_ID);
}
