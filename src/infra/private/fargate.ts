import { Stack } from 'aws-cdk-lib';
import { FargateProfile } from 'aws-cdk-lib/aws-eks';
import { FargateProfile as FargateProfileV2 } from 'aws-cdk-lib/aws-eks-v2';
import { IConstruct } from 'constructs';
import { ClusterView } from './cluster-view';

/** Labels of the controller's pods, as the chart writes them. */
const POD_LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' };

/** A map in aws-eks, the list of CloudFormation in aws-eks-v2. */
type Labels = Readonly<Record<string, string>> | ReadonlyArray<{ readonly key: string; readonly value: string }>;

interface ProfileFacts {
  readonly clusterName: unknown;
  readonly selectors: ReadonlyArray<{ readonly namespace?: string; readonly labels?: Labels }>;
}

/** Paths of the Fargate profiles of the app that take the controller's pods. */
export function fargateProfilesFor(cluster: ClusterView, namespace: string): string[] {
  return cluster.resource.node.root.node.findAll()
    .filter((node) => node instanceof FargateProfile || node instanceof FargateProfileV2)
    .filter((profile) => takes(profile, cluster, namespace))
    .map((profile) => profile.node.path);
}

function takes(profile: IConstruct, cluster: ClusterView, namespace: string): boolean {
  const { clusterName, selectors } = factsOf(profile);
  const same = JSON.stringify(clusterName) === JSON.stringify(Stack.of(profile).resolve(cluster.clusterName));
  return same && selectors.some(({ namespace: pattern = '', labels = {} }) =>
    matchesWildcards(pattern, namespace) && entriesOf(labels).every(([key, value]) => matchesWildcards(value, POD_LABELS[key] ?? '')));
}

/** A profile keeps no list of its selectors, only the resource that it becomes, which in aws-eks is a custom one. */
function factsOf(profile: IConstruct): ProfileFacts {
  const resource = profile.node.findChild('Resource');
  const written = resource.node.defaultChild ? Reflect.get(resource.node.defaultChild, '_cfnProperties').Config : resource;
  return Stack.of(profile).resolve({ clusterName: written.clusterName, selectors: written.selectors ?? [] });
}

function entriesOf(labels: Labels): [key: string, value: string][] {
  return Array.isArray(labels) ? labels.map(({ key, value }) => [key, value]) : Object.entries(labels);
}

function matchesWildcards(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  return new RegExp(`^${escaped}$`).test(text);
}
