import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Cluster, ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { Role } from 'aws-cdk-lib/aws-iam';

/** The cluster `shop` of another stack or tool, with its function `shop-kubectl`, which runs kubectl. */
export function importShop(stack: Stack): ICluster {
  const kubectlProvider = KubectlProvider.fromKubectlProviderAttributes(stack, 'Kubectl', {
    serviceToken: stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: 'shop-kubectl',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
    role: Role.fromRoleName(stack, 'KubectlRole', 'shop-kubectl'),
  });
  return Cluster.fromClusterAttributes(stack, 'Cluster', { clusterName: 'shop', kubectlProvider });
}
