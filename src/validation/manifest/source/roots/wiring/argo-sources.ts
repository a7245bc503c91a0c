import { applicationProblem, ArgoWiring, sourcesOf } from './argo-problems';
import { wrongUrl } from './argo-url';
import { isKarpenterObject } from './carried-objects';
import { isFilledLater } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { scalarText } from '../../../records';
import { Application } from '../clusters/argo-cd';

/**
 * Sources of charts with a URL that Argo CD cannot use. `oci://` is for whole artifacts, which Argo CD reads since 3.1,
 * and a `chart` is of a URL without it.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/oci/
 */
export function unusableSources({ applications }: ArgoWiring): DeploymentProblem[] {
  return applications.flatMap((application) =>
    sourcesOf(application).flatMap(([source, path]): DeploymentProblem[] => {
      const wrong = wrongUrl(source);
      if (wrong === undefined) return [];
      return [
        applicationProblem(application, [...path, 'repoURL'], {
          message: `${wrong.why}, so nothing of it is deployed`,
          remedy: wrong.remedy,
          evidence: { repoURL: source.repoURL, chart: source.chart ?? null },
        }),
      ];
    }),
  );
}

/**
 * Applications with `include` or `exclude` patterns that leave out all files of the folder.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/directory/#including-only-certain-files
 */
export function emptiedFolders({ applications, isEmptied }: ArgoWiring): DeploymentProblem[] {
  return applications.flatMap((application) =>
    sourcesOf(application).flatMap(([{ path, directory }, place]): DeploymentProblem[] => {
      const { include, exclude } = asRecord(directory) ?? {};
      const field = typeof include === 'string' && include !== '' ? 'include' : 'exclude';
      const pattern = field === 'include' ? include : exclude;
      if (typeof pattern !== 'string' || isFilledLater(pattern) || !isEmptied(application, path)) return [];
      return [
        applicationProblem(application, [...place, 'directory', field], {
          message: `${field} "${pattern}" leaves out all files of ${scalarText(path)}: nothing of it is deployed, and what is there is deleted if it prunes`,
          remedy:
            field === 'include' ? 'write a pattern for the files, such as "*.yaml"' : 'remove or narrow the pattern',
          evidence: { [field]: pattern },
        }),
      ];
    }),
  );
}

const SKIP = 'argocd.argoproj.io/skip-reconcile';

/** Applications with NodePools, node classes or Karpenter that an annotation excludes from reconciliation. */
export function skippedApplications(wiring: ArgoWiring): DeploymentProblem[] {
  return wiring.applications.flatMap((application): DeploymentProblem[] => {
    const { object } = application.definition;
    const annotations = asRecord(asRecord(object.metadata)?.annotations) ?? {};
    if (object.kind !== 'Application' || annotations[SKIP] !== 'true' || !leadsToKarpenter(application, wiring))
      return [];
    return [
      {
        ...applicationProblem(application, [], {
          message: `has ${SKIP}: Argo CD neither deploys it in a new cluster nor changes it in an old one`,
          remedy: `remove the annotation ${SKIP}`,
          evidence: { annotation: SKIP },
        }),
        kind: 'suspended',
        path: ['metadata', 'annotations', SKIP],
      },
    ];
  });
}

function leadsToKarpenter(application: Application, { deployedBy }: ArgoWiring): boolean {
  return (
    deployedBy(application).some(isKarpenterObject) ||
    sourcesOf(application).some(([{ chart }]) => chart === 'karpenter' || chart === 'karpenter-crd')
  );
}
