import { asRecord, formatValue } from '../../../contract';
import { valueText } from '../../../model';
import { ReplacedList } from '../../manifest/model';

interface Operation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

type Entry = Readonly<Record<string, unknown>>;

/** What the patch drops from the list, in words. Empty if the list shows that the author meant to replace it. */
export function lostEntries(list: ReplacedList): string[] {
  const { before, after, built } = list;
  if (after.length === 0 || forbidsAllDisruption(list)) return [];
  const kept = new Set([...after, ...built].map((entry) => keyOf(entry, list)));
  const isOverride = after.some((entry) => before.some((other) => keyOf(other, list) === keyOf(entry, list)));
  // A selector term of another form may stand for the terms of the base.
  if (fieldOf(list).endsWith('SelectorTerms') && !isOverride) return [];
  const lost = [
    ...before.filter((entry) => !kept.has(keyOf(entry, list))).map((entry) => textOf(entry, list)),
    ...lostVolumeFields(list),
  ];
  // To repeat what does not change makes sense only if the rest is to go.
  return unchangedCount(list) >= lost.length ? [] : lost;
}

/** The operations of a JSON patch that change the list as the patch does, and lose nothing. */
export function operationsThatKeep(list: ReplacedList): Operation[] {
  const { before, after, path } = list;
  const place = `/${path.join('/')}`;
  return after.flatMap((entry): Operation[] => {
    const index = before.findIndex((other) => keyOf(other, list) === keyOf(entry, list));
    if (index < 0) return [{ op: 'add', path: `${place}/-`, value: entry }];
    if (isSame(before[index], entry)) return [];
    const [old, changed] = [asRecord(before[index]) ?? {}, asRecord(entry) ?? {}];
    const isPartial = fieldOf(list) === 'blockDeviceMappings';
    // A field that the entry no longer has may contradict the others, such as values beside the operator Exists.
    if (!isPartial && Object.keys(old).some((name) => !(name in changed)))
      return [{ op: 'replace', path: `${place}/${index}`, value: entry }];
    return changedFields(old, changed, `${place}/${index}`);
  });
}

/** The list of the base with the entries of the patch in place of those that are about the same thing. */
export function mergedEntries(list: ReplacedList): unknown[] {
  const { before, after } = list;
  const own = new Map(after.map((entry) => [keyOf(entry, list), entry]));
  const known = new Set(before.map((entry) => keyOf(entry, list)));
  const merged = before.map((entry) => {
    const change = own.get(keyOf(entry, list));
    return change === undefined || fieldOf(list) !== 'blockDeviceMappings'
      ? (change ?? entry)
      : { ...asRecord(entry), ...asRecord(change), ebs: { ...ebsOf(entry), ...ebsOf(change) } };
  });
  return [...merged, ...after.filter((entry) => !known.has(keyOf(entry, list)))];
}

/** Single fields where the patch has no others; mappings are entered. */
function changedFields(before: Entry, after: Entry, place: string): Operation[] {
  return Object.entries(after).flatMap(([name, value]): Operation[] => {
    const [old, inner] = [asRecord(before[name]), asRecord(value)];
    const path = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (old && inner) return changedFields(old, inner, path);
    if (isSame(before[name], value)) return [];
    return [{ op: name in before ? 'replace' : 'add', path, value }];
  });
}

function lostVolumeFields(list: ReplacedList): string[] {
  if (fieldOf(list) !== 'blockDeviceMappings') return [];
  return list.before.flatMap((entry) => {
    const key = keyOf(entry, list);
    const built = list.built.find((other) => keyOf(other, list) === key);
    if (!list.after.some((other) => keyOf(other, list) === key) || built === undefined) return [];
    const ebs = ebsOf(built);
    return Object.entries(ebsOf(entry))
      .filter(([name]) => !(name in ebs))
      .map(([name, value]) => `ebs.${name} ${formatValue(value)} of ${key}`);
  });
}

/** Entries that the patch repeats, or fields of volumes. */
function unchangedCount(list: ReplacedList): number {
  return list.after.reduce<number>((count, entry) => {
    if (list.before.some((other) => isSame(other, entry))) return count + 1;
    if (fieldOf(list) !== 'blockDeviceMappings') return count;
    const old = ebsOf(list.before.find((other) => keyOf(other, list) === keyOf(entry, list)));
    return count + Object.entries(ebsOf(entry)).filter(([name, value]) => isSame(old[name], value)).length;
  }, 0);
}

function ebsOf(entry: unknown): Entry {
  return asRecord(asRecord(entry)?.ebs) ?? {};
}

/** What makes two entries about the same thing. */
function keyOf(entry: unknown, list: ReplacedList): string {
  const { key, deviceName, schedule, reasons, tags, ...fields } = asRecord(entry) ?? {};
  switch (fieldOf(list)) {
    case 'budgets':
      return JSON.stringify([schedule ?? null, Array.isArray(reasons) ? [...reasons].sort() : null]);
    case 'blockDeviceMappings':
      return valueText(deviceName);
    case 'requirements':
    case 'taints':
    case 'startupTaints':
      return valueText(key);
    default:
      return JSON.stringify([Object.keys(fields).sort(), Object.keys(asRecord(tags) ?? {}).sort()]);
  }
}

function textOf(entry: unknown, list: ReplacedList): string {
  const { key, operator, values, value, effect, deviceName } = asRecord(entry) ?? {};
  switch (fieldOf(list)) {
    case 'requirements':
      return `${valueText(key)} ${valueText(operator)}${Array.isArray(values) && values.length > 0 ? ` ${formatValue(values)}` : ''}`;
    case 'taints':
    case 'startupTaints':
      return `taint ${valueText(key)}${value === undefined ? '' : `=${valueText(value)}`}:${valueText(effect)}`;
    case 'blockDeviceMappings':
      return valueText(deviceName);
    default:
      return formatValue(entry);
  }
}

/** A budget that allows no disruption at any time leaves nothing for the others to limit. */
function forbidsAllDisruption(list: ReplacedList): boolean {
  return (
    fieldOf(list) === 'budgets' &&
    list.after.some((entry) => {
      const { nodes, schedule, reasons } = asRecord(entry) ?? {};
      return schedule === undefined && reasons === undefined && /^0+%?$/.test(String(nodes));
    })
  );
}

function fieldOf({ path }: ReplacedList): string {
  return path[path.length - 1];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** With the fields of mappings in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  const fields = asRecord(value);
  return fields
    ? Object.keys(fields)
        .sort()
        .map((name) => [name, sorted(fields[name])])
    : value;
}
