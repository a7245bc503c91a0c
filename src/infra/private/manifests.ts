/** cdk8s objects as manifests of the AWS CDK, with what is said of them after they were made. */
import { Lazy } from 'aws-cdk-lib';
import { ApiObject, App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { isSubdomain, NAME_REMEDY } from '../../contract';

type Manifest = Record<string, unknown>;

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
  return manifestsOf(chart).map((manifest, index) => Object.fromEntries(Object.entries(manifest).map(([key, value]) =>
    [key, isIdentity(key) ? value : Lazy.any({ produce: () => manifestsOf(chart)[index][key] })])));
}

/** What is wrong with the objects, found as cdk8s would find it. */
export function findMisuse(chart: Chart): string[] {
  return chart.node.findAll().flatMap((node: IConstruct) => node.node.validate().map((problem) => `${node.node.path}: ${problem}`));
}

function isIdentity(key: string): boolean {
  return ['apiVersion', 'kind', 'metadata'].includes(key);
}

function manifestsOf(chart: Chart): Manifest[] {
  return chart.toJson();
}
