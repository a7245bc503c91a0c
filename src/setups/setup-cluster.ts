import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
// Only a type: users of cdk8s must not need aws-cdk-lib.
import type { Karpenter } from '../infra';
import {
  EC2NodeClass,
  EC2NodeClassOptions,
  NodeIdentity,
  NodePool,
  NodePoolProps,
  SecurityGroupSelectorTerm,
  SubnetSelectorTerm,
} from '../nodes';

type AddNodeClass = (scope: Construct, name: string, options: EC2NodeClassOptions) => EC2NodeClass;
type AddNodePool = (scope: Construct, name: string, props: NodePoolProps) => NodePool;
/** Creates other objects of the cluster in a scope of cdk8s. */
type AddObjects = (scope: Construct, create: (scope: Construct) => void) => void;

/**
 * The cluster that a setup creates nodes for: where its objects are created, and which role and network the nodes have.
 */
export class SetupCluster {
  /**
   * A cluster that is created elsewhere. Its subnets and security groups have the tag `karpenter.sh/discovery`. The
   * objects are created in the scope of the setup, which must be a cdk8s chart or a construct in one.
   *
   * @param value value of the tag, usually the name of the cluster
   * @param identity IAM role of the nodes, such as `NodeIdentity.role('KarpenterNodeRole-shop')`
   */
  public static byDiscoveryTag(value: string, identity: NodeIdentity): SetupCluster {
    const network = {
      subnetSelectorTerms: [SubnetSelectorTerm.byDiscoveryTag(value)],
      securityGroupSelectorTerms: [SecurityGroupSelectorTerm.byDiscoveryTag(value)],
    };
    return new SetupCluster(
      (scope, name, options) =>
        new EC2NodeClass(scope, `${name}-class`, {
          ...options,
          ...network,
          identity,
          metadata: { ...options.metadata, name },
        }),
      (scope, name, props) => new NodePool(scope, name, { ...props, metadata: { name } }),
      (scope, create) => create(scope),
    );
  }

  /**
   * The cluster of a `Karpenter` of the AWS CDK, which deploys the objects. Role and network of the nodes are those of
   * the cluster.
   *
   * @param karpenter its cluster needs a kubectl provider
   */
  public static ofKarpenter(karpenter: Karpenter): SetupCluster {
    return new SetupCluster(
      (_scope, name, options) => karpenter.addNodeClass(name, { ...options, metadata: { ...options.metadata, name } }),
      (_scope, name, props) => karpenter.addNodePool(name, props),
      (_scope, create) => {
        const chart = new Chart(new App(), 'setup');
        create(chart);
        karpenter.addChart('Setup', chart);
      },
    );
  }

  private constructor(
    /** @internal */
    public readonly _addNodeClass: AddNodeClass,
    /** @internal */
    public readonly _addNodePool: AddNodePool,
    /** @internal */
    public readonly _addObjects: AddObjects,
  ) {}
}
