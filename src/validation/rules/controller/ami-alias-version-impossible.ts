import { asRecord, findImpossibleAlias, safeFix, setField } from '../../../contract';
import { valueText } from '../../../model';
import { recordsOf } from '../../manifest/records';
import { findUnresolved } from '../common/unresolved';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specamiselectorterms */
export const amiAliasVersionImpossible: Rule = {
  id: 'KARP-917',
  name: 'ami-alias-version-impossible',
  severity: 'error',
  summary:
    'The version in an AMI alias has a form that AWS never publishes: the node class finds no AMI, and nothing is launched.',
  check({ model: { nodeClasses } }: RuleContext): Outcome[] {
    return nodeClasses.flatMap(({ object }): Outcome[] => {
      const terms = recordsOf(asRecord(object.raw.spec)?.amiSelectorTerms);
      const index = terms.findIndex(({ alias }) => typeof alias === 'string');
      if (index < 0) return [];
      const alias = valueText(terms[index].alias);
      if (findUnresolved(alias) !== undefined) return [notEvaluated(object, 'its AMIs are known only at deployment')];
      const impossible = findImpossibleAlias(alias);
      if (!impossible) return [pass(object)];
      const { family, version, remedy, meant } = impossible;
      const path = ['spec', 'amiSelectorTerms', index, 'alias'];
      return [
        fail({
          object,
          path,
          message: `selects ${alias}, but AWS publishes no ${family} AMI whose version has the form ${version}: the class finds no AMI, and nothing is launched`,
          remedy,
          evidence: { alias, family, version },
          fix: meant === undefined ? undefined : safeFix(setField(path, meant)),
        }),
      ];
    });
  },
};
