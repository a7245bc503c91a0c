import { ApiObject, ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { EC2_NODE_CLASS_API, NODE_POOL_API, NODE_POOL_EDITORS } from '../../contract';

const READ = ['get', 'list', 'watch'];
const EDIT = [...READ, 'create', 'update', 'patch', 'delete'];
const RBAC = 'rbac.authorization.k8s.io';

/**
 * Properties of a NodePoolEditorRole.
 */
export interface NodePoolEditorRoleProps {
  /**
   * Name, labels and annotations of the ClusterRole and its binding.
   *
   * @default - the name `karpenter-nodepool-editor`
   */
  readonly metadata?: ApiObjectMetadata;

  /**
   * Groups of Kubernetes whose members get the role.
   *
   * @default - `karpenter:nodepool-editors`, to which `infra.Karpenter.grantManageNodePools` maps IAM roles
   */
  readonly groups?: string[];
}

/**
 * A ClusterRole for teams that own NodePools, and its binding: they may change NodePools, and read EC2NodeClasses,
 * NodeClaims, NodeOverlays and nodes. They cannot change an EC2NodeClass, which decides about the IAM role, network and
 * AMI of nodes. `NodePoolGuardrails` limits what the NodePools may ask for.
 *
 * @see https://kubernetes.io/docs/reference/access-authn-authz/rbac/
 */
export class NodePoolEditorRole extends Construct {
  /**
   * The ClusterRole in the manifest.
   */
  public readonly clusterRole: ApiObject;

  /**
   * The ClusterRoleBinding in the manifest.
   */
  public readonly binding: ApiObject;

  /**
   * Groups whose members have the role.
   */
  public readonly groups: string[];

  /**
   * @throws Error if `groups` is empty
   */
  constructor(scope: Construct, id: string, props: NodePoolEditorRoleProps = {}) {
    super(scope, id);
    const { groups = [NODE_POOL_EDITORS] } = props;
    if (groups.length === 0)
      throw new Error(
        `NodePoolEditorRole.groups: must have at least one group, got none; write for example ${NODE_POOL_EDITORS}`,
      );
    this.groups = [...groups];
    const metadata = { name: 'karpenter-nodepool-editor', ...props.metadata };
    const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]) => ({
      apiGroups: [apiGroup],
      resources: [...resources],
      verbs: [...verbs],
    });
    this.clusterRole = new ApiObject(this, 'ClusterRole', {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata,
      rules: [
        rule(NODE_POOL_API.group, ['nodepools'], EDIT),
        rule(NODE_POOL_API.group, ['nodeclaims', 'nodeoverlays'], READ),
        rule(EC2_NODE_CLASS_API.group, ['ec2nodeclasses'], READ),
        rule('', ['nodes', 'events'], READ),
      ],
    });
    this.binding = new ApiObject(this, 'Binding', {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: this.clusterRole.name },
      subjects: groups.map((name) => ({ apiGroup: RBAC, kind: 'Group', name })),
    });
  }
}
