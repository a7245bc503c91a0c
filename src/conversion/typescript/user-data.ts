/**
 * Writes user data with the types of each AMI family. Another text of the same meaning would drift every node, so a
 * type is used only if it writes the same text.
 */
import { Cursor, flag, json, listOf, made, mapOf, number, struct, text, textMap, Writer } from './cursor';
import { evaluateExpression } from './evaluate';
import { call, entry, Expression, literal, object } from './expression';
import { asRecord } from '../../contract';
import { parseYaml } from '../../model';

const PART_START = '--//\nContent-Type: ';
const PARTS_END = '--//--\n';
const TABLE = /^\[settings((?:\.(?:[\w-]+|"[^"\n]*"))+)\]$/;
const PAIR = /^([\w-]+|"(?:[^"\\\n]|\\.)*") = (.+)$/;
const TABLE_NAME = /[\w-]+|"[^"\n]*"/g;

export const userData: Writer = (cursor) => {
  const { value } = cursor;
  if (typeof value !== 'string') return undefined;
  const typed = [multipart, single, bottlerocket].map((write) => write(value));
  return typed.find((candidate) => writes(candidate, value)) ?? made('UserData', 'raw', text)(cursor);
};

/** A value of `KubeletSetting` or `BottlerocketSetting`. */
export function settingOf(className: 'KubeletSetting' | 'BottlerocketSetting'): Writer {
  const make = (method: string, value: Expression | undefined) => value && call(`nodes.${className}`, method, value);
  return (cursor) => {
    const texts = listOf(text)(cursor);
    if (texts?.kind === 'list') return call(`nodes.${className}`, 'texts', ...texts.items.map(({ value }) => value));
    return (
      make('text', text(cursor)) ??
      make('number', number(cursor)) ??
      make('flag', flag(cursor)) ??
      make('textMap', textMap(cursor)) ??
      call(`nodes.${className}`, 'json', literal(JSON.stringify(json(cursor) && cursor.value)))
    );
  };
}

function writes(expression: Expression | undefined, content: string): boolean {
  try {
    return (
      expression !== undefined && (evaluateExpression(expression) as { readonly content: string }).content === content
    );
  } catch {
    return false; // a setting that the types refuse
  }
}

function multipart(content: string): Expression | undefined {
  if (!content.endsWith(PARTS_END)) return undefined;
  const [, ...parts] = content.slice(0, -PARTS_END.length).split(PART_START);
  const written = parts.map((part) => single(part.slice(part.indexOf('\n\n') + 2)));
  return written.every((part) => part !== undefined) ? call('nodes.UserData', 'multipart', ...written) : undefined;
}

function single(content: string): Expression | undefined {
  return content.startsWith('#!') ? shellScript(content) : nodeConfig(content);
}

function shellScript(content: string): Expression {
  const lines = content
    .replace(/^#!\/bin\/bash\n(?=.)/, '')
    .replace(/\n$/, '')
    .split('\n');
  return call('nodes.UserData', 'shellScript', ...lines.map(literal));
}

const nodeConfigOptions = struct({
  kubeletConfig: ['kubelet.config', mapOf(settingOf('KubeletSetting'))],
  kubeletFlags: ['kubelet.flags', listOf(text)],
  containerdConfig: ['containerd.config', text],
  featureGates: ['featureGates', mapOf(flag)],
});

function nodeConfig(content: string): Expression | undefined {
  if (!content.startsWith('apiVersion: node.eks.aws/')) return undefined;
  try {
    const options = nodeConfigOptions(new Cursor(asRecord(parseYaml(content))?.spec));
    return options && call('nodes.UserData', 'nodeConfig', options);
  } catch {
    return undefined; // not YAML
  }
}

/** Reads TOML in the form that `UserData.bottlerocket` writes: strings, numbers, booleans and lists are as in JSON. */
function bottlerocket(content: string): Expression | undefined {
  if (!content.startsWith('[settings.')) return undefined;
  try {
    const settings = readTables(content.split('\n'));
    const tables = Object.entries(settings).map(([table, values]) =>
      entry(table, mapOf(settingOf('BottlerocketSetting'))(new Cursor(values))!),
    );
    return call('nodes.UserData', 'bottlerocket', object(tables));
  } catch {
    return undefined; // another form of TOML
  }
}

type Table = Record<string, unknown>;

/** @throws Error for a line of another form */
function readTables(lines: readonly string[]): Record<string, Table> {
  const settings: Record<string, Table> = Object.create(null);
  let table: Table | undefined;
  for (const line of lines.filter((candidate) => candidate !== '')) {
    const header = TABLE.exec(line)?.[1];
    if (header !== undefined) {
      const [root, ...rest] = header.match(TABLE_NAME)!.map(nameOf);
      table = rest.reduce(
        (outer, name) => (outer[name] ??= Object.create(null)) as Table,
        (settings[root] ??= Object.create(null)),
      );
      continue;
    }
    const [, key, value] = PAIR.exec(line) ?? [];
    if (table === undefined || value === undefined) throw new Error(line);
    table[nameOf(key)] = JSON.parse(value);
  }
  return settings;
}

function nameOf(key: string): string {
  return key.startsWith('"') ? JSON.parse(key) : key;
}
