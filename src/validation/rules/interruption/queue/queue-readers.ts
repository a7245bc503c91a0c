import { Queue, Role, isActionAllowed } from '../../../template';

const POD_IDENTITY_PRINCIPAL = 'Service:pods.eks.amazonaws.com';
const IRSA_ACTION = 'sts:assumerolewithwebidentity';

/** Roles that pods can assume and that may receive messages of the queue. */
export function podRolesThatRead(queue: Queue, roles: readonly Role[]): Role[] {
  return roles.filter((role) => isForPods(role) && isActionAllowed(role, 'sqs:ReceiveMessage', queue.arn) === 'yes');
}

function isForPods({ trust = [] }: Role): boolean {
  return trust.some(
    ({ principals, actions }) => principals.includes(POD_IDENTITY_PRINCIPAL) || actions.includes(IRSA_ACTION),
  );
}
