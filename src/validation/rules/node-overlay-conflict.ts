import { OverlayConflict } from '../../scheduling';
import { NodeOverlayManifest } from '../manifest/model';
import { fail, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

/** @see https://karpenter.sh/docs/concepts/nodeoverlays/ */
export class NodeOverlayConflict implements Rule {
  public readonly id = 'KARP-116';
  public readonly name = 'node-overlay-conflict';
  public readonly severity = 'error';
  public readonly summary = 'Two NodeOverlays of one weight set the price or the same resource of an instance type: Karpenter applies nothing of the second.';

  public check({ model, input, plan }: RuleContext): Outcome[] {
    const applied = new Set((input.nodeOverlays ?? []).map(({ name }) => name));
    return model.nodeOverlays.filter(({ object }) => applied.has(object.name)).map((manifest) => {
      const conflict = plan.overlayConflicts.find(({ overlay }) => overlay === manifest.object.name);
      return conflict ? this.finding(manifest, conflict) : pass(manifest.object);
    });
  }

  private finding({ object, spec }: NodeOverlayManifest, { nodePool, instanceType, what }: OverlayConflict): Outcome {
    const about = what === 'price' ? 'the price' : `the capacity of ${what}`;
    const weight = spec?.weight ?? 0;
    return fail({
      object,
      path: what === 'price' ? ['spec'] : ['spec', 'capacity', what],
      message: `conflicts with another NodeOverlay of weight ${weight} on ${about} of ${instanceType}, be it allowed by NodePool ${nodePool} or not: `
        + 'of equal weight the last by name is applied, and of this one nothing, in no NodePool',
      remedy: 'give the overlays different weights, or requirements that no instance type and offering meets twice',
      evidence: { weight, nodePool, instanceType, what },
    });
  }
}
