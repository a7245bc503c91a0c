import { excludingRequirements } from './excluding-requirement';
import { remedyForSale } from './how-types-are-sold';
import { FieldFix, FieldPath, knownValueFix } from '../../../../contract';
import { Label, normalizeLabelKey, RequirementSpec } from '../../../../model';
import { leavesNoRoomForPods, setsReserves } from '../../../context/no-room-for-pods';
import { wrongPlaces } from '../../../context/places';
import { Pool, PoolLaunch } from '../../common/pool';
import { defineRule, unknown, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { launchingPools } from '../../subjects';
import { zonesWithoutSubnets } from '../values/zones-without-subnets';

/** A step of the elimination that is not a requirement. */
const AVAILABLE = 'an available offering';
const MIN_VALUES = /^minValues (\d+) of (\S+), which has (\d+)$/;
const REQUIREMENTS_PATH = ['spec', 'template', 'spec', 'requirements'];

/** @see https://karpenter.sh/docs/troubleshooting/ */
export const nodePoolMatchesZeroInstanceTypes = defineRule({
  id: 'KARP-201',
  name: 'nodepool-matches-zero-instance-types',
  severity: 'error',
  summary: 'No EC2 instance type meets all requirements of a NodePool, so the NodePool launches no nodes.',
  supersededBy: ['KARP-251'],
  subjects: launchingPools(),
  judge(pool, context) {
    if (pool.launch.view.instanceTypes.length > 0) {
      return undefined;
    }
    // KARP-216 reports zones in which the cluster can have no node.
    const isElsewhere = (requirement: RequirementSpec) =>
      wrongPlaces(context, requirement).length > 0 ||
      zonesWithoutSubnets(context, pool, requirement, []).some(({ severity }) => severity === 'error');
    if (pool.spec.requirements.some(isElsewhere)) return undefined;
    // KARP-159 reports the settings of the kubelet.
    const nodeClass = context.model.nodeClasses.find(({ object }) => object.name === pool.spec.nodeClass);
    if (nodeClass !== undefined && leavesNoRoomForPods(pool.launch.view) && setsReserves(nodeClass)) return undefined;
    const assumed = nodeClass?.facts?.zones === undefined ? whyZonesMayExist(context, pool) : undefined;
    return assumed === undefined ? finding(context, pool, pool.launch) : unknown(assumed);
  },
});

function finding(context: RuleContext, pool: Pool, launch: PoolLaunch): SubjectFinding {
  const { view, table } = launch;
  const emptied = view.elimination.findIndex(({ left }) => left === 0);
  // The first step is the whole catalog. Steps that drop nothing explain nothing.
  const steps = view.elimination
    .slice(0, emptied < 0 ? undefined : emptied + 1)
    .filter(({ left }, index, all) => index > 0 && left < all[index - 1].left);
  const last = view.elimination[emptied];
  const before = emptied > 0 ? view.elimination[emptied - 1].left : table.names.length;
  const chain = [`${table.names.length} types`, ...steps.map(({ constraint, left }) => `${left} (${constraint})`)].join(
    ' → ',
  );
  const sale = remedyForSale(context, pool, launch);
  const typo = valueFix(pool, pathOf(pool, last?.constraint));
  const isScarce = MIN_VALUES.test(last?.constraint ?? '');
  const isKnown = sale !== undefined || typo !== undefined || isScarce;
  const [best, ...alternatives] = (isKnown ? [] : excludingRequirements(context, pool, launch)).filter(
    // Without a proposal, the reason for which the last types are not available helps more.
    ({ fix }) => fix !== undefined || last?.constraint !== AVAILABLE,
  );
  return {
    path: best?.path ?? pathOf(pool, last?.constraint),
    message: `matches 0 instance types, so it launches no nodes: ${chain}`,
    remedy:
      sale ??
      best?.remedy ??
      (last === undefined
        ? 'loosen the requirements until an instance type meets all of them'
        : remedyFor(last.constraint, before)),
    evidence: { instanceTypes: table.names.length, elimination: view.elimination },
    fix: typo ?? best?.fix,
    ...(alternatives.length === 0 ? {} : { alternatives }),
  };
}

function remedyFor(constraint: string, before: number): string {
  const [, , key, values] = MIN_VALUES.exec(constraint) ?? [];
  if (key !== undefined)
    return `remove minValues of ${key}, or write at most ${values} and no more than pods leave to choose from, or allow instance types with more of its values`;
  return constraint === AVAILABLE
    ? 'allow other instance types, zones or capacity types: the remaining types have no price there, or the EC2NodeClass cannot run on them'
    : `change ${constraint}, which none of the ${before} remaining types meets, or a requirement that contradicts it`;
}

/**
 * Why the required zones may exist although the catalog does not have them: the region or its zones are only
 * assumed.
 */
function whyZonesMayExist({ catalog, options }: RuleContext, { requirements }: Pool): string | undefined {
  const zone = requirements!.get(Label.ZONE);
  const elsewhere =
    !requirements!.get(Label.REGION).has(catalog.region) || !catalog.zones.some((name) => zone.has(name));
  if (!elsewhere || options.zones !== undefined) {
    return undefined;
  }
  if (options.region === undefined) {
    return `it requires ${zone}, but the region is only assumed to be ${catalog.region}: give the region and its zones`;
  }
  const within = [...zone.values].some((name) => name.startsWith(catalog.region));
  return within
    ? `it requires ${zone}, but the zones are only assumed to be ${catalog.zones.join(', ')}: give the zones`
    : undefined;
}

/** Path of the requirement that the constraint names, or of all requirements. */
function pathOf(pool: Pool, constraint: string | undefined): readonly (string | number)[] {
  const [, , scarce] = MIN_VALUES.exec(constraint ?? '') ?? [];
  const index =
    pool.spec?.requirements.findIndex(({ key, minValues }) =>
      scarce === undefined ? constraint?.startsWith(`${key} `) : key === scarce && minValues !== undefined,
    ) ?? -1;
  return index < 0 ? REQUIREMENTS_PATH : [...REQUIREMENTS_PATH, index];
}

const KNOWN_VALUES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [Label.ARCH, new Set(['amd64', 'arm64'])],
  [Label.OS, new Set(['linux', 'windows'])],
]);

/** Corrects misspelt architectures and operating systems, such as `AMD64`. */
function valueFix({ spec }: Pool, path: FieldPath): FieldFix | undefined {
  const { key = '', operator, values = [] } = spec?.requirements[Number(path[path.length - 1])] ?? {};
  const known = KNOWN_VALUES.get(normalizeLabelKey(key));
  return known && operator === 'In' && !values.some((value) => known.has(value))
    ? knownValueFix([...path, 'values'], values, known)
    : undefined;
}
