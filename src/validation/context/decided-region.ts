import { referredRegion } from './referred-region';
import { isRegion, nearestRegion, regionOfZone } from '../../catalog';
import { Label, memoizeByIdentity } from '../../model';
import { CheckOptions } from '../check-options';
import { ManifestModel } from '../manifest';
import { namedValues, valuesOfPool } from './named-values';
import { ReadableTemplate, readableTemplate } from './readable-requirements';

/** The region of the cluster, and why it is taken to be this one. */
export interface DecidedRegion {
  /** Absent if nothing names a region, or only pods do, and they name several. */
  readonly region?: string;
  /**
   * `guess`: NodePools name several regions, and most of them this one. `pods`: several regions, named by pods only.
   * `references`: no manifest requires a region, but images, ARNs or `AWS_REGION` name one.
   */
  readonly by: 'options' | 'cluster config' | 'manifests' | 'guess' | 'pods' | 'references' | 'nothing';
  /** All regions that the manifests name, sorted. */
  readonly named: readonly string[];
}

/**
 * A cluster is in one region: the one of the options, of an eksctl ClusterConfig, or of the zones that manifests name.
 * If NodePools name several regions, it is the region that most of them name, the first one of equals. A misspelt
 * region counts as the one that it resembles.
 */
export function decidedRegion(
  { region, zones = [] }: Pick<CheckOptions, 'region' | 'zones'>,
  model: ManifestModel,
): DecidedRegion {
  const { ofPools, named, ofConfig } = regionsNamedIn(model);
  const given = region ?? zones.map(regionOfZone).find((known) => known !== undefined);
  if (given !== undefined) return { region: given, by: 'options', named };
  if (ofConfig.length === 1) return { region: ofConfig[0], by: 'cluster config', named };
  if (named.length === 1) return { region: named[0], by: 'manifests', named };
  if (named.length === 0) {
    const referred = referredRegion(model);
    return referred === undefined ? { by: 'nothing', named } : { region: referred.region, by: 'references', named };
  }
  const counts = new Map<string, number>();
  for (const name of ofPools.flatMap((regions) => [...new Set(regions)])) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === 0) return { by: 'pods', named };
  const [[most]] = [...counts].sort(([, left], [, right]) => right - left);
  return { region: most, by: counts.size === 1 ? 'manifests' : 'guess', named };
}

/** Memoized, because rules ask for the region once for each workload, and each answer reads all workloads. */
const regionsNamedIn = memoizeByIdentity((model: ManifestModel) => {
  const specs = new Map(
    model.nodePools.map(({ spec, object }) => [object.name, spec ?? readableTemplate(object.raw)] as const),
  );
  const ofPools = [...specs.values()].map(regionsOfPool);
  const ofPods = regionsIn(namedValues(model, Label.ZONE), namedValues(model, Label.REGION));
  const named = [...new Set([...ofPools.flat(), ...ofPods])].sort();
  return { ofPools, named, ofConfig: clusterConfigRegions(model) };
});

/** Regions that a NodePool requires, by a region label or by the names of its zones. */
export function regionsOfPool(spec: ReadableTemplate): string[] {
  return regionsIn(valuesOfPool(spec, Label.ZONE), valuesOfPool(spec, Label.REGION));
}

function regionsIn(zones: readonly string[], regions: readonly string[]): string[] {
  return [...zones.flatMap((zone) => regionOfZone(zone) ?? []), ...regions].flatMap((name) =>
    isRegion(name) ? name : (nearestRegion(name) ?? []),
  );
}

function clusterConfigRegions({ objects }: ManifestModel): string[] {
  const configs = objects.filter(
    ({ apiVersion, kind }) => apiVersion.startsWith('eksctl.io/') && kind === 'ClusterConfig',
  );
  const regions = configs
    .map(({ raw }) => raw.metadata?.region)
    .filter((region): region is string => typeof region === 'string' && isRegion(region));
  return [...new Set(regions)];
}
