import { parse, stringify } from 'yaml';
import type { ChartChanges, ChartRendering, SourceFile } from '../../src/validation';
import { mergedValues, withHelmParameter } from '../../src/validation/manifest/helm-values';

type Values = Readonly<Record<string, unknown>>;
type Scope = Readonly<Record<string, unknown>>;

/** A chart in memory: the texts of its files by their paths in it, and how a release deploys it. */
export interface MiniChart {
  readonly files: Readonly<Record<string, string>>;
  readonly values?: ChartRendering['values'];
  readonly parameters?: ChartRendering['parameters'];
  readonly definedIn?: string;
  /** Files of the repository outside of the chart. */
  readonly others?: Readonly<Record<string, string>>;
}

/** What a chart makes, with as much of the language of templates as tests need. Each call of `render` is recorded. */
export function renderedSources(
  { files, values = [], parameters = [], definedIn, others = {} }: MiniChart,
  calls: ChartChanges[] = [],
): SourceFile[] {
  const textsWith = (changes: ChartChanges) => {
    const texts = { ...files, ...Object.fromEntries(changes.files ?? []) };
    const release = values.map(({ text }, index) => changes.values?.get(index) ?? text);
    const layers = [texts['values.yaml'] ?? '', ...release].map((text) => (parse(text) ?? {}) as Values);
    const merged = [...layers, changes.overlay ?? {}].reduce((all, layer) => mergedValues(all, layer), {});
    const all = parameters.reduce(
      (set, { key, value, isText }, index) =>
        withHelmParameter(set, key, changes.parameters?.get(index) ?? value, isText),
      merged,
    );
    const templates = Object.entries(texts).filter(([path]) => /^templates\/.*\.yaml$/.test(path));
    return new Map(
      templates.map(([path, text]) => [
        `app/${path} (helm template)`,
        rendered(text, { '.': { Values: all }, $: { Values: all } }),
      ]),
    );
  };
  const chart: ChartRendering = {
    values,
    parameters,
    ...(definedIn === undefined ? {} : { definedIn }),
    files: () => Object.entries(files).map(([inside, text]) => ({ inside, path: `app/${inside}`, text })),
    textOf: (path) => others[path],
    render: (changes) => {
      calls.push(changes);
      try {
        return textsWith(changes);
      } catch {
        return undefined;
      }
    },
  };
  return [...textsWith({})].map(([path, text]) => ({ path, text, isFound: true, isGenerated: true, chart }));
}

const BLOCK = /^[ \t]*\{\{-? *(range|with|if|end)\b *(.*?) *-?\}\}[ \t]*\r?$/;

/** Blocks have lines of their own. */
function rendered(text: string, scope: Scope): string {
  const lines = text.split('\n');
  const [out] = linesIn(lines, 0, scope);
  return out.join('\n');
}

function linesIn(lines: readonly string[], from: number, scope: Scope): [out: string[], next: number] {
  const out: string[] = [];
  for (let index = from; index < lines.length; index++) {
    const [, block, argument = ''] = BLOCK.exec(lines[index]) ?? [];
    if (block === 'end') return [out, index];
    if (block === undefined)
      out.push(lines[index].replace(/\{\{-? *(.*?) *-?\}\}/g, (_, code: string) => valueText(code, scope)));
    else {
      const scopes = scopesOf(block, argument, scope);
      for (const inner of scopes) out.push(...linesIn(lines, index + 1, inner)[0]);
      index = linesIn(lines, index + 1, scope)[1];
    }
  }
  return [out, lines.length];
}

function scopesOf(block: string, argument: string, scope: Scope): Scope[] {
  const [, key, item, source = argument] = /^(\$\w+), *(\$\w+) *:= *(.*)$/.exec(argument) ?? [];
  const value = valueOf(source, scope);
  if (block === 'range')
    return Object.entries((value ?? {}) as Values).map(([name, each]) => ({
      ...scope,
      '.': each,
      [key ?? '$k']: name,
      [item ?? '$v']: each,
    }));
  if (value === undefined || value === false || value === '') return [];
  return [block === 'with' ? { ...scope, '.': value } : scope];
}

function valueText(code: string, scope: Scope): string {
  const [expression, ...filters] = code.split(/ *\| */);
  const [, name, argument = expression] = /^(toJson|toYaml|quote) +(.*)$/.exec(expression) ?? [];
  const value = valueOf(argument, scope);
  const text =
    name === 'toJson' ? JSON.stringify(value) : name === 'toYaml' ? stringify(value).trimEnd() : String(value ?? '');
  return filters.reduce(
    (all, filter) => {
      const [, indent] = /^nindent (\d+)$/.exec(filter) ?? [];
      if (indent !== undefined) return `\n${all.replace(/^/gm, ' '.repeat(Number(indent)))}`;
      return filter === 'quote' ? JSON.stringify(all) : all;
    },
    name === 'quote' ? JSON.stringify(text) : text,
  );
}

/** `.Values.a`, `$x.a` or `.`. */
function valueOf(expression: string, scope: Scope): unknown {
  const [, variable = '.', path] = /^(\$\w*)?\.?(.*)$/.exec(expression.trim())!;
  return path
    .split('.')
    .filter((step) => step !== '')
    .reduce<unknown>((value, step) => (value as Values | undefined)?.[step], scope[variable]);
}
