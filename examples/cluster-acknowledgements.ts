/** What cdk-nag (AwsSolutions) finds in what aws-eks-v2 makes for a cluster, and why it stays. */
import { Acknowledgment, CfnCondition, CfnResource, Stack, Validations } from 'aws-cdk-lib';
import { Cluster, Nodegroup } from 'aws-cdk-lib/aws-eks-v2';

const OF_NODE_GROUP = ['AmazonEC2ContainerRegistryReadOnly', 'AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy'];
const OF_FUNCTIONS = [
  'service-role/AWSLambdaBasicExecutionRole',
  'service-role/AWSLambdaVPCAccessExecutionRole',
  'AmazonEC2ContainerRegistryReadOnly',
];

export function acknowledgeCluster(cluster: Cluster, nodeGroup: Nodegroup): void {
  Validations.of(cluster.role).acknowledge(...policiesOfAws(['AmazonEKSClusterPolicy'], 'EKS asks for this policy'));
  Validations.of(nodeGroup).acknowledge(...policiesOfAws(OF_NODE_GROUP, 'EKS asks nodes for these policies'));
  const functions = cluster.node.findChild('KubectlProvider');
  const handler = functions.node.findChild('Handler');
  Validations.of(functions).acknowledge(
    ...policiesOfAws(OF_FUNCTIONS, 'aws-eks-v2 makes the function that runs kubectl and helm, and gives it these'),
    {
      id: publicImages(handler.node.findChild('HasEcrPublic') as CfnCondition),
      reason: 'helm pulls charts from the public registry',
    },
    {
      id: `AwsSolutions-IAM5[Resource::<${logicalIdOf(handler.node.defaultChild as CfnResource)}.Arn>:*]`,
      reason: 'versions of one function',
    },
    { id: 'AwsSolutions-L1', reason: 'aws-eks-v2 chooses the runtime of its function' },
  );
}

function policiesOfAws(policies: readonly string[], reason: string): Acknowledgment[] {
  return policies.map((policy) => ({
    id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
    reason,
  }));
}

/** The policy is there in the partition of the public registry alone, so cdk-nag names it by its condition. */
function publicImages(condition: CfnCondition): string {
  const arn = {
    'Fn::Join': [
      '',
      ['arn:', { Ref: 'AWS::Partition' }, ':iam::aws:policy/AmazonElasticContainerRegistryPublicReadOnly'],
    ],
  };
  return `AwsSolutions-IAM4[Policy::${JSON.stringify({ 'Fn::If': [logicalIdOf(condition), arn, { Ref: 'AWS::NoValue' }] })}]`;
}

function logicalIdOf(element: CfnCondition | CfnResource): string {
  return Stack.of(element).resolve(element.logicalId);
}
