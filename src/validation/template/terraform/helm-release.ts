import { asRecord } from '../../../contract';
import { parseYaml, valueText } from '../../../model';
import { mergedValues, withHelmParameter } from '../../manifest/helm-values';
import { PlainRecord, recordsOf, stringsOf } from '../../manifest/records';
import { hasUnknown, unknownToken } from '../token';

/**
 * The values of a `helm_release` as JSON text: its value texts in order, then `set` and its relatives. If a text is
 * known only at deployment, the values are a token.
 *
 * @see https://registry.terraform.io/providers/hashicorp/helm/latest/docs/resources/release
 */
export function helmValues({
  values,
  set,
  set_list: lists,
  set_sensitive: sensitive,
  set_wo: unread,
}: PlainRecord): string {
  const texts = values === undefined ? [] : [values].flat();
  const parsed = texts.map(parsedValues);
  const settings = [set, sensitive].flatMap((list) => [list].flat()).filter((item) => item !== undefined);
  const isUnknown =
    parsed.some((one) => one === undefined) || settings.some((one) => !asRecord(one)) || recordsOf(unread).length > 0;
  if (isUnknown) return unknownToken('the values of the chart');
  const merged = parsed.reduce<PlainRecord>((all, one) => mergedValues(all, one!), {});
  const withSet = recordsOf(settings).reduce<PlainRecord>(
    (all, { name, value, type }) => withHelmParameter(all, valueText(name), valueText(value ?? ''), type === 'string'),
    merged,
  );
  return JSON.stringify(
    recordsOf(lists).reduce<PlainRecord>(
      (all, { name, value }) => withHelmParameter(all, valueText(name), stringsOf(value)),
      withSet,
    ),
  );
}

/** Undefined for a text that is no mapping, or known only at deployment. */
function parsedValues(text: unknown): PlainRecord | undefined {
  if (text === undefined || text === '') return {};
  if (typeof text !== 'string' || (hasUnknown(text) && !text.includes('\n'))) return undefined;
  try {
    // A null deletes the default of the chart, so it has to stay.
    return asRecord(parseYaml(text) ?? {});
  } catch {
    return undefined;
  }
}
