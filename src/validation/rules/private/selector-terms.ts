import { asRecord } from '../../../contract';
import { PlainRecord } from '../../manifest/records';
import { allOf, Answer, covers, Tagged } from '../../template';

/** Whether a term of an EC2NodeClass selects something that a template makes. */
export function selects(term: PlainRecord, { name, tags, groupName }: Tagged & { readonly groupName?: string }): Answer {
  if (typeof term.id === 'string') return covers(term.id, name);
  if (typeof term.name === 'string') return groupName === undefined ? 'no' : covers(term.name, groupName);
  const wanted = Object.entries(asRecord(term.tags) ?? {});
  if (!tags) return 'unknown';
  return allOf(wanted.map(([key, value]): Answer => !(key in tags) ? 'no' : value === '*' ? 'yes' : covers(String(value), tags[key])));
}
