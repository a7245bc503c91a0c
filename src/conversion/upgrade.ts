import { YAMLMap } from 'yaml';
import { asRecord, EC2_NODE_CLASS_API, NODE_POOL_API } from '../contract';
import { DocumentProblem, findUnreadable, readTrees, SourceFile, SourceText } from '../validation';
import { DocumentConversion, isRelevantType, ObjectConversion } from './converted-document';
import { valueText } from '../model';
import { ResultNodeClass, ResultPool, placeKubelets } from './legacy/kubelet-placement';
import { Successor } from './legacy/legacy-object';
import { inheritExpireAfter } from './legacy/node-claim';
import { ConversionNote, ConversionOptions, ReportNote } from './note';
import { FileDocument } from './source-document';
import { Fields } from './yaml/fields';

/** Input that could not be parsed: its text is copied to the result unchanged. */
export interface UnreadableInput {
  readonly location: ConversionNote['location'];
  readonly message: string;
  readonly remedy: string;
}

export interface Upgrade {
  /** The input files with every legacy object replaced by v1 objects. */
  readonly files: readonly SourceFile[];
  /** Sorted by file, line and column. */
  readonly notes: readonly ConversionNote[];
  readonly unreadable: readonly UnreadableInput[];
}

/** Joins files into one stream of YAML documents. */
export function joinYaml(files: readonly SourceFile[]): string {
  return files
    .map(({ text }) => text)
    .filter((text) => text.trim() !== '')
    .map((text, i) => `${i > 0 && !text.startsWith('---') ? '---\n' : ''}${text}${text.endsWith('\n') ? '' : '\n'}`)
    .join('');
}

/**
 * Converts all Karpenter objects to the v1 API. Other objects and v1 objects stay byte for byte the same, except for
 * legacy keys and kubelet settings that move to a node class.
 */
export function upgrade(files: readonly SourceFile[], options: ConversionOptions = {}): Upgrade {
  const run = new UpgradeRun(options);
  const read = files.map((file) => run.read(file));
  const texts = read.map((file) => run.convert(file));
  run.applyCrossObjectChanges();
  return {
    files: texts.map((text, i) => ({ path: files[i].path, text: text() })),
    notes: run.sortedNotes(files),
    unreadable: run.unreadable,
  };
}

/** A file in parts: documents to convert, and the final text of all other documents. */
interface ReadFile {
  readonly parts: ReadonlyArray<FileDocument | string>;
  readonly note: ReportNote;
}

class UpgradeRun {
  public readonly unreadable: UnreadableInput[] = [];
  private readonly notes: ConversionNote[] = [];
  private readonly conversions: ObjectConversion[] = [];
  private readonly classNames = new Set<string>();

  public constructor(private readonly options: ConversionOptions) {}

  public read(file: SourceFile): ReadFile {
    const source = new SourceText(file);
    const note: ReportNote = (kind, offset, subject, message) => {
      this.notes.push({ kind, location: { file: source.path, ...source.position(offset ?? 0) }, subject, message });
    };
    const failure = findUnreadable(file);
    if (failure) {
      this.reportProblem({ kind: 'unreadable', ...failure }, source, '', note);
      return { parts: [file.text], note };
    }
    const parts: Array<FileDocument | string> = [];
    const problems: DocumentProblem[] = [];
    let end = 0;
    for (const tree of readTrees(source.text, problems)) {
      const document = new FileDocument(source, end, tree);
      end = document.end;
      for (const problem of problems.splice(0)) this.reportProblem(problem, source, document.subject, note);
      for (const object of document.objects) this.reserveClassName(object);
      const isRelevant = document.objects.some(({ apiVersion, kind }) =>
        isRelevantType(`${valueText(apiVersion)} ${valueText(kind)}`),
      );
      parts.push(isRelevant ? document : document.unchangedText(note));
    }
    for (const problem of problems) this.reportProblem(problem, source, '', note);
    return { parts: [...parts, source.text.slice(end)], note };
  }

  /** Returns a function that renders the file: it must be called after the objects of all files are converted. */
  public convert({ parts, note }: ReadFile): () => string {
    const converted = parts.map((part) =>
      typeof part === 'string'
        ? part
        : new DocumentConversion(part, (root, type) => this.convertObject(root, type, note)),
    );
    return () => converted.map((part) => (typeof part === 'string' ? part : part.text(note))).join('');
  }

  /** Applies changes that need all objects: kubelet settings move to node classes, claims inherit `expireAfter`. */
  public applyCrossObjectChanges(): void {
    const pools: ResultPool[] = [];
    const claims: Fields[] = [];
    const classes = new Map<string, ResultNodeClass>();
    const seen = new Set<string>();
    for (const conversion of this.conversions) {
      for (const successor of [...conversion.successors]) {
        const { object, root } = successor;
        const kind = root.text('kind');
        const name = root.inner('metadata')?.text('name') ?? '';
        if (name !== '' && seen.has(`${kind}/${name}`))
          object.note('todo', `the result has another ${kind} ${name}; keep one of them`);
        seen.add(`${kind}/${name}`);
        if (kind === NODE_POOL_API.kind) pools.push(successor);
        if (kind === 'NodeClaim') claims.push(root);
        if (kind === EC2_NODE_CLASS_API.kind && !classes.has(name))
          classes.set(name, resultNodeClass(conversion, successor));
      }
    }
    const poolsByName = new Map(pools.map(({ root }) => [root.inner('metadata')?.text('name') ?? '', root]));
    for (const claim of claims) inheritExpireAfter(claim, poolsByName);
    placeKubelets(pools, classes, (name) => this.newClassName(name));
  }

  public sortedNotes(files: readonly SourceFile[]): ConversionNote[] {
    const order = new Map(files.map(({ path }, i) => [path, i]));
    return [...this.notes].sort(
      (a, b) =>
        order.get(a.location.file)! - order.get(b.location.file)! ||
        a.location.line - b.location.line ||
        a.location.column - b.location.column,
    );
  }

  private convertObject(root: YAMLMap, type: string, note: ReportNote): ObjectConversion {
    const conversion = new ObjectConversion(root, type, this.options, note, (name) => this.newClassName(name));
    this.conversions.push(conversion);
    return conversion;
  }

  private reportProblem(problem: DocumentProblem, source: SourceText, subject: string, note: ReportNote): void {
    if (problem.kind === 'duplicate-key') {
      return note(
        'todo',
        problem.offset,
        subject,
        `the mapping has the key ${JSON.stringify(problem.key)} twice, and only the last one takes effect; merge the two, or remove one`,
      );
    }
    this.unreadable.push({ ...problem, location: { file: source.path, ...source.position(problem.offset) } });
  }

  private reserveClassName({ kind, metadata }: Readonly<Record<string, unknown>>): void {
    if (['AWSNodeTemplate', EC2_NODE_CLASS_API.kind].includes(valueText(kind)))
      this.classNames.add(valueText(asRecord(metadata)?.name));
  }

  private newClassName(base: string): string {
    let name = base;
    for (let i = 2; this.classNames.has(name); i += 1) name = `${base}-${i}`;
    this.classNames.add(name);
    return name;
  }
}

function resultNodeClass(conversion: ObjectConversion, { object, root }: Successor): ResultNodeClass {
  return {
    root,
    addCopy: (copy: Fields) => {
      conversion.successors.push({ object, root: copy });
      conversion.isChanged = true;
    },
    markChanged: () => {
      conversion.isChanged = true;
    },
  };
}
