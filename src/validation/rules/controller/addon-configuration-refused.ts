import { asRecord, FieldPath } from '../../../contract';
import { listText, nearestName, parseYaml, valueText, WELL_KNOWN_LABELS } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { misplacedVariables } from '../../context/vpc-cni';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../manifest/records';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

const VPC_CNI = 'vpc-cni';
/** The mappings of the VPC CNI's configuration whose values are all texts. */
const TEXT_MAPPINGS: ReadonlyArray<readonly string[]> = [['env'], ['init', 'env']];
/** Add-ons without whose pods no workload of the cluster works. */
const ESSENTIAL: readonly string[] = ['coredns'];
/** The parts of the configurations of add-ons that choose nodes. */
const PARTS: readonly string[] = ['controller', 'node'];

/** The configuration of an EKS add-on. */
interface AddonConfiguration {
  readonly object: ManifestObject;
  readonly path: FieldPath;
  readonly addon: string;
  readonly values: PlainRecord;
}

/** @see https://docs.aws.amazon.com/eks/latest/userguide/kubernetes-field-management.html */
export const addonConfigurationRefused = defineRule({
  id: 'KARP-923',
  name: 'addon-configuration-refused',
  severity: 'error',
  readsTerraform: true,
  summary: 'EKS refuses the configuration of an add-on, or the add-on selects a label that no node has.',
  subjects: subjectsFrom<AddonConfiguration>(configurations),
  judge: (configuration, { model }) => [
    ...notInEnv(configuration),
    ...noTexts(configuration),
    ...selectorsOfNoNode(configuration, model),
  ],
});

function configurations({ model: { objects, aws } }: RuleContext): AddonConfiguration[] {
  const ofEksctl = eksctlClusters(objects).flatMap(({ object }) =>
    recordsOf(object.raw?.addons).map((addon, index) => ({
      object,
      path: ['addons', index, 'configurationValues'],
      addon: addon.name,
      written: addon.configurationValues,
    })),
  );
  const ofTemplates = aws.addons.map(({ name, resource: { object, properties } }) => ({
    object,
    path: ['Properties', 'ConfigurationValues'],
    addon: name,
    written: properties.ConfigurationValues,
  }));
  return [...ofEksctl, ...ofTemplates].flatMap(({ object, path, addon, written }) => {
    const values = valuesOf(written);
    const name = stringOrUndefined(addon);
    return name === undefined || values === undefined ? [] : [{ object, path, addon: name, values }];
  });
}

/** JSON or YAML text. */
function valuesOf(written: unknown): PlainRecord | undefined {
  if (typeof written !== 'string') return undefined;
  try {
    return asRecord(parseYaml(written));
  } catch {
    return undefined;
  }
}

/** The schema of the add-on has variables only in `env`. */
function notInEnv({ path, addon, values }: AddonConfiguration): SubjectFinding[] {
  const names = addon === VPC_CNI ? Object.keys(misplacedVariables(values)) : [];
  if (names.length === 0) return [];
  return [
    {
      path,
      message: `EKS refuses the configuration of add-on ${addon}, because ${listText(names)} ${names.length === 1 ? 'is' : 'are'} not in env: the add-on is not created or changed`,
      remedy: `move ${listText(names)} to env`,
      evidence: { addon, values: names },
    },
  ];
}

/** EKS compares the configuration with the schema of the add-on, whose variables are texts. */
function noTexts({ path, addon, values }: AddonConfiguration): SubjectFinding[] {
  if (addon !== VPC_CNI) return [];
  const wrong = TEXT_MAPPINGS.flatMap((mapping) => {
    const map = asRecord(mapping.reduce<unknown>((value, step) => asRecord(value)?.[step], values)) ?? {};
    return Object.entries(map).flatMap(([key, value]) =>
      typeof value === 'boolean' || typeof value === 'number' ? [{ name: [...mapping, key].join('.'), value }] : [],
    );
  });
  if (wrong.length === 0) return [];
  const names = wrong.map(({ name, value }) => `${name}: ${valueText(value)}`);
  return [
    {
      path,
      message: `EKS refuses the configuration of add-on ${addon}, because ${listText(names)} ${wrong.length === 1 ? 'is no text' : 'are no texts'}: the add-on is not created or changed`,
      remedy: `write ${listText(wrong.map(({ name, value }) => `${name}: "${valueText(value)}"`))}`,
      evidence: { addon, values: wrong.map(({ name }) => name) },
    },
  ];
}

/** Labels of the selectors that neither a node group nor a NodePool of the input gives to its nodes. */
function selectorsOfNoNode(
  { object, path, addon, values }: AddonConfiguration,
  model: ManifestModel,
): SubjectFinding[] {
  const nodes = labelsOfNodes(object, model);
  if (nodes === undefined) return [];
  return [values, ...PARTS.map((part) => asRecord(values[part]) ?? {})].flatMap(({ nodeSelector }) =>
    Object.entries(asRecord(nodeSelector) ?? {}).flatMap(([key, written]): SubjectFinding[] => {
      const value = valueText(written);
      const isOther = WELL_KNOWN_LABELS.has(key) || /(^|\.)(?:amazonaws\.com|eksctl\.io|k8s\.aws)\//.test(key);
      if (isOther || findUnresolved([key, value]) !== undefined) return [];
      if (nodes.some((labels) => labels[key] === value || labels[key] === ANY)) return [];
      return [
        {
          path,
          message: `add-on ${addon} selects nodes with the label ${key}: ${value}, which no node group and no NodePool of the input has: its pods stay Pending${ESSENTIAL.includes(addon) ? ', and the cluster resolves no names' : ''}`,
          remedy: remedyFor(key, value, nodes),
          evidence: { addon, label: `${key}=${value}` },
          // NodePools with the label may be elsewhere.
          severity: model.nodePools.length === 0 ? 'warning' : undefined,
        },
      ];
    }),
  );
}

function remedyFor(key: string, value: string, nodes: ReadonlyArray<Readonly<Record<string, string>>>): string {
  const meant = nearestName(
    key,
    nodes.flatMap((labels) => Object.keys(labels)),
  );
  const near = nodes.flatMap((labels) => labels[key] ?? (meant === undefined ? [] : (labels[meant] ?? [])))[0];
  return near === undefined || near === ANY
    ? `add the label ${key}: ${value} to the node group, or remove it from nodeSelector`
    : `write ${meant ?? key}: ${near} in nodeSelector, as the nodes have it`;
}

/** Stands for a label that may have any value. */
const ANY = '*';

/** The labels of node groups and NodePools; undefined if there may be other nodes. */
function labelsOfNodes(
  object: ManifestObject,
  { aws, objects, nodePools, nodeGroupsElsewhere = [] }: ManifestModel,
): ReadonlyArray<Readonly<Record<string, string>>> | undefined {
  const own = eksctlClusters(objects).find((cluster) => cluster.object === object);
  const hasOtherNodes = own ? own.isAutoMode || own.hasFargate : aws.clusters.some(({ autoMode }) => autoMode);
  const groups = own
    ? own.nodeGroups.map(({ labels }) => labels)
    : [...aws.nodeGroups.map(({ labels }) => labels), ...nodeGroupsElsewhere.map(({ labels }) => labels)];
  const isUnknown =
    groups.length === 0 ||
    hasOtherNodes ||
    aws.fargateProfiles.length > 0 ||
    groups.some((labels) => labels === undefined || findUnresolved(labels) !== undefined) ||
    nodePools.some(({ spec }) => spec === undefined) ||
    aws.autoScalingGroups.length > 0;
  if (isUnknown) return undefined;
  const ofPools = nodePools.map(({ spec }) => ({
    ...Object.fromEntries(
      spec!.requirements.map(({ key, operator, values = [] }) => [
        key,
        operator === 'In' && values.length === 1 ? values[0] : ANY,
      ]),
    ),
    ...spec!.labels,
  }));
  return [...(groups as ReadonlyArray<Readonly<Record<string, string>>>), ...ofPools];
}
