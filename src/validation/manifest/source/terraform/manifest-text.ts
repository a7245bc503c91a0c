import { classOf } from './class-blocks';
import { Evaluator, isPlaceholder, Scope } from './hcl/evaluate';
import { bodyAttribute, Block, HclExpression, expressionsIn, ObjectItem } from './hcl/syntax';
import { helmReleaseOf } from './helm-release-block';
import { blockObject } from './object-blocks';
import { TerraformText } from './terraform-folder';
import { valuePlaces } from './value-places';
import { formatFieldPath } from '../../../../contract';
import { valueText } from '../../../../model';

type ObjectExpression = HclExpression & { readonly kind: 'object' };

const MARKER = '---';
/** `--- {` at the begin of a line. */
const OPENING_CHARACTERS = 6;

/**
 * The Kubernetes objects that a Terraform file has as values, such as the `manifest` of a `kubernetes_manifest` and the
 * argument of `yamlencode`. Each value stays on its line, and is written as YAML in flow style. Other lines of objects
 * are a space, and all other lines are empty.
 */
export function manifestText(file: TerraformText, scope: Scope): string {
  const writer = new ManifestWriter(file, new Evaluator(scope));
  for (const expression of expressionsIn(file.body)) writer.writeManifestsIn(expression);
  for (const block of file.body.blocks) {
    writer.writeRelease(block);
    writer.writeBlock(block);
  }
  return writer.lines.join('\n');
}

class ManifestWriter {
  public readonly lines: string[];
  private readonly starts: number[];
  /** The line that was written last. */
  private current = 0;

  public constructor(
    private readonly file: TerraformText,
    private readonly evaluator: Evaluator,
  ) {
    const texts = file.text.split('\n');
    this.lines = texts.map(() => '');
    let start = 0;
    this.starts = texts.map((text) => (start += text.length + 1) - text.length - 1);
  }

  public writeManifestsIn(expression: HclExpression): void {
    if (expression.kind === 'object') {
      if (this.isManifest(expression)) return this.writeDocument(expression);
      for (const { value } of expression.items) this.writeManifestsIn(value);
    } else if (expression.kind === 'list') for (const item of expression.items) this.writeManifestsIn(item);
    else if (expression.kind === 'call') for (const arg of expression.args) this.writeManifestsIn(arg);
    else if (expression.kind === 'template')
      for (const part of expression.parts) if (typeof part !== 'string') this.writeManifestsIn(part);
  }

  /** Writes a `helm_release` of Karpenter as an object, with its version and values on their own lines. */
  public writeRelease(block: Block): void {
    const release = helmReleaseOf(block, this.file.text, this.evaluator);
    const { line } = this.placeOf(block.start);
    if (!release || this.lines[line] !== '') return;
    const placed = ['version', 'values'].flatMap((name) => {
      const start = bodyAttribute(block.body, name)?.start;
      const isOwnLine = start !== undefined && this.lines[this.placeOf(start).line] === '';
      return isOwnLine && release[name] !== undefined ? [{ name, start }] : [];
    });
    const others = Object.entries(release).filter(([key]) => !placed.some(({ name }) => name === key));
    const places = valuePlaces(block, this.file.text, this.evaluator).map(([path, offset]) => {
      const at = this.placeOf(offset);
      return [formatFieldPath(path), at.line + 1, at.column + 1];
    });
    this.lines[line] = `${MARKER} ${JSON.stringify({ ...Object.fromEntries(others), places }).slice(0, -1)}`;
    this.current = line;
    for (const { name, start } of placed.sort((left, right) => left.start - right.start)) {
      this.append(',');
      this.put(start, `"${name}": ${JSON.stringify(release[name])}`);
    }
    this.append('}');
  }

  /** Writes an object that is a block of Terraform, such as a StorageClass or a Deployment, on its first line. */
  public writeBlock(block: Block): void {
    const [text, evaluator] = [this.file.text, this.evaluator];
    const made = classOf(block, text, evaluator) ?? blockObject(block, text, evaluator);
    const { line } = this.placeOf(block.start);
    if (made && this.lines[line] === '') this.lines[line] = `${MARKER} ${JSON.stringify(made)}`;
  }

  private isManifest({ items }: ObjectExpression): boolean {
    const textOf = (name: string) => {
      const item = items.find(({ key }) => key.kind === 'literal' && key.value === name);
      const value = item && this.valueOf(item.value);
      return typeof value === 'string' && !isPlaceholder(value) ? value : undefined;
    };
    return textOf('apiVersion') !== undefined && textOf('kind') !== undefined;
  }

  /** Nothing is written if other values of the file are on the line where the document would begin. */
  private writeDocument(object: ObjectExpression): void {
    const [{ key: firstKey }] = object.items;
    const { line, column } = this.placeOf(object.start);
    const first = this.placeOf(firstKey.start);
    if (this.lines[line] === '' && column > MARKER.length) {
      this.lines[line] = MARKER;
      this.put(object.start, '{');
    } else if (this.lines[first.line] === '') {
      this.lines[first.line] = `${MARKER} {`.padEnd(OPENING_CHARACTERS);
    } else return;
    this.writeItems(object.items);
    this.put(object.end - 1, '}');
    const last = this.placeOf(object.end - 1).line;
    for (let covered = line; covered <= last; covered++) if (this.lines[covered] === '') this.lines[covered] = ' ';
  }

  private write(expression: HclExpression): void {
    if (expression.kind === 'object' && expression.items.length > 0) {
      this.put(expression.start, '{');
      this.writeItems(expression.items);
      this.put(expression.end - 1, '}');
    } else if (expression.kind === 'list' && expression.items.length > 0) {
      this.put(expression.start, '[');
      for (const [index, item] of expression.items.entries()) {
        if (index > 0) this.append(',');
        this.write(item);
      }
      this.put(expression.end - 1, ']');
    } else this.put(expression.start, JSON.stringify(this.valueOf(expression)));
  }

  private writeItems(items: readonly ObjectItem[]): void {
    for (const [index, { key, value }] of items.entries()) {
      if (index > 0) this.append(',');
      this.put(key.start, `${JSON.stringify(valueText(this.valueOf(key)))}:`);
      this.append(' ');
      this.write(value);
    }
  }

  private valueOf(expression: HclExpression): unknown {
    return this.evaluator.valueOf({ expression, text: this.file.text });
  }

  /** Writes a text at the place that an offset of the file has, or after what is there already. */
  private put(offset: number, text: string): void {
    const { line, column } = this.placeOf(offset);
    this.lines[line] = this.lines[line].padEnd(column) + text;
    this.current = line;
  }

  private append(text: string): void {
    this.lines[this.current] += text;
  }

  private placeOf(offset: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - this.starts[low] };
  }
}
