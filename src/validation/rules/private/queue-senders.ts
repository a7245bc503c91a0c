import { applies } from './permissions';
import { allOf, Answer, anyOf, Condition, covers, EventRule, Queue, sameText, Statement } from '../../template';

const SENDERS = ['Service:events.amazonaws.com', '*', 'AWS:*', 'Service:*'];
/** Conditions that EventBridge meets for rules of its own account, or whose values are looked at for each rule. */
const MET = /^(aws:sourcearn|aws:sourceaccount|aws:securetransport|aws:principalservicename)$/i;
const PATTERN_OPERATORS = ['arnequals', 'arnlike', 'stringlike'];
const EXACT_OPERATORS = ['stringequals', 'stringequalsignorecase'];

/** Whether EventBridge may take the action, for some rule. */
export function allowsSender(statements: readonly Statement[], action: string, resource: string): Answer {
  return anyOf(statements.filter(({ allows }) => allows).map((statement) => {
    const answer = isOfSender(statement) ? applies(statement, action, resource) : 'no';
    return answer === 'yes' && !statement.conditions.every(({ key }) => MET.test(key)) ? 'unknown' : answer;
  }));
}

/** Whether a statement denies it, whatever others allow. EventBridge comes with TLS, so that a statement about that alone is none. */
export function deniesSender(statements: readonly Statement[], action: string, resource: string): Answer {
  return anyOf(statements.filter(({ allows }) => !allows).map((statement) => {
    const answer = isOfSender(statement) ? applies(statement, action, resource) : 'no';
    const { conditions } = statement;
    if (answer === 'no' || conditions.some(isAboutTls)) return 'no';
    return conditions.length > 0 ? 'unknown' : answer;
  }));
}

/** The rules that send to the queue and that no statement lets in, since a condition names others. */
export function refusedRules({ arn, statements = [] }: Queue, rules: readonly EventRule[]): EventRule[] {
  const letting = statements.filter((statement) => statement.allows && isOfSender(statement) && applies(statement, 'sqs:SendMessage', arn) !== 'no');
  return rules.filter(({ targets, state }) => targets.includes(arn) && state !== 'DISABLED')
    .filter((rule) => anyOf(letting.map(({ conditions }) => allOf(conditions.map((condition) => isMet(condition, rule))))) === 'no');
}

function isOfSender({ principals }: Statement): boolean {
  return principals.some((principal) => SENDERS.includes(principal));
}

function isAboutTls({ key, values }: Condition): boolean {
  return key.toLowerCase() === 'aws:securetransport' && values.every((value) => value === 'false');
}

function isMet({ operator, key, values }: Condition, { arn, resource: { account } }: EventRule): Answer {
  const sent: Readonly<Record<string, string | undefined>> = { 'aws:sourcearn': arn, 'aws:sourceaccount': account };
  const text = sent[key.toLowerCase()];
  const base = operator.toLowerCase().replace(/^for(any|all)values?:/, '').replace(/ifexists$/, '');
  if (text === undefined) return 'unknown';
  if (PATTERN_OPERATORS.includes(base)) return anyOf(values.map((value) => covers(value, text)));
  return EXACT_OPERATORS.includes(base) ? anyOf(values.map((value) => sameText(value, text))) : 'unknown';
}
