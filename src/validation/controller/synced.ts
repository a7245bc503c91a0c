import { argoReleases } from './argo-cd';
import { CHART_NAME, effectiveValues, isChart } from './chart';
import { fluxReleases } from './flux';
import { Controller } from './model';
import { SyncedRelease } from './synced-release';
import { ManifestObject } from '../manifest/model';

const EXACT = /^v?\d+\.\d+\.\d+(?:-[\w.]+)?$/;

/** Karpenter as Flux or Argo CD installs it, by the objects that tell them so. */
export function syncedControllers(objects: readonly ManifestObject[]): Controller[] {
  const releases = objects.flatMap((object) => [...fluxReleases(object, objects), ...argoReleases(object)]);
  return releases.filter((release) => isChart(release, CHART_NAME)).map(controllerOf);
}

function controllerOf({ object, name, namespace, version, versionPath, values, complete, valuesPath }: SyncedRelease): Controller {
  return {
    object,
    namespace,
    releaseName: name,
    ...version !== undefined && EXACT.test(version) ? { version: version.replace(/^v/, '') } : {},
    values: effectiveValues(values),
    fromChart: true,
    complete,
    pathOf: (...steps) => steps[0] === 'version' ? versionPath : [...valuesPath, ...steps],
  };
}
