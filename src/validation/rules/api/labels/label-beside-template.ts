import { asRecord, FieldPath, removeField, setField, unsafeFix } from '../../../../contract';
import { PodShape } from '../../../../scheduling';
import { WorkloadManifest } from '../../../manifest/model';
import { constraintPath, requirementAlternatives } from '../../common/pod-constraints';
import { Pool } from '../../common/pool';
import { SubjectFinding } from '../../define-rule';

const BESIDE: FieldPath = ['metadata', 'labels'];

/** A NodePool that has the missing label itself, and not in its template, so that its nodes lack it. */
export function labelBesideTemplate(
  workload: WorkloadManifest,
  shape: PodShape,
  missing: readonly string[],
  pools: readonly Pool[],
): SubjectFinding | undefined {
  const [key] = missing;
  if (missing.length !== 1) return undefined;
  const pool = pools.find(({ object }) => {
    const value = asRecord(object.raw.metadata?.labels)?.[key];
    return typeof value === 'string' && isWanted(shape, key, value);
  });
  if (pool === undefined) return undefined;
  const value = asRecord(pool.object.raw.metadata?.labels)?.[key];
  const template: FieldPath = ['spec', 'template', 'metadata', 'labels', key];
  return {
    path: constraintPath(workload, shape, key),
    message: `requires the label ${key}, which NodePool ${pool.name} has on itself and not on its nodes: its pods stay Pending`,
    remedy: `move ${key} from metadata.labels of NodePool ${pool.name} to its spec.template.metadata.labels`,
    evidence: { missing: [key], nodePools: [pool.name] },
    related: { object: pool.object, path: [...BESIDE, key], label: 'this label is of the NodePool only' },
    also: [{ object: pool.object, fix: unsafeFix(setField(template, value), removeField([...BESIDE, key])) }],
  };
}

function isWanted(shape: PodShape, key: string, value: string): boolean {
  return requirementAlternatives(shape).some((specs) =>
    specs.some(
      (spec) =>
        spec.key === key && (spec.operator === 'Exists' || (spec.operator === 'In' && spec.values?.includes(value))),
    ),
  );
}
