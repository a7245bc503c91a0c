import { resolve } from 'path';
import type { IPolicyValidationContext, PolicyViolatingResource, PolicyViolation } from 'aws-cdk-lib';
import { Finding, UNREADABLE_INPUT } from '../validation';
import { FailOn } from './synth-verdict-options';

/**
 * The findings as the AWS CDK reports them. There an error fails the synth and nothing else does, also after some
 * findings have been acknowledged: so what is to fail is called an error.
 */
export function violationsOf(findings: readonly Finding[], context: IPolicyValidationContext, failOn: FailOn = FailOn.ERROR): PolicyViolation[] {
  const violations = new Map<string, PolicyViolation>();
  for (const finding of findings) {
    const resource = resourceOf(finding, context);
    // What several clusters share is judged with each of them.
    const key = JSON.stringify([finding.rule, finding.message, resource, finding.location.path]);
    violations.set(key, {
      ruleName: finding.rule,
      description: descriptionOf(finding),
      fix: finding.remedy,
      severity: severityOf(finding, failOn),
      violatingResources: [resource],
      ruleMetadata: { name: finding.name, severity: finding.severity },
    });
  }
  return [...violations.values()];
}

/** That there is no verdict. */
export function failureViolation({ message }: Error, { stackTemplates }: IPolicyValidationContext): PolicyViolation {
  return {
    ruleName: UNREADABLE_INPUT,
    description: `nothing is judged: ${message}`,
    severity: 'error',
    violatingResources: [{ constructPath: stackTemplates[0]?.stackConstructPath, locations: [] }],
  };
}

function severityOf({ severity }: Finding, failOn: FailOn): string {
  if (severity === 'warning' && failOn === FailOn.WARNING) return 'error';
  return severity === 'error' && failOn === FailOn.NEVER ? 'warning' : severity;
}

/** Of a Kubernetes object its name, and where in it: the template shows all of it as one text. */
function descriptionOf({ subject, location, message }: Finding): string {
  if (subject.kind === '') return message;
  if (location.resource === subject.name) return `${shortType(subject.kind)} ${subject.name}: ${message}`;
  const name = `${subject.kind} ${subject.namespace === '' ? '' : `${subject.namespace}/`}${subject.name}`;
  return `${name}: ${message}${location.path === '' || message.startsWith(location.path) ? '' : ` (${location.path})`}`;
}

/** `AWS::SQS::Queue` is a Queue, `Custom::AWSCDK-EKS-HelmChart` a HelmChart. */
function shortType(type: string): string {
  return type.split(/::|-/).pop()!;
}

function resourceOf({ subject, location }: Finding, { stackTemplates }: IPolicyValidationContext): PolicyViolatingResource {
  const { file, resource, path } = location;
  if (resource === undefined) {
    const stack = stackTemplates.find(({ templatePath }) => resolve(templatePath) === resolve(file)) ?? stackTemplates[0];
    return { constructPath: stack?.stackConstructPath, locations: [] };
  }
  const own = subject.name === resource;
  return { resourceLogicalId: resource, templatePath: file, locations: own ? (path === '' ? [] : [path]) : ['Properties.Manifest'] };
}
