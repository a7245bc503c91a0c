import { asRecord } from '../../../contract';
import { CHART_NAME, Controller, nameOfChart, valueAt } from '../../controller';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { PodIdentityAssociation, Role, sameText } from '../../template';
import { RuleContext } from '../rule';

const ROLE_ANNOTATION = 'eks.amazonaws.com/role-arn';

/** A service account that a controller runs as, and how it comes by its role. */
export interface ControllerIdentity {
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly association?: PodIdentityAssociation;
  /** As its annotation has it: IRSA. */
  readonly annotatedRole?: string;
  /** The role, where it is in the templates. */
  readonly role?: Role;
}

export function identityOf({ model }: RuleContext, controller: Controller): ControllerIdentity | undefined {
  const { namespace } = controller;
  if (namespace === undefined || !controller.complete) return undefined;
  const serviceAccount = serviceAccountOf(controller);
  const ofChart = asRecord(valueAt(controller.values, 'serviceAccount', 'annotations'))?.[ROLE_ANNOTATION];
  return roleBearer(model, { namespace, serviceAccount, roleOfChart: ofChart });
}

/** How the pods of a service account come by a role. */
export function roleBearer({ aws, objects }: ManifestModel, { namespace, serviceAccount, roleOfChart }: ServiceAccount): ControllerIdentity {
  const association = aws.podIdentityAssociations.find((each) =>
    sameText(each.namespace, namespace) === 'yes' && sameText(each.serviceAccount, serviceAccount) === 'yes');
  const object = serviceAccountObject(objects, namespace, serviceAccount);
  const ofObject = asRecord(asRecord(object?.raw.metadata)?.annotations)?.[ROLE_ANNOTATION];
  const annotatedRole = [roleOfChart, ofObject].find((arn) => typeof arn === 'string') as string | undefined;
  const arn = association?.role ?? annotatedRole;
  return { namespace, serviceAccount, association, annotatedRole, role: arn === undefined ? undefined : aws.roles.find((role) => role.arn === arn) };
}

interface ServiceAccount {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** As the chart that makes it annotates it. */
  readonly roleOfChart?: unknown;
}

export function serviceAccountOf({ values, releaseName }: Controller): string {
  const given = valueAt(values, 'serviceAccount', 'name');
  if (typeof given === 'string' && given !== '') return given;
  return valueAt(values, 'serviceAccount', 'create') === false ? 'default' : nameOfChart(values, releaseName, CHART_NAME);
}

export function serviceAccountObject(objects: readonly ManifestObject[], namespace: string, name: string): ManifestObject | undefined {
  return objects.find((object) => object.kind === 'ServiceAccount' && object.name === name && (object.namespace ?? 'default') === namespace);
}
