import { Stack, Stage, Token } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ClusterView } from './cluster-view';

/** A construct, and the cluster that it is for. */
export interface ForCluster {
  readonly scope: Construct;
  readonly cluster: ClusterView;
}

/**
 * Whether two are for one cluster for sure: a name alone is of one cluster in a region of an account, and another stage
 * may have it, too.
 */
export function areForOneCluster(one: ForCluster, other: ForCluster): boolean {
  if (one.cluster.resource === other.cluster.resource) return true;
  // Two that the app makes are two, whatever they are called.
  if (one.cluster.ownedCluster && other.cluster.ownedCluster) return false;
  const [left, right] = [one, other].map(({ scope }) => Stack.of(scope));
  const isTogether = left.environment === right.environment && Stage.of(left) === Stage.of(right);
  const name = one.cluster.knownName;
  return isTogether && name === other.cluster.knownName && !Token.isUnresolved(name);
}
