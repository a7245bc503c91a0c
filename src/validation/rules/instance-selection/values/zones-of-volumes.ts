import { asRecord, FieldPath, setField, unsafeFix } from '../../../../contract';
import { Label, listText, normalizeLabelKey, RequirementSpec } from '../../../../model';
import { WrongPlace, wrongPlaces } from '../../../context/places';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestObject } from '../../../manifest/model';
import { recordsOf, stringOrUndefined, stringsOf } from '../../../manifest/records';
import { poolsOf } from '../../common/pool';
import { fail, Outcome, pass, RuleContext, RuleFinding } from '../../rule';
import { classNameOf, storageClassesOf, writtenClaims } from '../../storage/written-claims';

/** A requirement of volumes on their zone. */
interface ZoneOfVolumes {
  readonly object: ManifestObject;
  /** Of its values. */
  readonly path: FieldPath;
  readonly spec: RequirementSpec;
}

/**
 * StorageClasses and PersistentVolumes whose volumes are in no zone where a NodePool launches nodes: no pod can mount
 * them, however many there are.
 */
export function zonesOfVolumes(context: RuleContext, textOf: (wrong: readonly WrongPlace[]) => string): Outcome[] {
  const zones = launchZones(context);
  return context.model.objects.flatMap((object): Outcome[] => {
    const places = placesOf(object);
    if (places.length === 0 || findUnresolved(places.map(({ spec }) => spec.values)) !== undefined) return [];
    const problem = problemOf(context, places, zones, textOf);
    return [problem === undefined ? pass(object) : fail({ object, ...problem })];
  });
}

function problemOf(
  context: RuleContext,
  places: readonly ZoneOfVolumes[],
  zones: ReadonlySet<string> | undefined,
  textOf: (wrong: readonly WrongPlace[]) => string,
): Omit<RuleFinding, 'object'> | undefined {
  const [{ object, path, spec }] = places;
  const wrong = places.map((place) => wrongPlaces(context, place.spec));
  const isElsewhere = wrong.every(
    (some, index) => some.length > 0 && some.length === places[index].spec.values!.length,
  );
  const values = [...new Set(places.flatMap((place) => place.spec.values!))].sort();
  const hasPool = zones === undefined || values.some((value) => zones.has(value));
  if (!isElsewhere && hasPool) return undefined;
  const isClass = object.kind === 'StorageClass';
  if (!isClass && !isElsewhere && isWhyPodsWait(context, values)) return undefined;
  const why = isElsewhere
    ? textOf(wrong.flat())
    : `${listText(values)}, and the NodePools launch nodes in ${listText([...zones!].sort())}`;
  const meant = [...(zones ?? [])].sort();
  return {
    path,
    message: `${isClass ? 'creates volumes only' : 'is a volume'} in ${why}: no node of Karpenter can mount ${isClass ? 'them' : 'it'}`,
    remedy: isClass
      ? `write ${meant.length === 0 ? 'the zones of the NodePools' : listText(meant)} instead of ${listText(values)}, or remove allowedTopologies`
      : `create the volume in a zone of the NodePools${meant.length === 0 ? '' : `, ${listText(meant, 'or')}`}, for example from a snapshot`,
    evidence: { key: spec.key, values, nodePoolZones: meant },
    fix: isClass && meant.length > 0 ? unsafeFix(...places.map((place) => setField(place.path, meant))) : undefined,
    severity: isElsewhere && isUsed(context, object) ? 'error' : 'warning',
  };
}

/** Whether pods without a node need a volume in these zones: the finding about them has a zone to allow. */
function isWhyPodsWait({ input, plan }: RuleContext, zones: readonly string[]): boolean {
  return plan.unschedulable.some(({ group }) =>
    input.pods[group].shape.volumeTopology?.some((specs) =>
      specs.some(
        ({ key, values = [] }) =>
          normalizeLabelKey(key) === Label.ZONE && values.length > 0 && values.every((zone) => zones.includes(zone)),
      ),
    ),
  );
}

/** The zones in which some NodePool launches nodes; undefined if those of a NodePool are unknown. */
function launchZones(context: RuleContext): ReadonlySet<string> | undefined {
  const pools = poolsOf(context).map(({ launch }) => launch?.view.zones);
  return pools.length === 0 || pools.includes(undefined) ? undefined : new Set(pools.flatMap((zones) => zones!));
}

function placesOf(object: ManifestObject): ZoneOfVolumes[] {
  const { apiVersion, kind, raw } = object;
  if (kind === 'StorageClass' && apiVersion.startsWith('storage.k8s.io/'))
    return expressionsOf(object, ['allowedTopologies'], 'matchLabelExpressions', raw.allowedTopologies);
  if (kind !== 'PersistentVolume' || apiVersion !== 'v1') return [];
  const terms = asRecord(asRecord(asRecord(raw.spec)?.nodeAffinity)?.required)?.nodeSelectorTerms;
  return expressionsOf(object, ['spec', 'nodeAffinity', 'required', 'nodeSelectorTerms'], 'matchExpressions', terms);
}

/** The zones of each term; none if a term names no zone, because terms are alternatives. */
function expressionsOf(object: ManifestObject, path: FieldPath, field: string, terms: unknown): ZoneOfVolumes[] {
  const places = recordsOf(terms).map((term, index) =>
    recordsOf(term[field]).flatMap((expression, position): ZoneOfVolumes[] => {
      const [key, values] = [stringOrUndefined(expression.key) ?? '', stringsOf(expression.values)];
      const isOfZones = normalizeLabelKey(key) === Label.ZONE && (expression.operator ?? 'In') === 'In';
      return isOfZones && values.length > 0
        ? [{ object, path: [...path, index, field, position, 'values'], spec: { key, operator: 'In', values } }]
        : [];
    }),
  );
  return places.some((some) => some.length === 0) ? [] : places.flat();
}

/** Whether a claim of the input makes a volume of the class, or has the volume. */
function isUsed(context: RuleContext, { kind, name }: ManifestObject): boolean {
  if (kind === 'PersistentVolume')
    return context.model.objects.some(
      ({ kind: other, raw }) => other === 'PersistentVolumeClaim' && raw.spec?.volumeName === name,
    );
  const classes = storageClassesOf(context);
  return writtenClaims(context.model).some((claim) => classNameOf(claim, classes) === name);
}
