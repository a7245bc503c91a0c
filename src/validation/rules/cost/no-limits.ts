import { asRecord } from '../../../contract';
import { countText, shortListText } from '../../../model';
import { ManifestObject } from '../../manifest/model';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';

/**
 * One finding for all NodePools. A static NodePool has as many nodes as it declares.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#speclimits
 */
export const noLimits: Rule = {
  id: 'KARP-1001',
  name: 'no-limits',
  severity: 'info',
  summary:
    'NodePools have no limits: nothing bounds how many nodes Karpenter launches, for example if an autoscaler runs away.',
  check({ model, plan }: RuleContext): Outcome[] {
    const objects = model.nodePools.map(({ object }) => object).filter(({ raw }) => raw.spec?.replicas === undefined);
    const unlimited = objects.filter(hasNoLimits);
    const passed = objects.filter((object) => !hasNoLimits(object)).map(pass);
    if (unlimited.length === 0) return passed;
    const names = unlimited.map(({ name }) => name).sort();
    const nodes = plan.nodeClaims.filter(({ nodePool }) => names.includes(nodePool)).length;
    const planned = nodes === 0 ? '' : ` (planned here: ${countText(nodes, 'node')})`;
    return [
      ...passed,
      fail({
        object: unlimited[0],
        path: ['spec', 'limits'],
        message:
          `has no limits: if an autoscaler runs away, nothing bounds the number of nodes and their cost${planned}` +
          (names.length === 1
            ? ''
            : `; the same holds for ${shortListText(names.filter((name) => name !== unlimited[0].name))}`),
        remedy:
          'write spec.limits with cpu and memory, above what the pods need at their peak and while nodes are replaced',
        evidence: { nodePools: names, plannedNodes: nodes },
      }),
    ];
  },
};

function hasNoLimits({ raw }: ManifestObject): boolean {
  const limits = raw.spec?.limits ?? {};
  return asRecord(limits) !== undefined && Object.keys(asRecord(limits)!).length === 0;
}
