import { asRecord } from '../../../contract';
import { nearestName } from '../../../model';
import { PlainRecord } from '../../manifest/records';
import { Tagged, selectsResource } from '../../template';

/** The tag of Karpenter's guides. */
export const DISCOVERY_TAG = 'karpenter.sh/discovery';
/** A part of a key that differs on purpose: the name of a cluster. */
const NAMES_CLUSTER = /^kubernetes\.io\/cluster\//;

/** The key of a tag that differs from the key of a term by a typing error. */
export interface MisspeltTag {
  readonly term: number;
  /** The key that the term has. */
  readonly wanted: string;
  /** The key that the resources have. */
  readonly written: string;
  readonly resources: readonly Tagged[];
}

/** The resources that a term would select if one of their keys were spelt as its own. None of the terms selects any. */
export function misspeltTag(terms: readonly PlainRecord[], resources: readonly Tagged[]): MisspeltTag | undefined {
  for (const [term, { tags }] of terms.entries())
    for (const wanted of Object.keys(asRecord(tags) ?? {}))
      for (const written of new Set(resources.flatMap((resource) => Object.keys(resource.tags ?? {})))) {
        if (!isMisspelt(written, wanted)) continue;
        const meant = resources.filter((resource) => isMeant(terms[term], resource, written, wanted));
        if (meant.length > 0) return { term, wanted, written, resources: meant };
      }
  return undefined;
}

function isMisspelt(written: string, wanted: string): boolean {
  return (
    !NAMES_CLUSTER.test(wanted) && digitsOf(written) === digitsOf(wanted) && nearestName(written, [wanted]) === wanted
  );
}

/** Keys with other numbers belong to other things. */
function digitsOf(key: string): string {
  return key.replace(/\D/g, '');
}

/** Other keys than that of the guides may be alike by chance, so their values have to be the same. */
function isMeant(term: PlainRecord, resource: Tagged, written: string, wanted: string): boolean {
  const { [written]: value, ...others } = resource.tags ?? {};
  if (value === undefined || Object.hasOwn(others, wanted)) return false;
  const answer = selectsResource(term, { ...resource, tags: { ...others, [wanted]: value } });
  return answer === 'yes' || (answer === 'unknown' && [written, wanted].includes(DISCOVERY_TAG));
}
