import { ManifestModel, readManifests } from '../../../src/validation';

/** The model of templates, by stack name. */
export function readStacks(stacks: Readonly<Record<string, object>>, options = {}): ManifestModel {
  return readManifests(
    Object.entries(stacks).map(([name, template]) => ({
      path: `${name}.template.json`,
      text: JSON.stringify(template),
    })),
    options,
  );
}

export function readResources(resources: object, others: object = {}): ManifestModel {
  return readStacks({ App: { Resources: resources, ...others } });
}

/** A resource of the aws-eks library that applies objects; parts of its JSON text may be intrinsic functions. */
export function manifestResource(...parts: unknown[]): object {
  return {
    Type: 'Custom::AWSCDK-EKS-KubernetesResource',
    Properties: { ClusterName: 'prod', Manifest: { 'Fn::Join': ['', parts] } },
  };
}
