import { safeFix, setField, unsafeFix } from './field-edit';
import { asRecord, FieldPath, FieldProblem, misread } from './field-problem';
import { numberText, Quantity, valueText } from '../model';

/** `M` is left out: it is the unit `m` in capitals. */
const BYTES_UNIT = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|Pi|Ei|[kGTPE])$/;
const THOUSANDTHS = /^\d+m$/;
/** A smaller number of `Mi` is no amount of CPU that anybody requests in thousandths. */
const FEWEST_MILLICPUS = 10;
/** More CPUs than containers have: the number is one of thousandths. */
const MOST_CPUS = 200;
/** A larger number of memory without a unit is one of bytes or mebibytes. */
const MOST_MEANT_CPUS = 64;

/**
 * The problem of an amount of CPU with a unit of bytes, such as `2Gi`: the API server accepts it as 2,147,483,648 CPUs.
 * If the memory beside it is an amount of CPU, the two were exchanged.
 *
 * @param memory the amount of memory in the same list
 */
export function cpuUnitProblem(path: FieldPath, raw: unknown, memory?: unknown): FieldProblem | undefined {
  const [, digits, unit] = BYTES_UNIT.exec(valueText(raw)) ?? [];
  if (digits === undefined) return undefined;
  const cpus = Quantity.parse(valueText(raw)).nanos / 1_000_000_000n;
  // A limit that is too high does no harm.
  const isSevere = !path.includes('limits');
  const what = `is ${numberText(Number(cpus))} CPUs, because ${unit} is a unit of memory`;
  if (isAmountOfCpu(memory))
    return {
      ...misread(
        path,
        `${what}, and the memory beside it is an amount of CPU: the two are exchanged`,
        raw,
        `write cpu: ${valueText(memory)} and memory: ${valueText(raw)}`,
        unsafeFix(setField(path, valueText(memory)), setField([...path.slice(0, -1), 'memory'], valueText(raw))),
      ),
      isSevere,
    };
  const meant = meantCpus(Number(digits), unit);
  const remedy =
    meant === undefined ? 'write the number of CPUs, or thousandths of a CPU such as 500m' : `write cpu: ${meant}`;
  const isCertain = unit === 'Mi' && meant !== digits;
  const fix = meant === undefined ? undefined : (isCertain ? safeFix : unsafeFix)(setField(path, meant));
  return { ...misread(path, what, raw, remedy, fix), isSevere };
}

function meantCpus(number: number, unit: string): string | undefined {
  if (unit === 'Mi') return number < FEWEST_MILLICPUS ? String(number) : `${number}m`;
  return unit === 'Gi' || unit === 'G' ? (number > MOST_CPUS ? `${number}m` : String(number)) : undefined;
}

/** Whether an amount of memory is one of CPU: thousandths, or a small number without a unit. */
export function isAmountOfCpu(memory: unknown): boolean {
  const text = valueText(memory ?? '');
  return (
    THOUSANDTHS.test(text) || (/^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= MOST_MEANT_CPUS)
  );
}

/** The CPUs of a list of amounts for nodes, such as the limits of a NodePool. */
export function checkCpuUnit(path: FieldPath, raw: unknown, consequence: string): FieldProblem[] {
  const { cpu } = asRecord(raw) ?? {};
  const [, digits, unit] = BYTES_UNIT.exec(valueText(cpu ?? '')) ?? [];
  if (digits === undefined || unit === 'k') return [];
  const place = [...path, 'cpu'];
  const cpus = Quantity.parse(valueText(cpu)).nanos / 1_000_000_000n;
  const problem = `is ${numberText(Number(cpus))} CPUs, because ${unit} is a unit of memory: ${consequence}`;
  return [misread(place, problem, cpu, `write ${digits}`, unsafeFix(setField(place, digits)))];
}
