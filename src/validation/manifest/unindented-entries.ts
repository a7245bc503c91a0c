import { valueAt } from './edit/edited-value';
import { nullKeysOf } from './yaml/mapping-value';
import { asRecord, FieldPath, FieldProblem, formatFieldPath, removeField, setField, unsafeFix } from '../../contract';
import { listText } from '../../model';

/** Fields whose keys are free. */
const MAPS: readonly string[] = ['nodeSelector', 'labels', 'annotations', 'matchLabels', 'requests', 'limits'];
const MAX_DEPTH = 5;
/** A finding names at most this many keys. */
const MAX_NAMED = 3;

/**
 * Joins unknown fields that are the entries of an empty map: they are not indented below `nodeSelector:` or `labels:`,
 * so that the map is null and its entries are fields of an object around it.
 */
export function joinUnindentedEntries(problems: readonly FieldProblem[], raw: unknown): FieldProblem[] {
  const byMap = new Map<string, { readonly map: FieldPath; readonly entries: FieldProblem[] }>();
  const joined: FieldProblem[] = [];
  for (const problem of problems) {
    const map = emptyMapOf(problem, raw);
    if (map === undefined) {
      joined.push(problem);
      continue;
    }
    const key = formatFieldPath(map);
    const known = byMap.get(key);
    if (known !== undefined) known.entries.push(problem);
    else byMap.set(key, { map, entries: [problem] });
  }
  return [...joined, ...[...byMap.values()].map(({ map, entries }) => unindented(map, entries))];
}

/** The only empty map in the object that has the unknown field, if the field can be an entry of it. */
function emptyMapOf({ path, got }: FieldProblem, raw: unknown): FieldPath | undefined {
  if (typeof got === 'object' && got !== null) return undefined;
  const parent = path.slice(0, -1);
  const maps = emptyMapsIn(valueAt(raw, parent), parent, MAX_DEPTH);
  return maps.length === 1 ? maps[0] : undefined;
}

function emptyMapsIn(value: unknown, path: FieldPath, depth: number): FieldPath[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  const record = asRecord(value);
  const own = record === undefined ? [] : nullKeysOf(record).filter((key) => MAPS.includes(key));
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [
    ...own.map((key) => [...path, key]),
    ...entries.flatMap(([key, inner]) => emptyMapsIn(inner, [...path, key], depth - 1)),
  ];
}

function unindented(map: FieldPath, entries: readonly FieldProblem[]): FieldProblem {
  const [first] = entries;
  const keys = entries.map(({ path }) => String(path.at(-1)));
  const named =
    keys.length > MAX_NAMED
      ? `${keys.slice(0, MAX_NAMED).join(', ')} and ${keys.length - MAX_NAMED} more`
      : listText(keys);
  const name = String(map.at(-1));
  const value = Object.fromEntries(entries.map(({ path, got }) => [String(path.at(-1)), got]));
  return {
    ...first,
    problem: `is no field of the API, and ${formatFieldPath(map)} before it is empty: ${keys.length === 1 ? 'it looks like its entry' : `${named} look like its entries`}`,
    remedy: `indent ${named} below ${name}`,
    fix: unsafeFix(...entries.map(({ path }) => removeField(path)), setField(map, value)),
  };
}
