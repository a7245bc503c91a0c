import { whyUserDataUnknown } from './known-user-data';
import { amiFamilyOfClass, amiFamilyOfName, setField, unsafeFix } from '../../../../contract';
import { shortListText } from '../../../../model';
import { recordsOf } from '../../../manifest/records';
import { defineRule } from '../../define-rule';
import { nodeClasses } from '../../subjects';

/**
 * Karpenter writes the user data of the AMI family, whatever the AMI is.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specamifamily
 */
export const amiOfOtherFamily = defineRule({
  id: 'KARP-162',
  name: 'ami-of-other-family',
  severity: 'error',
  summary:
    'A node class selects AMIs of another family than its amiFamily by name: nodes cannot read their user data, and never join.',
  subjects: nodeClasses({
    where: ({ object }) => typeof object.raw?.spec?.amiFamily === 'string' && object.raw.spec.amiFamily !== 'Custom',
    unknown: ({ object }) => whyUserDataUnknown(object.raw),
  }),
  judge({ object }) {
    const family = amiFamilyOfClass(object.raw?.spec ?? {});
    const names = recordsOf(object.raw?.spec?.amiSelectorTerms).map(({ name }) => name);
    const families = new Set(names.map((name) => (typeof name === 'string' ? amiFamilyOfName(name) : undefined)));
    const [other] = families;
    if (families.size !== 1 || other === undefined || other === family) return undefined;
    const path = ['spec', 'amiFamily'];
    return {
      path,
      message: `is ${family}, and the class selects AMIs of ${other} by name (${shortListText(names.map(String))}): Karpenter writes user data for ${family}, which they do not read, so that the nodes never join`,
      remedy: `write amiFamily: ${other}, or select AMIs of ${family}`,
      evidence: { amiFamily: family ?? null, family: other, consequence: 'never-joins' },
      fix: unsafeFix(setField(path, other)),
    };
  },
});
