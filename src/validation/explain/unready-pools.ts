import { DEFAULT_NODE_CLASS, NodeClassFacts } from '../../catalog';
import { asRecord } from '../../contract';
import {
  nearestName,
  normalizeLabelKey,
  RequirementSpec,
  Taint,
  WELL_KNOWN_LABELS,
  WELL_KNOWN_VALUES,
  valueText,
} from '../../model';
import { NodePoolSpec } from '../../scheduling';
import { RuleContext } from '../context/check-session';
import { leavesNoRoomForPods, setsReserves } from '../context/no-room-for-pods';
import { wrongPlaces } from '../context/places';
import { unsizedPodStorage } from '../context/pod-storage-device';
import { readableTemplate } from '../context/readable-requirements';
import { isAutoMode } from '../eks-auto-mode';
import { NodeClassManifest, NodePoolManifest } from '../manifest';
import { readableFamily } from '../manifest/karpenter/node-class';
import { PlainRecord, recordsOf } from '../manifest/records';

/** The start of the constraint of a NodePool's own minimum. */
const MIN_VALUES = 'minValues ';

/** A NodePool that launches nothing, or nodes that are too small, until a mistake in it or in its class is fixed. */
export interface UnreadyPool {
  readonly name: string;
  /** What is wrong, as a clause. */
  readonly why: string;
  /** What to write, if the NodePool is ready and only its nodes are too small. @default - it is not ready */
  readonly remedy?: string;
  /** The object with the mistake. */
  readonly cause: { readonly kind: string; readonly name: string };
  /** What the NodePool would be without the mistake, as far as it can be read. */
  readonly repaired: NodePoolSpec;
  /** Facts of its class; those of an ordinary class if they are unknown. */
  readonly nodeClass: NodeClassFacts;
}

type Context = Pick<RuleContext, 'model' | 'options' | 'input' | 'plan' | 'catalog'>;

/** Values that are known only at deployment, and facts that the input lacks, make no NodePool unready. */
export function unreadyPools(context: Context): UnreadyPool[] {
  return context.model.nodePools.flatMap((pool) => unreadyPool(context, pool) ?? []);
}

function unreadyPool(context: Context, manifest: NodePoolManifest): UnreadyPool | undefined {
  const { model, input, plan } = context;
  const { object, spec, tokens = [], missingFacts = [] } = manifest;
  if (tokens.length + missingFacts.length > 0 || isAutoMode(manifest) || object.name === '') return undefined;
  const ofPool = { kind: 'NodePool', name: object.name };
  const classes = [...(model.cluster?.nodeClasses ?? []), ...model.nodeClasses];
  if (classes.length === 0) return undefined;
  const written = spec ?? readableSpec(manifest);
  const known = classes.find((candidate) => candidate.object.name === written.nodeClass);
  const nodeClass = input.nodeClasses.get(written.nodeClass) ?? ordinaryClass(written.nodeClass, known);
  const base = { name: object.name, cause: ofPool, repaired: written, nodeClass };
  if (spec === undefined) return { ...base, why: 'Karpenter would reject it as written' };
  if (!input.nodeClasses.has(spec.nodeClass)) {
    if (known === undefined) return { ...base, why: `its EC2NodeClass ${spec.nodeClass} is not in the input` };
    return (known.tokens ?? []).length > 0
      ? undefined
      : {
          ...base,
          why: `Karpenter would reject its EC2NodeClass ${spec.nodeClass}`,
          cause: { kind: 'EC2NodeClass', name: spec.nodeClass },
        };
  }
  const view = plan.pools.find(({ name }) => name === spec.name);
  if (view === undefined) return undefined;
  if (view.instanceTypes.length > 0) return withSizedVolume(base);
  const wrong = spec.requirements.flatMap((requirement) => wrongPlaces(context, requirement));
  if (known !== undefined && leavesNoRoomForPods(view) && setsReserves(known))
    return {
      ...base,
      why: `the kubelet settings of EC2NodeClass ${spec.nodeClass} leave no room for pods`,
      cause: { kind: 'EC2NodeClass', name: spec.nodeClass },
      nodeClass: { ...nodeClass, kubelet: undefined },
    };
  const isScarce = view.elimination.some(({ constraint, left }) => left === 0 && constraint.startsWith(MIN_VALUES));
  if (wrong.length === 0 && isScarce)
    return { ...base, why: 'it has fewer instance types than its minValues', repaired: withoutMinValues(spec) };
  if (wrong.length === 0)
    return { ...base, why: 'no instance type meets its requirements', repaired: meant(context, spec) };
  return {
    ...base,
    why: `it requires ${wrong[0].value}, which ${wrong[0].problem}`,
    repaired: withoutPlaces(
      spec,
      wrong.map(({ value }) => value),
    ),
  };
}

/** Only the AMI family of a rejected class is read: it decides which operating system its nodes have. */
function ordinaryClass(name: string, rejected: NodeClassManifest | undefined): NodeClassFacts {
  const amiFamily = (rejected && readableFamily(rejected.object)) ?? DEFAULT_NODE_CLASS.amiFamily;
  return { ...DEFAULT_NODE_CLASS, name, amiFamily };
}

/** The NodePool with the volume for pods as large as the one that its class sizes instead. */
function withSizedVolume(base: Omit<UnreadyPool, 'why'>): UnreadyPool | undefined {
  const { nodeClass } = base;
  const unsized = unsizedPodStorage(nodeClass);
  if (unsized === undefined) return undefined;
  const { device, defaultSize, index } = unsized;
  const blockDevices = nodeClass.blockDevices!.map((mapping, position) =>
    position === index ? { ...mapping, deviceName: device } : mapping,
  );
  return {
    ...base,
    why: `its EC2NodeClass ${nodeClass.name} leaves ${device} at ${defaultSize}`,
    remedy: `write deviceName: ${device} in EC2NodeClass ${nodeClass.name}`,
    cause: { kind: 'EC2NodeClass', name: nodeClass.name },
    nodeClass: { ...nodeClass, blockDevices },
  };
}

function withoutPlaces(spec: NodePoolSpec, places: readonly string[]): NodePoolSpec {
  return {
    ...spec,
    requirements: spec.requirements.flatMap((requirement) => {
      const values = (requirement.values ?? []).filter((value) => !places.includes(value));
      return requirement.operator === 'In' && values.length === 0 ? [] : [{ ...requirement, values }];
    }),
  };
}

function withoutMinValues(spec: NodePoolSpec): NodePoolSpec {
  return { ...spec, requirements: spec.requirements.map(({ minValues: _, ...requirement }) => requirement) };
}

/** The NodePool with the values that EC2 has instead of misspelt ones, if its types lack only these. */
function meant({ catalog }: Context, spec: NodePoolSpec): NodePoolSpec {
  const isMisspelt = ({ key, operator, values = [] }: RequirementSpec) => {
    const known = catalog.knownValues(normalizeLabelKey(key));
    return operator === 'In' && known !== undefined && values.length > 0 && !values.some((value) => known.has(value));
  };
  if (!spec.requirements.some(isMisspelt)) return withoutWellKnown(spec);
  return {
    ...spec,
    requirements: spec.requirements.flatMap((requirement) =>
      isMisspelt(requirement)
        ? corrected(requirement, catalog.knownValues(normalizeLabelKey(requirement.key)))
        : [requirement],
    ),
  };
}

/** Which requirement is the wrong one is unknown, so only those on the user's own labels remain. */
function withoutWellKnown(spec: NodePoolSpec): NodePoolSpec {
  return {
    ...spec,
    requirements: spec.requirements.filter(({ key }) => !WELL_KNOWN_LABELS.has(normalizeLabelKey(key))),
  };
}

/** The requirement with the values that misspelt ones, such as `Spot`, were meant to be; none if no value is known. */
function corrected(
  spec: RequirementSpec,
  known: ReadonlySet<string> | undefined = WELL_KNOWN_VALUES.get(normalizeLabelKey(spec.key)),
): RequirementSpec[] {
  if (known === undefined || spec.operator !== 'In') return [spec];
  const values = (spec.values ?? []).flatMap((value) =>
    known.has(value) ? [value] : (nearestName(value, [...known]) ?? []),
  );
  return values.length === 0 ? [] : [{ ...spec, values }];
}

/** The parts of a rejected NodePool that are valid by themselves. */
function readableSpec({ object, nodeClassRef }: NodePoolManifest): NodePoolSpec {
  const { labels, requirements } = readableTemplate(object.raw);
  const spec = asRecord(object.raw.spec?.template?.spec);
  return {
    name: object.name,
    weight: 0,
    nodeClass: nodeClassRef?.name ?? '',
    labels,
    requirements: requirements.flatMap((requirement) => corrected(requirement)),
    taints: recordsOf(spec?.taints).flatMap(readableTaint),
    limits: new Map(),
  };
}

const EFFECTS: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The taint with the effect that a misspelt one was meant to be. */
function readableTaint({ key, value, effect }: PlainRecord): Taint[] {
  if (typeof key !== 'string' || typeof effect !== 'string') return [];
  const known = EFFECTS.includes(effect) ? effect : nearestName(effect, EFFECTS);
  return known === undefined
    ? []
    : [{ key, ...(value === undefined ? {} : { value: valueText(value) }), effect: known as Taint['effect'] }];
}
