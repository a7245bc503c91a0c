import { removeField, safeFix, unsafeFix } from '../../../../contract';
import { countText } from '../../../../model';
import { PlannedNodeClaim } from '../../../../scheduling';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { NodeClassManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { poolsOf } from '../../common/pool';
import { defineRule } from '../../define-rule';
import { RuleContext } from '../../rule';
import { nodeClasses } from '../../subjects';

const EFA = 'vpc.amazonaws.com/efa';
const PATH = ['spec', 'associatePublicIPAddress'];

/**
 * Karpenter requests one network interface for each EFA device, or those of `networkInterfaces`, each with this field.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/launchtemplate/launchtemplate.go
 * @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceNetworkInterfaceSpecification.html
 */
export const publicAddressRefused = defineRule({
  id: 'KARP-261',
  name: 'public-address-refused',
  severity: 'error',
  summary: 'Nodes get several network interfaces and a public address at launch, which EC2 refuses together.',
  subjects: nodeClasses({
    where: ({ object }) => object.raw.spec?.associatePublicIPAddress === true,
    unknown: ({ object }) => whyUnresolved(object.raw.spec?.networkInterfaces),
  }),
  judge(nodeClass, context) {
    const interfaces = recordsOf(nodeClass.object.raw.spec?.networkInterfaces);
    // Karpenter gives interfaces of type efa-only no public address.
    const { length } = interfaces.filter(({ interfaceType }) => interfaceType !== 'efa-only');
    const base = {
      path: PATH,
      remedy: 'remove associatePublicIPAddress; such nodes reach the Internet through a NAT gateway',
    };
    if (length > 1) {
      return {
        ...base,
        message: `lets EC2 assign a public address, but launches nodes with ${length} networkInterfaces: EC2 refuses both together, so that no node of it launches`,
        evidence: { networkInterfaces: length },
        fix: safeFix(removeField(PATH)),
      };
    }
    if (interfaces.length > 0) return undefined;
    const refused = refusedClaims(context, nodeClass);
    if (refused.length === 0) return undefined;
    const [{ type, devices }] = refused;
    return {
      ...base,
      message: `lets EC2 assign a public address, but pods request EFA, and each EFA device is a network interface: EC2 refuses several of them with a public address, so that ${countText(refused.length, 'planned node')} such as ${type} with ${devices} never ${refused.length === 1 ? 'launches' : 'launch'}`,
      evidence: { nodes: refused.length, instanceType: type, devices },
      fix: unsafeFix(removeField(PATH)),
    };
  },
});

/** Planned nodes for pods with EFA, if each of their instance types has several EFA devices. */
function refusedClaims(
  context: RuleContext,
  { object }: NodeClassManifest,
): Array<{ readonly type: string; readonly devices: number }> {
  const { plan, input } = context;
  const pools = new Map(
    poolsOf(context)
      .filter(({ spec }) => spec?.nodeClass === object.name)
      .map((pool) => [pool.name, pool] as const),
  );
  const requestsEfa = ({ groups }: PlannedNodeClaim) =>
    [...groups].some(([group, count]) => count > 0 && (input.pods[group].shape.requests.get(EFA) ?? 0n) > 0n);
  return plan.nodeClaims.flatMap((claim) => {
    const table = pools.get(claim.nodePool)?.launch?.table;
    const column = table?.capacity[table.resources.indexOf(EFA)];
    if (table === undefined || column === undefined || !requestsEfa(claim)) return [];
    const counts = claim.instanceTypes.map((type) => column[table.names.indexOf(type)]);
    return counts.every((count) => count > 1) && counts.length > 0
      ? [{ type: claim.instanceTypes[0], devices: counts[0] }]
      : [];
  });
}
