import { findImpossibleAlias, safeFix, setField } from '../../../contract';
import { valueText } from '../../../model';
import { findUnresolved } from '../../manifest/find-unresolved';
import { recordsOf } from '../../manifest/records';
import { defineRule, NOT_APPLICABLE, unknown } from '../define-rule';
import { nodeClasses } from '../subjects';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specamiselectorterms */
export const amiAliasVersionImpossible = defineRule({
  id: 'KARP-917',
  name: 'ami-alias-version-impossible',
  severity: 'error',
  summary:
    'The version in an AMI alias has a form that AWS never publishes: the node class finds no AMI, and nothing is launched.',
  subjects: nodeClasses(),
  judge({ object }) {
    const terms = recordsOf(object.raw.spec?.amiSelectorTerms);
    const index = terms.findIndex(({ alias }) => typeof alias === 'string');
    if (index < 0) return NOT_APPLICABLE;
    const alias = valueText(terms[index].alias);
    if (findUnresolved(alias) !== undefined) return unknown('its AMIs are known only at deployment');
    const impossible = findImpossibleAlias(alias);
    if (!impossible) return undefined;
    const { family, version, remedy, meant } = impossible;
    const path = ['spec', 'amiSelectorTerms', index, 'alias'];
    return {
      path,
      message: `selects ${alias}, but AWS publishes no ${family} AMI whose version has the form ${version}: the class finds no AMI, and nothing is launched`,
      remedy,
      evidence: { consequence: 'not-ready', alias, family, version },
      fix: meant === undefined ? undefined : safeFix(setField(path, meant)),
    };
  },
});
