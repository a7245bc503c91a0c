import { asRecord } from '../../../contract';
import { CHART_NAME, Controller, valueAt } from '../../controller';
import { ManifestObject } from '../../manifest/model';
import { PodIdentityAssociation, Role, sameText } from '../../template';
import { RuleContext } from '../rule';

const ROLE_ANNOTATION = 'eks.amazonaws.com/role-arn';

/** The service account that the controller runs as, and how it comes by its role. */
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
  const { aws } = model;
  const association = aws.podIdentityAssociations.find((each) =>
    sameText(each.namespace, namespace) === 'yes' && sameText(each.serviceAccount, serviceAccount) === 'yes');
  const annotatedRole = annotationOf(controller, model.objects, namespace, serviceAccount);
  const arn = association?.role ?? annotatedRole;
  return { namespace, serviceAccount, association, annotatedRole, role: arn === undefined ? undefined : aws.roles.find((role) => role.arn === arn) };
}

/** As the chart names it: its own name where the release has it in its name, the release's name and its own where not. */
export function serviceAccountOf({ values, release }: Controller): string {
  const given = valueAt(values, 'serviceAccount', 'name');
  if (typeof given === 'string' && given !== '') return given;
  if (valueAt(values, 'serviceAccount', 'create') === false) return 'default';
  const override = valueAt(values, 'fullnameOverride');
  if (typeof override === 'string' && override !== '') return override.slice(0, 63);
  const nameOverride = valueAt(values, 'nameOverride');
  const chart = typeof nameOverride === 'string' && nameOverride !== '' ? nameOverride : CHART_NAME;
  const name = release?.release ?? chart;
  return (name.includes(chart) ? name : `${name}-${chart}`).slice(0, 63).replace(/-$/, '');
}

function annotationOf({ values }: Controller, objects: readonly ManifestObject[], namespace: string, name: string): string | undefined {
  const ofChart = asRecord(valueAt(values, 'serviceAccount', 'annotations'))?.[ROLE_ANNOTATION];
  const object = serviceAccountObject(objects, namespace, name);
  const ofObject = asRecord(asRecord(object?.raw.metadata)?.annotations)?.[ROLE_ANNOTATION];
  return [ofChart, ofObject].find((arn) => typeof arn === 'string') as string | undefined;
}

export function serviceAccountObject(objects: readonly ManifestObject[], namespace: string, name: string): ManifestObject | undefined {
  return objects.find((object) => object.kind === 'ServiceAccount' && object.name === name && (object.namespace ?? 'default') === namespace);
}
