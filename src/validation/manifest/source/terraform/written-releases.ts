import { dirname, join } from 'path';
import { Evaluator, isPlaceholder, Scope, Written } from './hcl/evaluate';
import { bodyAttribute, Block, HclExpression } from './hcl/syntax';
import { instancesOf } from './instances';
import { filledText } from './template-values';
import { withPath } from './terraform-calls';
import { parsedTerraform } from './terraform-folder';
import { asRecord } from '../../../../contract';
import { valueText } from '../../../../model';
import { WrittenRelease } from '../../../vocabulary/source-file';
import { SourceFile } from '../../model';
import { PlainRecord, recordsOf } from '../../records';

/** The text of a file of the repository. @default - undefined for a file that cannot be read */
export type ReadRepositoryText = (path: string) => string | undefined;

const MENTIONED = /\bchart[ \t]*=/;
/** Blocks and attributes that set single values. */
const SETTINGS = ['set', 'set_list', 'set_sensitive'];
/** Functions whose arguments are lists that become one. */
const JOINS = ['concat', 'compact', 'flatten'];
/** Stands for the folder of the file in a path: other relative paths are those of the folder where Terraform runs. */
const MODULE = '\0';
const MAX_DEPTH = 20;
const LONGEST_NAME = 60;

/**
 * The releases of charts of the repository in a Terraform file: `helm_release`, and modules that pass its arguments on.
 * What only Terraform knows is a placeholder in the values, so that it becomes an unknown value of the manifests.
 *
 * @see https://registry.terraform.io/providers/hashicorp/helm/latest/docs/resources/release
 */
export function writtenReleases(
  { path, text }: SourceFile,
  scope: Scope,
  readText: ReadRepositoryText,
): WrittenRelease[] {
  const parsed = MENTIONED.test(text) ? parsedTerraform(path, text) : undefined;
  const blocks = (parsed?.body.blocks ?? []).filter(
    ({ type, labels, body }) =>
      (type === 'resource' && labels[0] === 'helm_release') || (type === 'module' && bodyAttribute(body, 'chart')),
  );
  return blocks.flatMap((block) =>
    instancesOf(block.body, text, scope).flatMap((instance) =>
      new ReleaseReader(block, text, path, instance.scope, readText).read(),
    ),
  );
}

class ReleaseReader {
  private readonly evaluator: Evaluator;
  private readonly paths: Evaluator;
  private readonly values: Array<WrittenRelease['values'][number]> = [];
  private readonly missing: string[] = [];

  public constructor(
    private readonly block: Block,
    private readonly text: string,
    private readonly file: string,
    private readonly scope: Scope,
    private readonly readText: ReadRepositoryText,
  ) {
    this.evaluator = new Evaluator(scope);
    this.paths = new Evaluator(withPath(scope, { module: MODULE, root: '.', cwd: '.' }));
  }

  public read(): WrittenRelease[] {
    const charts = this.charts();
    if (charts.length === 0) return [];
    const values = bodyAttribute(this.block.body, 'values');
    if (values) this.addValues({ expression: values, text: this.text }, 0);
    const parameters = this.parameters();
    const name = this.literal('name') ?? (this.block.type === 'module' ? undefined : this.block.labels[1]);
    const namespace = this.literal('namespace');
    return [
      {
        charts,
        values: this.values,
        parameters,
        missing: this.missing,
        ...(name === undefined ? {} : { name }),
        ...(namespace === undefined ? {} : { namespace }),
      },
    ];
  }

  /** Where the chart may be: a name of a repository elsewhere is in none of the folders. */
  private charts(): string[] {
    const chart = this.path(bodyAttribute(this.block.body, 'chart'));
    if (chart === undefined) return [];
    const expression = bodyAttribute(this.block.body, 'repository');
    const repository = expression && this.path(expression);
    if (expression && (repository === undefined || repository.includes('://'))) return [];
    return this.candidates(repository ? `${repository}/${chart}` : chart);
  }

  /** Text of a path that is known; undefined for others, and for addresses. */
  private path(expression: HclExpression | undefined, text = this.text): string | undefined {
    const path = expression && this.paths.valueOf({ expression, text });
    return typeof path === 'string' && !path.includes('${') ? path : undefined;
  }

  /** Terraform runs in the folder of the file, or in that of a caller around it. The nearest comes first. */
  private candidates(path: string): string[] {
    const folder = dirname(this.file);
    if (path.startsWith(MODULE)) return [withoutSlash(join(folder, path.slice(MODULE.length)))];
    if (path.startsWith('/') || path.includes('://')) return [];
    const found: string[] = [];
    for (let around = folder; ; around = dirname(around)) {
      found.push(withoutSlash(join(around, path)));
      if (around === dirname(around)) return found;
    }
  }

  private literal(name: string): string | undefined {
    const expression = bodyAttribute(this.block.body, name);
    const value = expression && this.evaluator.valueOf({ expression, text: this.text });
    return typeof value === 'string' && !value.includes('${') ? value : undefined;
  }

  /** The texts of an expression: a list of them, or one. */
  private addValues({ expression, text }: Written, depth: number): void {
    if (depth > MAX_DEPTH) return;
    const inner = (part: HclExpression) => this.addValues({ expression: part, text }, depth + 1);
    if (expression.kind === 'list') return expression.items.forEach(inner);
    if (expression.kind === 'call' && JOINS.includes(expression.name)) return expression.args.forEach(inner);
    if (expression.kind === 'condition') {
      const test = this.evaluator.valueOf({ expression: expression.test, text });
      if (typeof test === 'boolean') return inner(test ? expression.yes : expression.no);
    }
    if (expression.kind === 'reference') {
      const found = this.scope.lookUp(expression.steps);
      if (found) return this.addValues(found, depth + 1);
    }
    const [from, value] = this.textOf({ expression, text });
    if (typeof value === 'string' && value !== '' && !isPlaceholder(value)) this.values.push({ text: value, from });
    else if (value !== '') this.missing.push(shownExpression({ expression, text }));
  }

  private textOf(written: Written): readonly [from: string, text: unknown] {
    const { expression, text } = written;
    const isFile = expression.kind === 'call' && ['file', 'templatefile'].includes(expression.name);
    if (!isFile) return [this.file, this.evaluator.valueOf(written)];
    const path = this.path(expression.args[0], text);
    for (const candidate of path === undefined ? [] : this.candidates(path)) {
      const found = this.readText(candidate);
      if (found === undefined) continue;
      if (expression.name === 'file') return [candidate, found];
      const given = expression.args[1] && this.evaluator.valueOf({ expression: expression.args[1], text });
      // Only Terraform runs the directives of a template.
      return [candidate, found.includes('%{') ? undefined : filledText(found, asRecord(given) ?? {})];
    }
    return [this.file, undefined];
  }

  private parameters(): WrittenRelease['parameters'] {
    const { attributes, blocks } = this.block.body;
    const valueOf = (expression: HclExpression) => this.evaluator.valueOf({ expression, text: this.text });
    const written = blocks
      .filter(({ type }) => SETTINGS.includes(type))
      .map(({ body }) => Object.fromEntries(body.attributes.map(({ name, value }) => [name, valueOf(value)] as const)));
    const listed = attributes.filter(({ name }) => SETTINGS.includes(name)).map(({ value }) => valueOf(value));
    if (blocks.some(({ type, labels }) => type === 'dynamic' && SETTINGS.includes(labels[0])))
      this.missing.push('those of a dynamic block');
    if (listed.some((list) => !Array.isArray(list))) this.missing.push('those of a list that only Terraform knows');
    return [...written, ...recordsOf(listed.flat())].flatMap(parameterOf);
  }
}

function parameterOf({ name, value, type }: PlainRecord): WrittenRelease['parameters'] {
  if (typeof name !== 'string' || name.includes('${') || value === undefined || value === null) return [];
  const text = Array.isArray(value) ? `{${value.map(valueText).join(',')}}` : valueText(value);
  // helm divides values at commas.
  const escaped = text.replace(/\$\{[^{}]*\}/g, (placeholder) => placeholder.replace(/,/g, '\\,'));
  return [{ key: name, value: escaped, isText: type === 'string' }];
}

function withoutSlash(path: string): string {
  return path.replace(/(.)\/$/, '$1');
}

function shownExpression({ expression: { start, end }, text }: Written): string {
  const shown = text.slice(start, Math.min(end, start + LONGEST_NAME)).replace(/\s+/g, ' ');
  return end - start > LONGEST_NAME ? `${shown}…` : shown;
}
