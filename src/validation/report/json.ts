import { jsonText } from '../../model';
import { Difference } from '../difference/difference';
import { RootDifferences } from '../difference/root-differences';
import { Finding, Verdict } from '../vocabulary/verdict';

/** The schema versions of the verdict as JSON. */
export const SCHEMA_VERSIONS = ['1', '2'] as const;
export type SchemaVersion = (typeof SCHEMA_VERSIONS)[number];

/** The verdict as JSON. The same verdict gives the same bytes. */
export function renderJson(verdict: Verdict & { readonly scenarios?: unknown }, schema: SchemaVersion = '2'): string {
  return jsonText(schema === '1' ? withoutDetails(verdict) : verdict, toJson);
}

/** Schema version 1: without the nodes and workloads in detail, and without the sources and fixes of findings. */
export function withoutDetails(verdict: Verdict): object {
  const { nodes: _, workloads, cheaper, nodePools, findings, acknowledged, ...others } = verdict;
  return {
    ...others,
    schemaVersion: '1',
    nodePools: nodePools.map(
      ({ weight: _weight, taints, limits, used, nodes: _nodes, costPerHour, limitCostPerHour, ...pool }) => pool,
    ),
    findings: findings.map(withoutSource),
    ...(acknowledged === undefined ? {} : { acknowledged: acknowledged.map(withoutSource) }),
  };
}

function withoutSource({ excerpt, related, fix, ...finding }: Finding): object {
  return finding;
}

/** A difference, or those of several roots, as JSON, schema version 1. The same input gives the same bytes. */
export function renderDifferenceJson(difference: Difference | RootDifferences): string {
  return jsonText(difference, toJson);
}

/** Evidence may contain bigint amounts and maps of them. */
function toJson(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint')
    return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value.toString();
  return value instanceof Map ? Object.fromEntries(value) : value;
}
