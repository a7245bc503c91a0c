import { SyncedRelease, textOf } from './synced-release';
import { asRecord } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf } from '../manifest/records';

const HELM_GROUP = 'helm.toolkit.fluxcd.io/';
const SOURCE_GROUP = 'source.toolkit.fluxcd.io/';
/** Sources of files, where the chart is a folder, which may have Karpenter's in it: its version counts for nothing there. */
const OWN_CHART = ['GitRepository', 'Bucket'];

/**
 * The chart of a HelmRelease: named in it, or in a HelmChart or OCIRepository that it names.
 *
 * @see https://fluxcd.io/flux/components/helm/helmreleases/
 */
export function fluxReleases(object: ManifestObject, objects: readonly ManifestObject[]): SyncedRelease[] {
  const spec = asRecord(object.raw.spec);
  if (object.kind !== 'HelmRelease' || !object.apiVersion.startsWith(HELM_GROUP) || !spec) return [];
  const source = asRecord(asRecord(spec.chart)?.spec) ?? referredChart(object, asRecord(spec.chartRef), objects);
  if (!source || OWN_CHART.includes(textOf(asRecord(source.sourceRef)?.kind))) return [];
  const target = textOf(spec.targetNamespace);
  const ref = asRecord(source.ref);
  return [{
    object,
    chart: textOf(source.chart),
    repository: textOf(source.url),
    version: textOf(source.version) || textOf(ref?.tag) || undefined,
    versionPath: spec.chart === undefined ? ['spec', 'chartRef'] : ['spec', 'chart', 'spec', 'version'],
    name: textOf(spec.releaseName) || [target, object.name].filter((part) => part !== '').join('-'),
    namespace: target || (object.namespace ?? 'default'),
    values: asRecord(spec.values) ?? {},
    complete: recordsOf(spec.valuesFrom).length === 0 && !hasOtherDefaults(source),
    valuesPath: ['spec', 'values'],
    // Skip, if nothing is said.
    updatesCrds: asRecord(spec.upgrade)?.crds === 'CreateReplace',
    crdsPath: ['spec', 'upgrade', 'crds'],
  }];
}

/** Files of the chart that stand in for its own values. */
function hasOtherDefaults({ valuesFiles }: PlainRecord): boolean {
  return Array.isArray(valuesFiles) && valuesFiles.some((file) => file !== 'values.yaml');
}

function referredChart(release: ManifestObject, ref: PlainRecord | undefined, objects: readonly ManifestObject[]): PlainRecord | undefined {
  if (!ref) return undefined;
  const namespace = textOf(ref.namespace) || release.namespace;
  const found = objects.find(({ kind, apiVersion, name, ...object }) =>
    kind === ref.kind && apiVersion.startsWith(SOURCE_GROUP) && name === ref.name && (object.namespace ?? 'default') === (namespace ?? 'default'));
  return asRecord(found?.raw.spec);
}
