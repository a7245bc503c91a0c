import { asRecord, setField, unsafeFix } from '../../../contract';
import { valueText } from '../../../model';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { AwsModel, EksCluster, NodeGroup } from '../../manifest/aws-model';
import { NodeClassManifest } from '../../manifest/model';
import { sameText } from '../../template/text-match';
import { readable } from '../../template/token';
import { classesInUse } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** The first Kubernetes minor version for which EKS publishes no Amazon Linux 2 AMI. */
const FIRST_MINOR_WITHOUT_AL2 = 33;
/** AL2_x86_64, AL2_x86_64_GPU and AL2_ARM_64. */
const AL2_AMI_TYPE = /^AL2_/;
const UNKNOWN_VERSION = 'the version of the cluster is known only at deployment';
const LAUNCH_TEMPLATE = 'AWS::EC2::LaunchTemplate';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html */
export const al2Eol: Rule = {
  id: 'KARP-907',
  name: 'al2-eol',
  severity: 'error',
  summary:
    'A node class or managed node group selects Amazon Linux 2, for which EKS publishes no AMI since Kubernetes 1.33: nothing is launched.',
  check({ model }: RuleContext): Outcome[] {
    const { aws, objects } = model;
    const eksctl = eksctlClusters(objects);
    const versions = [...aws.clusters, ...eksctl].map(({ version }) => version);
    return [
      ...(versions.length === 0
        ? []
        : classesInUse(model)
            .filter(({ facts }) => facts?.amiFamily === 'AL2')
            .map((nodeClass) => checkClass(nodeClass, versions))),
      ...[...aws.nodeGroups, ...aws.otherNodeGroups]
        .filter(({ amiType = '' }) => AL2_AMI_TYPE.test(amiType))
        .flatMap((group) => checkGroup(group, aws)),
      ...eksctl.flatMap((config) => checkEksctlGroups(config)),
    ];
  },
};

function checkClass({ object }: NodeClassManifest, versions: ReadonlyArray<string | undefined>): Outcome {
  const terms = object.raw.spec.amiSelectorTerms;
  const byAlias = Array.isArray(terms) && terms.some((term) => typeof term?.alias === 'string');
  if (!byAlias || versions.every((version) => hasAl2(version) === true)) return pass(object);
  if (versions.some((version) => hasAl2(version) === undefined)) return notEvaluated(object, UNKNOWN_VERSION);
  if (versions.some((version) => hasAl2(version) === true))
    return notEvaluated(object, `it may be for any of the clusters with the versions ${versions.join(', ')}`);
  const [version] = versions;
  return fail({
    object,
    path: ['spec', 'amiSelectorTerms', 0, 'alias'],
    message: `selects Amazon Linux 2, for which EKS publishes no AMI for Kubernetes ${version}: the class finds no AMI, and nothing is launched`,
    remedy: 'write an alias of AL2023 or Bottlerocket, such as al2023@<version>',
    evidence: { kubernetes: version },
  });
}

function checkGroup(group: NodeGroup, aws: AwsModel): Outcome[] {
  const {
    resource: { object, properties },
    path,
    amiType,
  } = group;
  const hasImage = hasImageInLaunchTemplate(group, aws);
  if (hasImage === true) return [];
  const version =
    properties.Version === undefined ? clusterOf(group, aws.allClusters)?.version : valueText(properties.Version);
  if (hasAl2(version) === true) return [pass(object)];
  if (hasAl2(version) === undefined) return [notEvaluated(object, unknownVersion(group, aws.allClusters))];
  if (hasImage === undefined)
    return [notEvaluated(object, 'its launch template is not in the templates, and may have an AMI of its own')];
  return [
    fail({
      object,
      path: [...path, 'Properties', 'AmiType'],
      message: `has AMI type ${amiType}, but EKS publishes no Amazon Linux 2 AMI for Kubernetes ${version}: EKS rejects the node group, and the deployment fails`,
      remedy: remedyFor(amiType!),
      evidence: { kubernetes: version, amiType },
    }),
  ];
}

function checkEksctlGroups({ object, version, nodeGroups }: EksctlCluster): Outcome[] {
  return nodeGroups
    .filter(({ amiFamily }) => amiFamily === 'AmazonLinux2')
    .map(({ name, path }) => {
      if (hasAl2(version) === true) return pass(object);
      if (hasAl2(version) === undefined) return notEvaluated(object, 'its version is not in the input');
      return fail({
        object,
        path: [...path, 'amiFamily'],
        message: `node group ${name} has AMI family AmazonLinux2, but EKS publishes no Amazon Linux 2 AMI for Kubernetes ${version}: the node group is not created`,
        remedy: 'write amiFamily: AmazonLinux2023',
        evidence: { kubernetes: version, nodeGroup: name },
        fix: unsafeFix(setField([...path, 'amiFamily'], 'AmazonLinux2023')),
      });
    });
}

/** Whether EKS publishes Amazon Linux 2 AMIs for the Kubernetes version; undefined if the version is not known. */
function hasAl2(version: string | undefined): boolean | undefined {
  const minor = /^1\.(\d+)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor) < FIRST_MINOR_WITHOUT_AL2;
}

function remedyFor(amiType: string): string {
  const al2023 = amiType
    .replace(AL2_AMI_TYPE, 'AL2023_')
    .replace(/_GPU$/, '_NVIDIA')
    .replace(/(x86_64|ARM_64)$/, '$1_STANDARD');
  return `write ${al2023}; in the AWS CDK, pass amiType: NodegroupAmiType.${al2023.toUpperCase()} to addNodegroupCapacity`;
}

/** The cluster of a node group, if it is in the templates. */
function clusterOf({ cluster }: NodeGroup, clusters: readonly EksCluster[]): EksCluster | undefined {
  return clusters.find(({ name }) => sameText(name, cluster) === 'yes');
}

function unknownVersion(group: NodeGroup, clusters: readonly EksCluster[]): string {
  return clusterOf(group, clusters)
    ? UNKNOWN_VERSION
    : `the cluster ${readable(group.cluster)} is not in the templates, so its version is not known`;
}

/** Whether the node group's launch template selects the AMI; undefined if that template is not in the input. */
function hasImageInLaunchTemplate(
  { resource: { properties, dependsOn } }: NodeGroup,
  { resources }: AwsModel,
): boolean | undefined {
  if (properties.LaunchTemplate === undefined) return false;
  const template = [...dependsOn].map((id) => resources.get(id)).find((resource) => resource?.type === LAUNCH_TEMPLATE);
  return template && asRecord(template.properties.LaunchTemplateData)?.ImageId !== undefined;
}
