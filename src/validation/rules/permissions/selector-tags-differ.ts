import { DISCOVERY_TAG as DISCOVERY, MisspeltTag, misspeltTag } from './misspelt-tag';
import { asRecord, setField, unsafeFix } from '../../../contract';
import { listText, shortListText, valueText } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestModel, ManifestObject, NodeClassManifest } from '../../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../../manifest/records';
import {
  AwsModel,
  covers,
  hasUnknown,
  readable,
  sameText,
  Tagged,
  TemplateResource,
  selectsResource,
} from '../../template';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown, Unknown } from '../define-rule';
import { nodeClasses } from '../subjects';

const SELECTORS = [
  { field: 'subnetSelectorTerms', one: 'subnet', kind: 'subnets', condition: 'SubnetsReady' },
  {
    field: 'securityGroupSelectorTerms',
    one: 'security group',
    kind: 'securityGroups',
    condition: 'SecurityGroupsReady',
  },
] as const;
type Selector = (typeof SELECTORS)[number];

/** @see https://karpenter.sh/docs/concepts/nodeclasses/#specsubnetselectorterms */
export const selectorTagsDiffer = defineRule({
  id: 'KARP-616',
  name: 'selector-tags-differ',
  readsTerraform: true,
  severity: 'error',
  summary:
    'A node class selects subnets or security groups by a tag that those of the input lack, or have under a misspelt key or with another value: it does not become ready.',
  subjects: nodeClasses({
    where: (_, { model: { aws, objects } }) => hasNetwork(aws) || networkOfEksctl(objects) !== undefined,
  }),
  judge(nodeClass, { model }) {
    const eksctl = networkOfEksctl(model.objects);
    const parts =
      eksctl === undefined || hasNetwork(model.aws)
        ? SELECTORS.flatMap((selector) => judgeSelector(selector, nodeClass, model))
        : [eksctlFinding(nodeClass, eksctl) ?? untaggedByEksctl(nodeClass, eksctl) ?? []].flat();
    return parts.length === 0 ? NOT_APPLICABLE : parts;
  },
});

function hasNetwork(aws: AwsModel): boolean {
  return aws.subnets.length + aws.securityGroups.length + tagsOfModules(aws).length > 0;
}

/** The only configuration file of eksctl, if eksctl creates the subnets, and tags them as all that it creates. */
function networkOfEksctl(objects: readonly ManifestObject[]): ManifestObject | undefined {
  const [cluster, ...others] = eksctlClusters(objects);
  const { subnets, id } = asRecord(cluster?.object.raw.vpc) ?? {};
  return cluster === undefined || others.length > 0 || (subnets ?? id) !== undefined ? undefined : cluster.object;
}

/**
 * The first selector with a tag that the file of eksctl has with another value.
 *
 * @see https://docs.aws.amazon.com/eks/latest/eksctl/schema.html
 */
function eksctlFinding({ object }: NodeClassManifest, cluster: ManifestObject): SubjectFinding | undefined {
  const written = stringMapOf(cluster.raw.metadata?.tags);
  const spec = asRecord(object.raw.spec) ?? {};
  for (const { field, one, condition } of SELECTORS) {
    const terms = recordsOf(spec[field]);
    const isByOwnTags = terms.every((term) => isByTags(term) && differingTag(term, written) !== undefined);
    const [key, wanted] = (isByOwnTags && terms[0] && differingTag(terms[0], written)) || [];
    if (key === undefined || wanted === undefined) continue;
    return {
      path: ['spec', field, 0, 'tags', key],
      message:
        `selects ${one}s with the tag ${key}: ${wanted}, but eksctl tags those of cluster ${cluster.name} with ${key}: ${written[key]}: ` +
        `unless others exist, none is selected, EC2NodeClass ${object.name} stays without ${condition}, and nothing is launched`,
      remedy: `write ${key}: ${written[key]} here, or ${key}: ${wanted} in metadata.tags of the ClusterConfig`,
      evidence: { tag: key, wanted, found: [written[key]], consequence: 'not-ready' },
      related: { object: cluster, path: ['metadata', 'tags', key], label: `eksctl tags with ${written[key]}` },
    };
  }
  return undefined;
}

/** The tag of Karpenter's guides, which eksctl gives to nothing unless the file says so. Scripts may tag, too. */
function untaggedByEksctl({ object }: NodeClassManifest, cluster: ManifestObject): SubjectFinding | undefined {
  const written = cluster.raw.metadata?.tags;
  if (asRecord(cluster.raw.karpenter) === undefined || findUnresolved(written) !== undefined) return undefined;
  const spec = asRecord(object.raw.spec) ?? {};
  const terms = SELECTORS.flatMap(({ field }) => recordsOf(spec[field]));
  const values = terms.map(({ tags }) => stringMapOf(tags)[DISCOVERY]);
  const [value] = values;
  const isOnly = values.every((one) => one !== undefined && one === value) && findUnresolved(value) === undefined;
  if (!isOnly || value === undefined || Object.hasOwn(stringMapOf(written), DISCOVERY)) return undefined;
  const path = ['metadata', 'tags', DISCOVERY];
  return {
    path: ['spec', SELECTORS[0].field, 0, 'tags', DISCOVERY],
    severity: 'warning',
    message:
      `selects by the tag ${DISCOVERY}: ${value}, which eksctl gives to no subnet of cluster ${cluster.name}, because metadata.tags of its file does not have it: ` +
      `unless a script adds the tag, EC2NodeClass ${object.name} does not become ready, and nothing is launched`,
    remedy: `write ${DISCOVERY}: ${value} in metadata.tags of the ClusterConfig, which tags subnets and the security group`,
    evidence: { tag: DISCOVERY, wanted: value, found: [], consequence: 'not-ready' },
    related: { object: cluster, path: ['metadata'], label: 'has no such tag' },
    also: [{ object: cluster, fix: unsafeFix(setField(path, value)) }],
  };
}

/** A tag of the term that the cluster's file has with another value, both of them literal. */
function differingTag(
  { tags }: Readonly<Record<string, unknown>>,
  written: Readonly<Record<string, string>>,
): readonly [key: string, wanted: string] | undefined {
  return Object.entries(stringMapOf(tags)).find(
    ([key, wanted]) =>
      Object.hasOwn(written, key) && wanted !== '*' && covers(wanted, written[key]) === 'no' && !hasUnknown(wanted),
  );
}

function judgeSelector(
  selector: Selector,
  nodeClass: NodeClassManifest,
  { aws, writtenAws, nodeClasses: all }: ManifestModel,
): Array<SubjectFinding | Unknown> {
  const mismatch = mismatchOf(selector, nodeClass, aws);
  const misspelt = mismatch === undefined ? misspeltOf(selector, nodeClass, aws) : undefined;
  if (mismatch === undefined && misspelt === undefined)
    return [untaggedByModule(selector, nodeClass, aws, all) ?? []].flat();
  // Modules of Terraform have no tag that the files lack, unless an argument says it, which is read.
  if (aws.opaque.length > 0 && aws !== writtenAws)
    return [unknown(`other ${selector.one}s may be declared outside these templates`)];
  // Several node classes with the same tag have one cause.
  const isAlike = (other: NodeClassManifest) => {
    if (misspelt) return misspeltOf(selector, other, aws)?.written === misspelt.written;
    const found = mismatchOf(selector, other, aws);
    return found?.key === mismatch?.key && found?.wanted === mismatch?.wanted;
  };
  const alike = all.filter(isAlike);
  if (alike[0] !== nodeClass) return [];
  return [
    ...(mismatch ? [finding(selector, mismatch, alike)] : []),
    ...(misspelt ? [misspeltFinding(selector, misspelt, alike)] : []),
  ];
}

/** Tags that AWS or a module gives by itself. */
const OWN_TAGS = /^(?:Name$|aws:|kubernetes\.io\/cluster\/)/;

function tagsOfModules({ resources }: AwsModel): TemplateResource[] {
  return [...resources.values()].filter(({ type }) => type === 'Terraform::Tags');
}

/** A tag that the only module which makes such resources gives to none of them. */
function untaggedByModule(
  selector: Selector,
  nodeClass: NodeClassManifest,
  aws: AwsModel,
  all: readonly NodeClassManifest[],
): SubjectFinding | undefined {
  const { field, one, kind, condition } = selector;
  const written = tagsOfModules(aws).filter(({ properties: { Kind } }) => Kind === kind || Kind === 'any');
  const [module, ...others] = written.filter(({ properties }) => properties.Kind === kind);
  const keys = written.flatMap(({ properties: { Keys } }) => (Array.isArray(Keys) ? Keys.map(valueText) : [undefined]));
  const vpcs = [...aws.resources.values()].filter(({ type }) => type === 'AWS::EC2::VPC');
  const isWhole = others.length === 0 && !keys.includes(undefined) && vpcs.length === 1 && aws.clusters.length === 1;
  const missingIn = (other: NodeClassManifest) =>
    selectingNone(selector, other, aws).map(({ tags }) =>
      Object.keys(asRecord(tags) ?? {}).find((key) => !keys.includes(key) && !OWN_TAGS.test(key) && !hasUnknown(key)),
    );
  const missing = missingIn(nodeClass);
  const [key] = missing;
  if (module === undefined || !isWhole || key === undefined || missing.includes(undefined)) return undefined;
  const alike = all.filter((other) => missingIn(other)[0] === key);
  if (alike[0] !== nodeClass) return undefined;
  const name = valueText(module.properties.Name);
  const isUsual = [...aws.subnets, ...aws.securityGroups].some(({ tags = {} }) => Object.hasOwn(tags, key));
  const argument = kind === 'subnets' ? 'private_subnet_tags' : 'node_security_group_tags';
  const value = readable(valueText(asRecord(selectingNone(selector, nodeClass, aws)[0].tags)![key]));
  return {
    object: { ...module.object, name },
    path: [],
    message: `gives the tag ${key} to no ${one}, but ${one}s are selected by it: unless a script adds it, none is selected, ${withoutCondition(alike, condition)}`,
    severity: isUsual ? undefined : 'warning',
    remedy: `add "${key}" = "${value}" to ${argument} in ${name}`,
    evidence: {
      tag: key,
      wanted: value,
      found: [],
      nodeClasses: alike.map(({ object }) => object.name),
      consequence: 'not-ready',
    },
    related: { object: nodeClass.object, path: ['spec', field, 0, 'tags', key], label: `selects ${one}s by ${key}` },
  };
}

/** A tag that a term wants, and that resources have with other values only. */
interface Mismatch {
  readonly term: number;
  readonly key: string;
  readonly wanted: string;
  readonly others: readonly Tagged[];
}

/** The terms of a class, if they certainly select none of the resources. */
function selectingNone({ field, kind }: Selector, { object }: NodeClassManifest, aws: AwsModel): PlainRecord[] {
  const terms = recordsOf(asRecord(object.raw.spec)?.[field]);
  const resources: readonly Tagged[] = aws[kind];
  const isCertain = resources.every(
    (resource) =>
      resource.tags !== undefined &&
      !Object.keys(resource.tags).some(hasUnknown) &&
      terms.every((term) => isByTags(term) && selectsResource(term, resource) === 'no'),
  );
  return isCertain ? terms : [];
}

function misspeltOf(selector: Selector, nodeClass: NodeClassManifest, aws: AwsModel): MisspeltTag | undefined {
  return misspeltTag(selectingNone(selector, nodeClass, aws), aws[selector.kind]);
}

/** Undefined if a resource is selected, or may be, or if no resource has the tag. */
function mismatchOf(selector: Selector, nodeClass: NodeClassManifest, aws: AwsModel): Mismatch | undefined {
  const resources: readonly Tagged[] = aws[selector.kind];
  const terms = selectingNone(selector, nodeClass, aws);
  for (const [term, { tags }] of terms.entries())
    for (const [key, value] of Object.entries(asRecord(tags) ?? {})) {
      const wanted = valueText(value);
      const tagged = resources.filter((resource) => resource.tags![key] !== undefined);
      const isElsewhere = tagged.every((resource) => covers(wanted, resource.tags![key]) === 'no');
      // The API server refuses an empty value.
      if (wanted !== '' && wanted !== '*' && tagged.length > 0 && isElsewhere)
        return { term, key, wanted, others: tagged };
    }
  return undefined;
}

/** A term with an id or a name may select resources that exist already. */
function isByTags(term: Readonly<Record<string, unknown>>): boolean {
  return term.id === undefined && term.name === undefined && asRecord(term.tags) !== undefined;
}

function finding(
  { field, one, condition }: Selector,
  { term, key, wanted, others }: Mismatch,
  classes: readonly NodeClassManifest[],
): SubjectFinding {
  const values = [...new Set(others.map(({ tags }) => tags![key]))].sort();
  const names = others.map(({ resource }) => resource.object.name);
  const [{ resource, tags: own }] = others;
  const isSame = values.every((value) => sameText(value, values[0]) === 'yes');
  return {
    path: ['spec', field, term, 'tags', key],
    message:
      `selects ${one}s with the tag ${key}: ${wanted}, but ${names.length === 1 ? `${one} ${names[0]} has` : `the ${one}s of the input (${shortListText(names, 3)}) have`} ` +
      `it with ${listText(values.map(readable))}: unless others exist, none is selected, ${withoutCondition(classes, condition)}`,
    remedy: isSame
      ? `write ${key}: ${readable(values[0])} here, or tag the ${one}s with ${wanted}`
      : `write the same value here and in the tags of the ${one}s`,
    evidence: {
      tag: key,
      wanted,
      found: values,
      resources: names,
      nodeClasses: classes.map(({ object }) => object.name),
      consequence: 'not-ready',
    },
    related: {
      object: resource.object,
      path: ['Properties', 'Tags'],
      label: `the tag ${key} of this ${one} is ${readable(own![key])}`,
    },
  };
}

function withoutCondition(classes: readonly NodeClassManifest[], condition: string): string {
  const names = shortListText(classes.map(({ object }) => object.name));
  return `${classes.length === 1 ? `EC2NodeClass ${names} stays` : `EC2NodeClasses ${names} stay`} without ${condition}, and nothing is launched`;
}

/** A finding about the resource, unless it has the usual key: then the class has the misspelt one. */
function misspeltFinding(
  { field, one, condition }: Selector,
  { term, wanted, written, resources }: MisspeltTag,
  classes: readonly NodeClassManifest[],
): SubjectFinding {
  const names = [...new Set(resources.map(({ resource }) => resource.object.name))];
  const ofClass = { object: classes[0].object, path: ['spec', field, term, 'tags', wanted] };
  const ofResource = { object: resources[0].resource.object, path: ['Properties', 'Tags'] };
  const isOfClass = written === DISCOVERY;
  const others =
    names.length === 1 ? '' : ` (as ${names.length === 2 ? 'has' : 'have'} ${shortListText(names.slice(1), 3)})`;
  const difference = isOfClass
    ? `selects ${one}s by the tag ${wanted}, but ${shortListText(names, 3)} ${names.length === 1 ? 'has' : 'have'} ${written}`
    : `has the tag ${written}${others}, but ${one}s are selected by ${wanted}`;
  return {
    ...(isOfClass ? ofClass : ofResource),
    message: `${difference}: unless others exist, none is selected, ${withoutCondition(classes, condition)}`,
    remedy: `write ${isOfClass ? written : wanted}`,
    evidence: {
      tag: wanted,
      found: [written],
      resources: names,
      nodeClasses: classes.map(({ object }) => object.name),
      consequence: 'not-ready',
    },
    related: isOfClass ? { ...ofResource, label: `has ${written}` } : { ...ofClass, label: `selects by ${wanted}` },
  };
}
