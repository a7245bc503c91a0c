import {
  CAPACITY_BUFFER_API,
  FEATURE_GATES,
  FeatureGate,
  isGateEnabled,
  NODE_OVERLAY_API,
  NODE_POOL_API,
} from '../../../contract';
import { shortListText } from '../../../model';
import { installedControllers } from '../../controller';
import { AUTO_MODE_GROUP } from '../../eks-auto-mode';
import { ObjectFix } from '../../manifest/edit/fix-of';
import { ManifestObject } from '../../manifest/model';
import { chartValueFix } from '../common/edits/chart-value-fix';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';

interface GatedUse {
  readonly object: ManifestObject;
  readonly gate: FeatureGate;
  readonly path: readonly (string | number)[];
  /** What happens while the gate is off. */
  readonly consequence: string;
}

/**
 * One finding for each feature gate, on the first object that needs it.
 *
 * @see https://karpenter.sh/docs/reference/settings/#feature-gates
 */
export const featureGateOff: Rule = {
  id: 'KARP-111',
  name: 'feature-gate-off',
  severity: 'error',
  summary: 'Objects need a feature gate of Karpenter that is off: Karpenter ignores them.',
  check(context: RuleContext): Outcome[] {
    const { model, options } = context;
    const usesByGate = new Map<FeatureGate, GatedUse[]>();
    for (const use of model.objects.flatMap((object) => gatedUse(object) ?? []))
      usesByGate.set(use.gate, [...(usesByGate.get(use.gate) ?? []), use]);
    return [...usesByGate].flatMap(([gate, uses]) =>
      isGateEnabled(options.featureGates, gate) ? uses.map(({ object }) => pass(object)) : [finding(uses, context)],
    );
  },
};

function finding(
  [{ object, gate, path, consequence }, ...others]: readonly GatedUse[],
  { controllers, options: { featureGates } }: RuleContext,
): Outcome {
  const names = others.map((other) => `${other.object.kind} ${other.object.name}`);
  const stated = featureGates?.[gate] === false;
  return fail({
    object,
    path,
    message: `needs the feature gate ${gate}, which is ${stated ? 'off' : 'off by default'}: ${consequence}${names.length === 0 ? '' : `; the same holds for ${shortListText(names)}`}`,
    remedy: `set settings.featureGates.${FEATURE_GATES[gate].setting}: true in Karpenter's Helm values${
      stated ? '' : `; if it is set already, pass --settings or --feature-gates ${gate}=true`
    }`,
    evidence: { gate, stated, others: names },
    also: stated ? gateEdits(controllers, FEATURE_GATES[gate].setting) : [],
    // Without settings in the input, the gate is only assumed to be off.
    severity: stated ? undefined : 'warning',
  });
}

/** The setting in the values of the only release of Karpenter's chart. */
function gateEdits(controllers: RuleContext['controllers'], setting: string): ObjectFix[] {
  const [controller, ...others] = installedControllers(controllers);
  if (controller?.fromChart !== true || others.length > 0) return [];
  const fix = chartValueFix(controller, ['settings', 'featureGates', setting], true);
  return fix === undefined ? [] : [{ object: controller.object, fix }];
}

/** EKS Auto Mode sets the feature gates of its own NodePools. */
function gatedUse(object: ManifestObject): GatedUse | undefined {
  const { apiVersion, kind, raw } = object;
  const is = (api: { readonly apiVersion: string; readonly kind: string }) =>
    api.apiVersion === apiVersion && api.kind === kind;
  if (is(NODE_OVERLAY_API)) {
    return { object, gate: 'NodeOverlay', path: ['kind'], consequence: 'Karpenter changes no price and no capacity' };
  }
  if (is(CAPACITY_BUFFER_API)) {
    return { object, gate: 'CapacityBuffer', path: ['kind'], consequence: 'Karpenter reserves no spare capacity' };
  }
  if (
    is(NODE_POOL_API) &&
    typeof raw?.spec?.replicas === 'number' &&
    raw.spec.template?.spec?.nodeClassRef?.group !== AUTO_MODE_GROUP
  ) {
    return {
      object,
      gate: 'StaticCapacity',
      path: ['spec', 'replicas'],
      consequence: 'the NodePool launches no nodes, neither its replicas nor for pending pods',
    };
  }
  return undefined;
}
