import { IConstruct } from 'constructs';

/**
 * A node class that a NodePool refers to. It holds the settings of the cloud provider: machine image, network, disks.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/
 */
export interface INodeClass extends IConstruct {
  /**
   * Name of the object in the cluster.
   */
  readonly name: string;

  /**
   * API group without a version, such as `karpenter.k8s.aws`.
   */
  readonly group: string;

  /**
   * Kind of the object, such as `EC2NodeClass`.
   */
  readonly kind: string;
}
