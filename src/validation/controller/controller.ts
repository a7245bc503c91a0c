import { CHART_NAME, effectiveValues, isChart, podLabelsOfChart } from './chart';
import { deployedControllers } from './deployment';
import { Controller } from './model';
import { syncedControllers } from './synced';
import { asRecord } from '../../contract';
import { FieldPath, ManifestModel, ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';
import { CheckOptions } from '../options';
import { AwsModel, HelmRelease } from '../template';

const VALUES_PATH: FieldPath = ['Properties', 'Values'];
const VERSION_PATH: FieldPath = ['Properties', 'Version'];

/** What is known of Karpenter: from templates and manifests, or else from what was said beside them. */
export function findControllers(model: ManifestModel, options: CheckOptions): Controller[] {
  const found = [...releasedControllers(model.aws), ...syncedControllers(model.objects), ...deployedControllers(model)];
  if (found.length > 0 || !options.controllerValues) return found;
  const { file, values } = options.controllerValues;
  const object = settingsObject(file);
  return [{ object, values: effectiveValues(values), podLabels: {}, fromChart: false, complete: false, pathOf: (...steps) => steps }];
}

/** Those that a template installs by the chart. */
export function releasedControllers({ helmReleases }: AwsModel): Controller[] {
  return helmReleases.flatMap(releasedController);
}

function releasedController(release: HelmRelease): Controller[] {
  if (!isChart(release, CHART_NAME)) return [];
  return [{
    object: release.resource.object,
    release,
    releaseName: release.release,
    fromChart: true,
    namespace: release.namespace,
    podLabels: podLabelsOfChart(release.values ?? {}, release.release),
    ...release.version === undefined ? {} : { version: release.version.replace(/^v/, '') },
    values: effectiveValues(release.values ?? {}),
    complete: release.values !== undefined,
    pathOf: (first) => first === 'version' ? VERSION_PATH : VALUES_PATH,
  }];
}

function settingsObject(file: string): ManifestObject {
  return {
    apiVersion: '',
    kind: 'Helm values',
    name: file,
    raw: {},
    locate: (path) => ({ file, line: 1, column: 1, path: path.join('.') }),
  };
}

/** Those that the input installs. Values that were given beside it may be an excerpt: of what is not in them nothing can be said. */
export function installed(controllers: readonly Controller[]): Controller[] {
  return controllers.filter(({ complete, fromChart }) => complete || fromChart);
}

/** A value of the chart, by its keys. */
export function valueAt(values: PlainRecord, ...steps: readonly string[]): unknown {
  return steps.reduce<unknown>((at, step) => asRecord(at)?.[step], values);
}
