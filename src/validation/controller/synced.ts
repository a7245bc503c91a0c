import { argoReleases } from './argo-cd';
import { CHART_NAME, effectiveValues, isChart, podLabelsOfChart } from './chart';
import { fluxReleases } from './flux';
import { Controller } from './model';
import { SyncedRelease } from './synced-release';
import { ManifestObject } from '../manifest/model';

const EXACT = /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Karpenter as Flux or Argo CD installs it, by the objects that tell them so. */
export function syncedControllers(objects: readonly ManifestObject[]): Controller[] {
  return syncedReleases(objects, CHART_NAME).map(controllerOf);
}

/** The releases of the chart of this name. */
export function syncedReleases(objects: readonly ManifestObject[], chart: string): SyncedRelease[] {
  const releases = objects.flatMap((object) => [...fluxReleases(object, objects), ...argoReleases(object)]);
  return releases.filter((release) => isChart(release, chart));
}

/** The version of the chart, where it says exactly one. */
export function exactVersion({ version }: SyncedRelease): string | undefined {
  return version !== undefined && EXACT.test(version) ? version.replace(/^v/, '') : undefined;
}

function controllerOf(release: SyncedRelease): Controller {
  const { object, name, namespace, versionPath, values, complete, valuesPath } = release;
  return {
    object,
    synced: release,
    namespace,
    releaseName: name,
    podLabels: podLabelsOfChart(values, name),
    version: exactVersion(release),
    values: effectiveValues(values),
    fromChart: true,
    complete,
    pathOf: (...steps) => steps[0] === 'version' ? versionPath : [...valuesPath, ...steps],
  };
}
