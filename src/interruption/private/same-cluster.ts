/** Whether two names are of one cluster, although one was read from the cluster and the other was written by hand. */
import { Stack, Stage, Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

/** A name of a cluster, and the construct that has it. */
export interface ClusterName {
  readonly scope: IConstruct;
  readonly name: string;
}

/**
 * A name that is written out is of one cluster in a region of an account: another account, or another stage, may have
 * it too.
 */
export function isSameCluster(a: ClusterName, b: ClusterName): boolean {
  if (Token.isUnresolved(a.name) && a.name === b.name) return true;
  return nameAsWritten(a) === nameAsWritten(b) && areTogether(a.scope, b.scope);
}

/** The clusters of aws-eks and aws-eks-v2 give a token for their name, even where it was written. */
function nameAsWritten({ scope, name }: ClusterName): string {
  if (!Token.isUnresolved(name)) return name;
  const cluster = scope.node.root.node.findAll()
    .find((construct) => Reflect.get(construct, 'clusterName') === name && isWritten(Reflect.get(construct, 'physicalName')));
  return cluster ? Reflect.get(cluster, 'physicalName') : name;
}

function areTogether(one: IConstruct, other: IConstruct): boolean {
  const [left, right] = [Stack.of(one), Stack.of(other)];
  return mayBeSame(left.account, right.account) && mayBeSame(left.region, right.region) && Stage.of(one) === Stage.of(other);
}

function mayBeSame(one: string, other: string): boolean {
  return one === other || Token.isUnresolved(one) || Token.isUnresolved(other);
}

function isWritten(name: unknown): boolean {
  return typeof name === 'string' && !Token.isUnresolved(name);
}
