import { EventRule, Queue, Statement, TemplateResource } from './aws-model';
import { Naming, readStatements } from './iam';
import { arnOf, nameOf, refOf } from './identity';
import { plainText } from './token';
import { asRecord } from '../../contract';
import { recordsOf } from '../manifest/records';

export function readQueues(resources: readonly TemplateResource[], naming: Naming): Queue[] {
  const policies = resources.filter(({ type }) => type === 'AWS::SQS::QueuePolicy' || type === 'AWS::SQS::QueueInlinePolicy');
  return resources.filter(({ type }) => type === 'AWS::SQS::Queue').map((resource) => {
    const url = refOf(naming(resource));
    const { properties } = resource;
    return {
      resource,
      path: [],
      name: nameOf(naming(resource)),
      arn: arnOf(naming(resource)),
      url,
      ...typeof properties.KmsMasterKeyId === 'string' && properties.KmsMasterKeyId !== '' ? { kmsKey: properties.KmsMasterKeyId } : {},
      fifo: properties.FifoQueue === true || properties.FifoQueue === 'true',
      statements: statementsOf(policies.filter((policy) => [policy.properties.Queues ?? policy.properties.Queue].flat().includes(url))),
    };
  });
}

function statementsOf(policies: readonly TemplateResource[]): Statement[] | undefined {
  const read = policies.map((policy) => readStatements(policy, ['Properties', 'PolicyDocument'], policy.properties.PolicyDocument));
  return read.some((statements) => !statements) ? undefined : read.flatMap((statements) => statements!);
}

export function readEventRules(resources: readonly TemplateResource[]): EventRule[] {
  return resources.filter(({ type }) => type === 'AWS::Events::Rule').map((resource) => {
    const { EventPattern, State, EventBusName, Targets } = resource.properties;
    return {
      resource,
      path: [],
      pattern: asRecord(EventPattern),
      ...typeof State === 'string' ? { state: State } : {},
      ...typeof EventBusName === 'string' ? { bus: EventBusName } : {},
      targets: recordsOf(Targets).map(({ Arn }) => plainText(Arn)),
    };
  });
}
