/** cdk8s objects as manifests of the AWS CDK, with what is said of them after they were made. */
import { Lazy } from 'aws-cdk-lib';
import { ApiObject, App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isSubdomain, NAME_REMEDY } from '../../contract';

export type Manifest = Record<string, unknown>;

/** A chart of its own for objects that `Karpenter` deploys; they are called as their constructs are. */
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
    throw new Error(`${this.deployer.node.path}/id: must be a DNS name, since the object has it in the cluster, got ${JSON.stringify(id)}; `
      + `${NAME_REMEDY}, or another name in metadata`);
  }
}

/** What identifies the objects, as it is now; everything else as it will be at synth. */
export function toLateManifests(chart: Chart): Manifest[] {
  return manifestsOf(chart).map((manifest) => {
    const now = () => manifestsOf(chart).find((candidate) => identityOf(candidate) === identityOf(manifest)) ?? manifest;
    const late = (read: (object: Manifest) => unknown) => Lazy.any({ produce: () => read(now()) });
    const fields = Object.entries(manifest).map(([key, value]) => [key, isIdentity(key) ? value : late((object) => object[key])]);
    return { ...Object.fromEntries(fields), metadata: { ...metadataOf(manifest), annotations: late((object) => metadataOf(object).annotations) } };
  });
}

/** What is wrong with the objects, found as cdk8s would find it. */
export function findMisuse(chart: Chart): string[] {
  return chart.node.findAll().flatMap((node: IConstruct) => node.node.validate().map((problem) => `${node.node.path}: ${problem}`));
}

/** Objects, and labels of theirs, that came too late: what is deployed does not have them. */
export function findLateChanges(chart: Chart, deployed: readonly Manifest[]): string[] {
  return manifestsOf(chart).flatMap((manifest) => {
    const found = deployed.find((candidate) => identityOf(candidate) === identityOf(manifest));
    const name = `${manifest.kind} ${metadataOf(manifest).name}`;
    if (!found) return [`${name}: must be in the chart when that is deployed, got it later, so that it would be left out; call addChart when the chart is complete`];
    if (labelsOf(found) === labelsOf(manifest)) return [];
    return [`${name}/metadata.labels: must be known when the object is deployed, got them later, so that they would be left out; write them as metadata of the construct`];
  });
}

/** The CDK labels what it applies, so as to find again what it has applied. */
const PRUNE_LABEL = 'aws.cdk.eks/prune-';

function labelsOf(manifest: Manifest): string {
  return JSON.stringify(Object.entries(metadataOf(manifest).labels ?? {}).filter(([key]) => !key.startsWith(PRUNE_LABEL)).sort());
}

function isIdentity(key: string): boolean {
  return ['apiVersion', 'kind', 'metadata'].includes(key);
}

function identityOf(manifest: Manifest): string {
  const { name, namespace } = metadataOf(manifest);
  return JSON.stringify([manifest.apiVersion, manifest.kind, namespace, name]);
}

export function metadataOf({ metadata = {} }: Manifest): Record<string, any> {
  return metadata as Record<string, any>;
}

function manifestsOf(chart: Chart): Manifest[] {
  return chart.toJson();
}
