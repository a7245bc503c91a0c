import { applicationProblem, ArgoWiring, sourcesOf } from './argo-problems';
import { isKarpenterObject } from './carried-objects';
import { KARPENTER_REGISTRY } from './flux-charts';
import { isFilledLater } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { PlainRecord, scalarText } from '../../../records';
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

function wrongUrl({ repoURL, chart, path, ref }: PlainRecord): { why: string; remedy: string } | undefined {
  if (typeof repoURL !== 'string' || [repoURL, scalarText(chart), scalarText(path)].some(isFilledLater))
    return undefined;
  const [, scheme = '', rest] = /^([a-z]+:\/\/)?(.*?)\/*$/.exec(repoURL)!;
  const named = typeof chart === 'string' && chart !== '' ? chart : undefined;
  const isDoubled = rest.startsWith(`${KARPENTER_REGISTRY}/`);
  if (scheme === 'oci://' && named !== undefined) {
    const artifact = isDoubled ? rest : `${rest}/${named}`;
    return {
      why: 'a chart cannot be read from an oci:// URL: Argo CD up to 3.0 finds no chart repository there, and later releases ignore chart',
      remedy: `write repoURL: ${isDoubled ? KARPENTER_REGISTRY : rest}; from Argo CD 3.1 on, repoURL: oci://${artifact} with path: . and without chart is as good`,
    };
  }
  if (scheme === 'oci://' && path === undefined && ref === undefined)
    return { why: 'a source with an oci:// URL needs a path', remedy: 'write path: . beside repoURL' };
  if (scheme === 'oci://' && rest === KARPENTER_REGISTRY)
    return {
      why: 'the oci:// URL names a registry and no chart',
      remedy: `write repoURL: oci://${KARPENTER_REGISTRY}/karpenter`,
    };
  if (named === undefined) return undefined;
  if (/^https?:\/\/$/.test(scheme) && rest.startsWith('public.ecr.aws/'))
    return {
      why: 'a registry has no index of charts for https, and Argo CD finds none',
      remedy: `write repoURL: ${rest}`,
    };
  if (isDoubled && /^karpenter(-crd)?$/.test(named))
    return {
      why: `the URL ends with the name of a chart, and Argo CD adds ${named} to it: ${rest}/${named} does not exist`,
      remedy: `write repoURL: ${KARPENTER_REGISTRY}`,
    };
  return undefined;
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
