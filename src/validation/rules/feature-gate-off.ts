import { CAPACITY_BUFFER_API, FEATURE_GATES, FeatureGate, isGateOpen, NODE_OVERLAY_API, NODE_POOL_API } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { CheckOptions } from '../options';
import { fail, pass } from './private/outcome';
import { Outcome, Rule, RuleContext } from './rule';

interface GatedUse {
  readonly gate: FeatureGate;
  readonly path: readonly (string | number)[];
  /** What comes of it while the gate is closed. */
  readonly consequence: string;
}

/** @see https://karpenter.sh/docs/reference/settings/#feature-gates */
export class FeatureGateOff implements Rule {
  public readonly id = 'KARP-111';
  public readonly name = 'feature-gate-off';
  public readonly severity = 'error';
  public readonly summary = 'An object needs a feature of Karpenter whose gate is closed, so that Karpenter takes no notice of it.';

  public check({ model, options }: RuleContext): Outcome[] {
    return model.objects.flatMap((object) => {
      const use = gatedUse(object);
      if (use === undefined) return [];
      return [isGateOpen(options.featureGates, use.gate) ? pass(object) : this.finding(object, use, options)];
    });
  }

  private finding(object: ManifestObject, { gate, path, consequence }: GatedUse, { featureGates }: CheckOptions): Outcome {
    const stated = featureGates?.[gate] === false;
    return fail({
      object,
      path,
      message: `needs the feature gate ${gate}, which is ${stated ? 'off' : 'off unless it is set'}: ${consequence}`,
      remedy: `set settings.featureGates.${FEATURE_GATES[gate].setting} to true in Karpenter's Helm values${stated ? '' : `; if it is, say so here with --settings or --feature-gates ${gate}=true`}`,
      evidence: { gate, stated },
      // What Karpenter really runs with is only supposed as long as nobody says it.
      severity: stated ? undefined : 'warning',
    });
  }
}

function gatedUse({ apiVersion, kind, raw }: ManifestObject): GatedUse | undefined {
  const is = (api: { readonly apiVersion: string; readonly kind: string }) => api.apiVersion === apiVersion && api.kind === kind;
  if (is(NODE_OVERLAY_API)) {
    return { gate: 'NodeOverlay', path: ['kind'], consequence: 'no price and no capacity is changed' };
  }
  if (is(CAPACITY_BUFFER_API)) {
    return { gate: 'CapacityBuffer', path: ['kind'], consequence: 'no room is kept' };
  }
  if (is(NODE_POOL_API) && typeof raw?.spec?.replicas === 'number') {
    return { gate: 'StaticCapacity', path: ['spec', 'replicas'], consequence: 'the NodePool launches nothing, neither its replicas nor a node for a pod' };
  }
  return undefined;
}
