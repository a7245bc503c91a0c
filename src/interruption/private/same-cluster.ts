/** Whether two names are of one cluster, although one was read from the cluster and the other was written by hand. */
import { Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

export function isSameCluster(scope: IConstruct, a: string, b: string): boolean {
  return a === b || nameAsWritten(scope, a) === nameAsWritten(scope, b);
}

/** The clusters of aws-eks and aws-eks-v2 give a token for their name, even where it was written. */
function nameAsWritten({ node }: IConstruct, name: string): string {
  if (!Token.isUnresolved(name)) return name;
  const cluster = node.root.node.findAll()
    .find((construct) => Reflect.get(construct, 'clusterName') === name && isWritten(Reflect.get(construct, 'physicalName')));
  return cluster ? Reflect.get(cluster, 'physicalName') : name;
}

function isWritten(name: unknown): boolean {
  return typeof name === 'string' && !Token.isUnresolved(name);
}
