import { readdirSync } from 'fs';
import { dirname, join, normalize } from 'path';
import { Evaluator, Scope } from './hcl/evaluate';
import { bodyAttribute, Block, HclExpression, expressionsIn } from './hcl/syntax';
import { instancesOf } from './instances';
import { parsedTerraform } from './terraform-folder';
import { asRecord } from '../../../../contract';
import { leadsInto, readRegularText } from '../../../../model';
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
const TEMPLATE_CALL = /\btemplatefile\s*\(/;

/** Finds the folder of the names of a file. */
export type ScopeOf = (file: string) => Scope;

/**
 * The calls of local modules and of `templatefile` in the Terraform files of a folder. Their arguments give values to
 * the variables of modules and to the placeholders of templates.
 */
export class TerraformCalls {
  private readonly modules = new Map<string, PlacedBlock[]>();
  private readonly withTemplates: PlacedBlock[] = [];
  private templates?: ReadonlyMap<string, PlainRecord[]>;

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
  public argumentsOf(template: string, scopeOf: ScopeOf): readonly PlainRecord[] {
    this.templates ??= this.readTemplates(scopeOf);
    return this.templates.get(normalize(template)) ?? [];
  }

  private addModule(placed: PlacedBlock): void {
    const source = bodyAttribute(placed.block.body, 'source');
    if (source?.kind !== 'literal' || typeof source.value !== 'string' || !/^\.{1,2}\//.test(source.value)) return;
    const folder = join(dirname(placed.file), source.value).replace(/(.)\/$/, '$1');
    this.modules.set(folder, [...(this.modules.get(folder) ?? []), placed]);
  }

  private readTemplates(scopeOf: ScopeOf): ReadonlyMap<string, PlainRecord[]> {
    const found = new Map<string, PlainRecord[]>();
    for (const { block, text, file } of this.withTemplates) {
      const calls = [...expressionsIn(block.body)].flatMap(callsIn);
      for (const { scope } of instancesOf(block.body, text, scopeOf(file)))
        for (const [path, values] of calls) {
          const folder = dirname(file);
          const evaluator = new Evaluator(withPath(scope, { module: folder }));
          const name = evaluator.valueOf({ expression: path, text });
          if (typeof name !== 'string' || name.includes('${')) continue;
          const isPlaced = normalize(name).startsWith(`${normalize(folder)}/`);
          const key = normalize(isPlaced ? name : join(folder, name));
          const given = values && asRecord(evaluator.valueOf({ expression: values, text }));
          found.set(key, [...(found.get(key) ?? []), given ?? {}]);
        }
    }
    return found;
  }
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
