import { applicationProblem, ArgoWiring, sourcesOf } from './argo-problems';
import { karpenterChart, meantChart } from './carried-objects';
import { KARPENTER_REGISTRY } from './flux-charts';
import { FluxWiring } from './flux-problems';
import { fluxReferences } from './flux-references';
import { resolve } from './resolved-reference';
import { WiredObject } from './wired-objects';
import { asRecord, compareKarpenterVersions } from '../../../../../contract';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { scalarText } from '../../../records';

/** Since this release, tags of the registry have no `v`. Source: the upgrade guide of Karpenter 0.35. */
const FIRST_WITHOUT_PREFIX = '0.35.0';
const EXACT = /^(v?)(\d+\.\d+\.\d+)$/;

/** Releases of Karpenter whose tag in its registry is written otherwise. */
export function wrongTags(flux: FluxWiring, argo: ArgoWiring): DeploymentProblem[] {
  return [
    ...flux.objects.flatMap((object) => [...ofFlux(object, flux), ...unknownChart(object, flux)]),
    ...ofArgo(argo),
  ];
}

function ofFlux(object: WiredObject, { objects }: FluxWiring): DeploymentProblem[] {
  const [path, version] = writtenVersion(object, objects) ?? [];
  const right = version === undefined ? undefined : rightTag(version);
  if (path === undefined || version === undefined || right === undefined) return [];
  const { file, object: written } = object.definition;
  return [{ kind: 'blocked', file, object: written, path, ...problemOf(version, right) }];
}

/** A HelmRelease with a chart that the registry of Karpenter does not have. */
function unknownChart(object: WiredObject, { objects }: FluxWiring): DeploymentProblem[] {
  const { chart } = asRecord(asRecord(object.spec.chart)?.spec) ?? {};
  const meant = object.kind === 'HelmRelease' && typeof chart === 'string' ? meantChart(chart) : undefined;
  if (meant === undefined || !isPublished(object, objects)) return [];
  const { file, object: written } = object.definition;
  const path = ['spec', 'chart', 'spec', 'chart'];
  return [{ kind: 'blocked', file, object: written, path, ...noChart(chart, meant) }];
}

function noChart(chart: unknown, meant: string): Pick<DeploymentProblem, 'message' | 'remedy' | 'evidence'> {
  return {
    message: `the registry of Karpenter has no chart ${scalarText(chart)}, so Karpenter is not installed`,
    remedy: `write chart: ${meant}`,
    evidence: { chart, nearest: meant },
  };
}

function isPublished(object: WiredObject, objects: readonly WiredObject[]): boolean {
  const sources = fluxReferences(object).flatMap((reference) =>
    reference.use === 'source' ? (resolve(reference, object, objects)?.found ?? []) : [],
  );
  return sources.length > 0 && sources.every(({ spec }) => isOfRegistry(spec.url));
}

function writtenVersion(
  object: WiredObject,
  objects: readonly WiredObject[],
): readonly [path: readonly string[], version: string] | undefined {
  if (object.kind === 'OCIRepository' && isOfRegistry(object.spec.url))
    return [['spec', 'ref', 'tag'], scalarText(asRecord(object.spec.ref)?.tag)];
  const chart = asRecord(asRecord(object.spec.chart)?.spec);
  if (karpenterChart(object) === undefined || chart === undefined) return undefined;
  return isPublished(object, objects) ? [['spec', 'chart', 'spec', 'version'], scalarText(chart.version)] : undefined;
}

function ofArgo({ applications }: ArgoWiring): DeploymentProblem[] {
  return applications.flatMap((application) =>
    sourcesOf(application).flatMap(([{ repoURL, targetRevision, chart }, path]): DeploymentProblem[] => {
      const meant = isOfRegistry(repoURL) && typeof chart === 'string' ? meantChart(chart) : undefined;
      if (meant !== undefined) return [applicationProblem(application, [...path, 'chart'], noChart(chart, meant))];
      const right = isOfRegistry(repoURL) ? rightTag(scalarText(targetRevision)) : undefined;
      if (right === undefined) return [];
      return [
        applicationProblem(application, [...path, 'targetRevision'], problemOf(scalarText(targetRevision), right)),
      ];
    }),
  );
}

function isOfRegistry(url: unknown): boolean {
  const plain = scalarText(url).replace(/^oci:\/\//, '');
  return plain === KARPENTER_REGISTRY || plain.startsWith(`${KARPENTER_REGISTRY}/`);
}

/** The tag of the release; undefined if it is right, or is no exact release. */
function rightTag(version: string): string | undefined {
  const [, prefix, plain] = EXACT.exec(version) ?? [];
  if (plain === undefined) return undefined;
  const hasPrefix = compareKarpenterVersions(plain, FIRST_WITHOUT_PREFIX) < 0;
  return hasPrefix === (prefix === 'v') ? undefined : `${hasPrefix ? 'v' : ''}${plain}`;
}

function problemOf(version: string, right: string): Pick<DeploymentProblem, 'message' | 'remedy' | 'evidence'> {
  return {
    message: `the registry of Karpenter has no chart ${version}: its tags have ${right.startsWith('v') ? 'a' : 'no'} leading v, so Karpenter is not installed`,
    remedy: `write ${right}`,
    evidence: { version, tag: right },
  };
}
