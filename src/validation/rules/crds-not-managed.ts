import { CRD_CHART_NAME, exactVersion, isChart, SyncedRelease, syncedReleases } from '../controller';
import { FieldPath, ManifestObject } from '../manifest/model';
import { comesAfter, inOneTemplate } from './private/dependency';
import { fail, notEvaluated, pass } from './private/outcome';
import { someNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { isKarpenterKind } from '../../contract';
import { AppliedManifest, AwsModel, HelmRelease } from '../template';

const NODE_POOL_CRD = 'nodepools.karpenter.sh';

/** @see https://karpenter.sh/docs/upgrading/upgrade-guide/#crd-upgrades */
export class CrdsNotManaged implements Rule {
  public readonly id = 'KARP-909';
  public readonly name = 'crds-not-managed';
  public readonly severity = 'error';
  public readonly summary = 'The CRDs of Karpenter are of another version than Karpenter or of nobody\'s care, or NodePools may be applied before there are any.';

  public check({ model, controllers }: RuleContext): Outcome[] {
    const { aws } = model;
    const crds = aws.helmReleases.find((release) => isChart(release, CRD_CHART_NAME));
    const charts = controllers.flatMap(({ release }) => release ?? []);
    const synced = controllers.flatMap((controller) => controller.synced ?? []);
    return [
      ...charts.map((chart) => this.checkChart(chart, crds)), ...this.checkOrder(aws, crds ?? charts[0]),
      ...synced.map((release) => this.checkSynced(release, model.objects)),
    ];
  }

  private checkChart({ resource, version }: HelmRelease, crds: HelmRelease | undefined): Outcome {
    const { object } = resource;
    if (!crds) {
      return fail({
        object,
        path: ['Properties', 'Version'],
        message: 'installs Karpenter without its chart of CRDs: Helm makes them once and never changes them, so that after an upgrade Karpenter reads fields that the API server drops',
        remedy: `install the chart ${CRD_CHART_NAME} at the same version before it`,
        evidence: {},
        severity: 'warning',
      });
    }
    if (version === undefined || crds.version === undefined) return notEvaluated(object, 'its version, or that of its CRDs, is not said');
    if (plainVersion(version) === plainVersion(crds.version)) return pass(object);
    return otherVersion(crds.resource.object, ['Properties', 'Version'], crds.version, version);
  }

  private checkSynced(release: SyncedRelease, objects: readonly ManifestObject[]): Outcome {
    const { object, updatesCrds, crdsPath } = release;
    const [crds, ...others] = syncedReleases(objects, CRD_CHART_NAME);
    if (crds) {
      // A repository may have those of several clusters.
      if (others.length > 0) return notEvaluated(object, `which of ${others.length + 1} charts of CRDs is for its cluster is not said`);
      const [version, ofCrds] = [release, crds].map(exactVersion);
      if (version === undefined || ofCrds === undefined) return notEvaluated(object, 'its version, or that of its CRDs, is a range or is not said');
      return version === ofCrds ? pass(object) : otherVersion(crds.object, crds.versionPath, ofCrds, version);
    }
    if (updatesCrds || objects.some(({ kind, name }) => kind === 'CustomResourceDefinition' && name === NODE_POOL_CRD)) return pass(object);
    return fail({
      object,
      path: crdsPath,
      message: 'installs Karpenter and leaves its CRDs as they are: after an upgrade Karpenter reads fields that the API server drops',
      remedy: object.kind === 'HelmRelease'
        ? `write spec.upgrade.crds: CreateReplace, or install the chart ${CRD_CHART_NAME} at the same version before it`
        : `remove skipCrds, or install the chart ${CRD_CHART_NAME} at the same version before it`,
      evidence: {},
      severity: 'warning',
    });
  }

  /** Everything that needs the CRDs is applied after the chart that brings them. */
  private checkOrder(aws: AwsModel, crds: HelmRelease | undefined): Outcome[] {
    const manifests = aws.manifests.filter(holdsCustomResources);
    if (!crds) return [];
    return manifests.map((manifest) => {
      if (!inOneTemplate(manifest.resource, crds.resource)) return notEvaluated(manifest.resource.object, 'the chart that brings the CRDs is in another template');
      return comesAfter(aws, manifest.resource, crds.resource) ? pass(manifest.resource.object) : this.tooEarly(manifest, crds);
    });
  }

  private tooEarly({ resource, objects }: AppliedManifest, crds: HelmRelease): Outcome {
    return fail({
      object: resource.object,
      path: ['DependsOn'],
      message: `may be applied before chart ${crds.resource.object.name}, which brings the CRDs of ${someNames(objects.map(({ kind, name }) => `${kind} ${name}`), 3)}: `
        + 'the deployment then fails with "no matches for kind"',
      remedy: `make it depend on ${crds.resource.object.name}: manifest.node.addDependency(chart)`,
      evidence: { chart: crds.resource.object.name },
    });
  }
}

function holdsCustomResources({ objects }: AppliedManifest): boolean {
  return objects.some(({ apiVersion, kind }) => isKarpenterKind(apiVersion, kind));
}

function otherVersion(object: ManifestObject, path: FieldPath, crds: string, karpenter: string): Outcome {
  return fail({
    object,
    path,
    message: `the CRDs are of version ${crds}, and Karpenter is ${karpenter}: what the one knows, the other refuses or drops`,
    remedy: `write version ${karpenter} for both`,
    evidence: { crds, karpenter },
  });
}

function plainVersion(version: string): string {
  return version.replace(/^v/, '');
}
