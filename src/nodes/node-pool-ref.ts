import { IConstruct } from 'constructs';

/**
 * A NodePool that others refer to, whoever creates it.
 */
export interface INodePool extends IConstruct {
  /**
   * Name of the object in the cluster, which its nodes carry in the label `karpenter.sh/nodepool`.
   */
  readonly name: string;
}
