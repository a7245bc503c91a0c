import { isHandlerChart, settingsOfRelease } from './chart';
import { settingsOfWorkload } from './deployment';
import { TerminationHandler } from './handler-settings';
import { ManifestModel } from '../manifest/model';
import { HelmRelease } from '../template';

export type { HandlerSettings, TagCheck, TerminationHandler } from './handler-settings';

/**
 * The installations of AWS Node Termination Handler in templates and manifests.
 *
 * @param releases the Helm releases to search. @default - the releases of the cluster
 */
export function terminationHandlers(
  { aws, workloads }: ManifestModel,
  releases: readonly HelmRelease[] = aws.helmReleases,
): TerminationHandler[] {
  return [
    ...releases.filter(isHandlerChart).map((release) => ({
      object: release.resource.object,
      release,
      namespace: release.namespace,
      settings: settingsOfRelease(release),
    })),
    ...workloads.flatMap((workload) => {
      const settings = settingsOfWorkload(workload);
      return settings ? [{ object: workload.object, namespace: workload.namespace, settings }] : [];
    }),
  ];
}
