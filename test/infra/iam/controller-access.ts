import { runSimulation, runUnsafeSimulation, Simulation } from '@cloud-copilot/iam-simulate';
import { Stack } from 'aws-cdk-lib';
import { Karpenter, KarpenterProps } from '../../../src/infra';
import { CallPlace, Context } from '../../support/iam/karpenter-calls';
import { ACCOUNT, newReference, newStack, resourcesOf } from '../fixtures';

/** The policies of a controller, and the account and cluster that they are for. */
export interface ControllerAccess {
  readonly place: CallPlace;
  readonly policies: ReadonlyArray<{ readonly name: string; readonly policy: unknown }>;
}

/** The policies that the template of `Karpenter` gives to the controller of the cluster `shop`. */
export function controllerAccessIn(
  partition: string,
  region: string,
  propsIn: (stack: Stack) => Partial<KarpenterProps> = () => ({}),
): ControllerAccess {
  const stack = newStack(region);
  new Karpenter(stack, 'Karpenter', { cluster: newReference(stack), ...propsIn(stack) });
  const place: CallPlace = {
    partition,
    region,
    account: ACCOUNT,
    clusterName: 'shop',
    nodeRole: `arn:${partition}:iam::${ACCOUNT}:role/shop-nodes`,
    queue: `arn:${partition}:sqs:${region}:${ACCOUNT}:shop`,
  };
  const policies = Object.entries(resourcesOf(stack, 'AWS::IAM::ManagedPolicy')).map(([name, { Properties }]) => ({
    name,
    policy: deployed(Properties.PolicyDocument, place),
  }));
  return { place, policies };
}

/** Whether IAM would allow the controller's call. */
export async function isAllowed(
  { place, policies }: ControllerAccess,
  action: string,
  resource: string,
  context: Context = {},
): Promise<boolean> {
  const simulation: Simulation = {
    request: {
      principal: `arn:${place.partition}:sts::${place.account}:assumed-role/controller/session`,
      action,
      resource: { resource, accountId: resource.split(':')[4] || place.account },
      contextVariables: { ...context },
    },
    identityPolicies: [...policies],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
    // A key can only be used if its policy trusts the account.
    ...(action.startsWith('kms:') && { resourcePolicy: keyPolicyOf(place) }),
  };
  if (isUnlisted(action, resource)) return runUnsafeSimulation(simulation, {}) === 'Allowed';
  const response = await runSimulation(simulation, {});
  if (response.resultType === 'error') throw new Error(`${action} on ${resource}: ${JSON.stringify(response.errors)}`);
  return response.overallResult === 'Allowed';
}

/**
 * AWS's list of actions contains neither EKS clusters as resources of zonal shift nor public SSM parameters, so the
 * strict simulation rejects these calls.
 */
function isUnlisted(action: string, resource: string): boolean {
  return action.startsWith('arc-zonal-shift:') || resource.includes('::parameter/');
}

/** The default policy of a KMS key. */
function keyPolicyOf({ partition, account }: CallPlace): unknown {
  const root = { AWS: `arn:${partition}:iam::${account}:root` };
  return { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: root, Action: 'kms:*', Resource: '*' }] };
}

/** The value with references resolved as in a deployment. */
function deployed(value: any, place: CallPlace): any {
  if (Array.isArray(value)) return value.map((child) => deployed(child, place));
  if (typeof value !== 'object' || value === null) return value;
  if (value.Ref === 'AWS::Partition') return place.partition;
  if (value['Fn::GetAtt']) return value['Fn::GetAtt'][0].includes('Queue') ? place.queue : place.nodeRole;
  if (value['Fn::Join']) return value['Fn::Join'][1].map((part: unknown) => deployed(part, place)).join('');
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, deployed(child, place)]));
}
