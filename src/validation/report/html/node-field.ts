import { Rectangle, squarified } from './treemap';
import { Amounts, NodeVerdict } from '../../vocabulary/node-verdict';

/** The resource that a drawing divides. */
export type FieldResource = 'cpu' | 'memory';
/** What decides the color of a pod. */
export type FieldColor = 'namespace' | 'workload';

/** The parts of a node that its drawing needs. */
export type FieldNode = Pick<NodeVerdict, 'capacity' | 'allocatable' | 'requests' | 'workloads'>;

/** A part of the drawing of a node. Its path is in units of `FIELD`. */
export interface FieldPart {
  readonly kind: 'system' | 'daemons' | 'pods';
  /** The namespace or workload of the pods; empty for other kinds. */
  readonly key: string;
  readonly path: string;
}

/** The size of a drawing. It is stretched to the size of its tile. */
export const FIELD = { width: 1000, height: 400 };

/** More pods of one namespace on one node are drawn as one area. */
const MAX_CELLS = 150;

interface Segment {
  readonly kind: FieldPart['kind'];
  readonly key: string;
  /** The share of the capacity. */
  readonly share: number;
  /** The amounts of its pods, the largest first. */
  readonly cells: readonly number[];
}

/**
 * Divides the capacity of a node from left to right: system, DaemonSets, then the pods by namespace; the rest is free.
 * Each pod is a cell whose area is its request.
 *
 * @param isDense draws one area for each namespace, without cells
 */
export function nodeField(node: FieldNode, resource: FieldResource, color: FieldColor, isDense: boolean): FieldPart[] {
  let x = 0;
  return segments(node, resource, color)
    .map(({ kind, key, share, cells }) => {
      const width = Math.min(share, 1 - x) * FIELD.width;
      const area = { x: x * FIELD.width, y: 0, width, height: FIELD.height };
      x = Math.min(1, x + share);
      const isWhole = isDense || cells.length === 0 || cells.length > MAX_CELLS;
      return { kind, key, path: pathOf(isWhole ? [area] : squarified(cells, area)) };
    })
    .filter(({ path }) => path !== '');
}

function segments(
  { capacity, allocatable, requests, workloads }: FieldNode,
  resource: FieldResource,
  color: FieldColor,
): Segment[] {
  const total = capacity[resource] ?? 0;
  if (total <= 0) return [];
  const amounts = new Map<string, number[]>();
  for (const { workload, pods, requests: each } of workloads) {
    const key = color === 'workload' ? workload : namespaceOf(workload);
    const cells = amounts.get(key) ?? [];
    amounts.set(key, cells);
    for (let count = 0; count < pods && (each[resource] ?? 0) > 0; count++) cells.push(each[resource]);
  }
  const plain = (kind: 'system' | 'daemons', amount: number): Segment => ({
    kind,
    key: '',
    share: amount / total,
    cells: [],
  });
  return [
    plain('system', total - (allocatable[resource] ?? 0)),
    plain('daemons', requests.daemonSets[resource] ?? 0),
    ...[...amounts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([key, cells]): Segment => ({
          kind: 'pods',
          key,
          share: cells.reduce((sum, cell) => sum + cell, 0) / total,
          cells: cells.sort((a, b) => b - a),
        }),
      ),
  ].filter(({ share }) => share > 0);
}

export function namespaceOf(workload: string): string {
  return workload.slice(0, workload.indexOf('/'));
}

/** Requested amount of the allocatable one, at most 1; undefined if the node does not have the resource. */
export function usedShare({ allocatable, requests }: FieldNode, resource: string): number | undefined {
  const total = allocatable[resource] ?? 0;
  return total <= 0 ? undefined : Math.min(1, requestedOf(requests, resource) / total);
}

export function requestedOf(
  requests: { readonly pods: Amounts; readonly daemonSets: Amounts },
  resource: string,
): number {
  return (requests.pods[resource] ?? 0) + (requests.daemonSets[resource] ?? 0);
}

function pathOf(rectangles: readonly Rectangle[]): string {
  return rectangles
    .map(({ x, y, width, height }) => {
      const [left, top] = [Math.round(x), Math.round(y)];
      const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
      return right <= left || bottom <= top ? '' : `M${left} ${top}h${right - left}v${bottom - top}h${left - right}z`;
    })
    .join('');
}
