import { CAPACITY_BUFFER_API, FEATURE_GATES, FeatureGate, isGateEnabled, NODE_OVERLAY_API, NODE_POOL_API } from '../../../contract';
import { CheckOptions } from '../../check-options';
import { ManifestObject } from '../../manifest/model';
import { someNames } from '../common/wording';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';

interface GatedUse {
  readonly gate: FeatureGate;
  readonly path: readonly (string | number)[];
  /** What happens while the gate is off. */
  readonly consequence: string;
}

/** @see https://karpenter.sh/docs/reference/settings/#feature-gates */
export class FeatureGateOff implements Rule {
  public readonly id = 'KARP-111';
  public readonly name = 'feature-gate-off';
  public readonly severity = 'error';
  public readonly summary = 'An object needs a feature gate of Karpenter that is off: Karpenter ignores the object.';

  public check({ model, options }: RuleContext): Outcome[] {
    const uses = model.objects.flatMap((object) => {
      const use = gatedUse(object);
      return use ? [{ object, use }] : [];
    });
    // The gate is one setting, so it is one finding.
    return [...new Set(uses.map(({ use }) => use.gate))].flatMap((gate) => {
      const [{ object, use }, ...others] = uses.filter((candidate) => candidate.use.gate === gate);
      if (isGateEnabled(options.featureGates, gate)) return [object, ...others.map((other) => other.object)].map(pass);
      return [this.finding(object, use, others.map((other) => other.object), options)];
    });
  }

  private finding(
    object: ManifestObject, { gate, path, consequence }: GatedUse, others: readonly ManifestObject[], { featureGates }: CheckOptions,
  ): Outcome {
    const stated = featureGates?.[gate] === false;
    return fail({
      object,
      path,
      message: `needs the feature gate ${gate}, which is ${stated ? 'off' : 'off by default'}: ${consequence}`
        + (others.length === 0 ? '' : `; so ${others.length === 1 ? 'does' : 'do'} ${someNames(others.map(({ name }) => name))}`),
      remedy: `set settings.featureGates.${FEATURE_GATES[gate].setting}: true in Karpenter's Helm values${
        stated ? '' : `; if it is set already, pass --settings or --feature-gates ${gate}=true`}`,
      evidence: { gate, stated, ...others.length === 0 ? {} : { others: others.map(({ name }) => name) } },
      // Without settings in the input, the gate is only assumed to be off.
      severity: stated ? undefined : 'warning',
    });
  }
}

function gatedUse({ apiVersion, kind, raw }: ManifestObject): GatedUse | undefined {
  const is = (api: { readonly apiVersion: string; readonly kind: string }) => api.apiVersion === apiVersion && api.kind === kind;
  if (is(NODE_OVERLAY_API)) {
    return { gate: 'NodeOverlay', path: ['kind'], consequence: 'Karpenter changes no price and no capacity' };
  }
  if (is(CAPACITY_BUFFER_API)) {
    return { gate: 'CapacityBuffer', path: ['kind'], consequence: 'Karpenter reserves no spare capacity' };
  }
  if (is(NODE_POOL_API) && typeof raw?.spec?.replicas === 'number') {
    return { gate: 'StaticCapacity', path: ['spec', 'replicas'], consequence: 'the NodePool launches no nodes, neither its replicas nor for pending pods' };
  }
  return undefined;
}
