/** cdk8s objects as manifests of the AWS CDK, with what is said of them after they were made. */
import { Lazy } from 'aws-cdk-lib';
import { ApiObject, App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';

type Manifest = Record<string, unknown>;

/** A chart of its own for objects that `Karpenter` deploys; they are called as their constructs are. */
export function newObjectChart(): Chart {
  return new ObjectChart(new App(), 'karpenter');
}

class ObjectChart extends Chart {
  public generateObjectName(apiObject: ApiObject): string {
    return apiObject.node.scope!.node.id;
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
