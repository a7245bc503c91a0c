import { carriedBy, isKarpenterObject, karpenterChart } from './carried-objects';
import { FluxWiring } from './flux-problems';
import { fluxReferences } from './flux-references';
import { resolve } from './resolved-reference';
import { isKarpenterRelease } from './suspended';
import { HELM_GROUP, KUSTOMIZE_GROUP, mayMeet, SOURCE_GROUP, wiredTitle, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { listText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { stringOrUndefined } from '../../../records';

/** The registry in which Karpenter publishes its charts. */
export const KARPENTER_REGISTRY = 'public.ecr.aws/karpenter';

/**
 * HelmRepositories whose type does not fit their URL.
 *
 * @see https://fluxcd.io/flux/components/source/helmrepositories/#type
 */
export function repositoryTypes({ objects }: FluxWiring): DeploymentProblem[] {
  return objects.flatMap((object): DeploymentProblem[] => {
    if (object.group !== SOURCE_GROUP || object.kind !== 'HelmRepository') return [];
    const url = stringOrUndefined(object.spec.url);
    const type = object.spec.type ?? 'default';
    if (url === undefined) return [];
    const isOci = url.startsWith('oci://');
    if (isOci && type === 'default')
      return [
        chartProblem(
          object,
          'url',
          `has an oci:// URL without type: oci: Flux looks for an index there, and fails with 'scheme "oci" not supported'`,
          'write type: oci',
          objects,
        ),
      ];
    if (/^https?:\/\//.test(url) && type === 'oci')
      return [
        chartProblem(
          object,
          'url',
          'has type: oci, and its URL does not begin with oci://: Flux refuses it as an invalid registry URL',
          isRegistry(url) ? `write url: oci://${url.replace(/^https?:\/\//, '')}` : 'remove type: oci',
          objects,
        ),
      ];
    return publicRegistry(object, url, objects);
  });
}

/** Registries that serve no index of charts. */
function isRegistry(url: string): boolean {
  return /^https?:\/\/(?:public\.ecr\.aws|ghcr\.io|[\w-]+\.dkr\.ecr\.)/.test(url);
}

function publicRegistry(object: WiredObject, url: string, objects: readonly WiredObject[]): DeploymentProblem[] {
  if (/^https?:\/\/public\.ecr\.aws\//.test(url))
    return [
      chartProblem(
        object,
        'url',
        'is of a registry, which has no index of charts for https: Flux finds none',
        `write url: oci://${url.replace(/^https?:\/\//, '')} and type: oci`,
        objects,
      ),
    ];
  const chart = usersOf(object, objects)
    .map(karpenterChart)
    .find((name) => name !== undefined);
  const plain = url.replace(/^oci:\/\//, '').replace(/\/$/, '');
  if (chart === undefined || !plain.startsWith(`${KARPENTER_REGISTRY}/`)) return [];
  return [
    chartProblem(
      object,
      'url',
      `ends with the name of a chart, and Flux adds ${chart} to it: ${plain}/${chart} does not exist`,
      `write url: oci://${KARPENTER_REGISTRY}`,
      objects,
    ),
  ];
}

function chartProblem(
  object: WiredObject,
  field: string,
  why: string,
  remedy: string,
  objects: readonly WiredObject[],
): DeploymentProblem {
  const users = [...new Set(usersOf(object, objects).map(wiredTitle))];
  return {
    kind: 'blocked',
    file: object.definition.file,
    object: object.definition.object,
    path: ['spec', field],
    message: `${why}${users.length === 0 ? '' : `; ${listText(users)} ${users.length === 1 ? 'is' : 'are'} never installed`}`,
    remedy,
    evidence: { url: stringOrUndefined(object.spec.url) ?? null, releases: users },
  };
}

function usersOf(source: WiredObject, objects: readonly WiredObject[]): WiredObject[] {
  return objects.filter(
    (user) =>
      user.group === HELM_GROUP &&
      mayMeet(user, source) &&
      fluxReferences(user).some(
        (reference) =>
          reference.use === 'source' && resolve(reference, user, objects)?.found?.includes(source) === true,
      ),
  );
}

/** OCIRepositories of Karpenter's registry without the name of the chart. */
export function chartArtifacts({ objects }: FluxWiring): DeploymentProblem[] {
  return objects.flatMap((object): DeploymentProblem[] => {
    const url = stringOrUndefined(object.spec.url)?.replace(/\/$/, '');
    if (object.group !== SOURCE_GROUP || object.kind !== 'OCIRepository' || url === undefined) return [];
    if (url !== `oci://${KARPENTER_REGISTRY}`) return [];
    const name = object.name === 'karpenter-crd' ? 'karpenter-crd' : 'karpenter';
    return [
      chartProblem(
        object,
        'url',
        'names a registry and no chart, so that there is no artifact',
        `write url: oci://${KARPENTER_REGISTRY}/${name}`,
        objects,
      ),
    ];
  });
}

const NODE_POOL_CRD = 'nodepools.karpenter.sh';

/**
 * Kustomizations that deploy NodePools together with the HelmRelease that installs their CRDs. Flux dry-runs all
 * objects before it applies one.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#dependencies
 */
export function poolsBesideTheirCrds({ objects, deployments }: FluxWiring): DeploymentProblem[] {
  const releases = objects.filter((object) => karpenterChart(object) !== undefined);
  const hasCrds = objects.some(({ kind, name }) => kind === 'CustomResourceDefinition' && name === NODE_POOL_CRD);
  if (hasCrds) return [];
  return objects.flatMap((object): DeploymentProblem[] => {
    if (object.group !== KUSTOMIZE_GROUP) return [];
    const carried = carriedBy(object, deployments);
    const pools = carried.filter(isKarpenterObject);
    const own = carried.filter(isKarpenterRelease);
    // Another Kustomization may install the CRDs before this one.
    if (pools.length === 0 || own.length === 0 || own.length < releases.filter((one) => mayMeet(one, object)).length)
      return [];
    const name = String(asRecord(own[0].metadata)?.name);
    return [
      {
        kind: 'blocked',
        file: object.definition.file,
        object: object.definition.object,
        path: ['spec', 'path'],
        severity: 'warning',
        message:
          `deploys NodePools or node classes together with HelmRelease ${name}, which installs their CRDs: in a new ` +
          'cluster the dry run fails with "no matches for kind", so Flux applies neither',
        remedy: `move the objects of Karpenter to a folder and a Kustomization of their own, with dependsOn ${object.name}, and write wait: true in ${object.name}`,
        evidence: { release: name, objects: pools.length },
      },
    ];
  });
}
