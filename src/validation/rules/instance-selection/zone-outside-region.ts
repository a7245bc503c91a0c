import { isRegion } from '../../../catalog';
import { FieldFix, FieldPath, safeFix, setField } from '../../../contract';
import { Label, listText, normalizeLabelKey, RequirementSpec, shortListText } from '../../../model';
import { decidedRegion, regionsOfPool } from '../../context/decided-region';
import { WrongPlace, wrongPlaces } from '../../context/places';
import { WorkloadManifest } from '../../manifest/model';
import { allPodsHaveNodes } from '../common/placements';
import { constraintPath, requirementAlternatives, targetsNonKarpenterNodes } from '../common/pod-constraints';
import { Pool, poolsOf } from '../common/pool';
import { idleSeverityOf } from '../common/replicas';
import { triedRemedy } from '../common/unscheduled-pods';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';
import { MistakenKey, mistakenKey, mistakenText } from './values/mistaken-key';
import { zonesOfVolumes } from './values/zones-of-volumes';
import { zonesWithoutSubnets } from './values/zones-without-subnets';

/** @see https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-availability-zones.html */
export const zoneOutsideRegion: Rule = {
  id: 'KARP-216',
  name: 'zone-outside-region',
  severity: 'error',
  summary:
    'A NodePool, a pod or a volume is for a zone or region that does not exist, that is not that of the cluster, or where it has no subnet.',
  check(context: RuleContext): Outcome[] {
    return [
      ...poolsOf(context).flatMap((pool) => checkPool(context, pool)),
      ...context.model.workloads.flatMap((workload) => checkWorkload(context, workload)),
      ...zonesOfVolumes(context, placesText),
    ];
  },
};

function checkPool(context: RuleContext, pool: Pool): Outcome[] {
  const { spec } = pool;
  if (spec === undefined) return [];
  const labels = Object.entries(spec.labels).map(([key, value]) => ({
    spec: { key, operator: 'In' as const, values: [value] },
    path: ['spec', 'template', 'metadata', 'labels', key],
  }));
  const requirements = spec.requirements.map((requirement, index) => ({
    spec: requirement,
    path: ['spec', 'template', 'spec', 'requirements', index],
  }));
  const named = [...requirements, ...labels].filter(({ spec: { key } }) =>
    [Label.ZONE, Label.REGION].some((label) => label === normalizeLabelKey(key)),
  );
  const findings = named.flatMap(({ spec: requirement, path }): Outcome[] => {
    const wrong = wrongPlaces(context, requirement);
    if (wrong.length === 0) return zonesWithoutSubnets(context, pool, requirement, path).map(fail);
    const meant = meantKey(context, pool, requirement, path);
    if (meant) return [keyFailure(pool, requirement, meant, path)];
    const isAll = wrong.length === (requirement.values ?? []).length;
    const rivals = wrong.some(({ isGuess }) => isGuess) ? rivalPools(context, pool) : [];
    const { region, named: regions } = decidedRegion(context.options, context.model);
    const elsewhere = regions.filter((name) => name !== region);
    const guess =
      rivals.length === 0
        ? ''
        : `; a cluster is in one region, and NodePool ${shortListText(rivals)} names ${region}: ` +
          `in ${listText(elsewhere, 'or')}, that NodePool could never launch`;
    return [
      fail({
        object: pool.object,
        path: path.includes('labels') ? path : [...path, 'values', requirement.values!.indexOf(wrong[0].value)],
        message: `requires ${placesText(wrong)}: the NodePool launches no nodes${isAll ? '' : ' there'}${guess}`,
        remedy: `${remedyText(wrong)}${rivals.length === 0 ? '' : `, or, if the cluster is in ${listText(elsewhere, 'or')}, pass --region and change the other NodePools`}`,
        evidence: {
          values: wrong.map(({ value }) => value),
          region: region ?? null,
          ...(rivals.length === 0 ? {} : { otherNodePools: rivals }),
        },
        fix: placeFix(requirement, wrong, path),
      }),
    ];
  });
  return findings.length > 0 || named.length === 0 ? findings : [pass(pool.object)];
}

/** Zones under the key of regions. For a region under the key of zones, its zones are the remedy. */
function meantKey(
  context: RuleContext,
  { spec }: Pool,
  { key, values = [] }: RequirementSpec,
  path: FieldPath,
): MistakenKey | undefined {
  const isOfRegions = normalizeLabelKey(key) === Label.REGION && !path.includes('labels');
  return !isOfRegions ? undefined : mistakenKey(context, key, values, path, spec!.requirements);
}

function keyFailure(
  { object }: Pool,
  { key, values = [] }: RequirementSpec,
  { key: meant, noun, fix }: MistakenKey,
  path: FieldPath,
): Outcome {
  return fail({
    object,
    path,
    message: `${mistakenText(key, values, noun)}: the NodePool launches no nodes`,
    remedy: `write the key ${meant} instead of ${key}`,
    evidence: { values, meantKey: meant },
    fix,
  });
}

/** The other NodePools, which name the region that the cluster is taken to be in. */
function rivalPools(context: RuleContext, pool: Pool): string[] {
  const { region } = decidedRegion(context.options, context.model);
  return poolsOf(context)
    .filter(({ name, spec }) => name !== pool.name && spec !== undefined && regionsOfPool(spec).includes(region!))
    .map(({ name }) => name);
}

function checkWorkload(context: RuleContext, workload: WorkloadManifest): Outcome[] {
  const { shape, object, kind } = workload;
  if (shape === undefined || kind === 'DaemonSet' || targetsNonKarpenterNodes(workload)) return [];
  const alternatives = requirementAlternatives(shape).map((specs) =>
    specs.flatMap((spec) => {
      const wrong = wrongPlaces(context, spec);
      return wrong.length > 0 && wrong.length === spec.values!.length ? [{ spec, wrong }] : [];
    }),
  );
  if (alternatives.some((wrong) => wrong.length === 0) || allPodsHaveNodes(context, workload)) return [];
  const [[{ spec, wrong }]] = alternatives;
  const path = constraintPath(workload, shape, spec.key);
  const { severity, note } = idleSeverityOf(context.model, workload);
  // A region as a zone names the region that is meant. Zones of the assumed one let pods fit, and move them.
  const namesRegion = wrong.some(({ value }) => isRegion(value) && value !== context.catalog.region);
  const { remedy = remedyText(wrong), ...edits } = namesRegion ? {} : triedRemedy(context, workload);
  const fix = placeFix(spec, wrong, path[path.length - 1] === 'key' ? path.slice(0, -1) : path);
  return [
    fail({
      object,
      path,
      message: `its pods require ${placesText(wrong)}: no node can be there, so they stay Pending${note}`,
      remedy,
      evidence: {
        values: wrong.map(({ value }) => value),
        region: decidedRegion(context.options, context.model).region ?? null,
      },
      ...(fix === undefined ? edits : { fix }),
      severity,
    }),
  ];
}

/** Corrects misspelt places. In another region, the right place is a choice. */
function placeFix(
  { values = [] }: RequirementSpec,
  wrong: readonly WrongPlace[],
  path: FieldPath,
): FieldFix | undefined {
  if (wrong.some(({ meant }) => meant === undefined || values.includes(meant))) return undefined;
  const isLabel = path[path.length - 2] === 'labels' || path[path.length - 2] === 'nodeSelector';
  return safeFix(
    ...wrong.map(({ value, meant }) => setField(isLabel ? path : [...path, 'values', values.indexOf(value)], meant)),
  );
}

/** 'eu-central-1d, which is in eu-central-1, and the cluster is in eu-west-1'. */
function placesText(wrong: readonly WrongPlace[]): string {
  const problems = [...new Set(wrong.map(({ problem }) => problem))];
  return problems
    .map((problem) => {
      const values = wrong.filter((place) => place.problem === problem).map(({ value }) => value);
      return `${listText(values)}, which ${values.length === 1 ? problem : pluralOf(problem)}`;
    })
    .join('; ');
}

const PLURALS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^is a zone ID, not the name of a zone/, 'are zone IDs, not names of zones'],
  [/^is not the name of a zone/, 'are not names of zones'],
  [/^is another region/, 'are other regions'],
  [/^is in/, 'are in'],
  [/^does not/, 'do not'],
];

function pluralOf(problem: string): string {
  return PLURALS.reduce((text, [singular, plural]) => text.replace(singular, plural), problem);
}

function remedyText(wrong: readonly WrongPlace[]): string {
  const byRemedy = new Map<string, string[]>();
  for (const { value, remedy } of wrong) byRemedy.set(remedy, [...(byRemedy.get(remedy) ?? []), value]);
  return [...byRemedy].map(([remedy, values]) => `${remedy} instead of ${listText(values)}`).join(', and ');
}
