/** Simulates IAM with the policies of a template, whose references are resolved as in a deployment. */
import { runSimulation } from '@cloud-copilot/iam-simulate';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';

export const REGION = 'eu-west-1';
export const ACCOUNT = '111122223333';

export interface IamRequest {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly context?: Readonly<Record<string, string | string[]>>;
}

export class DeployedStack {
  private readonly resources: Readonly<Record<string, { readonly Type: string; readonly Properties: any }>>;

  constructor(stack: Stack) {
    this.resources = Template.fromStack(stack).toJSON().Resources;
  }

  /** ARN of the first resource of the type whose logical id begins with the prefix. */
  public arnOf(type: string, idPrefix = ''): string {
    return this.arn(this.idOf(type, idPrefix));
  }

  /** A property, such as a policy, of the first resource of the type whose logical id begins with the prefix. */
  public property(type: string, idPrefix: string, name: string): unknown {
    return this.resolveReferences(this.resources[this.idOf(type, idPrefix)].Properties[name]);
  }

  private idOf(type: string, idPrefix: string): string {
    const logicalId = Object.keys(this.resources).find(
      (id) => this.resources[id].Type === type && id.startsWith(idPrefix),
    );
    if (!logicalId) throw new Error(`no ${type} ${idPrefix}`);
    return logicalId;
  }

  private arn(id: string): string {
    const { Type, Properties } = this.resources[id];
    const [service, resource] = {
      'AWS::SQS::Queue': ['sqs', Properties.QueueName ?? id],
      'AWS::Events::Rule': ['events', `rule/${id}`],
      'AWS::KMS::Key': ['kms', 'key/6f29df3a-fb94-48e4-b359-a88fb74ce78d'],
    }[Type] ?? ['unknown', id];
    return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
  }

  private resolveReferences(value: any): any {
    if (Array.isArray(value)) return value.map((child) => this.resolveReferences(child));
    if (typeof value !== 'object' || value === null) return value;
    if (value.Ref === 'AWS::Partition') return 'aws';
    if (value.Ref) return value.Ref;
    if (value['Fn::GetAtt']) return this.arn(value['Fn::GetAtt'][0]);
    if (value['Fn::Join']) return value['Fn::Join'][1].map((part: unknown) => this.resolveReferences(part)).join('');
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, this.resolveReferences(child)]));
  }
}

export async function isAllowed(
  request: IamRequest,
  policies: { readonly identity?: unknown; readonly resource?: unknown },
): Promise<boolean> {
  const { principal, action, resource, context = {} } = request;
  const response = await runSimulation(
    {
      request: {
        principal,
        action,
        resource: { resource, accountId: resource.split(':')[4] || ACCOUNT },
        contextVariables: { ...context },
      },
      identityPolicies: policies.identity ? [{ name: 'identity', policy: policies.identity }] : [],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      resourcePolicy: policies.resource,
    },
    {},
  );
  if (response.resultType === 'error') throw new Error(`${action} on ${resource}: ${JSON.stringify(response.errors)}`);
  return response.overallResult === 'Allowed';
}
