import { Cursor, number, struct, Writer } from './cursor';
import { call, Expression, literal } from './expression';
import { quantities } from './quantities';
import { RequirementReferences, requirements } from './requirements';
import { valueText } from '../../model';

/** Writes the properties of a NodeOverlay from the whole object. */
export function nodeOverlayProps(pools: RequirementReferences): Writer {
  return struct({
    requirements: ['spec.requirements', requirements(pools)],
    price: [
      ['spec.price', fixedPrice],
      ['spec.priceAdjustment', adjustedPrice],
    ],
    capacity: ['spec.capacity', quantities],
    weight: ['spec.weight', number],
  });
}

function fixedPrice({ value }: Cursor): Expression | undefined {
  const amount = Number(value);
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(amount)
    ? call('nodes.OverlayPrice', 'fixed', literal(amount))
    : undefined;
}

function adjustedPrice({ value }: Cursor): Expression | undefined {
  const [, amount, percent] = /^([-+]?\d+(?:\.\d+)?)(%?)$/.exec(valueText(value)) ?? [];
  return amount === undefined
    ? undefined
    : call('nodes.OverlayPrice', percent ? 'adjustedByPercent' : 'adjustedBy', literal(Number(amount)));
}
