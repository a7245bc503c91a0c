import { asRecord } from '../../../contract';
import { Quantity } from '../../../model';
import { podVolumeBytes, sizedClass } from '../../explain/pod-volumes';
import { recordsOf } from '../../manifest/records';
import { placementsOf } from '../common/placements';
import { podSpecOf } from '../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { workloads } from '../subjects';

const GIB = 2 ** 30;
/** The kubelet evicts pods below a tenth of the volume. */
const USABLE = 0.9;
/** A larger limit is rather meant as none. */
const MAX_GIBIBYTES = 2048;

/** @see https://kubernetes.io/docs/concepts/storage/volumes/#emptydir */
export const scratchAboveNodeVolume = defineRule({
  id: 'KARP-831',
  name: 'scratch-above-node-volume',
  severity: 'warning',
  summary: 'An emptyDir may hold more than the volume of the planned nodes: the kubelet evicts pods before it is full.',
  subjects: workloads({ where: ({ kind }) => kind !== 'DaemonSet' }),
  judge(workload, context) {
    const scratch = recordsOf(podSpecOf(workload)?.volumes).flatMap(({ name, emptyDir }, index) => {
      const { medium, sizeLimit } = asRecord(emptyDir) ?? {};
      const bytes = medium === undefined || medium === '' ? Quantity.tryParse(sizeLimit)?.value() : undefined;
      return bytes === undefined ? [] : [{ name, index, bytes: Number(bytes), sizeLimit }];
    });
    const [largest] = scratch.sort((left, right) => right.bytes - left.bytes);
    const placements = placementsOf(context, workload);
    if (largest === undefined || placements.length === 0 || largest.bytes > MAX_GIBIBYTES * GIB) return NOT_APPLICABLE;
    const classes = placements.map(({ claim }) => {
      const pool = context.model.nodePools.find(({ spec }) => claim !== undefined && spec?.name === claim.nodePool);
      return context.input.nodeClasses.get(pool?.spec?.nodeClass ?? '');
    });
    const sizes = classes.map((facts) => facts && podVolumeBytes(facts));
    const size = sizes.every((each) => each !== undefined) ? Math.max(...sizes) : Infinity;
    const [facts] = classes;
    const manifest = context.model.nodeClasses.find(({ object }) => object.name === facts?.name);
    if (largest.bytes <= size || facts === undefined || manifest === undefined) return undefined;
    const sized = sizedClass(facts, manifest, Math.ceil((largest.bytes + GIB) / USABLE / GIB));
    return {
      path: [...workload.podPath, 'volumes', largest.index, 'emptyDir', 'sizeLimit'],
      message: `its volume ${String(largest.name)} may hold ${String(largest.sizeLimit)}, and all pods of a node of EC2NodeClass ${facts.name} share ${Math.round(size / GIB)} GiB: the kubelet evicts pods before it is full`,
      remedy: `${sized?.description ?? 'enlarge the volume of the node class'}, or write a smaller sizeLimit`,
      evidence: { sizeLimit: largest.sizeLimit, volumeBytes: size },
      ...(sized === undefined ? {} : { also: [{ object: manifest.object, fix: sized.fix }] }),
    } satisfies SubjectFinding;
  },
});
