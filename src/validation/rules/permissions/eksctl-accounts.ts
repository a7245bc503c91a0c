import { FieldPath, setField, unsafeFix, asRecord } from '../../../contract';
import { listText, valueText } from '../../../model';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { Controller } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { ServiceAccountIdentity, serviceAccountObject } from '../common/controller-identity';
import { SubjectFinding } from '../define-rule';

/** A service account of Karpenter to which a file of eksctl gives a role. */
interface Account {
  /** The mapping with its namespace and name. */
  readonly path: FieldPath;
  readonly namespace: string;
  readonly name: string;
  readonly nameField: string;
  readonly role?: string;
  /** Whether only an annotation of the chart connects the account with the role. */
  readonly needsAnnotation: boolean;
  readonly isAssociation: boolean;
}

/** The only cluster of eksctl, if its file gives roles to service accounts of Karpenter by itself. */
function accountsOf({ objects }: ManifestModel): readonly [EksctlCluster, Account[]] | undefined {
  const [cluster, ...others] = eksctlClusters(objects);
  const raw: PlainRecord = cluster?.object.raw ?? {};
  const iam = asRecord(raw.iam);
  if (cluster === undefined || others.length > 0 || raw.karpenter !== undefined || iam === undefined) return undefined;
  const associations = recordsOf(iam.podIdentityAssociations).map(
    ({ namespace, serviceAccountName, roleName, roleARN, ...rest }, index) => ({
      text: JSON.stringify([serviceAccountName, roleName, roleARN, rest]),
      path: ['iam', 'podIdentityAssociations', index],
      namespace: valueText(namespace),
      name: valueText(serviceAccountName),
      nameField: 'serviceAccountName',
      needsAnnotation: false,
      isAssociation: true,
    }),
  );
  const accounts = recordsOf(iam.serviceAccounts).map((account, index) => {
    const { name, namespace = 'default' } = asRecord(account.metadata) ?? {};
    return {
      text: JSON.stringify(account),
      path: ['iam', 'serviceAccounts', index, 'metadata'],
      namespace: valueText(namespace),
      name: valueText(name),
      nameField: 'name',
      ...(typeof account.roleName === 'string' ? { role: account.roleName } : {}),
      needsAnnotation: account.roleOnly === true,
      isAssociation: false,
    };
  });
  const own = [...associations, ...accounts].filter(({ text }) => /karpenter/i.test(text));
  return own.length === 0 || findUnresolved(own) !== undefined ? undefined : [cluster, own];
}

export function hasEksctlAccounts(model: ManifestModel): boolean {
  return accountsOf(model) !== undefined;
}

/**
 * A role that eksctl gives to another service account than Karpenter's, or that the account is not annotated with.
 *
 * @see https://docs.aws.amazon.com/eks/latest/eksctl/pod-identity-associations.html
 */
export function judgeEksctlAccounts(
  model: ManifestModel,
  controller: Controller,
  { namespace, serviceAccount, annotatedRole }: ServiceAccountIdentity,
): SubjectFinding | undefined {
  const [cluster, accounts] = accountsOf(model) ?? [];
  if (cluster === undefined || accounts === undefined) return undefined;
  const annotated = annotatedRole?.split('/').pop();
  const own = accounts.filter((one) => one.namespace === namespace && one.name === serviceAccount);
  const [only, ...others] = own.length > 0 ? own : accounts;
  if (others.length > 0 || findUnresolved(annotatedRole) !== undefined) return undefined;
  if (own.length > 0) return annotationFinding(model, controller, only, annotated);
  // Another role than that of the file may be right.
  if (annotated !== undefined && (only.isAssociation || annotated !== only.role)) return undefined;
  const changes = [
    ['namespace', only.namespace, namespace],
    [only.nameField, only.name, serviceAccount],
  ].filter(([, written, meant]) => written !== meant);
  return {
    object: cluster.object,
    path: [...only.path, changes[0][0]],
    message:
      `gives service account ${only.namespace}/${only.name} the role of Karpenter, but Karpenter runs as ${namespace}/${serviceAccount}: ` +
      'it has no permissions, and launches no node',
    remedy: `write ${listText(changes.map(([field, , meant]) => `${field}: ${meant}`))}`,
    evidence: { serviceAccount: `${namespace}/${serviceAccount}`, associated: [`${only.namespace}/${only.name}`] },
    fix: unsafeFix(...changes.map(([field, , meant]) => setField([...only.path, field], meant))),
    related: { object: controller.object, path: controller.pathOf('serviceAccount'), label: 'runs as another account' },
  };
}

/** A chart without the annotation, or with that of another role, although eksctl creates a role for the account. */
function annotationFinding(
  { objects }: ManifestModel,
  { pathOf, namespace = '' }: Controller,
  { name, role, needsAnnotation }: Account,
  annotated: string | undefined,
): SubjectFinding | undefined {
  const isElsewhere = serviceAccountObject(objects, namespace, name) !== undefined;
  const isWrong = annotated === undefined ? needsAnnotation && !isElsewhere : role !== undefined && annotated !== role;
  if (!isWrong) return undefined;
  const key = 'eks.amazonaws.com/role-arn';
  return {
    path: annotated === undefined ? pathOf('serviceAccount') : pathOf('serviceAccount', 'annotations', key),
    message:
      `service account ${namespace}/${name} ${annotated === undefined ? `has no annotation ${key}` : `is annotated with role ${annotated}`}, ` +
      `but eksctl creates role ${role ?? 'of another name'} for it${annotated === undefined ? ' with roleOnly: true' : ''}: Karpenter has no permissions, and launches no node`,
    remedy: `write ${key}: arn:aws:iam::<account>:role/${role ?? '<role>'} in serviceAccount.annotations`,
    evidence: { role: role ?? null, annotated: annotated ?? null },
  };
}
