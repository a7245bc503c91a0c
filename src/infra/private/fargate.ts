import { Stack } from 'aws-cdk-lib';
import { FargateProfile } from 'aws-cdk-lib/aws-eks';
import { FargateProfile as FargateProfileV2 } from 'aws-cdk-lib/aws-eks-v2';
import { IConstruct } from 'constructs';
import { ClusterView } from './cluster-view';
import { isSame } from './same-value';

/** Labels of the controller's pods, as the chart writes them. */
const POD_LABELS: Readonly<Record<string, string>> = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/instance': 'karpenter' };

/** A map in aws-eks, the list of CloudFormation in aws-eks-v2. */
type Labels = Readonly<Record<string, string>> | ReadonlyArray<{ readonly key: string; readonly value: string }>;

interface ProfileFacts {
  readonly selectors: ReadonlyArray<{ readonly namespace?: string; readonly labels?: Labels }>;
}

/** Fargate profiles of the app for the cluster. */
export function fargateProfilesIn(cluster: ClusterView): IConstruct[] {
  return cluster.resource.node.root.node.findAll()
    .filter((node) => node instanceof FargateProfile || node instanceof FargateProfileV2)
    .filter((profile) => isSame({ scope: profile, value: writtenIn(profile).clusterName }, { scope: cluster.resource, value: cluster.clusterName }));
}

/** Paths of those that take the controller's pods. */
export function fargateProfilesFor(cluster: ClusterView, namespace: string): string[] {
  const takesController = ({ selectors }: ProfileFacts) => selectors.some(({ namespace: pattern = '', labels = {} }) =>
    matchesWildcards(pattern, namespace) && entriesOf(labels).every(([key, value]) => matchesWildcards(value, POD_LABELS[key] ?? '')));
  return fargateProfilesIn(cluster).filter((profile) => takesController(factsOf(profile))).map((profile) => profile.node.path);
}

/** A profile keeps no list of its selectors, only the resource that it becomes, which in aws-eks is a custom one. */
function factsOf(profile: IConstruct): ProfileFacts {
  return Stack.of(profile).resolve({ selectors: writtenIn(profile).selectors ?? [] });
}

function writtenIn(profile: IConstruct): any {
  const resource = profile.node.findChild('Resource');
  return resource.node.defaultChild ? Reflect.get(resource.node.defaultChild, '_cfnProperties').Config : resource;
}

function entriesOf(labels: Labels): [key: string, value: string][] {
  return Array.isArray(labels) ? labels.map(({ key, value }) => [key, value]) : Object.entries(labels);
}

function matchesWildcards(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*').replace(/\?/g, '.');
  return new RegExp(`^${escaped}$`).test(text);
}
