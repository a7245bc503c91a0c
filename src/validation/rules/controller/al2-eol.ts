import {
  amiFamilyOfClass,
  amiFamilyOfName,
  asRecord,
  compareKarpenterVersions,
  setField,
  unsafeFix,
} from '../../../contract';
import { valueText } from '../../../model';
import { CheckOptions } from '../../check-options';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { AwsModel, EksCluster, NodeGroup, TemplateResource } from '../../manifest/aws-model';
import { ManifestObject, NodeClassManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { sameText } from '../../template/text-match';
import { classesInUse, isCopyOfConversion, servedOriginalOf } from '../common/class-use';
import { clusterVersions, minorOf } from '../common/cluster-versions';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** The first Kubernetes minor version for which EKS publishes no Amazon Linux 2 AMI. */
const FIRST_MINOR_WITHOUT_AL2 = 33;
/** The first release of Karpenter whose classes may have AL2023. */
const FIRST_WITH_AL2023 = '0.35.0';
/** AL2_x86_64, AL2_x86_64_GPU and AL2_ARM_64. */
const AL2_AMI_TYPE = /^AL2_/;
/**
 * Facts that do not depend on the version of the cluster. The last AMIs are of December 2025.
 *
 * @see https://github.com/awslabs/amazon-eks-ami/issues/2545
 */
const WITHOUT_FIXES =
  'which AWS no longer supports: EKS ended its AMIs in November 2025, with Kubernetes 1.32, and its nodes get no security fixes';
const LAUNCH_TEMPLATE = 'AWS::EC2::LaunchTemplate';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html */
export const al2Eol: Rule = {
  id: 'KARP-907',
  name: 'al2-eol',
  supersededBy: ['KARP-155'],
  severity: 'error',
  summary: 'A node class or node group selects Amazon Linux 2, whose AMIs ended in November 2025.',
  check(context: RuleContext): Outcome[] {
    const { model } = context;
    const { aws, objects } = model;
    const eksctl = eksctlClusters(objects);
    const versions = clusterVersions(model);
    return [
      ...classesInUse(model)
        .filter(
          ({ object }) =>
            amiFamilyOfClass(asRecord(object.raw?.spec) ?? {}) === 'AL2' && !isCopyOfConversion(model, object),
        )
        .map((nodeClass) =>
          checkClass(nodeClass, versions, servedOriginalOf(context, nodeClass.object), context.options),
        ),
      ...[...aws.nodeGroups, ...aws.otherNodeGroups]
        .filter(({ amiType = '' }) => AL2_AMI_TYPE.test(amiType))
        .flatMap((group) => checkGroup(group, aws)),
      ...eksctl.flatMap((config) => checkEksctlGroups(config)),
    ];
  },
};

function checkClass(
  { object }: NodeClassManifest,
  versions: ReadonlyArray<string | undefined>,
  original: ManifestObject | undefined,
  { karpenterVersion = FIRST_WITH_AL2023, servingVersion = karpenterVersion }: CheckOptions,
): Outcome {
  const terms = recordsOf(object.raw.spec?.amiSelectorTerms);
  const index = terms.findIndex(({ alias, name }) => alias !== undefined || isPublishedName(name));
  // The AMIs of other terms may be of another system, because Ubuntu also takes the user data of AL2.
  if (index < 0) return pass(object);
  const field = terms[index].alias === undefined ? 'name' : 'alias';
  const path = ['spec', 'amiSelectorTerms', index, field];
  const remedy =
    original === undefined
      ? 'write an alias of AL2023 or Bottlerocket, such as al2023@<version>'
      : original.kind === 'AWSNodeTemplate'
        ? 'write amiFamily: Bottlerocket, or upgrade to a release with EC2NodeClass for AL2023'
        : compareKarpenterVersions(servingVersion, FIRST_WITH_AL2023) < 0
          ? `write amiFamily: Bottlerocket, or AL2023 after an upgrade to ${FIRST_WITH_AL2023} or later`
          : 'write amiFamily: AL2023 or Bottlerocket';
  const [version] = versions;
  const isNamed = original === undefined && asRecord(object.raw.spec)?.amiFamily === 'AL2';
  if (field === 'name' || versions.length === 0 || versions.some((candidate) => hasAl2(candidate) !== false)) {
    return fail({
      object,
      path,
      message: `selects Amazon Linux 2, ${WITHOUT_FIXES}`,
      remedy: isNamed ? `${remedy}, and remove amiFamily: AL2` : remedy,
      evidence: { kubernetes: version ?? null },
      severity: 'warning',
    });
  }
  return fail({
    object,
    path,
    message: `selects Amazon Linux 2, for which EKS publishes no AMI for Kubernetes ${version}: the class finds no AMI, and nothing is launched`,
    remedy: isNamed ? `${remedy}, and remove amiFamily: AL2` : remedy,
    evidence: { kubernetes: version, consequence: 'not-ready' },
  });
}

/** Whether the name is that of AMIs of Amazon Linux 2 that EKS has published. */
function isPublishedName(name: unknown): boolean {
  return typeof name === 'string' && amiFamilyOfName(name) === 'AL2';
}

function checkGroup(group: NodeGroup, aws: AwsModel): Outcome[] {
  const {
    resource: { object, properties },
    path,
    amiType,
  } = group;
  const hasImage = hasImageInLaunchTemplate(group, aws);
  if (hasImage === true) return [];
  if (hasImage === undefined)
    return [notEvaluated(object, 'its launch template is not in the templates, and may have an AMI of its own')];
  const version =
    properties.Version === undefined ? clusterOf(group, aws.allClusters)?.version : valueText(properties.Version);
  const amiPath = [...path, 'Properties', 'AmiType'];
  const remedy = remedyFor(amiType!, group.resource.tool);
  if (hasAl2(version) !== false)
    return [
      fail({
        object,
        path: amiPath,
        message: `has AMI type ${amiType}, which is Amazon Linux 2, ${WITHOUT_FIXES}`,
        remedy,
        evidence: { kubernetes: version ?? null, amiType },
        severity: 'warning',
      }),
    ];
  return [
    fail({
      object,
      path: amiPath,
      message: `has AMI type ${amiType}, but EKS publishes no Amazon Linux 2 AMI for Kubernetes ${version}: EKS rejects the node group, and the deployment fails`,
      remedy,
      evidence: { kubernetes: version, amiType },
    }),
  ];
}

function checkEksctlGroups({ object, version, nodeGroups }: EksctlCluster): Outcome[] {
  return nodeGroups
    .filter(({ amiFamily }) => amiFamily === 'AmazonLinux2')
    .map(({ name, path }) => {
      const isRefused = hasAl2(version) === false;
      return fail({
        object,
        path: [...path, 'amiFamily'],
        message: isRefused
          ? `node group ${name} has AMI family AmazonLinux2, but EKS publishes no Amazon Linux 2 AMI for Kubernetes ${version}: the node group is not created`
          : `node group ${name} has AMI family AmazonLinux2, ${WITHOUT_FIXES}`,
        remedy: 'write amiFamily: AmazonLinux2023',
        evidence: { kubernetes: version ?? null, nodeGroup: name },
        ...(isRefused ? {} : { severity: 'warning' as const }),
        fix: unsafeFix(setField([...path, 'amiFamily'], 'AmazonLinux2023')),
      });
    });
}

/** Whether EKS publishes Amazon Linux 2 AMIs for the Kubernetes version; undefined if the version is not known. */
function hasAl2(version: string | undefined): boolean | undefined {
  const minor = minorOf(version);
  return minor === undefined ? undefined : minor < FIRST_MINOR_WITHOUT_AL2;
}

function remedyFor(amiType: string, tool: TemplateResource['tool']): string {
  const al2023 = amiType
    .replace(AL2_AMI_TYPE, 'AL2023_')
    .replace(/_GPU$/, '_NVIDIA')
    .replace(/(x86_64|ARM_64)$/, '$1_STANDARD');
  if (tool === 'Terraform') return `write ami_type = "${al2023}"`;
  return `write ${al2023}; in the AWS CDK, pass amiType: NodegroupAmiType.${al2023.toUpperCase()} to addNodegroupCapacity`;
}

/** The cluster of a node group, if it is in the templates. */
function clusterOf({ cluster }: NodeGroup, clusters: readonly EksCluster[]): EksCluster | undefined {
  return clusters.find(({ name }) => sameText(name, cluster) === 'yes');
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
