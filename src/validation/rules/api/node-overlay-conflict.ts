import { OverlayConflict } from '../../../scheduling';
import { NodeOverlayManifest } from '../../manifest/model';
import { defineRule, SubjectFinding } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** @see https://karpenter.sh/docs/concepts/nodeoverlays/ */
export const nodeOverlayConflict = defineRule({
  id: 'KARP-116',
  name: 'node-overlay-conflict',
  severity: 'error',
  summary:
    'Two NodeOverlays of the same weight set the same value of an instance type: Karpenter ignores one of them completely.',
  subjects: subjectsFrom<NodeOverlayManifest>(({ model }) => model.nodeOverlays, {
    where: ({ object }, { input }) => (input.nodeOverlays ?? []).some(({ name }) => name === object.name),
  }),
  judge(manifest, { plan }) {
    const conflict = plan.overlayConflicts.find(({ overlay }) => overlay === manifest.object.name);
    return conflict ? finding(manifest, conflict) : undefined;
  },
});

function finding({ spec }: NodeOverlayManifest, { nodePool, instanceType, what }: OverlayConflict): SubjectFinding {
  const target = what === 'price' ? 'the price' : `the capacity of ${what}`;
  const weight = spec?.weight ?? 0;
  return {
    path: what === 'price' ? ['spec'] : ['spec', 'capacity', what],
    message:
      `another NodeOverlay of the same weight, ${weight}, also sets ${target} of ${instanceType} (NodePool ${nodePool}): ` +
      'Karpenter applies the last overlay by name and ignores this one in every NodePool',
    remedy: 'give the overlays different weights, or requirements that select different instance types',
    evidence: { weight, nodePool, instanceType, what },
  };
}
