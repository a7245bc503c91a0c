import { ManifestModel } from '../../manifest/model';

/** With so many installed programs, the input likely has all of them that nodes need. */
export const ENOUGH_ADDONS = 2;
/** Objects that install programs. */
const INSTALLERS = ['HelmRelease', 'HelmChart', 'Application', 'ApplicationSet', 'Kustomization'];

/** How many programs the input installs on nodes or in the cluster. */
export function installs({ workloads, objects, aws }: ManifestModel): number {
  return (
    workloads.filter(({ kind }) => kind === 'DaemonSet').length +
    objects.filter(({ kind }) => INSTALLERS.includes(kind)).length +
    aws.addons.length +
    aws.helmReleases.length
  );
}
