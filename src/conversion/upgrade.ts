import { YAMLMap } from 'yaml';
import { asRecord, EC2_NODE_CLASS_API, NODE_POOL_API } from '../contract';
import { DocumentProblem, findUnreadable, readTrees, SourceFile, SourceText } from '../validation';
import { PlacedClass, PlacedPool, placeKubelets } from './legacy/kubelet-placement';
import { Successor } from './legacy/legacy-object';
import { takeExpiryOfPool } from './legacy/node-claim';
import { ConversionNote, ConversionOptions } from './note';
import { Note, SourceDocument } from './source-document';
import { DocumentUnits, isConcerned, Unit } from './unit';
import { Fields } from './yaml/fields';

/** What could not be read, and stands in the result as it was. */
export interface UnreadableInput {
  readonly location: ConversionNote['location'];
  readonly message: string;
  readonly remedy: string;
}

export interface Upgrade {
  /** The files with every object of an earlier API written in v1. */
  readonly files: readonly SourceFile[];
  /** In the order of files and lines. */
  readonly notes: readonly ConversionNote[];
  readonly unreadable: readonly UnreadableInput[];
}

/** The files as one stream of documents. */
export function joinYaml(files: readonly SourceFile[]): string {
  return files.map(({ text }) => text).filter((text) => text.trim() !== '')
    .map((text, i) => `${i > 0 && !text.startsWith('---') ? '---\n' : ''}${text}${text.endsWith('\n') ? '' : '\n'}`).join('');
}

/**
 * Writes all files in the newest API. Objects that are in it, and objects of others, stay byte for byte what they were.
 */
export function upgrade(files: readonly SourceFile[], options: ConversionOptions = {}): Upgrade {
  const run = new UpgradeRun(options);
  const read = files.map((file) => run.read(file));
  const texts = read.map((file) => run.convert(file));
  run.place();
  return { files: texts.map((text, i) => ({ path: files[i].path, text: text() })), notes: run.sortedNotes(files), unreadable: run.unreadable };
}

/** A file in parts: documents that have to do with conversion, and the text of all others as it will be. */
interface ReadFile {
  readonly parts: ReadonlyArray<SourceDocument | string>;
  readonly note: Note;
}

class UpgradeRun {
  public readonly unreadable: UnreadableInput[] = [];
  private readonly notes: ConversionNote[] = [];
  private readonly units: Unit[] = [];
  private readonly classNames = new Set<string>();

  public constructor(private readonly options: ConversionOptions) {}

  public read(file: SourceFile): ReadFile {
    const source = new SourceText(file);
    const note: Note = (kind, offset, subject, message) => {
      this.notes.push({ kind, location: { file: source.path, ...source.position(offset ?? 0) }, subject, message });
    };
    const failure = findUnreadable(file);
    if (failure) {
      this.tell({ kind: 'unreadable', ...failure }, source, '', note);
      return { parts: [file.text], note };
    }
    const parts: Array<SourceDocument | string> = [];
    const problems: DocumentProblem[] = [];
    let end = 0;
    for (const tree of readTrees(source.text, problems)) {
      const document = new SourceDocument(source, end, tree);
      end = document.end;
      for (const problem of problems.splice(0)) this.tell(problem, source, document.subject, note);
      for (const object of document.objects) this.reserveClassName(object);
      const isKept = document.objects.some(({ apiVersion, kind }) => isConcerned(`${String(apiVersion)} ${String(kind)}`));
      parts.push(isKept ? document : document.unchangedText(note));
    }
    for (const problem of problems) this.tell(problem, source, '', note);
    return { parts: [...parts, source.text.slice(end)], note };
  }

  /** What is returned renders the file, once all files are converted. */
  public convert({ parts, note }: ReadFile): () => string {
    const converted = parts.map((part) => typeof part === 'string' ? part : new DocumentUnits(part, (root, type) => this.convertObject(root, type, note)));
    return () => converted.map((part) => typeof part === 'string' ? part : part.text(note)).join('');
  }

  public place(): void {
    const pools: PlacedPool[] = [];
    const claims: Fields[] = [];
    const classes = new Map<string, PlacedClass>();
    const seen = new Set<string>();
    for (const unit of this.units) {
      for (const successor of [...unit.successors]) {
        const { object, root } = successor;
        const kind = root.text('kind');
        const name = root.inner('metadata')?.text('name') ?? '';
        if (name !== '' && seen.has(`${kind}/${name}`)) object.note('todo', `there is another ${kind} ${name} in the result: keep one of them`);
        seen.add(`${kind}/${name}`);
        if (kind === NODE_POOL_API.kind) pools.push(successor);
        if (kind === 'NodeClaim') claims.push(root);
        if (kind === EC2_NODE_CLASS_API.kind && !classes.has(name)) classes.set(name, placedClass(unit, successor));
      }
    }
    const byName = new Map(pools.map(({ root }) => [root.inner('metadata')?.text('name') ?? '', root]));
    for (const claim of claims) takeExpiryOfPool(claim, byName);
    placeKubelets(pools, classes, (name) => this.newClassName(name));
  }

  public sortedNotes(files: readonly SourceFile[]): ConversionNote[] {
    const order = new Map(files.map(({ path }, i) => [path, i]));
    return [...this.notes].sort((a, b) => order.get(a.location.file)! - order.get(b.location.file)!
      || a.location.line - b.location.line || a.location.column - b.location.column);
  }

  private convertObject(root: YAMLMap, type: string, note: Note): Unit {
    const unit = new Unit(root, type, this.options, note, (name) => this.newClassName(name));
    this.units.push(unit);
    return unit;
  }

  private tell(problem: DocumentProblem, source: SourceText, subject: string, note: Note): void {
    if (problem.kind === 'duplicate-key') {
      return note('todo', problem.offset, subject, `the key ${JSON.stringify(problem.key)} is written twice in one mapping, and only the last one ever counted; merge the two, or remove one`);
    }
    this.unreadable.push({ ...problem, location: { file: source.path, ...source.position(problem.offset) } });
  }

  private reserveClassName({ kind, metadata }: Readonly<Record<string, unknown>>): void {
    if (['AWSNodeTemplate', EC2_NODE_CLASS_API.kind].includes(String(kind))) this.classNames.add(String(asRecord(metadata)?.name));
  }

  private newClassName(base: string): string {
    let name = base;
    for (let i = 2; this.classNames.has(name); i += 1) name = `${base}-${i}`;
    this.classNames.add(name);
    return name;
  }
}

function placedClass(unit: Unit, { object, root }: Successor): PlacedClass {
  return {
    root,
    addCopy: (copy: Fields) => {
      unit.successors.push({ object, root: copy });
      unit.isChanged = true;
    },
    touch: () => { unit.isChanged = true; },
  };
}
