import { renamedClass } from './renamed-class';
import {
  EC2_NODE_CLASS_API,
  FieldFix,
  removeField,
  safeFix,
  setField,
  setFirstField,
  unsafeFix,
} from '../../../contract';
import { listText, nearestName, shortListText } from '../../../model';
import { isAutoMode } from '../../eks-auto-mode';
import { whyUnresolved } from '../../manifest/find-unresolved';
import { NodePoolManifest } from '../../manifest/model';
import { hasPlaceholder } from '../../manifest/placeholders/placeholder';
import { defineRule, Judgement, SubjectFinding, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { nodePoolManifests } from '../subjects';

const REF_PATH = ['spec', 'template', 'spec', 'nodeClassRef'];
const REMEDY = `write group: ${EC2_NODE_CLASS_API.group}, kind: ${EC2_NODE_CLASS_API.kind} and the name of the class`;

/** @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecnodeclassref */
export const nodeClassRefIncompleteOrDangling = defineRule({
  id: 'KARP-103',
  name: 'nodeclassref-incomplete-or-dangling',
  severity: 'error',
  summary:
    "A NodePool's nodeClassRef is incomplete, in the old form, or names a missing class: the NodePool never becomes ready.",
  subjects: nodePoolManifests(),
  judge(pool, context) {
    const ref = pool.nodeClassRef;
    if (isAutoMode(pool)) {
      return unknown('its node class belongs to EKS Auto Mode, whose classes this tool does not read');
    }
    const isFound = context.model.nodeClasses.some((nodeClass) => nodeClass.object.name === ref?.name);
    const why = whyUnresolved([ref?.group, ref?.kind, isFound ? undefined : ref?.name]);
    if (why !== undefined) return unknown(why);
    return judgeForm(pool) ?? judgeTarget(context, pool);
  },
});

function judgeForm({ nodeClassRef: ref }: NodePoolManifest): SubjectFinding | undefined {
  const evidence = {
    group: ref?.group ?? null,
    kind: ref?.kind ?? null,
    name: ref?.name ?? null,
    apiVersion: ref?.apiVersion ?? null,
  };
  const base = { path: REF_PATH, remedy: REMEDY, evidence };
  const missing = (['group', 'kind', 'name'] as const).filter((key) => ref?.[key] === undefined || ref[key] === '');
  if (missing.length > 0) {
    const old = ref?.apiVersion === undefined ? '' : ' but with apiVersion, the form of v1beta1';
    const what = ref === undefined ? 'has no nodeClassRef' : `has a nodeClassRef without ${listText(missing)}${old}`;
    return {
      ...base,
      evidence: { ...evidence, consequence: 'rejected' },
      message: `${what}: the API server rejects the NodePool`,
      fix: ref === undefined ? undefined : missingFix(missing),
    };
  }
  if (ref!.group!.includes('/')) {
    return {
      ...base,
      evidence: { ...evidence, consequence: 'rejected' },
      message: `nodeClassRef.group is ${ref!.group}, but a group has no version: the API server rejects the NodePool`,
      fix:
        ref!.group!.split('/')[0] === EC2_NODE_CLASS_API.group
          ? safeFix(setField([...REF_PATH, 'group'], EC2_NODE_CLASS_API.group))
          : undefined,
    };
  }
  if (ref!.group !== EC2_NODE_CLASS_API.group || ref!.kind !== EC2_NODE_CLASS_API.kind) {
    return {
      ...base,
      evidence: { ...evidence, consequence: 'not-ready' },
      fix:
        ref!.group === EC2_NODE_CLASS_API.group
          ? unsafeFix(setField([...REF_PATH, 'kind'], EC2_NODE_CLASS_API.kind))
          : undefined,
      message: `refers to ${ref!.kind} of group ${ref!.group}, which Karpenter for AWS does not manage: Karpenter ignores the NodePool`,
    };
  }
  if (ref!.apiVersion !== undefined) {
    return {
      ...base,
      path: [...REF_PATH, 'apiVersion'],
      message: 'nodeClassRef has apiVersion, a field that v1 does not have',
      remedy: 'delete apiVersion: group, kind and name are enough',
      fix: safeFix(removeField([...REF_PATH, 'apiVersion'])),
    };
  }
  return undefined;
}

function judgeTarget(context: RuleContext, pool: NodePoolManifest): Judgement {
  const { model } = context;
  const { nodeClassRef: ref } = pool;
  // A class with an old API version counts here, as it is written and as it is converted; KARP-101 reports it.
  const own = model.nodeClasses.map(({ object }) => object);
  const classes = [...model.objects, ...own, ...(model.cluster?.objects ?? [])]
    .filter(
      ({ apiVersion, kind }) =>
        kind === EC2_NODE_CLASS_API.kind && apiVersion.startsWith(`${EC2_NODE_CLASS_API.group}/`),
    )
    .map(({ name }) => name);
  if (classes.includes(ref!.name!)) {
    return undefined;
  }
  if (classes.length === 0) {
    return unknown(`the input contains no EC2NodeClass, so ${ref!.name} may be defined elsewhere`);
  }
  const filledIn = classes.find(hasPlaceholder);
  if (filledIn !== undefined) return unknown(`the name of EC2NodeClass ${filledIn} is filled in later`);
  const renamed = renamedClass(context, pool);
  if (renamed) return { ...renamed, path: [...REF_PATH, 'name'] };
  const names = [...new Set(classes)].sort();
  const nearest = nearestName(ref!.name!, names);
  const choices = nearest === undefined ? `refer to ${listText(names.slice(0, 5), 'or')}` : `write name: ${nearest}`;
  return {
    path: [...REF_PATH, 'name'],
    message: `refers to EC2NodeClass ${ref!.name}, which is not in the input (it has ${shortListText(names)}): the NodePool stays NotReady and launches no nodes`,
    remedy: `${choices}, or add the manifest of EC2NodeClass ${ref!.name} to the input`,
    evidence: { nodeClass: ref!.name, known: names },
    fix: nearest === undefined ? undefined : unsafeFix(setField([...REF_PATH, 'name'], nearest)),
  };
}

/** Only group and kind have one possible value. */
function missingFix(missing: readonly string[]): FieldFix | undefined {
  if (missing.includes('name')) return undefined;
  const values: Readonly<Record<string, string>> = { group: EC2_NODE_CLASS_API.group, kind: EC2_NODE_CLASS_API.kind };
  return safeFix(...missing.map((key) => setFirstField([...REF_PATH, key], values[key])));
}
