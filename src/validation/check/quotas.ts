import { listText, numberText } from '../../model';
import { PlannedNodeClaim } from '../../scheduling';
import { RuleContext } from '../rules';
import { poolsOf } from '../rules/common/pool';

/** Accounts start with a few vCPUs, but those that run fleets have more: below this, nothing is said. */
const MANY_VCPUS = 1000;
/** Instance families with the quotas for standard instances. */
const STANDARD = /^(?!inf|hpc|dl|trn|mac)[acdhimrtz]/;
const QUOTAS = [
  { capacityType: 'spot', code: 'L-34B43A08' },
  { capacityType: 'on-demand', code: 'L-1216C47A' },
] as const;

/**
 * Says how many vCPUs of an account's quotas a large plan needs: EC2 refuses launches beyond them.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-on-demand-instances.html#ec2-on-demand-instances-limits
 */
export function quotaAssumptions(context: RuleContext): string[] {
  const tables = new Map(poolsOf(context).map(({ name, launch }) => [name, launch?.table]));
  const vcpusOf = ({ nodePool, launch }: PlannedNodeClaim): number => {
    const table = tables.get(nodePool);
    const type = launch?.cheapest.instanceType;
    if (table === undefined || type === undefined || !STANDARD.test(type)) return 0;
    const column = table.capacity[table.resources.indexOf('cpu')];
    return Math.round((column?.[table.names.indexOf(type)] ?? 0) / 1000);
  };
  const needs = QUOTAS.flatMap(({ capacityType, code }) => {
    const claims = context.plan.nodeClaims.filter(({ launch }) => launch?.cheapest.capacityType === capacityType);
    const vcpus = claims.reduce((sum, claim) => sum + vcpusOf(claim), 0);
    return vcpus < MANY_VCPUS ? [] : [`${numberText(vcpus)} ${capacityType} vCPUs (${code})`];
  });
  if (needs.length === 0) return [];
  return [`EC2 quotas are not in the input: the new nodes need ${listText(needs)}, beside what already runs`];
}
