import { PodsOfWorkload } from './pods-on-nodes';
import { Label } from '../../../model';
import { COST_ROWS, CostProperties } from '../../vocabulary/cost-allocation';
import { NodeVerdict } from '../../vocabulary/node-verdict';

const LABEL = 'label:';
/** By which costs can be listed, besides `label:KEY`. */
const DIMENSIONS = ['workload', 'namespace', 'pool', 'node'] as const;

/** A row of the costs, and what all of its pods have in common. */
export interface CostKey {
  readonly name: string;
  readonly properties: CostProperties;
}

/** Finds the row of a pod. Nodes without pods have a row of their own. */
export interface CostKeys {
  of(pod: PodsOfWorkload, node: NodeVerdict): CostKey;
  ofEmpty(node: NodeVerdict): CostKey;
}

export function isCostBy(by: string): boolean {
  return (DIMENSIONS as readonly string[]).includes(by) || /^label:./.test(by);
}

const IDLE: CostKey = { name: COST_ROWS.idle, properties: {} };

/** @throws Error if there is no such dimension */
export function costKeys(by: string): CostKeys {
  if (by.startsWith(LABEL) && isCostBy(by)) return byLabel(by.slice(LABEL.length));
  switch (by) {
    case 'workload':
      return { of: workloadKey, ofEmpty: () => IDLE };
    case 'namespace':
      return { of: ({ namespace }) => ({ name: namespace, properties: { namespace } }), ofEmpty: () => IDLE };
    case 'pool':
      return { of: (_, node) => poolKey(node), ofEmpty: poolKey };
    case 'node':
      return { of: (_, node) => nodeKey(node), ofEmpty: nodeKey };
    default:
      throw new Error(`costBy: ${JSON.stringify(by)} is none of ${DIMENSIONS.join(', ')} and label:KEY`);
  }
}

function byLabel(label: string): CostKeys {
  return {
    of: ({ labels }) => {
      const value = labels[label];
      return value === undefined ? { name: COST_ROWS.unallocated, properties: {} } : labelKey(label, value);
    },
    ofEmpty: () => IDLE,
  };
}

function labelKey(label: string, value: string): CostKey {
  return { name: value, properties: { labels: { [label.replace(/[^A-Za-z0-9]/g, '_')]: value } } };
}

function workloadKey({ namespace, name, kind }: PodsOfWorkload): CostKey {
  const controller =
    kind === 'Pod'
      ? { pod: name }
      : { controller: name, ...(kind === undefined ? {} : { controllerKind: kind.toLowerCase() }) };
  return { name: `${namespace}/${name}`, properties: { namespace, ...controller } };
}

function poolKey({ nodePool }: NodeVerdict): CostKey {
  return nodePool === null
    ? { name: COST_ROWS.unallocated, properties: {} }
    : { ...labelKey(Label.NODE_POOL, nodePool), name: nodePool };
}

function nodeKey({ name }: NodeVerdict): CostKey {
  return { name, properties: { node: name } };
}
