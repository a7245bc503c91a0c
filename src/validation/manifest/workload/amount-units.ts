import { cpuUnitProblem, FieldPath, isAmountOfCpu, misread, safeFix, setField, unsafeFix } from '../../../contract';
import { countText, Quantity, valueText } from '../../../model';
import { FieldReader } from '../field-reader';
import { PlainRecord } from '../records';

/** No container runs with so few bytes, so that a unit was forgotten, or `m` written for `Mi`. */
const FEWEST_BYTES = 2 ** 20;
const BYTES_WITHOUT_UNIT = /^([1-9]\d*)(m?)$/;
/** A number of memory up to this one was meant in GiB: no container runs with so few MiB. */
const FEW_GIBIBYTES = 16;

/** An amount of a container, and the list that it is in. */
export interface WrittenAmount {
  readonly resource: string;
  readonly quantity: Quantity;
  readonly value: unknown;
  readonly beside: PlainRecord;
}

/** The API server accepts CPUs in a unit of memory, and memory without a unit. */
export function checkUnit(reader: FieldReader, path: FieldPath, amount: WrittenAmount): void {
  const { resource, value, beside } = amount;
  if (resource === 'cpu') {
    const problem = cpuUnitProblem(path, value, beside.memory);
    if (problem !== undefined) reader.add(problem);
    return;
  }
  // The finding about the CPUs says that the two are exchanged.
  if (resource === 'memory' && isAmountOfCpu(value) && cpuUnitProblem(path, beside.cpu ?? '') !== undefined) return;
  warnAboutFewBytes(reader, path, amount);
}

/** The API server accepts `512m` of memory: half a byte, which it rounds up to 1. */
function warnAboutFewBytes(reader: FieldReader, path: FieldPath, { resource, quantity, value }: WrittenAmount): void {
  const [, digits, milli] = BYTES_WITHOUT_UNIT.exec(valueText(value)) ?? [];
  const isMemory = resource === 'memory' || resource === 'ephemeral-storage';
  if (!isMemory || digits === undefined || quantity.nanos >= BigInt(FEWEST_BYTES) * 1_000_000_000n) return;
  const bytes = countText(Math.ceil(Number(quantity.nanos) / 1e9), 'byte');
  const problem = milli
    ? `is ${bytes}, because m is a thousandth; it looks like Mi, which is 2^20 bytes`
    : `is ${bytes}, because it has no unit, and no container runs with so few`;
  const isInGibibytes = milli === '' && Number(digits) <= FEW_GIBIBYTES;
  const meant = `${digits}${isInGibibytes ? 'Gi' : 'Mi'}`;
  const fix = (isInGibibytes ? unsafeFix : safeFix)(setField(path, meant));
  reader.add(misread(path, problem, value, `write ${meant}`, fix));
}
