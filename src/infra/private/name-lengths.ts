/** Keeps names of roles, instance profiles and policies within IAM's length limits. */
import { Annotations, Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { EksClusterView } from './cluster-view';
import { textWithoutTokens, longestText } from './longest-token-values';
import { AWS_LIMITS, boundedName } from '../../contract';
import { errorWithoutStack } from '../../model';

/** @throws Error if IAM would refuse the name for its length */
export function assertRoleName(scope: IConstruct, roleName: string | undefined, cluster: EksClusterView): void {
  assertLength(scope, 'roleName', roleName, AWS_LIMITS.roleNameCharacters, cluster);
}

/** @throws Error if IAM would refuse the name for its length */
export function assertInstanceProfileName(scope: IConstruct, name: string | undefined, cluster: EksClusterView): void {
  assertLength(scope, 'instanceProfileName', name, AWS_LIMITS.instanceProfileNameCharacters, cluster);
}

/**
 * The name, shortened with a hash if it is too long. If the name may only become too long at deployment, the result is
 * undefined, so that CloudFormation generates a name.
 */
export function nameWithinLimit(scope: IConstruct, name: string, characters: number): string | undefined {
  if (!Token.isUnresolved(name)) return boundedName(name, characters);
  return longestText(scope, name).length > characters ? undefined : name;
}

/** Text that is too long at synth is an error. A name that may become too long at deployment is only a warning. */
function assertLength(
  scope: IConstruct,
  property: string,
  value: string | undefined,
  characters: number,
  cluster: EksClusterView,
): void {
  if (value === undefined) return;
  const name = value.replaceAll(cluster.clusterName, cluster.knownName);
  const known = textWithoutTokens(name);
  if (known.length > characters) {
    throw errorWithoutStack(
      `${scope.node.path}/${property}: must have at most ${characters} characters, got ${known.length} (${known}); ` +
        `write for example ${boundedName(known, characters)}, or leave it out`,
    );
  }
  const longest = longestText(scope, name).length;
  if (longest <= characters) return;
  Annotations.of(scope).addWarningV2(
    `karpenter-constructs:${property}`,
    `${property}: must have at most ${characters} characters, got a name that ` +
      `can have ${longest} when it is deployed; remove the parts that are known only at deployment, or leave ${property} out`,
  );
}
