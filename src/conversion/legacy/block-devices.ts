import { isMap } from 'yaml';
import { acceptsField } from '../../contract';
import { Quantity } from '../../model';
import { Fields } from '../yaml/fields';

const GIBIBYTE = 1024n ** 3n;

/** v1 takes sizes in whole Gi, G, Ti or T; earlier releases took any quantity, and rounded up to Gi. */
export function moveBlockDevices(from: Fields, into: Fields): void {
  into.add(from.take('blockDeviceMappings'));
  for (const device of into.items('blockDeviceMappings')) {
    const ebs = isMap(device) ? new Fields(device).inner('ebs') : undefined;
    const size = ebs?.plain('volumeSize');
    if (ebs && size !== undefined) roundUp(ebs, String(size));
  }
}

function roundUp(ebs: Fields, size: string): void {
  if (acceptsField('EC2NodeClass', ['blockDeviceMappings', 0, 'ebs', 'volumeSize'], size)) return;
  const bytes = Quantity.tryParse(size)?.value();
  if (bytes !== undefined && bytes > 0n) ebs.set('volumeSize', `${(bytes + GIBIBYTE - 1n) / GIBIBYTE}Gi`);
}
