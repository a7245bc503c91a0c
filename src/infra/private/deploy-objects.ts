/**
 * Deploys cdk8s objects with kubectl. Each Karpenter object gets its own CloudFormation resource. In a manifest with
 * several objects, kubectl would not delete an object that is removed or renamed, because by default it prunes only
 * Kubernetes' own kinds. A removed NodePool would then keep launching nodes.
 *
 * @see https://github.com/kubernetes/kubectl/blob/v0.34.1/pkg/util/prune/prune.go
 */
import { Token } from 'aws-cdk-lib';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Kubectl } from './kubectl';
import { lateChangeProblems, validationProblems, ManifestRecord, metadataOf, lazyManifests } from './manifests';
import { CAPACITY_BUFFER_API, EC2_NODE_CLASS_API, isClusterScoped } from '../../contract';

/** Deploys a chart's only object. A renamed object is a new resource, so CloudFormation deletes the old object. */
export function deployObject(scope: Construct, kind: string, id: string, chart: Chart, kubectl: Kubectl): Construct {
  const manifests = validatedManifests(scope, chart);
  const name = objectName(manifests[0]);
  return kubectl.newManifest(
    scope,
    name === undefined || name === id ? `${kind}${id}` : `${kind}${id}-${name}`,
    manifests,
  );
}

/** Deploys all objects: EC2NodeClasses, then NodePools, then other objects. They are deleted in reverse order. */
export function deployChart(scope: Construct, id: string, chart: Chart, kubectl: Kubectl): Construct {
  const deployed = new Construct(scope, id);
  const manifests = validatedManifests(scope, chart);
  const otherObjects = manifests.filter((manifest) => !isKarpenterObject(manifest));
  const deployKarpenterObjects = (isIncluded: (manifest: ManifestRecord) => boolean) => {
    const resources: Construct[] = [];
    // No callback, which would hide the user's line of code in the CDK's stack traces.
    for (const manifest of manifests.filter((candidate) => isKarpenterObject(candidate) && isIncluded(candidate))) {
      resources.push(
        kubectl.newManifest(deployed, `${manifest.kind}-${objectName(manifest) ?? resources.length}`, [manifest]),
      );
    }
    return resources;
  };
  const steps = [
    deployKarpenterObjects(isNodeClass),
    deployKarpenterObjects((manifest) => !isNodeClass(manifest) && !isCapacityBuffer(manifest)),
    otherObjects.length === 0 ? [] : [kubectl.newManifest(deployed, 'Objects', otherObjects)],
    // A CapacityBuffer is last, because its namespace may be one of the other objects.
    deployKarpenterObjects(isCapacityBuffer),
  ];
  steps.forEach((step, index) =>
    step.forEach((manifest) => manifest.node.addDependency(...steps.slice(0, index).flat())),
  );
  return deployed;
}

/** The chart's manifests. Problems of its objects, and changes that come too late, are reported at synth. */
function validatedManifests(scope: Construct, chart: Chart): ManifestRecord[] {
  const manifests = lazyManifests(chart);
  scope.node.addValidation({ validate: () => [...validationProblems(chart), ...lateChangeProblems(chart, manifests)] });
  return manifests;
}

/** The object's namespace and name, or undefined if they are known only at deployment. */
function objectName(manifest: ManifestRecord): string | undefined {
  const { namespace, name } = metadataOf(manifest);
  const qualifiedName =
    namespace === undefined || isClusterScoped(manifest.apiVersion as string) ? name : `${namespace}-${name}`;
  return Token.isUnresolved(qualifiedName) ? undefined : qualifiedName;
}

function isKarpenterObject({ apiVersion }: ManifestRecord): boolean {
  return isClusterScoped(apiVersion as string) || (apiVersion as string).startsWith(`${CAPACITY_BUFFER_API.group}/`);
}

function isNodeClass({ kind }: ManifestRecord): boolean {
  return kind === EC2_NODE_CLASS_API.kind;
}

function isCapacityBuffer({ kind }: ManifestRecord): boolean {
  return kind === CAPACITY_BUFFER_API.kind;
}
