/**
 * What kubectl applies for a chart. Each of Karpenter's objects is a resource of its own: of a manifest with several,
 * kubectl deletes none that is taken out or renamed, since the kinds that it prunes by default are all of Kubernetes
 * itself. A NodePool would go on launching nodes.
 *
 * @see https://github.com/kubernetes/kubectl/blob/v0.34.1/pkg/util/prune/prune.go
 */
import { Token } from 'aws-cdk-lib';
import { Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { Kubectl } from './kubectl';
import { findLateChanges, findMisuse, Manifest, metadataOf, toLateManifests } from './manifests';
import { CAPACITY_BUFFER_API, EC2_NODE_CLASS_API, isClusterWide } from '../../contract';

/** The one object of a chart. With another name it is another resource, so that the earlier object is deleted. */
export function deployObject(scope: Construct, kind: string, id: string, chart: Chart, kubectl: Kubectl): Construct {
  const manifests = lateManifests(scope, chart);
  const name = ownName(manifests[0]);
  return kubectl.newManifest(scope, name === undefined || name === id ? `${kind}${id}` : `${kind}${id}-${name}`, manifests);
}

/** All of them, in the order in which they are of use; they are deleted in the reverse. */
export function deployChart(scope: Construct, id: string, chart: Chart, kubectl: Kubectl): Construct {
  const deployed = new Construct(scope, id);
  const manifests = lateManifests(scope, chart);
  const others = manifests.filter((manifest) => !isOfKarpenter(manifest));
  const ofKarpenter = (wanted: (manifest: Manifest) => boolean) => {
    const made: Construct[] = [];
    // With a callback, the line of code that a report names would be the engine's.
    for (const manifest of manifests.filter((each) => isOfKarpenter(each) && wanted(each))) {
      made.push(kubectl.newManifest(deployed, `${manifest.kind}-${ownName(manifest) ?? made.length}`, [manifest]));
    }
    return made;
  };
  const steps = [
    ofKarpenter(isClass),
    ofKarpenter((manifest) => !isClass(manifest) && !isBuffer(manifest)),
    others.length === 0 ? [] : [kubectl.newManifest(deployed, 'Objects', others)],
    // In a namespace that may be among the others.
    ofKarpenter(isBuffer),
  ];
  steps.forEach((step, index) => step.forEach((manifest) => manifest.node.addDependency(...steps.slice(0, index).flat())));
  return deployed;
}

function lateManifests(scope: Construct, chart: Chart): Manifest[] {
  const manifests = toLateManifests(chart);
  scope.node.addValidation({ validate: () => [...findMisuse(chart), ...findLateChanges(chart, manifests)] });
  return manifests;
}

/** Undefined where it is known only at deployment. */
function ownName(manifest: Manifest): string | undefined {
  const { namespace, name } = metadataOf(manifest);
  const own = namespace === undefined || isClusterWide(manifest.apiVersion as string) ? name : `${namespace}-${name}`;
  return Token.isUnresolved(own) ? undefined : own;
}

function isOfKarpenter({ apiVersion }: Manifest): boolean {
  return isClusterWide(apiVersion as string) || (apiVersion as string).startsWith(`${CAPACITY_BUFFER_API.group}/`);
}

function isClass({ kind }: Manifest): boolean {
  return kind === EC2_NODE_CLASS_API.kind;
}

function isBuffer({ kind }: Manifest): boolean {
  return kind === CAPACITY_BUFFER_API.kind;
}
