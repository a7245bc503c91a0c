import { Annotations, Aspects, IAspect, Stack } from 'aws-cdk-lib';
import { CfnVPCEndpoint, IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { IConstruct } from 'constructs';
import { isSameReference } from './resource-lookup';
import { REQUIRED_ENDPOINTS, RequiredEndpoint } from '../../contract';

/**
 * Warns about endpoints that an isolated VPC of this app lacks. Evaluated at synth, because endpoints may be added
 * after Karpenter.
 */
export function warnOfMissingEndpoints(
  scope: IConstruct,
  vpc: IVpc | undefined,
  usedFeatures: ReadonlySet<RequiredEndpoint['requiredFor']>,
): void {
  if (!(vpc instanceof Vpc)) return;
  const aspect: IAspect = {
    visit: (node) => {
      if (node !== scope) return;
      const present = endpointServicesIn(vpc);
      for (const { service, why, requiredFor } of REQUIRED_ENDPOINTS) {
        if (
          (requiredFor === undefined || usedFeatures.has(requiredFor)) &&
          !present.some((name) => name.endsWith(`.${service}`))
        ) {
          Annotations.of(scope).addWarningV2(
            `karpenter-constructs:endpoint-${service}`,
            `isolatedVpc: the VPC ${vpc.node.path} has no endpoint for ${service}, but ${why}; add one with vpc.addInterfaceEndpoint, or addGatewayEndpoint for s3`,
          );
        }
      }
    },
  };
  Aspects.of(scope).add(aspect);
}

function endpointServicesIn(vpc: IVpc): string[] {
  const stack = Stack.of(vpc);
  return vpc.node.root.node
    .findAll()
    .filter((node): node is CfnVPCEndpoint => node instanceof CfnVPCEndpoint)
    .filter((endpoint) => isSameReference({ scope: endpoint, value: endpoint.vpcId }, { scope: vpc, value: vpc.vpcId }))
    .map(({ serviceName }) => lastText(stack.resolve(serviceName)));
}

/** The last literal part of a service name, which contains a reference to the region if the region is unknown. */
function lastText(name: unknown): string {
  if (typeof name === 'string') return name;
  const parts = (name as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1] ?? [];
  const last = parts[parts.length - 1];
  return typeof last === 'string' ? last : '';
}
