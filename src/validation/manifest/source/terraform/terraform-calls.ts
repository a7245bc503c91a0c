import { readdirSync } from 'fs';
import { dirname, join, normalize } from 'path';
import { Evaluator, Scope } from './hcl/evaluate';
import { bodyAttribute, Block, HclExpression, expressionsIn } from './hcl/syntax';
import { instancesOf } from './instances';
import { parsedTerraform } from './terraform-folder';
import { asRecord } from '../../../../contract';
import { leadsInto, readRegularText } from '../../../../model';
import { SourceFile, TemplatePlaces } from '../../../vocabulary/source-file';
import { PlainRecord } from '../../records';

/** A block of a Terraform file. */
export interface PlacedBlock {
  readonly block: Block;
  readonly text: string;
  readonly file: string;
}

const MOST_FILES = 2000;
const MAX_DEPTH = 12;
const LARGEST_BYTES = 1024 * 1024;
const SKIPPED_FOLDERS = ['node_modules', 'testdata'];
const LOCAL_SOURCE = /^[ \t]*source[ \t]*=[ \t]*"\.{1,2}\//m;
const TEMPLATE_CALL = /\btemplatefile\s*\(|"kubectl_path_documents"/;
/** The data source that fills in the variables of all files that its pattern matches. */
const PATH_DOCUMENTS = 'kubectl_path_documents';

/** Finds the folder of the names of a file. */
export type ScopeOf = (file: string) => Scope;

/**
 * The calls of local modules and of `templatefile` in the Terraform files of a folder. Their arguments give values to
 * the variables of modules and to the placeholders of templates.
 */
export class TerraformCalls {
  private readonly modules = new Map<string, PlacedBlock[]>();
  private readonly withTemplates: PlacedBlock[] = [];
  private templates?: readonly TemplateCall[];

  /** @param root the repository; a file that a link leads out of it is not read */
  public constructor(folder: string, root: string) {
    for (const file of terraformFilesIn(folder, { left: MOST_FILES }, 0)) {
      const text = textOf(file, root);
      const [callsModule, callsTemplate] = [LOCAL_SOURCE.test(text), TEMPLATE_CALL.test(text)];
      const parsed = callsModule || callsTemplate ? parsedTerraform(file, text) : undefined;
      for (const block of parsed?.body.blocks ?? []) {
        const placed = { block, text, file };
        if (block.type === 'module') this.addModule(placed);
        if (TEMPLATE_CALL.test(text.slice(block.start, block.end))) this.withTemplates.push(placed);
      }
    }
  }

  /** The blocks that call the module in a folder. */
  public modulesIn(folder: string): readonly PlacedBlock[] {
    return this.modules.get(normalize(folder)) ?? [];
  }

  /** The values that each call of `templatefile` gives to the names of a template. */
  public argumentsOf(template: string, scopeOf: ScopeOf): readonly TemplateCall[] {
    this.templates ??= this.readTemplates(scopeOf);
    const path = normalize(template);
    return this.templates.filter((call) => call.isOf(path));
  }

  private addModule(placed: PlacedBlock): void {
    const source = bodyAttribute(placed.block.body, 'source');
    if (source?.kind !== 'literal' || typeof source.value !== 'string' || !/^\.{1,2}\//.test(source.value)) return;
    const folder = join(dirname(placed.file), source.value).replace(/(.)\/$/, '$1');
    this.modules.set(folder, [...(this.modules.get(folder) ?? []), placed]);
  }

  private readTemplates(scopeOf: ScopeOf): TemplateCall[] {
    return this.withTemplates.flatMap(({ block, text, file }) => {
      const calls = [...expressionsIn(block.body)].flatMap(callsIn);
      if (block.labels[0] === PATH_DOCUMENTS) calls.push(...documentsOf(block));
      return instancesOf(block.body, text, scopeOf(file)).flatMap(({ scope }) =>
        calls.flatMap(([path, values]): TemplateCall[] => {
          const folder = dirname(file);
          const evaluator = new Evaluator(withPath(scope, { module: folder }));
          const name = evaluator.valueOf({ expression: path, text });
          if (typeof name !== 'string') return [];
          const isPlaced = normalize(name).startsWith(`${normalize(folder)}/`);
          const isOf = matcherOf(normalize(isPlaced ? name : join(folder, name)));
          const given = values && asRecord(evaluator.valueOf({ expression: values, text }));
          return isOf === undefined
            ? []
            : [{ isOf, values: given ?? {}, places: placesIn(values, { path: file, text }) }];
        }),
      );
    });
  }
}

/** A call that fills in a template. */
export interface TemplateCall {
  readonly values: PlainRecord;
  /** Where the values are written. */
  readonly places: TemplatePlaces;
  isOf(path: string): boolean;
}

/**
 * The files that a path stands for: a loop over the files of a folder leaves `${each.value}` in it, and a pattern has a
 * star. Undefined if only Terraform knows the folder.
 */
function matcherOf(path: string): ((other: string) => boolean) | undefined {
  const [name, ...folders] = path.split('/').reverse();
  if (folders.some((step) => /[$*]/.test(step))) return undefined;
  if (!/\$\{|\*/.test(name)) return (other) => other === path;
  const parts = name.split(/\$\{each\.(?:key|value)\}|\*+/);
  const folder = `${[...folders].reverse().join('/')}/`;
  const [first, last] = parts;
  const isInFolder = (other: string) => other.startsWith(folder) && !other.slice(folder.length).includes('/');
  if (parts.length !== 2 || parts.some((part) => part.includes('${'))) return undefined;
  return (other) => isInFolder(other) && other.slice(folder.length).startsWith(first) && other.endsWith(last);
}

/** Where an object writes the values of its names. */
function placesIn(values: HclExpression | undefined, file: SourceFile): TemplatePlaces {
  const items = values?.kind === 'object' ? values.items : [];
  const byName = items.flatMap(({ key, value }): Array<[string, number]> => {
    const name = key.kind === 'literal' ? key.value : key.kind === 'reference' ? key.steps.join('.') : undefined;
    return typeof name === 'string' ? [[name, value.start]] : [];
  });
  return { file, offsets: Object.fromEntries(byName) };
}

function documentsOf({ body }: Block): Array<readonly [path: HclExpression, values: HclExpression | undefined]> {
  const pattern = bodyAttribute(body, 'pattern');
  return pattern ? [[pattern, bodyAttribute(body, 'vars')]] : [];
}

/** The arguments of all calls of `templatefile` in an expression. */
function callsIn(expression: HclExpression): Array<readonly [path: HclExpression, values: HclExpression | undefined]> {
  switch (expression.kind) {
    case 'call': {
      const inner = expression.args.flatMap(callsIn);
      const [path, values] = expression.args;
      return expression.name === 'templatefile' && path ? [[path, values], ...inner] : inner;
    }
    case 'list':
      return expression.items.flatMap(callsIn);
    case 'object':
      return expression.items.flatMap(({ value }) => callsIn(value));
    case 'template':
      return expression.parts.flatMap((part) => (typeof part === 'string' ? [] : callsIn(part)));
    case 'condition':
      return [expression.yes, expression.no].flatMap(callsIn);
    default:
      return [];
  }
}

/** The names of a folder, and what `path.module` and its like stand for. */
export function withPath(scope: Scope, folders: Readonly<Record<string, string>>): Scope {
  return {
    decodedFile: (path) => scope.decodedFile?.(path),
    lookUp: ([first, second, ...members]) =>
      first === 'path' && Object.hasOwn(folders, second)
        ? { expression: { kind: 'literal', value: folders[second], start: 0, end: 0 }, text: '' }
        : scope.lookUp([first, second, ...members]),
  };
}

function terraformFilesIn(folder: string, budget: { left: number }, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name.startsWith('.') || SKIPPED_FOLDERS.includes(entry.name)
        ? []
        : terraformFilesIn(path, budget, depth + 1);
    return entry.name.endsWith('.tf') && budget.left-- > 0 ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Empty for a file that cannot be read: it calls nothing. */
function textOf(path: string, root: string): string {
  try {
    return leadsInto(path, root) ? readRegularText(path, LARGEST_BYTES) : '';
  } catch {
    return '';
  }
}
