import { asRecord } from '../../../contract';
import { CHART_NAME, Controller, chartFullName, chartValue } from '../../controller';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { covers, PodIdentityAssociation, Role, sameText } from '../../template';
import { RuleContext } from '../rule';

const ROLE_ANNOTATION = 'eks.amazonaws.com/role-arn';

/** The service account that a controller runs as, and how it gets its role. */
export interface ServiceAccountIdentity {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly association?: PodIdentityAssociation;
  /** The role ARN in its annotation (IRSA). */
  readonly annotatedRole?: string;
  /** The role, if the templates declare it. */
  readonly role?: Role;
}

/** The identity of Karpenter; undefined if its namespace or values are not known. */
export function identityOfController(
  { model }: RuleContext,
  controller: Controller,
): ServiceAccountIdentity | undefined {
  const { namespace } = controller;
  if (namespace === undefined || !controller.complete) return undefined;
  const serviceAccount = serviceAccountOf(controller);
  const roleOfChart = asRecord(chartValue(controller.values, 'serviceAccount', 'annotations'))?.[ROLE_ANNOTATION];
  return identityOfServiceAccount(model, { namespace, serviceAccount, roleOfChart });
}

/**
 * The identity of a service account: its role comes from a pod identity association, else from its IRSA annotation.
 */
export function identityOfServiceAccount(
  { aws, objects }: ManifestModel,
  { namespace, serviceAccount, roleOfChart }: ServiceAccount,
): ServiceAccountIdentity {
  const association = aws.podIdentityAssociations.find(
    (candidate) =>
      sameText(candidate.namespace, namespace) === 'yes' &&
      sameText(candidate.serviceAccount, serviceAccount) === 'yes',
  );
  const object = serviceAccountObject(objects, namespace, serviceAccount);
  const roleOfObject = asRecord(object?.raw.metadata?.annotations)?.[ROLE_ANNOTATION];
  const annotatedRole = [roleOfChart, roleOfObject].find((arn) => typeof arn === 'string') as string | undefined;
  const arn = association?.role ?? annotatedRole;
  return {
    namespace,
    serviceAccount,
    association,
    annotatedRole,
    role: arn === undefined ? undefined : aws.roles.find((role) => role.arn === arn),
  };
}

interface ServiceAccount {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** The role ARN in the annotation that the chart adds. */
  readonly roleOfChart?: unknown;
}

export function serviceAccountOf({ values, releaseName }: Controller): string {
  const name = chartValue(values, 'serviceAccount', 'name');
  if (typeof name === 'string' && name !== '') return name;
  return chartValue(values, 'serviceAccount', 'create') === false
    ? 'default'
    : chartFullName(values, releaseName, CHART_NAME);
}

export function serviceAccountObject(
  objects: readonly ManifestObject[],
  namespace: string,
  name: string,
): ManifestObject | undefined {
  return objects.find(
    (object) =>
      object.kind === 'ServiceAccount' && object.name === name && (object.namespace ?? 'default') === namespace,
  );
}

/** Whether the role is meant for Karpenter: it may launch instances. */
export function isControllerRole(role: Role | undefined): boolean {
  const statements = role?.policies.flatMap((policy) => policy.statements ?? []) ?? [];
  return statements.some(
    ({ allows, actions }) => allows && actions.some((action) => covers(action, 'ec2:createfleet') === 'yes'),
  );
}

export interface ControllerWithRole {
  readonly controller: Controller;
  readonly role: Role;
}

/** The controllers whose roles the templates declare, with these roles. */
export function controllerRoles(context: RuleContext): ControllerWithRole[] {
  return context.controllers.flatMap((controller) => {
    const role = identityOfController(context, controller)?.role;
    return role ? [{ controller, role }] : [];
  });
}
