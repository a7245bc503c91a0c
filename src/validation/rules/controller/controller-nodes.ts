import { asRecord, compareKarpenterVersions, LEGACY_LABELS } from '../../../contract';
import { Label, valueText, WELL_KNOWN_LABELS } from '../../../model';
import { nodeGroupsOf } from '../../cluster/node-groups';
import { Controller, chartValue } from '../../controller';
import { AUTO_MODE_NODE_POOLS, isAutoMode } from '../../eks-auto-mode';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, NodePoolManifest } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { TERRAFORM_RELEASE } from '../../manifest/source/terraform/helm-release-block';
import { RuleContext } from '../rule';

const TERMS = ['requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
/**
 * Labels that only nodes of node groups and Fargate have. `karpenter.sh/controller` is what users put on the node group
 * that runs Karpenter.
 */
const NODE_GROUP_LABELS: readonly string[] = [
  'eks.amazonaws.com/nodegroup',
  'eks.amazonaws.com/compute-type',
  'eks.amazonaws.com/capacityType',
  'alpha.eksctl.io/nodegroup-name',
  'karpenter.sh/controller',
];

/**
 * Whether the controller cannot run on nodes that it launches. Affinity terms are alternatives, so every term has to
 * exclude them.
 */
export function avoidsOwnNodes(context: RuleContext, { values }: Controller): boolean {
  const selector = asRecord(values.nodeSelector) ?? {};
  const excludesOwnNodes = ([key, value]: [string, unknown]) =>
    key === Label.NODE_POOL ? isAutoModePool(context, value) : isForeignLabel(context, key);
  if (Object.entries(selector).some(excludesOwnNodes)) return true;
  const terms = termsOf(values);
  return (
    terms.length > 0 &&
    terms.every((term) => recordsOf(term.matchExpressions).some((expression) => excludesOwn(context, expression)))
  );
}

/** Whether the controller cannot run on EKS Auto Mode nodes either, which also have the label karpenter.sh/nodepool. */
export function avoidsAllNodePools({ values }: Controller): boolean {
  const terms = termsOf(values);
  return (
    terms.length > 0 &&
    terms.every((term) =>
      recordsOf(term.matchExpressions).some(
        ({ key, operator }) => key === Label.NODE_POOL && operator === 'DoesNotExist',
      ),
    )
  );
}

function termsOf(values: Controller['values']): PlainRecord[] {
  return recordsOf(chartValue(values, 'affinity', 'nodeAffinity', ...TERMS));
}

function excludesOwn(context: RuleContext, { key, operator, values }: PlainRecord): boolean {
  if (key === Label.NODE_POOL) {
    return (
      operator === 'DoesNotExist' ||
      (operator === 'In' && Array.isArray(values) && values.every((pool) => isAutoModePool(context, pool)))
    );
  }
  if (typeof key !== 'string') return false;
  if (isProvisionerLabel(context, key)) return operator === 'DoesNotExist';
  // A term that excludes a node-group label allows Karpenter's own nodes.
  if (operator === 'DoesNotExist' || operator === 'NotIn') return false;
  return isForeignLabel(context, key) && (operator === 'Exists' || Array.isArray(values));
}

/** Releases without NodePools give their nodes the label of the Provisioner, and their chart excludes it. */
function isProvisionerLabel({ options: { servingVersion } }: RuleContext, key: string): boolean {
  return (
    LEGACY_LABELS.get(key) === Label.NODE_POOL &&
    servingVersion !== undefined &&
    compareKarpenterVersions(servingVersion, '0.32.0') < 0
  );
}

/**
 * Whether EKS Auto Mode launches the NodePool's nodes: a NodePool of the input with its node class, or a built-in one.
 */
function isAutoModePool({ model }: RuleContext, name: unknown): boolean {
  const pool = model.nodePools.find(({ object }) => object.name === name);
  return pool ? isAutoMode(pool) : AUTO_MODE_NODE_POOLS.includes(valueText(name));
}

/**
 * Whether only other nodes than Karpenter's have the label: a node-group label, or a custom one that no NodePool sets.
 */
function isForeignLabel({ model }: RuleContext, key: string): boolean {
  if (NODE_GROUP_LABELS.includes(key)) return true;
  const isCustom = !/(^|\.)(kubernetes\.io|k8s\.io|karpenter\.sh|k8s\.aws|amazonaws\.com)\//.test(key);
  return (
    isCustom &&
    model.nodePools.every(
      ({ spec }) =>
        spec !== undefined &&
        !(key in (spec.labels ?? {})) &&
        !spec.requirements.some((requirement) => requirement.key === key),
    )
  );
}

/** A label that the controller selects, and that a NodePool of the input gives to its nodes. */
export interface SelectedPool {
  /** Whether the input has node groups, so that the nodes for the controller are probably not elsewhere. */
  readonly hasNodeGroups: boolean;
  readonly pool: NodePoolManifest;
  readonly key: string;
  readonly value: string;
}

/**
 * The NodePool whose nodes the controller selects, although its affinity excludes the nodes of all NodePools. A node
 * group of the input with the label takes its pods.
 */
export function selectedOwnPool({ model }: RuleContext, controller: Controller): SelectedPool | undefined {
  if (!avoidsAllNodePools(controller) || isJudgedByGroups(model, controller)) return undefined;
  const groups = model.nodeGroupsElsewhere ?? [];
  return Object.entries(asRecord(controller.values.nodeSelector) ?? {}).flatMap(([key, written]): SelectedPool[] => {
    const value = valueText(written);
    if (WELL_KNOWN_LABELS.has(key) || findUnresolved([key, value]) !== undefined) return [];
    const pool = model.nodePools.find((one) => !isAutoMode(one) && givesLabel(one, key, value));
    const isOfGroup = groups.some(({ labels }) => mayBeLabel(labels, key, value));
    return pool === undefined || isOfGroup ? [] : [{ pool, key, value, hasNodeGroups: groups.length > 0 }];
  })[0];
}

/** KARP-920 compares Karpenter with the node groups that are defined beside it. */
function isJudgedByGroups(model: ManifestModel, { object }: Controller): boolean {
  const { aws, nodeGroupsElsewhere = [] } = model;
  const isTerraform = object.kind === TERRAFORM_RELEASE.kind && nodeGroupsElsewhere.length > 0;
  return nodeGroupsOf(model).length > 0 || aws.autoScalingGroups.length > 0 || isTerraform;
}

function givesLabel({ spec }: NodePoolManifest, key: string, value: string): boolean {
  const requirements = spec?.requirements.filter((one) => one.key === key) ?? [];
  return (
    spec?.labels?.[key] === value ||
    requirements.some(({ operator, values = [] }) => operator === 'In' && values.includes(value))
  );
}

function mayBeLabel(labels: PlainRecord | undefined, key: string, value: string): boolean {
  const given = Object.entries(labels ?? {});
  return given.some(
    ([name, text]) =>
      (name === key && (text === value || findUnresolved(text) !== undefined)) || findUnresolved(name) !== undefined,
  );
}

/** Whether the controller's pods must run on different nodes. */
export function needsSeparateNodes({ values }: Controller): boolean {
  return recordsOf(
    chartValue(values, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'),
  ).some(({ topologyKey }) => topologyKey === 'kubernetes.io/hostname');
}
