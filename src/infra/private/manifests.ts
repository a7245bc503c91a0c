/** cdk8s objects as manifests of the AWS CDK, including changes made after the objects were created. */
import { Lazy } from 'aws-cdk-lib';
import { ApiObject, App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isSubdomain, NAME_REMEDY } from '../../contract';
import { errorWithoutStack } from '../../model';

export type ManifestRecord = Record<string, unknown>;

/** A chart for one object that `Karpenter` deploys. The object's name is its construct id. */
export function newObjectChart(deployer: IConstruct): Chart {
  return new ObjectChart(deployer);
}

class ObjectChart extends Chart {
  public constructor(private readonly deployer: IConstruct) {
    super(new App(), 'karpenter');
  }

  public generateObjectName(apiObject: ApiObject): string {
    const { id } = apiObject.node.scope!.node;
    if (isSubdomain(id)) return id;
    throw errorWithoutStack(
      `${this.deployer.node.path}/id: must be a DNS name, because it names the object in the cluster, got ${JSON.stringify(id)}; ` +
        `${NAME_REMEDY}, or another name in metadata`,
    );
  }
}

/** The chart's manifests: identity and labels as they are now, all other fields as they will be at synth. */
export function lazyManifests(chart: Chart): ManifestRecord[] {
  return manifestsOf(chart).map((manifest) => {
    const current = () =>
      manifestsOf(chart).find((candidate) => identityOf(candidate) === identityOf(manifest)) ?? manifest;
    const lazy = (read: (object: ManifestRecord) => unknown) => Lazy.any({ produce: () => read(current()) });
    const fields = Object.entries(manifest).map(([key, value]) => [
      key,
      isIdentity(key) ? value : lazy((object) => object[key]),
    ]);
    return {
      ...Object.fromEntries(fields),
      metadata: { ...metadataOf(manifest), annotations: lazy((object) => metadataOf(object).annotations) },
    };
  });
}

/** What cdk8s' own validation reports for the chart's objects. */
export function validationProblems(chart: Chart): string[] {
  return chart.node
    .findAll()
    .flatMap((node: IConstruct) => node.node.validate().map((problem) => `${node.node.path}: ${problem}`));
}

/** Objects and labels that were added after the manifests were deployed, and would be missing in the cluster. */
export function lateChangeProblems(chart: Chart, deployed: readonly ManifestRecord[]): string[] {
  return manifestsOf(chart).flatMap((manifest) => {
    const deployedManifest = deployed.find((candidate) => identityOf(candidate) === identityOf(manifest));
    const name = `${manifest.kind} ${metadataOf(manifest).name}`;
    if (!deployedManifest)
      return [
        `${name}: must be added before addChart is called, got it later, so it would not be deployed; call addChart when the chart is complete`,
      ];
    if (labelsOf(deployedManifest) === labelsOf(manifest)) return [];
    return [
      `${name}/metadata.labels: must be set before the object is deployed, got labels later, which would be missing in the cluster; set them in metadata of the construct`,
    ];
  });
}

/** Prefix of the label by which the CDK finds the objects that it applied before. */
const PRUNE_LABEL = 'aws.cdk.eks/prune-';

function labelsOf(manifest: ManifestRecord): string {
  return JSON.stringify(
    Object.entries(metadataOf(manifest).labels ?? {})
      .filter(([key]) => !key.startsWith(PRUNE_LABEL))
      .sort(),
  );
}

function isIdentity(key: string): boolean {
  return ['apiVersion', 'kind', 'metadata'].includes(key);
}

function identityOf(manifest: ManifestRecord): string {
  const { name, namespace } = metadataOf(manifest);
  return JSON.stringify([manifest.apiVersion, manifest.kind, namespace, name]);
}

export function metadataOf({ metadata = {} }: ManifestRecord): Record<string, any> {
  return metadata as Record<string, any>;
}

function manifestsOf(chart: Chart): ManifestRecord[] {
  return chart.toJson();
}
