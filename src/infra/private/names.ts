import { Annotations, Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { ClusterView } from './cluster-view';
import { knownText, longestText } from './longest';
import { AWS_LIMITS, boundedName } from '../../contract';

/** @throws Error if IAM would refuse the name for its length */
export function assertRoleName(scope: IConstruct, roleName: string | undefined, cluster: ClusterView): void {
  assertLength(scope, 'roleName', roleName, AWS_LIMITS.roleNameCharacters, cluster);
}

/** @throws Error if IAM would refuse the name for its length */
export function assertInstanceProfileName(scope: IConstruct, name: string | undefined, cluster: ClusterView): void {
  assertLength(scope, 'instanceProfileName', name, AWS_LIMITS.instanceProfileNameCharacters, cluster);
}

/**
 * A name that is made of the cluster's: with a hash in place of its end where it would be too long, and none, so that
 * CloudFormation makes one up, where it may turn out to be at deployment.
 */
export function nameWithCluster(scope: IConstruct, name: string, characters: number): string | undefined {
  if (!Token.isUnresolved(name)) return boundedName(name, characters);
  return longestText(scope, name).length > characters ? undefined : name;
}

/**
 * A token is taken for the longest text that it may turn out to be: that only warns, since the one who wrote the name
 * may know better.
 */
function assertLength(scope: IConstruct, property: string, written: string | undefined, characters: number, cluster: ClusterView): void {
  if (written === undefined) return;
  const name = written.replaceAll(cluster.clusterName, cluster.knownName);
  const known = knownText(name);
  if (known.length > characters) {
    throw new Error(`${scope.node.path}/${property}: must have at most ${characters} characters, got ${known.length} (${known}); `
      + `write for example ${boundedName(known, characters)}, or leave it out`);
  }
  const longest = longestText(scope, name).length;
  if (longest <= characters) return;
  Annotations.of(scope).addWarningV2(`karpenter-constructs:${property}`, `${property}: must have at most ${characters} characters, got a name that `
    + `may have as many as ${longest} once it is deployed; write it without what is known only then, or leave it out`);
}
