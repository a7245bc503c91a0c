import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { NodeClassManifest } from '../../manifest/model';
import { NodeGroup } from '../../template/aws-model';
import { classesInUse } from '../common/class-use';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** The first Kubernetes minor version for which EKS publishes no Amazon Linux 2 AMI. */
const FIRST_MINOR_WITHOUT_AL2 = 33;
/** AL2_x86_64, AL2_x86_64_GPU and AL2_ARM_64. */
const AL2_AMI_TYPE = /^AL2_/;
const UNKNOWN_VERSION = 'the version of the cluster is known only at deployment';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/eks-ami-deprecation-faqs.html */
export class Al2Eol implements Rule {
  public readonly id = 'KARP-907';
  public readonly name = 'al2-eol';
  public readonly severity = 'error';
  public readonly summary = 'A node class or managed node group selects Amazon Linux 2, for which EKS publishes no AMI since Kubernetes 1.33: nothing is launched.';

  public check({ model }: RuleContext): Outcome[] {
    const { aws, objects } = model;
    const eksctl = eksctlClusters(objects);
    const [cluster, ...others] = [...aws.clusters, ...eksctl];
    if (!cluster || others.length > 0) return [];
    return [
      ...classesInUse(model).filter(({ facts }) => facts?.amiFamily === 'AL2').map((nodeClass) => this.checkClass(nodeClass, cluster.version)),
      ...aws.nodeGroups.filter(({ amiType = '' }) => AL2_AMI_TYPE.test(amiType)).map((group) => this.checkGroup(group, cluster.version)),
      ...eksctl.flatMap((config) => this.checkEksctlGroups(config)),
    ];
  }

  private checkClass({ object }: NodeClassManifest, version: string | undefined): Outcome {
    const terms = object.raw.spec.amiSelectorTerms;
    const byAlias = Array.isArray(terms) && terms.some((term) => typeof term?.alias === 'string');
    if (!byAlias || hasAl2(version) === true) return pass(object);
    if (hasAl2(version) === undefined) return notEvaluated(object, UNKNOWN_VERSION);
    return fail({
      object,
      path: ['spec', 'amiSelectorTerms', 0, 'alias'],
      message: `selects Amazon Linux 2, for which EKS publishes no AMI for Kubernetes ${version}: the class finds no AMI, and nothing is launched`,
      remedy: 'write an alias of AL2023 or Bottlerocket, such as al2023@<version>',
      evidence: { kubernetes: version },
    });
  }

  private checkGroup({ resource: { object, properties }, path, amiType }: NodeGroup, clusterVersion: string | undefined): Outcome {
    const version = properties.Version === undefined ? clusterVersion : String(properties.Version);
    if (hasAl2(version) === true) return pass(object);
    if (hasAl2(version) === undefined) return notEvaluated(object, UNKNOWN_VERSION);
    return fail({
      object,
      path: [...path, 'Properties', 'AmiType'],
      message: `has AMI type ${amiType}, but EKS publishes no Amazon Linux 2 AMI for Kubernetes ${version}: EKS rejects the node group, and the deployment fails`,
      remedy: `write ${amiType!.replace(AL2_AMI_TYPE, 'AL2023_').replace(/_GPU$/, '_NVIDIA').replace(/(x86_64|ARM_64)$/, '$1_STANDARD')}`,
      evidence: { kubernetes: version, amiType },
    });
  }

  private checkEksctlGroups({ object, version, nodeGroups }: EksctlCluster): Outcome[] {
    return nodeGroups.filter(({ amiFamily }) => amiFamily === 'AmazonLinux2').map(({ name, path }) => {
      if (hasAl2(version) === true) return pass(object);
      if (hasAl2(version) === undefined) return notEvaluated(object, 'its version is not in the input');
      return fail({
        object,
        path: [...path, 'amiFamily'],
        message: `node group ${name} has AMI family AmazonLinux2, but EKS publishes no Amazon Linux 2 AMI for Kubernetes ${version}: the node group is not created`,
        remedy: 'write amiFamily: AmazonLinux2023',
        evidence: { kubernetes: version, nodeGroup: name },
      });
    });
  }
}

/** Whether EKS publishes Amazon Linux 2 AMIs for the Kubernetes version; undefined if the version is not known. */
function hasAl2(version: string | undefined): boolean | undefined {
  const minor = /^1\.(\d+)/.exec(version ?? '')?.[1];
  return minor === undefined ? undefined : Number(minor) < FIRST_MINOR_WITHOUT_AL2;
}
