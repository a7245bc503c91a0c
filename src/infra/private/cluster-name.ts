import { Token } from 'aws-cdk-lib';
import { IConstruct } from 'constructs';
import { CLUSTER_NAME, CLUSTER_NAME_CHARACTERS } from '../../contract';
import { errorWithoutStack } from '../../model';

/** A token of the CDK in a text. */
const TOKEN = /\$\{Token\[[^\]]*\]\}/g;

/**
 * A name such as `*` would match every cluster in the conditions of the controller's policies.
 *
 * @throws Error if EKS accepts no cluster of this name. Of a name with tokens, only the characters between the tokens
 * are checked.
 */
export function assertClusterName(cluster: IConstruct, name: string): void {
  const isPossible = Token.isUnresolved(name)
    ? CLUSTER_NAME_CHARACTERS.test(name.replace(TOKEN, ''))
    : CLUSTER_NAME.test(name);
  if (isPossible) return;
  throw errorWithoutStack(
    `${cluster.node.path}/clusterName: must be a name that EKS accepts, which is 1 to 100 letters, digits, hyphens and underscores after a letter or ` +
      `digit at the start, got ${JSON.stringify(name)}; write the name that aws eks list-clusters shows`,
  );
}
