import { isHandler, settingsOfRelease } from './chart';
import { settingsOfWorkload } from './deployment';
import { TerminationHandler } from './model';
import { ManifestModel } from '../manifest/model';
import { HelmRelease } from '../template';

export type { HandlerSettings, TagCheck, TerminationHandler } from './model';

/** @param releases - those of the cluster */
export function terminationHandlers({ aws, workloads }: ManifestModel, releases: readonly HelmRelease[] = aws.helmReleases): TerminationHandler[] {
  return [
    ...releases.filter(isHandler).map((release) => ({
      object: release.resource.object, release, namespace: release.namespace, settings: settingsOfRelease(release),
    })),
    ...workloads.flatMap((workload) => {
      const settings = settingsOfWorkload(workload);
      return settings ? [{ object: workload.object, namespace: workload.namespace, settings }] : [];
    }),
  ];
}
