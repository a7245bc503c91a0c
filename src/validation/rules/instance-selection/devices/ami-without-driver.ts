import { allDeviceNodes, DeviceNodes } from './device-nodes';
import { setField, unsafeFix, variantWithoutDriver } from '../../../../contract';
import { countText, valueText } from '../../../../model';
import { NodeClassManifest } from '../../../manifest/model';
import { PlainRecord, recordsOf } from '../../../manifest/records';
import { defineRule } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsWith } from '../../subjects';

interface DeviceClass {
  readonly nodeClass: NodeClassManifest;
  readonly nodes: DeviceNodes;
}

/** Programs of the cluster that install drivers on nodes. */
const INSTALLER = /gpu-operator|nvidia-driver/i;

/**
 * A class with an alias has the right AMI for each instance type. AMIs by name have no requirements but their
 * architecture.
 *
 * @see https://karpenter.sh/docs/concepts/nodeclasses/#specamiselectorterms
 */
export const amiWithoutDriver = defineRule({
  id: 'KARP-267',
  name: 'ami-without-driver',
  severity: 'error',
  summary: 'Planned nodes are for pods with a device, and run an AMI of Amazon EKS without the driver of the device.',
  subjects: subjectsWith<DeviceClass>(({ nodeClass }) => nodeClass.object, classesOfDevices),
  judge({ nodeClass: { object }, nodes: { resource, claims, pool, pods } }, { model }) {
    const terms = recordsOf(object.raw?.spec?.amiSelectorTerms);
    const variants = terms.map((term) => variantWithoutDriver(amiOf(term), resource));
    const [first] = variants;
    if (first === undefined || variants.includes(undefined)) return undefined;
    // A script may install anything.
    if (/nvidia|cuda|neuron/i.test(valueText(object.raw?.spec?.userData ?? ''))) return undefined;
    if (model.objects.some(({ raw }) => INSTALLER.test(JSON.stringify(raw) ?? ''))) return undefined;
    const field = terms[0].name === undefined ? 'ssmParameter' : 'name';
    const path = ['spec', 'amiSelectorTerms', 0, field];
    const sharing = model.nodePools.filter(({ spec }) => spec?.nodeClass === object.name && spec.name !== pool.name);
    const isOwn = sharing.length === 0;
    return {
      path,
      message: `is the ${first.variant} variant, which has no driver for ${resource}: NodePool ${pool.name} launches ${countText(claims.length, 'node')} for pods that request it, the kubelet never reports the device, and the pods stay Pending while the nodes are paid for`,
      remedy: `${isOwn ? '' : `use a class of its own for NodePool ${pool.name}, and there `}write ${field}: ${first.instead}`,
      evidence: { resource, variant: first.variant, nodePool: pool.name, nodes: claims.length, stuckPods: pods },
      ...(isOwn && terms.length === 1 ? { fix: unsafeFix(setField(path, first.instead)) } : {}),
    };
  },
});

function classesOfDevices(context: RuleContext): DeviceClass[] {
  return allDeviceNodes(context).flatMap((nodes) => {
    const nodeClass = context.model.nodeClasses.find(({ object }) => object.name === nodes.pool.spec.nodeClass);
    return nodeClass === undefined || nodeClass.facts === undefined ? [] : [{ nodeClass, nodes }];
  });
}

function amiOf({ name, ssmParameter }: PlainRecord): string {
  const selected = name ?? ssmParameter;
  return typeof selected === 'string' ? selected : '';
}
