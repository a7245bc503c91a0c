import { hasEksctlAccounts, judgeEksctlAccounts } from './eksctl-accounts';
import { listText } from '../../../model';
import { Controller, chartValue } from '../../controller';
import { ManifestModel } from '../../manifest/model';
import { anyOf, AwsModel, covers, PodIdentityAssociation, sameText, Statement } from '../../template';
import {
  ServiceAccountIdentity,
  identityOfController,
  isControllerRole,
  serviceAccountObject,
} from '../common/controller-identity';
import { isOnFargate } from '../common/fargate';
import { defineRule, NOT_APPLICABLE, SubjectFinding, Unknown, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { controllers } from '../subjects';

const POD_IDENTITY = 'Service:pods.eks.amazonaws.com';
const AUDIENCE = 'sts.amazonaws.com';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/service-accounts.html */
export const serviceAccountTrustMismatch = defineRule({
  id: 'KARP-606',
  name: 'service-account-trust-mismatch',
  readsTerraform: true,
  severity: 'error',
  summary:
    "Karpenter's service account cannot assume the role meant for it, because of its name, its namespace or the role's trust policy.",
  subjects: controllers({
    where: (controller, { model, controllers: all }) =>
      controller.helmRelease !== undefined ||
      isByEksctl(controller, model) ||
      (controller.fromChart && model.aws === model.writtenAws && all.length === 1 && hasIdentities(model.aws)),
    unknown: (controller, context) =>
      identityOfController(context, controller) ? undefined : 'its values are known only at deployment',
  }),
  judge(controller, context) {
    const identity = identityOfController(context, controller)!;
    if (isByEksctl(controller, context.model))
      return judgeEksctlAccounts(context.model, controller, identity) ?? NOT_APPLICABLE;
    const duplicate = duplicateAccount(context, controller, identity);
    const judgement = judgeRole(context, controller, identity);
    // Terraform files may leave out the association or the role, which is nothing that the user can look up here.
    if (judgement && 'unknown' in judgement && controller.helmRelease === undefined) return NOT_APPLICABLE;
    return [duplicate, judgement].filter((part) => part !== undefined);
  },
});

/** Whether a file of eksctl has the roles of service accounts, and there is no template or Terraform file. */
function isByEksctl({ helmRelease, fromChart, complete }: Controller, model: ManifestModel): boolean {
  const { aws, writtenAws } = model;
  const isElsewhere = [aws, writtenAws].some((one) => one !== undefined && trustsPods(one));
  return helmRelease === undefined && fromChart && complete && !isElsewhere && hasEksctlAccounts(model);
}

/** Helm does not adopt objects that it has not created. */
function duplicateAccount(
  { model }: RuleContext,
  controller: Controller,
  { namespace, serviceAccount }: ServiceAccountIdentity,
): SubjectFinding | undefined {
  if (
    chartValue(controller.values, 'serviceAccount', 'create') === false ||
    !serviceAccountObject(model.objects, namespace, serviceAccount)
  )
    return undefined;
  return finding(
    controller,
    `creates service account ${namespace}/${serviceAccount}, which another manifest also creates: Helm refuses to install the chart`,
    'write serviceAccount.create: false, or remove the other manifest',
    {},
  );
}

function judgeRole(
  context: RuleContext,
  controller: Controller,
  identity: ServiceAccountIdentity,
): SubjectFinding | Unknown | undefined {
  const {
    model: { aws },
  } = context;
  const account = `${identity.namespace}/${identity.serviceAccount}`;
  const { association, annotatedRole, role } = identity;
  if (association && isOnFargate(aws, controller) === 'yes') {
    return finding(
      controller,
      `runs on Fargate, where EKS Pod Identity does not work: service account ${account} does not get its role`,
      'use IRSA (annotation eks.amazonaws.com/role-arn), or run Karpenter on a node group',
      {},
    );
  }
  if (!association && annotatedRole === undefined) return withoutRole(aws, controller, identity);
  if (!role) return unknown(`the role of service account ${account} is not in the templates`);
  if (!role.trust) return unknown(`the trust policy of role ${role.resource.object.name} is known only at deployment`);
  const flaw = association
    ? podIdentityFlaw(role.trust)
    : irsaFlaw(role.trust, `system:serviceaccount:${identity.namespace}:${identity.serviceAccount}`);
  if (flaw === undefined) return undefined;
  return finding(
    controller,
    `runs as service account ${account}, which cannot assume role ${role.resource.object.name}: ${flaw.problem}`,
    flaw.remedy,
    { role: role.name },
  );
}

function withoutRole(
  aws: AwsModel,
  controller: Controller,
  { namespace, serviceAccount }: ServiceAccountIdentity,
): SubjectFinding | Unknown {
  const account = `${namespace}/${serviceAccount}`;
  const associations = aws.podIdentityAssociations.filter((association) => isForKarpenter(association, aws));
  const isUndecided = associations.some(
    (other) => sameText(`${other.namespace}/${other.serviceAccount}`, account) === 'unknown',
  );
  if (associations.length === 0 || isUndecided)
    return unknown(`the templates do not show how service account ${account} gets its role`);
  const names = associations.map((other) => `${other.namespace}/${other.serviceAccount}`);
  const [{ resource, ...only }] = associations;
  const isWritten = controller.helmRelease === undefined && associations.length === 1;
  const changes = [
    ...(only.namespace === namespace ? [] : [`namespace = "${namespace}"`]),
    ...(only.serviceAccount === serviceAccount ? [] : [`service_account = "${serviceAccount}"`]),
  ];
  return {
    ...finding(
      controller,
      `runs as service account ${account}, but its role is associated with ${listText(names)}: Karpenter has no permissions`,
      isWritten ? `write ${listText(changes)} in ${resource.object.name}` : `associate the role with ${account}`,
      { serviceAccount: account, associated: names },
    ),
    ...(isWritten
      ? {
          related: {
            object: resource.object,
            path: ['Properties', 'Namespace'],
            label: `the association, with ${names[0]}`,
          },
        }
      : {}),
  };
}

/** A policy of the role may be in a module. Then the names say what the association is for. */
function isForKarpenter({ role, serviceAccount, resource }: PodIdentityAssociation, aws: AwsModel): boolean {
  if (isControllerRole(aws.roles.find(({ arn }) => arn === role))) return true;
  return resource.tool === 'Terraform' && KARPENTER.test(`${serviceAccount} ${resource.object.name}`);
}

const KARPENTER = /karpenter/i;

function trustsPods({ podIdentityAssociations, roles }: AwsModel): boolean {
  const isOfPods = ({ principals, actions }: Statement) =>
    principals.includes(POD_IDENTITY) ||
    actions.some((action) => covers(action, 'sts:assumerolewithwebidentity') === 'yes');
  return podIdentityAssociations.length > 0 || roles.some(({ trust = [] }) => trust.some(isOfPods));
}

function hasIdentities({ podIdentityAssociations, roles }: AwsModel): boolean {
  return podIdentityAssociations.length > 0 || roles.some(({ trust = [] }) => trust.length > 0);
}

function finding(
  { pathOf }: Controller,
  message: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
): SubjectFinding {
  return { path: pathOf('serviceAccount'), message, remedy, evidence };
}

interface Flaw {
  readonly problem: string;
  readonly remedy: string;
}

function podIdentityFlaw(trust: readonly Statement[]): Flaw | undefined {
  const allowed = trust
    .filter(({ allows, principals }) => allows && principals.includes(POD_IDENTITY))
    .flatMap(({ actions }) => actions);
  const missing = ['sts:AssumeRole', 'sts:TagSession'].filter(
    (action) => anyOf(allowed.map((pattern) => covers(pattern, action.toLowerCase()))) === 'no',
  );
  if (missing.length === 0) return undefined;
  const actions = listText(missing);
  return {
    problem: `its trust policy does not allow ${actions} to pods.eks.amazonaws.com`,
    remedy: `allow ${actions} to pods.eks.amazonaws.com in its trust policy`,
  };
}

/**
 * Compares only the ends of condition keys, because they begin with the OIDC issuer's URL, known only at deployment.
 */
function irsaFlaw(trust: readonly Statement[], subject: string): Flaw | undefined {
  const web = trust.filter(
    ({ allows, actions }) =>
      allows && actions.some((action) => covers(action, 'sts:assumerolewithwebidentity') === 'yes'),
  );
  if (web.length === 0)
    return {
      problem: 'its trust policy allows no service account',
      remedy: `trust the cluster's OIDC provider for ${subject}`,
    };
  const valuesOf = ({ conditions }: Statement, suffix: string) =>
    conditions.filter(({ key }) => key.endsWith(suffix)).flatMap(({ values }) => values);
  const subjects = web.flatMap((statement) => valuesOf(statement, ':sub'));
  if (subjects.length > 0 && !subjects.some((value) => covers(value, subject) !== 'no')) {
    return { problem: `its trust policy allows only ${listText(subjects, 'or')}`, remedy: `trust ${subject}` };
  }
  const audiences = web.flatMap((statement) => valuesOf(statement, ':aud'));
  if (audiences.length > 0 && !audiences.includes(AUDIENCE))
    return {
      problem: `its trust policy requires the audience ${listText(audiences, 'or')}`,
      remedy: `write the audience ${AUDIENCE}`,
    };
  return undefined;
}
