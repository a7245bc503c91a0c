import { Annotations, Aspects, IAspect, Stack } from 'aws-cdk-lib';
import { CfnVPCEndpoint, IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { IConstruct } from 'constructs';
import { isSame } from './same-value';
import { NEEDED_ENDPOINTS, NeededEndpoint } from '../../contract';

/**
 * Warns of endpoints that an isolated VPC of this app lacks; looked up at synth, since endpoints may be added after
 * Karpenter.
 */
export function warnOfMissingEndpoints(scope: IConstruct, vpc: IVpc | undefined, needs: ReadonlySet<NeededEndpoint['need']>): void {
  if (!(vpc instanceof Vpc)) return;
  const aspect: IAspect = {
    visit: (node) => {
      if (node !== scope) return;
      const present = servicesIn(vpc);
      for (const { service, why, need } of NEEDED_ENDPOINTS) {
        if ((need === undefined || needs.has(need)) && !present.some((name) => name.endsWith(`.${service}`))) {
          Annotations.of(scope).addWarningV2(`karpenter-constructs:endpoint-${service}`,
            `isolatedVpc: the VPC ${vpc.node.path} has no endpoint for ${service}, and ${why}; add one with vpc.addInterfaceEndpoint, or addGatewayEndpoint for s3`);
        }
      }
    },
  };
  Aspects.of(scope).add(aspect);
}

function servicesIn(vpc: IVpc): string[] {
  const stack = Stack.of(vpc);
  return vpc.node.root.node.findAll()
    .filter((node): node is CfnVPCEndpoint => node instanceof CfnVPCEndpoint)
    .filter((endpoint) => isSame({ scope: endpoint, value: endpoint.vpcId }, { scope: vpc, value: vpc.vpcId }))
    .map(({ serviceName }) => lastText(stack.resolve(serviceName)));
}

/** A name with a reference to the region in it ends in a text all the same. */
function lastText(name: unknown): string {
  if (typeof name === 'string') return name;
  const parts = (name as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1] ?? [];
  const last = parts[parts.length - 1];
  return typeof last === 'string' ? last : '';
}
