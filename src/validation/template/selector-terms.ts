import { allOf, Answer, covers } from './text-match';
import { asRecord } from '../../contract';
import { valueText } from '../../model';
import { Tagged } from '../manifest/aws-model';
import { PlainRecord } from '../manifest/records';

/**
 * Whether a selector term of an EC2NodeClass selects a resource of a template. A term with an id or a name ignores
 * tags; a tag value `*` matches any value.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms
 */
export function selectsResource(
  term: PlainRecord,
  { name, tags, groupName }: Pick<Tagged, 'name' | 'tags'> & { readonly groupName?: string },
): Answer {
  if (typeof term.id === 'string') return covers(term.id, name);
  if (typeof term.name === 'string') return groupName === undefined ? 'no' : covers(term.name, groupName);
  const selectorTags = Object.entries(asRecord(term.tags) ?? {});
  if (!tags) return 'unknown';
  return allOf(
    selectorTags.map(
      ([key, value]): Answer => (!(key in tags) ? 'no' : value === '*' ? 'yes' : covers(valueText(value), tags[key])),
    ),
  );
}
