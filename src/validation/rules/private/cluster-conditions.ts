import { Answer, anyOf, Condition, covers, Role, sameText, Statement } from '../../template';

/** Where a controller runs, as far as it is known. */
export interface ControllerPlace {
  readonly clusterName?: string;
  readonly region?: string;
}

/** A tag of Karpenter's that holds the cluster in its key; its value is always the same. */
const OWNED_KEY = /^aws:(?:resource|request)tag\/kubernetes\.io\/cluster\/(.+)$/i;
const OWNED = 'owned';
/** One that holds it in its value. */
const NAME_KEY = /^aws:(?:resource|request)tag\/eks:eks-cluster-name$/i;
const REGION_KEY = /^aws:requestedregion$/i;

/** The role with what it is allowed of the action under conditions that this Karpenter can meet. */
export function allowedTo(role: Role, action: string, place: ControllerPlace): Role {
  const isUsable = ({ allows, conditions }: Statement) => !allows || conditions.every((condition) => mayBeMet(condition, action, place));
  const usable = (statements?: readonly Statement[]) => statements && { statements: statements.filter(isUsable) };
  return { ...role, policies: role.policies.map((policy) => ({ ...policy, ...usable(policy.statements) })) };
}

/** What statements of the role are about, in place of this Karpenter: `cluster staging`, `region us-east-1`. */
export function otherPlaces(role: Role, { clusterName, region }: ControllerPlace): string[] {
  const allowing = role.policies.flatMap(({ statements = [] }) => statements).filter(({ allows }) => allows);
  const conditions = allowing.flatMap((statement) => statement.conditions);
  const clusters = conditions.flatMap(({ key, values }) => OWNED_KEY.exec(key)?.[1] ?? (NAME_KEY.test(key) ? values : []));
  const regions = conditions.flatMap(({ key, values }) => REGION_KEY.test(key) ? values : []);
  return [...new Set([
    ...clusters.filter((name) => clusterName !== undefined && isSameCluster(name, clusterName) === 'no').map((name) => `cluster ${name}`),
    ...regions.filter((name) => region !== undefined && covers(name, region) === 'no').map((name) => `region ${name}`),
  ])].sort();
}

/** Only what is known not to hold is left out: a key that Karpenter's requests have, with a value that they do not have. */
function mayBeMet({ operator, key, values }: Condition, action: string, { clusterName, region }: ControllerPlace): boolean {
  if (!/^string(equals|like)$/i.test(operator)) return true;
  const isPattern = /^stringlike$/i.test(operator);
  const hasValue = (text: string) => anyOf(values.map((value) => isPattern ? covers(value, text) : sameText(value, text))) !== 'no';
  const owner = OWNED_KEY.exec(key)?.[1];
  if (owner !== undefined) return (clusterName === undefined || isSameCluster(owner, clusterName) !== 'no') && hasValue(OWNED);
  if (NAME_KEY.test(key)) return clusterName === undefined || hasValue(clusterName);
  return !REGION_KEY.test(key) || region === undefined || !action.startsWith('ec2:') || hasValue(region);
}

/** IAM takes keys of conditions in capital and small letters alike. */
function isSameCluster(one: string, other: string): Answer {
  return one.toLowerCase() === other.toLowerCase() ? 'yes' : sameText(one, other);
}
