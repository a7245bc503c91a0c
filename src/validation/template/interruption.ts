import { EventRule, Queue, Statement, TemplateResource } from './aws-model';
import { Naming, readStatements } from './iam';
import { arnOf, nameOf, refOf } from './identity';
import { hasUnknown, plainText } from './token';
import { asRecord } from '../../contract';
import { recordsOf } from '../manifest/records';

export function readQueues(resources: readonly TemplateResource[], naming: Naming): Queue[] {
  const policies = resources.filter(({ type }) => type === 'AWS::SQS::QueuePolicy' || type === 'AWS::SQS::QueueInlinePolicy');
  const queues = resources.filter(({ type }) => type === 'AWS::SQS::Queue');
  const urls = queues.map((resource) => refOf(naming(resource)));
  return queues.map((resource, i) => {
    const url = urls[i];
    const { properties } = resource;
    const name = nameOf(naming(resource));
    return {
      resource,
      path: [],
      name,
      arn: arnOf(naming(resource)),
      url,
      ...typeof properties.KmsMasterKeyId === 'string' && properties.KmsMasterKeyId !== '' ? { kmsKey: properties.KmsMasterKeyId } : {},
      fifo: properties.FifoQueue === true || properties.FifoQueue === 'true',
      statements: statementsOf(policies, (written) => written === url || written.endsWith(`/${name}`) ? 'own' : urls.includes(written) || !hasUnknown(written) ? 'other' : 'open'),
    };
  });
}

/** Undefined where one cannot be read, or may be of another queue. */
function statementsOf(all: readonly TemplateResource[], ownerOf: (url: string) => 'own' | 'other' | 'open'): Statement[] | undefined {
  const urlsOf = ({ properties }: TemplateResource) => [properties.Queues ?? properties.Queue].flat().map(plainText);
  const policies = all.filter((policy) => urlsOf(policy).some((url) => ownerOf(url) === 'own'));
  if (policies.length === 0 && all.some((policy) => urlsOf(policy).some((url) => ownerOf(url) === 'open'))) return undefined;
  const read = policies.map((policy) => readStatements(policy, ['Properties', 'PolicyDocument'], policy.properties.PolicyDocument));
  return read.some((statements) => !statements) ? undefined : read.flatMap((statements) => statements!);
}

export function readEventRules(resources: readonly TemplateResource[], naming: Naming): EventRule[] {
  return resources.filter(({ type }) => type === 'AWS::Events::Rule').map((resource) => {
    const { EventPattern, State, EventBusName, Targets } = resource.properties;
    return {
      resource,
      path: [],
      arn: arnOf(naming(resource)),
      pattern: asRecord(EventPattern),
      ...typeof State === 'string' ? { state: State } : {},
      ...typeof EventBusName === 'string' ? { bus: EventBusName } : {},
      targets: recordsOf(Targets).map(({ Arn }) => plainText(Arn)),
    };
  });
}
