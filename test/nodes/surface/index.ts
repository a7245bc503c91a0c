/**
 * Each field of each kind that has a construct, with the property that writes it. The tests check every case, and
 * docs/coverage.md is generated from them.
 */
import { ApiObject, Chart } from 'cdk8s';
import { CAPACITY_BUFFER_CASES, CAPACITY_BUFFER_NEEDS } from './capacity-buffer';
import { EC2_NODE_CLASS_CASES } from './ec2-node-class';
import { FieldCase } from './field-case';
import { NODE_OVERLAY_CASES } from './node-overlay';
import { NODE_POOL_CASES, NODE_POOL_NEEDS } from './node-pool';
import * as nodes from '../../../src/nodes';
import { NODE_CLASS } from '../fixtures';

export { type FieldCase, steps, valueAt } from './field-case';

/** A kind with the fields that its construct writes. */
export interface Surface {
  readonly apiVersion: string;
  readonly kind: string;
  readonly cases: ReadonlyArray<FieldCase<any>>;
  /** @param props props of a case, without the required props of the kind */
  create(chart: Chart, props: object): ApiObject;
}

export const SURFACES: readonly Surface[] = [
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    cases: NODE_POOL_CASES,
    create: (chart, props) => new nodes.NodePool(chart, 'it', { ...NODE_POOL_NEEDS, ...props }).apiObject,
  },
  {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    cases: EC2_NODE_CLASS_CASES,
    create: (chart, props) => new nodes.EC2NodeClass(chart, 'it', { ...NODE_CLASS, ...props }).apiObject,
  },
  {
    apiVersion: 'karpenter.sh/v1alpha1',
    kind: 'NodeOverlay',
    cases: NODE_OVERLAY_CASES,
    create: (chart, props) => new nodes.NodeOverlay(chart, 'it', props).apiObject,
  },
  {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    cases: CAPACITY_BUFFER_CASES,
    create: (chart, props) => new nodes.CapacityBuffer(chart, 'it', { ...CAPACITY_BUFFER_NEEDS, ...props }).apiObject,
  },
];
