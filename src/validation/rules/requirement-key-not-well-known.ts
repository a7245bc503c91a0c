import { isRestrictedLabel, Label, labelDomain, labelName, RequirementSpec, Requirements } from '../../model';
import { matchingTypes, NodePoolSpec, PodShape } from '../../scheduling';
import { AUTO_MODE_GROUP } from '../auto-mode';
import { WorkloadManifest } from '../manifest/model';
import { constraintPath } from './private/constraint-path';
import { NearMiss, nearMiss } from './private/near-miss';
import { fail, notEvaluated, pass } from './private/outcome';
import { haveNodes } from './private/placements';
import { alternatives, needsLabel, targetsOtherNodes } from './private/pod-constraints';
import { Pool, poolsOf, templateRequirements } from './private/pool';
import { Weight, weightOf } from './private/without-pods';
import { Outcome, Rule, RuleContext } from './rule';

const TEMPLATE_PATH = ['spec', 'template'];

/** @see https://karpenter.sh/docs/concepts/scheduling/#labels */
export class RequirementKeyNotWellKnown implements Rule {
  public readonly id = 'KARP-105';
  public readonly name = 'requirement-key-not-well-known';
  public readonly severity = 'error';
  public readonly summary = 'A constraint is on a label that is not one of Karpenter\'s, but nearly: it restricts nothing, or nothing can meet it.';

  public check(context: RuleContext): Outcome[] {
    const pools = poolsOf(context);
    return [
      ...pools.flatMap((pool) => this.checkPool(pool)),
      ...(pools.length === 0 ? [] : context.model.workloads.flatMap((workload) => this.checkWorkload(context, workload, pools))),
    ];
  }

  private checkPool(pool: Pool): Outcome[] {
    const { spec } = pool;
    if (spec === undefined) {
      const refused = refusedKeys(pool);
      return refused.length > 0 ? refused : [notEvaluated(pool.object, pool.why)];
    }
    const failures = [
      ...spec.requirements.flatMap((requirement, index) => checkRequirement(pool, spec, requirement, index)),
      ...Object.keys(spec.labels).sort().flatMap((key) => checkTemplateLabel(pool, spec, key)),
    ];
    return failures.length > 0 ? failures : [pass(pool.object)];
  }

  private checkWorkload(context: RuleContext, workload: WorkloadManifest, pools: readonly Pool[]): Outcome[] {
    const { shape } = workload;
    if (shape === undefined || workload.kind === 'DaemonSet' || targetsOtherNodes(workload)) {
      return [];
    }
    const ways = alternatives(shape).map((specs) => [...new Set(specs.filter(needsLabel).map(({ key }) => key))].sort());
    if (ways.every((keys) => keys.length === 0)) {
      return [];
    }
    const misses = ways.map((keys) => missesAmong(keys, pools));
    // One way to meet its constraints is enough.
    if (misses.some((ofWay) => ofWay.size === 0) || haveNodes(context, workload)) {
      return [pass(workload.object)];
    }
    const weight = weightOf(context.model, workload);
    return [...new Map(misses.flatMap((ofWay) => [...ofWay]))].map(([key, near]) => workloadFinding(workload, shape, key, near, weight));
  }
}

/** Of keys that a pod's node must have, those that no NodePool declares and that are surely meant to be others. */
function missesAmong(keys: readonly string[], pools: readonly Pool[]): ReadonlyMap<string, NearMiss> {
  return new Map(keys.flatMap((key) => {
    const near = nearMiss(key);
    const declared = pools.some(({ spec, requirements, autoMode }) =>
      spec === undefined || requirements?.has(key) || (autoMode && isOfAutoMode(key)));
    return near?.certain && !declared ? [[key, near] as const] : [];
  }));
}

/** The API server refuses what it does not know under Karpenter's own domains, so these NodePools have no usable spec. */
function refusedKeys({ object }: Pool): Outcome[] {
  const requirements = object.raw?.spec?.template?.spec?.requirements;
  return (Array.isArray(requirements) ? requirements : []).flatMap((requirement, index): Outcome[] => {
    const key = requirement?.key;
    const near = typeof key === 'string' && isRestrictedLabel(key) ? nearMiss(key) : undefined;
    return near === undefined ? [] : [fail({
      object,
      path: [...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'],
      message: `has a requirement on ${key}, which is no label of Karpenter's: the API server refuses it; ${near.suggestion} looks meant`,
      remedy: `write ${near.suggestion}`,
      evidence: { key, suggestion: near.suggestion },
    })];
  });
}

function checkRequirement(pool: Pool, spec: NodePoolSpec, requirement: RequirementSpec, index: number): Outcome[] {
  const near = nearMissOf(pool, requirement.key);
  if (near === undefined) {
    return [];
  }
  const instead = spec.requirements.map((other, position) => position === index ? { ...other, key: near.suggestion } : other);
  const types = countTypes(pool, { ...spec, requirements: instead });
  // Under a foreign domain the values tell: a user's own label seldom takes values that instance types have.
  const meant = near.certain || (requirement.operator === 'In' && types !== undefined && types > 0);
  return meant ? [requirementFinding(pool, requirement, index, near, types)] : [];
}

function requirementFinding(pool: Pool, { key }: RequirementSpec, index: number, near: NearMiss, types: number | undefined): Outcome {
  const { suggestion, certain } = near;
  const before = pool.launch?.view.instanceTypes.length;
  const remain = before === undefined ? '' : ` (all ${before} types remain)`;
  const would = types === undefined ? '' : `, which would leave ${types}`;
  return fail({
    object: pool.object,
    path: [...TEMPLATE_PATH, 'spec', 'requirements', index, 'key'],
    message: `has a requirement on ${key}, which is no label of Karpenter's: it is taken for a custom label, put on the nodes, `
      + `and restricts no instance type${remain}; ${suggestion} looks meant${would}`,
    remedy: `write ${suggestion}`,
    evidence: { key, suggestion, instanceTypes: before ?? null, instanceTypesWithSuggestion: types ?? null },
    severity: certain ? undefined : 'warning',
  });
}

/** A label of the right name under the wrong domain of the platform; any other key is taken for the user's own. */
function checkTemplateLabel(pool: Pool, spec: NodePoolSpec, key: string): Outcome[] {
  const near = nearMissOf(pool, key);
  if (near === undefined || !near.certain || labelName(key) !== labelName(near.suggestion)) {
    return [];
  }
  const { [key]: value, ...others } = spec.labels;
  const types = countTypes(pool, { ...spec, labels: { ...others, [near.suggestion]: value } });
  const would = types === undefined ? '' : `, which would leave ${types}`;
  return [fail({
    object: pool.object,
    path: [...TEMPLATE_PATH, 'metadata', 'labels', key],
    message: `labels its nodes ${key}=${value}, which restricts no instance type; ${near.suggestion} looks meant${would}`,
    remedy: `write ${near.suggestion}, best as a requirement`,
    evidence: { key, suggestion: near.suggestion, instanceTypesWithSuggestion: types ?? null },
    severity: 'warning',
  })];
}

function workloadFinding(workload: WorkloadManifest, shape: PodShape, key: string, { suggestion }: NearMiss, { severity, note }: Weight): Outcome {
  const pool = key === 'karpenter.sh/provisioner-name' ? ' and the name of a NodePool' : '';
  return fail({
    object: workload.object,
    path: constraintPath(workload, shape, key),
    message: `requires the label ${key}, which is no label of Karpenter's and which no NodePool declares: its pods stay Pending; ${suggestion} looks meant${note}`,
    remedy: `write ${suggestion}${pool}`,
    evidence: { key, suggestion },
    severity,
  });
}

/** The labels of EKS Auto Mode are right in its own NodePools. */
function nearMissOf(pool: Pool, key: string): NearMiss | undefined {
  return pool.autoMode && isOfAutoMode(key) ? undefined : nearMiss(key);
}

function isOfAutoMode(key: string): boolean {
  return labelDomain(key) === AUTO_MODE_GROUP;
}

/** Instance types that a pool so changed could launch; undefined where its node class is not known. */
function countTypes({ launch }: Pool, spec: NodePoolSpec): number | undefined {
  // A pool's own name is no property of instance types.
  const requirements = templateRequirements(spec).values().filter(({ key }) => key !== Label.NODE_POOL);
  return launch === undefined ? undefined : matchingTypes(launch.table, Requirements.of(requirements)).length;
}
