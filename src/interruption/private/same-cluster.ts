/** Compares cluster names, even if one is a token read from the cluster and the other is written as text. */
import { Stack, Stage, Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';

/** A cluster's name, and the construct that uses it. */
export interface ClusterName {
  readonly scope: IConstruct;
  readonly name: string;
}

/**
 * A name written as text identifies a cluster only within one region of one account, and within one stage of the app.
 * An unknown account or region counts as equal.
 */
export function isSameCluster(a: ClusterName, b: ClusterName): boolean {
  if (Token.isUnresolved(a.name) && a.name === b.name) return true;
  return nameAsWritten(a) === nameAsWritten(b) && haveSameEnvironment(a.scope, b.scope);
}

/** `clusterName` of a cluster in the app is always a token; `physicalName` is the name that the app sets. */
function nameAsWritten({ scope, name }: ClusterName): string {
  if (!Token.isUnresolved(name)) return name;
  const cluster = scope.node.root.node
    .findAll()
    .find(
      (construct) =>
        Reflect.get(construct, 'clusterName') === name && isWritten(Reflect.get(construct, 'physicalName')),
    );
  return cluster ? Reflect.get(cluster, 'physicalName') : name;
}

function haveSameEnvironment(one: IConstruct, other: IConstruct): boolean {
  const [left, right] = [Stack.of(one), Stack.of(other)];
  return (
    mayBeSame(left.account, right.account) && mayBeSame(left.region, right.region) && Stage.of(one) === Stage.of(other)
  );
}

function mayBeSame(one: string, other: string): boolean {
  return one === other || Token.isUnresolved(one) || Token.isUnresolved(other);
}

function isWritten(name: unknown): boolean {
  return typeof name === 'string' && !Token.isUnresolved(name);
}
