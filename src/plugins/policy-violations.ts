import { resolve } from 'path';
import type { IPolicyValidationContext, PolicyViolatingResource, PolicyViolation } from 'aws-cdk-lib';
import { Finding, UNREADABLE_INPUT } from '../validation';
import { FailOn } from './karpenter-verdict-props';

/**
 * Converts findings to policy violations of the AWS CDK. The CDK fails the synth for violations of severity `error`
 * only, after it has removed the acknowledged ones. So every finding that must fail the synth gets the severity
 * `error`.
 */
export function violationsOf(
  findings: readonly Finding[],
  context: IPolicyValidationContext,
  failOn: FailOn = FailOn.ERROR,
): PolicyViolation[] {
  const violations = new Map<string, PolicyViolation>();
  for (const finding of findings) {
    const resource = resourceOf(finding, context);
    // An object that several clusters share is checked once for each cluster, with equal findings.
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

/** The violation that reports that the templates could not be checked. */
export function failureViolation({ message }: Error, { stackTemplates }: IPolicyValidationContext): PolicyViolation {
  return {
    ruleName: UNREADABLE_INPUT,
    description: `the templates cannot be checked: ${message}`,
    severity: 'error',
    violatingResources: [{ constructPath: stackTemplates[0]?.stackConstructPath, locations: [] }],
  };
}

function severityOf({ severity }: Finding, failOn: FailOn): string {
  if (severity === 'warning' && failOn === FailOn.WARNING) return 'error';
  return severity === 'error' && failOn === FailOn.NEVER ? 'warning' : severity;
}

/**
 * Message with the name of the Kubernetes object and the path in it, because the template has the manifest as one
 * string.
 */
function descriptionOf({ subject, location, message }: Finding): string {
  if (subject.kind === '') return message;
  if (location.resource === subject.name) return `${shortType(subject.kind)} ${subject.name}: ${message}`;
  const name = `${subject.kind} ${subject.namespace === '' ? '' : `${subject.namespace}/`}${subject.name}`;
  return `${name}: ${message}${location.path === '' || message.startsWith(location.path) ? '' : ` (${location.path})`}`;
}

/** `AWS::SQS::Queue` → `Queue`, `Custom::AWSCDK-EKS-HelmChart` → `HelmChart`. */
function shortType(type: string): string {
  return type.split(/::|-/).pop()!;
}

function resourceOf(
  { subject, location }: Finding,
  { stackTemplates }: IPolicyValidationContext,
): PolicyViolatingResource {
  const { file, resource, path } = location;
  if (resource === undefined) {
    const stack =
      stackTemplates.find(({ templatePath }) => resolve(templatePath) === resolve(file)) ?? stackTemplates[0];
    return { constructPath: stack?.stackConstructPath, locations: [] };
  }
  const isResourceItself = subject.name === resource;
  return {
    resourceLogicalId: resource,
    templatePath: file,
    locations: isResourceItself ? (path === '' ? [] : [path]) : ['Properties.Manifest'],
  };
}
