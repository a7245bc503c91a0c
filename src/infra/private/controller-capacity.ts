/** Nodes that the controller can run on, apart from those it launches: node groups and Fargate profiles. */
import { CfnResource, NestedStack, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Cluster, FargateProfile, Nodegroup } from 'aws-cdk-lib/aws-eks';
import {
  Cluster as ClusterV2,
  FargateProfile as FargateProfileV2,
  Nodegroup as NodegroupV2,
} from 'aws-cdk-lib/aws-eks-v2';
import { Dependable, IConstruct, IDependable } from 'constructs';
import { EksClusterView } from './cluster-view';
import { isSameReference, cfnResourcesOfType } from './resource-lookup';

/** Labels that the chart sets on the controller's pods. */
const POD_LABELS: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': 'karpenter',
  'app.kubernetes.io/instance': 'karpenter',
};

/** A map in aws-eks, CloudFormation's list in aws-eks-v2. */
type Labels = Readonly<Record<string, string>> | ReadonlyArray<{ readonly key: string; readonly value: string }>;

interface ProfileSelectors {
  readonly selectors: ReadonlyArray<{ readonly namespace?: string; readonly labels?: Labels }>;
}

/** Fargate profiles of the cluster in the app. */
function fargateProfilesOf(cluster: EksClusterView): IConstruct[] {
  return cluster.resource.node.root.node
    .findAll()
    .filter((node) => node instanceof FargateProfile || node instanceof FargateProfileV2)
    .filter((profile) =>
      isSameReference(
        { scope: profile, value: profileProperties(profile).clusterName },
        { scope: cluster.resource, value: cluster.clusterName },
      ),
    );
}

/** Paths of the Fargate profiles that select the controller's pods. */
export function controllerFargateProfiles(cluster: EksClusterView, namespace: string): string[] {
  const selectsController = ({ selectors }: ProfileSelectors) =>
    selectors.some(
      ({ namespace: pattern = '', labels = {} }) =>
        matchesWildcards(pattern, namespace) &&
        entriesOf(labels).every(([key, value]) => matchesWildcards(value, POD_LABELS[key] ?? '')),
    );
  return fargateProfilesOf(cluster)
    .filter((profile) => selectsController(selectorsOf(profile)))
    .map((profile) => profile.node.path);
}

/** Read from the profile's resource, since the construct does not expose its selectors. */
function selectorsOf(profile: IConstruct): ProfileSelectors {
  return Stack.of(profile).resolve({ selectors: profileProperties(profile).selectors ?? [] });
}

/** In aws-eks, the resource is a custom resource. */
function profileProperties(profile: IConstruct): any {
  const resource = profile.node.findChild('Resource');
  return resource.node.defaultChild ? Reflect.get(resource.node.defaultChild, '_cfnProperties').Config : resource;
}

function entriesOf(labels: Labels): [key: string, value: string][] {
  return Array.isArray(labels) ? labels.map(({ key, value }) => [key, value]) : Object.entries(labels);
}

function matchesWildcards(pattern: string, text: string): boolean {
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${escaped}$`).test(text);
}

/**
 * The managed node groups, Auto Scaling groups and Fargate profiles of the cluster in the app, as a dependency.
 * Resources that depend on them are deleted first: without a node, no controller would run to terminate the instances
 * that it launched. Evaluated at synth, because capacity may be added after Karpenter.
 */
export function controllerCapacity(cluster: EksClusterView): IDependable {
  const capacity: IDependable = {};
  Dependable.implement(capacity, {
    get dependencyRoots() {
      return findCapacity(cluster);
    },
  });
  return capacity;
}

function findCapacity(cluster: EksClusterView): IConstruct[] {
  const nodeGroups = cluster.resource.node.root.node
    .findAll()
    .filter((node) => (node instanceof Nodegroup || node instanceof NodegroupV2) && node.cluster === cluster.resource);
  const ownGroups = cluster.resource.node.findAll().filter((node) => node instanceof AutoScalingGroup);
  return [...nodeGroups, ...ownGroups, ...fargateProfilesOf(cluster)];
}

/** Resource types that may become nodes in ways that the app does not show. */
const POSSIBLE_NODES = [
  'AWS::EKS::Nodegroup',
  'AWS::AutoScaling::AutoScalingGroup',
  'AWS::EC2::Instance',
  'AWS::EC2::EC2Fleet',
  'AWS::EC2::SpotFleet',
];

/**
 * Why the controller can run nowhere, if it certainly cannot. Only a cluster of the app is judged, because nodes of any
 * other cluster are created elsewhere. Evaluated at synth, because capacity may be added after Karpenter.
 */
export function missingCapacityProblems(cluster: EksClusterView, namespace: string): string[] {
  const { ownedCluster, resource } = cluster;
  if (!ownedCluster || controllerFargateProfiles(cluster, namespace).length > 0) return [];
  if (mayHaveNodes(cluster)) return [];
  const isAutoMode = cfnResourcesOfType(resource, 'AWS::EKS::Cluster').some(
    (construct) => ownedCluster.node.findAll().includes(construct) && hasComputeConfig(construct),
  );
  const auto = isAutoMode
    ? 'EKS Auto Mode, which is the default of aws-eks-v2, launches nodes with the label karpenter.sh/nodepool, and the chart keeps its pods off them: '
    : '';
  return [
    `cluster: must have a node on which the controller can run, got ${resource.node.path} without a node group and without a Fargate profile for ` +
      `the namespace ${namespace}; ${auto}add new SystemNodeGroup(this, 'System', { cluster }), ` +
      `${isAutoMode ? 'and write defaultCapacityType: DefaultCapacityType.NODEGROUP, defaultCapacity: 0 on the cluster, ' : ''}` +
      'or write nodesElsewhere: true if something outside this app creates the nodes',
  ];
}

function hasComputeConfig(construct: IConstruct): boolean {
  return Stack.of(construct).resolve(Reflect.get(construct, 'computeConfig'))?.enabled === true;
}

function mayHaveNodes(cluster: EksClusterView): boolean {
  const constructs = cluster.resource.node.root.node.findAll();
  const nestedStacks = constructs.filter((construct) => construct instanceof NestedStack);
  return constructs
    .filter((construct) => CfnResource.isCfnResource(construct))
    .some((resource) => {
      const type = resource.cfnResourceType;
      // A template that is not in the app, and a profile whose selectors `controllerFargateProfiles` does not read.
      if (type === 'AWS::CloudFormation::Stack')
        return nestedStacks.every(({ nestedStackResource }) => nestedStackResource !== resource);
      if (type === 'AWS::EKS::FargateProfile') return !(resource.node.scope instanceof FargateProfileV2);
      return POSSIBLE_NODES.includes(type) && !isOfOtherCluster(cluster, resource);
    });
}

/** Whether the node group certainly belongs to another cluster. */
function isOfOtherCluster(cluster: EksClusterView, { node: { scope } }: CfnResource): boolean {
  if (!(scope instanceof Nodegroup || scope instanceof NodegroupV2)) return false;
  return (scope.cluster instanceof Cluster || scope.cluster instanceof ClusterV2) && scope.cluster !== cluster.resource;
}
