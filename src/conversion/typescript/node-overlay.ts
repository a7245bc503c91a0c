import { Cursor, number, struct, Writer } from './cursor';
import { call, Expression, literal } from './expression';
import { quantities } from './quantities';
import { RequirementReferences, requirements } from './requirements';

/** Writes the properties of a NodeOverlay from the whole object. */
export function nodeOverlayProps(pools: RequirementReferences): Writer {
  return struct({
    requirements: ['spec.requirements', requirements(pools)],
    price: ['spec.price', decimal],
    priceAdjustment: ['spec.priceAdjustment', adjustment],
    capacity: ['spec.capacity', quantities],
    weight: ['spec.weight', number],
  });
}

function decimal({ value }: Cursor): Expression | undefined {
  const amount = Number(value);
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(amount) ? literal(amount) : undefined;
}

function adjustment({ value }: Cursor): Expression | undefined {
  const [, amount, percent] = /^([-+]?\d+(?:\.\d+)?)(%?)$/.exec(String(value)) ?? [];
  return amount === undefined ? undefined : call('nodes.PriceAdjustment', percent ? 'percent' : 'amount', literal(Number(amount)));
}
