import {
  allOf,
  Answer,
  anyOf,
  Condition,
  covers,
  EventRule,
  hasUnknown,
  Queue,
  sameText,
  Statement,
  statementApplies,
} from '../../../template';

const SENDERS = ['Service:events.amazonaws.com', '*', 'AWS:*', 'Service:*'];
/**
 * Condition keys that EventBridge meets for rules of its own account, or that `refusedRules` compares for each rule.
 */
const MET_BY_EVENTBRIDGE = /^(aws:sourcearn|aws:sourceaccount|aws:securetransport|aws:principalservicename)$/i;
const PATTERN_OPERATORS = ['arnequals', 'arnlike', 'stringlike'];
const EXACT_OPERATORS = ['stringequals', 'stringequalsignorecase'];

/** Whether the statements allow EventBridge the action for at least one rule. */
export function allowsSender(statements: readonly Statement[], action: string, resource: string): Answer {
  return anyOf(
    statements
      .filter(({ allows }) => allows)
      .map((statement) => {
        const answer = mayBeAboutSender(statement) ? statementApplies(statement, action, resource) : 'no';
        if (answer === 'yes' && !isAboutSender(statement)) return 'unknown';
        return answer === 'yes' && !statement.conditions.every(({ key }) => MET_BY_EVENTBRIDGE.test(key))
          ? 'unknown'
          : answer;
      }),
  );
}

/**
 * Whether a statement denies EventBridge the action. EventBridge uses TLS, so a Deny for requests without TLS does not
 * count.
 */
export function deniesSender(statements: readonly Statement[], action: string, resource: string): Answer {
  return anyOf(
    statements
      .filter(({ allows }) => !allows)
      .map((statement) => {
        const answer = isAboutSender(statement) ? statementApplies(statement, action, resource) : 'no';
        const { conditions } = statement;
        if (answer === 'no' || conditions.some(isAboutTls)) return 'no';
        return conditions.length > 0 ? 'unknown' : answer;
      }),
  );
}

/** Actions of EventBridge and Karpenter without which no notice reaches Karpenter. */
const USED_ACTIONS = ['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:GetQueueUrl'];

/**
 * A statement that denies calls with TLS, which are all calls of EventBridge and Karpenter: the usual Deny of calls
 * without it, inverted.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-securetransport
 */
export function statementDenyingTls({ statements = [], arn }: Queue): Statement | undefined {
  return statements.find(
    (statement) =>
      !statement.allows &&
      statement.principals.some((principal) => principal === '*' || principal === 'AWS:*') &&
      statement.conditions.length === 1 &&
      isTlsRequired(statement.conditions[0]) &&
      USED_ACTIONS.some((action) => statementApplies(statement, action, arn) === 'yes'),
  );
}

function isTlsRequired({ operator, key, values }: Condition): boolean {
  return (
    /^bool(ifexists)?$/i.test(operator) &&
    key.toLowerCase() === 'aws:securetransport' &&
    values.length > 0 &&
    values.every((value) => value === 'true')
  );
}

/**
 * The enabled rules that target the queue and that no Allow statement admits, because its conditions name other rules.
 */
export function refusedRules({ arn, statements = [] }: Queue, rules: readonly EventRule[]): EventRule[] {
  const allowing = statements.filter(
    (statement) =>
      statement.allows && isAboutSender(statement) && statementApplies(statement, 'sqs:SendMessage', arn) !== 'no',
  );
  return rules
    .filter(({ targets, state }) => targets.includes(arn) && state !== 'DISABLED')
    .filter(
      (rule) =>
        anyOf(allowing.map(({ conditions }) => allOf(conditions.map((condition) => isMet(condition, rule))))) === 'no',
    );
}

function isAboutSender({ principals }: Statement): boolean {
  return principals.some((principal) => SENDERS.includes(principal));
}

/** Principals that are known only at deployment may be EventBridge. */
function mayBeAboutSender(statement: Statement): boolean {
  return isAboutSender(statement) || statement.principals.some((principal) => hasUnknown(principal));
}

function isAboutTls({ key, values }: Condition): boolean {
  return key.toLowerCase() === 'aws:securetransport' && values.every((value) => value === 'false');
}

function isMet({ operator, key, values }: Condition, { arn, resource: { account } }: EventRule): Answer {
  const sent: Readonly<Record<string, string | undefined>> = { 'aws:sourcearn': arn, 'aws:sourceaccount': account };
  const text = sent[key.toLowerCase()];
  const base = operator
    .toLowerCase()
    .replace(/^for(any|all)values?:/, '')
    .replace(/ifexists$/, '');
  if (text === undefined) return 'unknown';
  if (PATTERN_OPERATORS.includes(base)) return anyOf(values.map((value) => covers(value, text)));
  return EXACT_OPERATORS.includes(base) ? anyOf(values.map((value) => sameText(value, text))) : 'unknown';
}
