import { basename, extname } from 'path';
import { hereDocumentsOfMake, hereDocumentsOfShell } from './here-documents';
import { CLASS_BLOCK } from './terraform/class-blocks';
import { Scope } from './terraform/hcl/evaluate';
import { OBJECT_BLOCK } from './terraform/object-blocks';
import { folderOfText } from './terraform/terraform-folders';
import { manifestsOfTerraform, TerraformManifests } from './terraform/terraform-manifests';
import { CHARTS_OF_NODES } from '../../../contract';
import { countText, shortListText } from '../../../model';
import { SourceFile } from '../model';

/** Files that programs make manifests from. */
const TERRAFORM = '.tf';
const TEMPLATES = ['.tpl', '.tftpl', '.tmpl', '.gotmpl', '.j2', '.jinja', '.jinja2'];
const SHELL = ['.sh', '.bash'];
const MAKE = '.mk';
/** Files of these names are like those of an extension. */
const NAMES: ReadonlyArray<readonly [name: RegExp, extension: string]> = [
  [/^(?:GNUmakefile|[Mm]akefile)$/, MAKE],
  [/^(?:[Jj]ustfile|Jenkinsfile)$/, '.sh'],
];

/** The extensions of files in folders that may contain manifests without being one. */
export const EMBEDDING_EXTENSIONS: readonly string[] = [TERRAFORM, ...TEMPLATES, ...SHELL, MAKE];

/** The extension of a file in lower case; of some names, that of files that are like it. */
export function kindOfFile(path: string): string {
  const name = basename(path);
  return NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? extname(name).toLowerCase();
}

const POOL = /^[ \t-]*["']?kind["']?\s*[:=]\s*["']?(?:NodePool|Provisioner)\b/gm;
const JUDGED =
  /^[ \t-]*["']?kind["']?\s*[:=]\s*["']?(?:NodePool|Provisioner|EC2NodeClass|AWSNodeTemplate|NodeOverlay|Deployment|StatefulSet|DaemonSet|CronJob|Job|Pod)\b/m;
/** Kinds that workloads of other files use. They are read from what is no template. */
const SUPPLIED =
  /^[ \t-]*["']?kind["']?\s*[:=]\s*["']?(?:StorageClass|PriorityClass|RuntimeClass|LimitRange|PersistentVolumeClaim)\b/m;
const API_VERSION = /^[ \t-]*["']?apiVersion["']?\s*[:=]/m;

/** A chart in Terraform whose values decide about nodes. */
const READ_RELEASE = new RegExp(
  `^(?:[ \\t]*chart[ \\t]*=[ \\t]*|resource[ \\t]+"helm_release"[ \\t]+)"[^"\\n]*(?:${CHARTS_OF_NODES.join('|')})`,
  'm',
);

/** Whether a text mentions an object of a kind that is judged, whatever its format is. */
export function mentionsJudged(text: string): boolean {
  return JUDGED.test(text);
}

/** How many NodePools a text mentions, whatever its format is. */
export function countPools(text: string): number {
  return text.match(POOL)?.length ?? 0;
}

/**
 * What of such a file can be read: a template as it is, and the manifests of Terraform and scripts with all other lines
 * blank, so that lines keep their numbers. What cannot be read is said if NodePools are in it. Empty for other files.
 *
 * @param scope the names that the folder of a Terraform file defines
 */
export function embeddedManifests(file: SourceFile, extension: string, scope?: Scope): SourceFile[] {
  if (file.unreadable || !mayHaveManifests(file.text, extension)) return [];
  if (TEMPLATES.includes(extension)) return [file];
  const isShell = SHELL.includes(extension) || extension === MAKE;
  const { texts, covered } = isShell
    ? onlyText((extension === MAKE ? hereDocumentsOfMake : hereDocumentsOfShell)(file.text))
    : manifestsOfTerraform(file, scope ?? folderOfText(file.path, file.text));
  const rest = blanked(file.text, covered);
  const outside = countText(countPools(rest), 'NodePool');
  const [why, remedy] = isShell
    ? [
        `${outside} of this ${extension === MAKE ? 'makefile' : 'shell script'} cannot be read, because scripts are not run`,
        'write the manifests in files of their own, or pass --cluster',
      ]
    : [
        `${outside} of this file cannot be read: the values are known only to Terraform`,
        'pass a plan: `terraform show -json plan.out > plan.json`, and check plan.json',
      ];
  return [
    ...unread(file, rest, why, remedy),
    ...texts
      .filter((text) => text.includes('apiVersion'))
      .map((text) => ({
        ...file,
        text,
        written: file.text,
        isGenerated: true,
        ...(isShell ? { isOfOthers: true } : {}),
      })),
  ];
}

/** The object of a file begins in its first column. Pipelines have none. */
const OBJECT = /^(?:apiVersion|kind)\s*:/m;

/**
 * Manifests in here-documents of the scripts that a pipeline runs, such as a workflow of GitHub. Empty for a file with
 * objects, whose scripts run in the cluster.
 */
export function manifestsOfPipeline(file: SourceFile): SourceFile[] {
  if (file.unreadable || !file.text.includes('<<') || OBJECT.test(file.text)) return [];
  return mayHaveManifests(file.text, '.sh')
    ? embeddedManifests(file, '.sh').filter(({ unreadable }) => !unreadable)
    : [];
}

function mayHaveManifests(text: string, extension: string): boolean {
  if (extension === TERRAFORM && [READ_RELEASE, CLASS_BLOCK, OBJECT_BLOCK].some((block) => block.test(text)))
    return true;
  if (!API_VERSION.test(text)) return false;
  return JUDGED.test(text) || (!TEMPLATES.includes(extension) && SUPPLIED.test(text));
}

function onlyText(text: string): TerraformManifests {
  return { texts: [text], covered: text };
}

function unread(file: SourceFile, text: string, message: string, remedy: string): SourceFile[] {
  POOL.lastIndex = 0;
  const match = POOL.exec(text);
  if (!match) return [];
  return [{ ...file, unreadable: { message, remedy, offset: match.index, severity: 'warning' } }];
}

/** The most files that the one finding about unread files of a kind names. */
const MOST_NAMES = 3;

/** Files of one kind whose NodePools cannot be read are one finding, at the first of them. */
export function unreadOnce(files: readonly SourceFile[]): SourceFile[] {
  const byRemedy = new Map<string, SourceFile[]>();
  for (const file of files.filter(isUnread)) {
    const { remedy } = file.unreadable!;
    byRemedy.set(remedy, [...(byRemedy.get(remedy) ?? []), file]);
  }
  return files.flatMap((file) => {
    const like = isUnread(file) ? byRemedy.get(file.unreadable!.remedy)! : [file];
    if (like.length === 1) return [file];
    if (like[0] !== file) return [];
    const names = shortListText(
      like.map(({ path }) => path),
      MOST_NAMES,
    );
    const why = file.unreadable!.message.replace(/^.* cannot be read/, 'cannot be read');
    const message = `NodePools of ${countText(like.length, 'file')} (${names}) ${why}`;
    return [{ ...file, unreadable: { ...file.unreadable!, message } }];
  });
}

function isUnread({ unreadable }: SourceFile): boolean {
  return unreadable?.severity === 'warning';
}

/** The lines of a text that another text of the same lines lacks. */
function blanked(text: string, other: string): string {
  const others = other.split('\n');
  return text
    .split('\n')
    .map((line, index) => (others[index].trim() === '' ? line : ' '.repeat(line.length)))
    .join('\n');
}
