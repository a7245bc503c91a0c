import { NamesOf, readStatements } from './iam';
import { arnOf, physicalName, refOf } from './resource-names';
import { hasUnknown, plainText } from './token';
import { asRecord } from '../../contract';
import { EventRule, Queue, Statement, TemplateResource } from '../manifest/aws-model';
import { recordsOf } from '../manifest/records';

/** The SQS queues with the statements of their queue policies. */
export function readQueues(resources: readonly TemplateResource[], naming: NamesOf): Queue[] {
  const policies = resources.filter(
    ({ type }) => type === 'AWS::SQS::QueuePolicy' || type === 'AWS::SQS::QueueInlinePolicy',
  );
  const queues = resources.filter(({ type }) => type === 'AWS::SQS::Queue');
  const urls = queues.map((resource) => refOf(naming(resource)));
  return queues.map((resource, i) => {
    const url = urls[i];
    const { properties } = resource;
    const name = physicalName(naming(resource));
    const own = policiesOf(policies, (policyUrl) =>
      policyUrl === url || policyUrl.endsWith(`/${name}`)
        ? 'own'
        : urls.includes(policyUrl) || !hasUnknown(policyUrl)
          ? 'other'
          : 'unknown',
    );
    const inline = properties.Policy === undefined ? [] : [{ resource, field: 'Policy' }];
    const all = own && [...inline, ...own.map((policy) => ({ resource: policy, field: 'PolicyDocument' }))];
    return {
      resource,
      path: [],
      name,
      arn: arnOf(naming(resource)),
      url,
      ...(typeof properties.KmsMasterKeyId === 'string' && properties.KmsMasterKeyId !== ''
        ? { kmsKey: properties.KmsMasterKeyId }
        : {}),
      fifo: properties.FifoQueue === true || properties.FifoQueue === 'true',
      statements: all && statementsOf(all),
      hasPolicy: all !== undefined && all.length > 0,
    };
  });
}

/** The policies of a queue; undefined if it is not known whether a policy is the queue's. */
function policiesOf(
  all: readonly TemplateResource[],
  ownerOf: (url: string) => 'own' | 'other' | 'unknown',
): TemplateResource[] | undefined {
  const urlsOf = ({ properties }: TemplateResource) => [properties.Queues ?? properties.Queue].flat().map(plainText);
  const policies = all.filter((policy) => urlsOf(policy).some((url) => ownerOf(url) === 'own'));
  const isUndecided = all.some((policy) => urlsOf(policy).some((url) => ownerOf(url) === 'unknown'));
  return policies.length === 0 && isUndecided ? undefined : policies;
}

interface PolicyField {
  readonly resource: TemplateResource;
  readonly field: string;
}

/** The statements of policies; undefined if one cannot be read. */
function statementsOf(policies: readonly PolicyField[]): Statement[] | undefined {
  const documents = policies.map(({ resource, field }) =>
    readStatements(resource, ['Properties', field], resource.properties[field]),
  );
  return documents.some((statements) => !statements) ? undefined : documents.flatMap((statements) => statements!);
}

/** The EventBridge rules. */
export function readEventRules(resources: readonly TemplateResource[], naming: NamesOf): EventRule[] {
  return resources
    .filter(({ type }) => type === 'AWS::Events::Rule')
    .map((resource) => {
      const { EventPattern, State, EventBusName, Targets } = resource.properties;
      return {
        resource,
        path: [],
        arn: arnOf(naming(resource)),
        pattern: asRecord(EventPattern),
        ...(typeof State === 'string' ? { state: State } : {}),
        ...(typeof EventBusName === 'string' ? { bus: EventBusName } : {}),
        targets: recordsOf(Targets).map(({ Arn }) => plainText(Arn)),
      };
    });
}
