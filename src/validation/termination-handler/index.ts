import { settingsOfRelease } from './chart';
import { settingsOfWorkload } from './deployment';
import { TerminationHandler } from './handler-settings';
import { NODE_TERMINATION_HANDLER } from '../../contract';
import { installedCharts } from '../controller';
import { ManifestModel } from '../manifest/model';
import { HelmRelease } from '../template';

export type { HandlerSettings, TagCheck, TerminationHandler } from './handler-settings';

/**
 * The installations of AWS Node Termination Handler in templates and manifests.
 *
 * @param releases the chart resources of templates to search. @default - the releases of the cluster
 */
export function terminationHandlers(
  model: ManifestModel,
  releases: readonly HelmRelease[] = model.aws.helmReleases,
): TerminationHandler[] {
  return [
    ...installedCharts(model, NODE_TERMINATION_HANDLER, releases).map((installed) => ({
      object: installed.object,
      release: installed.helmRelease,
      namespace: installed.namespace,
      settings: settingsOfRelease(installed),
    })),
    ...model.workloads.flatMap((workload) => {
      const settings = settingsOfWorkload(workload);
      return settings ? [{ object: workload.object, namespace: workload.namespace, settings }] : [];
    }),
  ];
}
