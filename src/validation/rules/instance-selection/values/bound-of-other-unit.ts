import { FieldFix, FieldPath, setField, unsafeFix } from '../../../../contract';
import { Label, labelName, listText, numberText, valueText } from '../../../../model';
import { RuleContext } from '../../rule';

interface UnitOfLabel {
  readonly unit: string;
  readonly larger: string;
  readonly factor: number;
}

const MEMORY: UnitOfLabel = { unit: 'MiB', larger: 'GiB', factor: 1024 };
const BANDWIDTH: UnitOfLabel = { unit: 'Mbps', larger: 'Gbps', factor: 1000 };

/** The units of labels whose values are often written in the next larger unit. */
const UNITS: ReadonlyMap<string, UnitOfLabel> = new Map<string, UnitOfLabel>([
  [Label.INSTANCE_MEMORY, MEMORY],
  [Label.INSTANCE_GPU_MEMORY, MEMORY],
  [Label.INSTANCE_EBS_BANDWIDTH, BANDWIDTH],
  [Label.INSTANCE_NETWORK_BANDWIDTH, BANDWIDTH],
]);

/** A bound or a list of values that only makes sense in a larger unit than that of the label. */
export interface OtherUnit {
  readonly path: FieldPath;
  readonly message: string;
  readonly remedy: string;
  readonly fix: FieldFix;
  /** Whether no instance type meets the requirement. */
  readonly excludesAll: boolean;
}

/** Undefined unless all instance types, or none, meet the requirement, and some of them in the larger unit. */
export function boundOfOtherUnit(
  { catalog }: RuleContext,
  { label, operator, values }: { readonly label: string; readonly operator: unknown; readonly values: unknown },
  path: FieldPath,
): OtherUnit | undefined {
  const unit = UNITS.get(label);
  const known = catalog.numbersOf(label).filter(Number.isFinite);
  if (unit === undefined || known.length === 0 || !Array.isArray(values)) return undefined;
  const written = values.map(Number);
  if (written.length === 0 || !written.every((value) => Number.isInteger(value) && value > 0)) return undefined;
  const scaled = written.map((value) => value * unit.factor);
  const effect = effectOf(operator, written, known);
  const meant = effectOf(operator, scaled, known);
  if (effect === undefined || meant !== 'some' || effect === 'some') return undefined;
  const amounts = listText(written.map((value) => `${numberText(value)} ${unit.unit}`));
  const isBound = operator !== 'In';
  const what = isBound
    ? `${effect === 'all' ? 'every' : 'no'} instance type has ${PHRASES[valueText(operator)]}`
    : 'no instance type has';
  return {
    path,
    message: `${labelName(label)} is in ${unit.unit}, and ${what} ${amounts}: the requirement ${effect === 'all' ? 'excludes nothing' : 'excludes all'}`,
    remedy: `write ${listText(scaled.map(String))} for ${listText(written.map((value) => `${numberText(value)} ${unit.larger}`))}`,
    fix: unsafeFix(...scaled.map((value, index) => setField([...path, index], String(value)))),
    excludesAll: effect === 'none',
  };
}

const PHRASES: Readonly<Record<string, string>> = {
  Gt: 'more than',
  Gte: 'at least',
  Lt: 'less than',
  Lte: 'at most',
};

/** How many of the values a requirement allows; undefined for other operators. */
function effectOf(
  operator: unknown,
  written: readonly number[],
  known: readonly number[],
): 'all' | 'some' | 'none' | undefined {
  const [bound] = written;
  const allows: Readonly<Record<string, (value: number) => boolean>> = {
    Gt: (value) => value > bound,
    Gte: (value) => value >= bound,
    Lt: (value) => value < bound,
    Lte: (value) => value <= bound,
    In: (value) => written.includes(value),
  };
  const isAllowed = allows[valueText(operator)];
  if (isAllowed === undefined) return undefined;
  const count = known.filter(isAllowed).length;
  return count === 0 ? 'none' : count === known.length ? 'all' : 'some';
}
