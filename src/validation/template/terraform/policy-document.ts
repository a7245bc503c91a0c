import { TerraformResource } from './terraform-json';
import { asRecord } from '../../../contract';
import { valueText } from '../../../model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { hasUnknown } from '../token';

/**
 * The policy that a data source `aws_iam_policy_document` makes; undefined if its statements are known only at
 * deployment.
 */
export function policyDocumentOf({ values }: TerraformResource): PlainRecord | undefined {
  if (typeof values.json === 'string' && !hasUnknown(values.json)) return parsedPolicy(values.json);
  const { statement, source_policy_documents: sources, override_policy_documents: overrides } = values;
  if (!Array.isArray(statement)) return undefined;
  const others = [sources, overrides].flatMap((list) => (list === undefined ? [] : [list].flat())).map(parsedPolicy);
  if (others.some((document) => document === undefined)) return undefined;
  return {
    Version: '2012-10-17',
    Statement: [
      ...others.flatMap((document) => [document!.Statement].flat().filter((item) => item !== undefined)),
      ...statement.map((item) => statementOf(asRecord(item) ?? {})),
    ],
  };
}

function parsedPolicy(text: unknown): PlainRecord | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function statementOf(raw: PlainRecord): PlainRecord {
  const parts: ReadonlyArray<readonly [string, unknown]> = [
    ['Sid', raw.sid],
    ['Effect', raw.effect ?? 'Allow'],
    ['Action', raw.actions],
    ['NotAction', raw.not_actions],
    ['Resource', raw.resources],
    ['NotResource', raw.not_resources],
    ['Principal', principals(raw.principals)],
    ['Condition', conditions(raw.condition)],
  ];
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && !isEmptyList(value)));
}

function principals(raw: unknown): unknown {
  const all = recordsOf(raw);
  if (all.length === 0) return typeof raw === 'string' ? raw : undefined;
  if (all.some(({ type }) => type === '*')) return '*';
  return grouped(all.map(({ type, identifiers }) => [valueText(type), identifiers]));
}

function conditions(raw: unknown): unknown {
  const all = recordsOf(raw);
  if (all.length === 0) return undefined;
  const byOperator: Record<string, Record<string, unknown>> = Object.create(null);
  for (const { test, variable, values } of all) {
    const keys = (byOperator[valueText(test)] ??= Object.create(null) as Record<string, unknown>);
    keys[valueText(variable)] = values;
  }
  return byOperator;
}

function grouped(pairs: ReadonlyArray<readonly [string, unknown]>): PlainRecord {
  const result: Record<string, unknown[]> = Object.create(null);
  for (const [key, values] of pairs) result[key] = [...(result[key] ?? []), ...[values].flat()];
  return result;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
