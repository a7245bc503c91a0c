import { Requirement } from '../model';

/**
 * The partition of its placement group that a node is launched into: Karpenter takes the first of the values that its claim names, and does not
 * ask whether it names them as those that it does not want.
 *
 * @param wanted of the partition, by its claim; absent where it says nothing of it
 * @param offered the first partition that the claim is left
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/launchtemplate.go EnsureAll
 */
export function launchedPartition(wanted: Requirement | undefined, offered: string | undefined): string | undefined {
  const [first] = wanted?.complement ? [...wanted.values].sort() : [];
  return offered === undefined ? undefined : first ?? offered;
}
