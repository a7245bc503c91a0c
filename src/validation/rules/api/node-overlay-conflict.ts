import { OverlayConflict } from '../../../scheduling';
import { NodeOverlayManifest } from '../../manifest/model';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';

/** @see https://karpenter.sh/docs/concepts/nodeoverlays/ */
export const nodeOverlayConflict: Rule = {
  id: 'KARP-116',
  name: 'node-overlay-conflict',
  severity: 'error',
  summary:
    'Two NodeOverlays of the same weight set the same value of an instance type: Karpenter ignores one of them completely.',
  check({ model, input, plan }: RuleContext): Outcome[] {
    const applied = new Set((input.nodeOverlays ?? []).map(({ name }) => name));
    return model.nodeOverlays
      .filter(({ object }) => applied.has(object.name))
      .map((manifest) => {
        const conflict = plan.overlayConflicts.find(({ overlay }) => overlay === manifest.object.name);
        return conflict ? finding(manifest, conflict) : pass(manifest.object);
      });
  },
};

function finding({ object, spec }: NodeOverlayManifest, { nodePool, instanceType, what }: OverlayConflict): Outcome {
  const target = what === 'price' ? 'the price' : `the capacity of ${what}`;
  const weight = spec?.weight ?? 0;
  return fail({
    object,
    path: what === 'price' ? ['spec'] : ['spec', 'capacity', what],
    message:
      `another NodeOverlay of the same weight, ${weight}, also sets ${target} of ${instanceType} (NodePool ${nodePool}): ` +
      'Karpenter applies the last overlay by name and ignores this one in every NodePool',
    remedy: 'give the overlays different weights, or requirements that select different instance types',
    evidence: { weight, nodePool, instanceType, what },
  });
}
