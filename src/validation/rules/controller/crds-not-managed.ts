import { dependOn, dependsOnResource, hasUnknownOrder, isInSameTemplate, ORDER_UNKNOWN } from './resource-dependencies';
import { isValidatedKind, setField, unsafeFix } from '../../../contract';
import { shortListText } from '../../../model';
import { CRD_CHART_NAME, exactVersion, isChart, GitOpsRelease, gitOpsReleases } from '../../controller';
import { FieldPath, ManifestObject } from '../../manifest/model';
import { AppliedManifest, AwsModel, HelmRelease } from '../../template';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

const NODE_POOL_CRD = 'nodepools.karpenter.sh';

/** @see https://karpenter.sh/docs/upgrading/upgrade-guide/#crd-upgrades */
export const crdsNotManaged: Rule = {
  id: 'KARP-909',
  name: 'crds-not-managed',
  severity: 'error',
  summary:
    "Karpenter's CRDs are not upgraded with it or have another version, or NodePools may be applied before the CRDs exist.",
  check({ model, controllers }: RuleContext): Outcome[] {
    const { aws } = model;
    const crds = aws.helmReleases.find((release) => isChart(release, CRD_CHART_NAME));
    const charts = controllers.flatMap(({ helmRelease }) => helmRelease ?? []);
    const synced = controllers.flatMap((controller) => controller.gitOpsRelease ?? []);
    return [
      ...charts.map((chart) => checkChart(chart, crds)),
      ...checkOrder(aws, crds ?? charts[0]),
      ...synced.map((release) => checkSynced(release, model.objects)),
    ];
  },
};

function checkChart({ resource, version }: HelmRelease, crds: HelmRelease | undefined): Outcome {
  const { object } = resource;
  if (!crds) {
    return fail({
      object,
      path: ['Properties', 'Version'],
      message:
        'installs Karpenter without its CRD chart: Helm does not upgrade CRDs, so after an upgrade the API server drops fields that Karpenter needs',
      remedy: `install chart ${CRD_CHART_NAME} of the same version before it`,
      evidence: {},
      severity: 'warning',
    });
  }
  if (version === undefined || crds.version === undefined)
    return notEvaluated(object, 'its version or that of its CRDs is not in the input');
  if (plainVersion(version) === plainVersion(crds.version)) return pass(object);
  return otherVersion(crds.resource.object, ['Properties', 'Version'], crds.version, version);
}

function checkSynced(release: GitOpsRelease, objects: readonly ManifestObject[]): Outcome {
  const { object, updatesCrds, crdsPath, skipsCrds } = release;
  const [crds, ...others] = gitOpsReleases(objects, CRD_CHART_NAME);
  if (crds) {
    // A repository may hold the charts of several clusters.
    if (others.length > 0)
      return notEvaluated(object, `the input does not say which of ${others.length + 1} CRD charts is for its cluster`);
    const [version, crdVersion] = [release, crds].map(exactVersion);
    if (version === undefined || crdVersion === undefined)
      return notEvaluated(object, 'its version or that of its CRDs is a range or not in the input');
    return version === crdVersion ? pass(object) : otherVersion(crds.object, crds.versionPath, crdVersion, version);
  }
  const isUpdated = updatesCrds && skipsCrds === undefined;
  if (isUpdated || objects.some(({ kind, name }) => kind === 'CustomResourceDefinition' && name === NODE_POOL_CRD))
    return pass(object);
  if (skipsCrds !== undefined)
    return fail({
      object,
      path: skipsCrds.path,
      message: `installs Karpenter without its CRDs, because of ${skipsCrds.setting}, and nothing in the input installs them: in a new cluster Karpenter does not start, and the API server refuses NodePools; in another one it drops fields after an upgrade`,
      remedy: `remove ${skipsCrds.setting}, or install chart ${CRD_CHART_NAME} of the same version before it`,
      evidence: { setting: skipsCrds.setting },
      severity: 'warning',
    });
  return fail({
    object,
    path: crdsPath,
    message:
      'installs Karpenter but does not upgrade its CRDs: after an upgrade the API server drops fields that Karpenter needs',
    remedy:
      object.kind === 'HelmRelease'
        ? `write spec.upgrade.crds: CreateReplace, or install chart ${CRD_CHART_NAME} of the same version before it`
        : `install chart ${CRD_CHART_NAME} of the same version before it`,
    evidence: {},
    severity: 'warning',
    fix: object.kind === 'HelmRelease' ? unsafeFix(setField(['spec', 'upgrade', 'crds'], 'CreateReplace')) : undefined,
  });
}

/** Checks that manifests with custom resources are applied after the chart that installs the CRDs. */
function checkOrder(aws: AwsModel, crds: HelmRelease | undefined): Outcome[] {
  const manifests = aws.manifests.filter(holdsCustomResources);
  if (!crds) return [];
  return manifests.map((manifest) => {
    if (!isInSameTemplate(manifest.resource, crds.resource))
      return notEvaluated(manifest.resource.object, 'the chart that installs the CRDs is in another template');
    if (dependsOnResource(aws, manifest.resource, crds.resource)) return pass(manifest.resource.object);
    return hasUnknownOrder(aws, manifest.resource)
      ? notEvaluated(manifest.resource.object, ORDER_UNKNOWN)
      : tooEarly(manifest, crds);
  });
}

function tooEarly({ resource, objects }: AppliedManifest, crds: HelmRelease): Outcome {
  return fail({
    object: resource.object,
    path: ['DependsOn'],
    message:
      `may be applied before chart ${crds.resource.object.name}, which installs the CRDs of ${shortListText(
        objects.map(({ kind, name }) => `${kind} ${name}`),
        3,
      )}: ` + 'the deployment then fails with "no matches for kind"',
    remedy: dependOn(
      resource,
      [crds.resource.object.name],
      `add a dependency on ${crds.resource.object.name}: manifest.node.addDependency(chart)`,
    ),
    evidence: { chart: crds.resource.object.name },
  });
}

function holdsCustomResources({ objects }: AppliedManifest): boolean {
  return objects.some(({ apiVersion, kind }) => isValidatedKind(apiVersion, kind));
}

function otherVersion(object: ManifestObject, path: FieldPath, crds: string, karpenter: string): Outcome {
  return fail({
    object,
    path,
    message: `the CRDs have version ${crds}, but Karpenter is ${karpenter}: the API server may refuse or drop fields that Karpenter needs`,
    remedy: `write version ${karpenter} for both`,
    evidence: { crds, karpenter },
  });
}

function plainVersion(version: string): string {
  return version.replace(/^v/, '');
}
