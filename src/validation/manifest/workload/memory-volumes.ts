import { asRecord, FieldPath, misread, setField, unsafeFix } from '../../../contract';
import { Quantity } from '../../../model';
import { FieldReader } from '../field-reader';
import { PlainRecord, recordsOf } from '../records';

/**
 * Reports volumes in memory that may hold more than the containers that mount them: files count as memory of the
 * container that writes them.
 *
 * @see https://kubernetes.io/docs/concepts/storage/volumes/#emptydir
 */
export function checkMemoryVolumes(reader: FieldReader, path: FieldPath, spec: PlainRecord): void {
  // Limits of the whole pod replace those of its containers.
  if (spec.resources !== undefined) return;
  recordsOf(spec.volumes).forEach(({ name, emptyDir }, index) => {
    const { medium, sizeLimit } = asRecord(emptyDir) ?? {};
    const size = medium === 'Memory' ? Quantity.tryParse(sizeLimit) : undefined;
    const mounting = ['initContainers', 'containers'].flatMap((field) =>
      recordsOf(spec[field]).flatMap((container, i) =>
        recordsOf(container.volumeMounts).some((mount) => mount.name === name)
          ? [{ container, place: [...path, field, i, 'resources'], ...limitOf(container) }]
          : [],
      ),
    );
    const [largest] = [...mounting].sort((left, right) => Number(right.bytes - left.bytes));
    if (size === undefined || largest === undefined || mounting.some(({ bytes }) => bytes === 0n)) return;
    if (size.value() <= largest.bytes) return;
    const needed = Quantity.of(size.value() + largest.bytes, 'BinarySI').toString();
    // Without a request, Kubernetes takes the limit, and Karpenter would plan larger nodes.
    const request = largest.isRequested ? [] : [setField([...largest.place, 'requests', 'memory'], largest.limit)];
    const edits = [setField([...largest.place, 'limits', 'memory'], needed), ...request];
    reader.add(
      misread(
        [...path, 'volumes', index, 'emptyDir', 'sizeLimit'],
        `must be below the memory limit of container ${String(largest.container.name)}, which is ${String(largest.limit)}: files in memory count as its own, so it is killed before the volume is full`,
        sizeLimit,
        `write limits.memory: ${needed} for the container, which holds both, or a smaller sizeLimit`,
        unsafeFix(...edits),
      ),
    );
  });
}

function limitOf({ resources }: PlainRecord) {
  const { limits, requests } = asRecord(resources) ?? {};
  const { memory } = asRecord(limits) ?? {};
  const isRequested = asRecord(requests)?.memory !== undefined;
  return { limit: memory, bytes: Quantity.tryParse(memory)?.value() ?? 0n, isRequested };
}
