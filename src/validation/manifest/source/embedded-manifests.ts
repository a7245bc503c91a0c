import { hereDocumentsOfShell, hereDocumentsOfTerraform } from './here-documents';
import { countText, shortListText } from '../../../model';
import { SourceFile } from '../model';

/** Files that programs make manifests from. */
const TERRAFORM = '.tf';
const TEMPLATES = ['.tpl', '.tftpl', '.tmpl', '.gotmpl', '.j2', '.jinja', '.jinja2'];
const SHELL = ['.sh', '.bash'];

/** The extensions of files in folders that may contain manifests without being one. */
export const EMBEDDING_EXTENSIONS: readonly string[] = [TERRAFORM, ...TEMPLATES, ...SHELL];

const POOL = /^[ \t-]*["']?kind["']?\s*[:=]\s*["']?(?:NodePool|Provisioner)\b/gm;
const JUDGED =
  /^[ \t-]*["']?kind["']?\s*[:=]\s*["']?(?:NodePool|Provisioner|EC2NodeClass|AWSNodeTemplate|NodeOverlay|Deployment|StatefulSet|DaemonSet|CronJob|Job|Pod)\b/m;
const API_VERSION = /^[ \t-]*["']?apiVersion["']?\s*[:=]/m;

/** How many NodePools a text mentions, whatever its format is. */
export function countPools(text: string): number {
  return text.match(POOL)?.length ?? 0;
}

/**
 * What of such a file can be read: a template as it is, and the here-documents of Terraform and scripts with all other
 * lines blank, so that lines keep their numbers. What cannot be read is said if NodePools are in it. Empty for other
 * files.
 */
export function embeddedManifests(file: SourceFile, extension: string): SourceFile[] {
  if (file.unreadable || !API_VERSION.test(file.text) || !JUDGED.test(file.text)) return [];
  if (TEMPLATES.includes(extension)) return [file];
  const isShell = SHELL.includes(extension);
  const text = isShell ? hereDocumentsOfShell(file.text) : hereDocumentsOfTerraform(file.text);
  const outside = countText(countPools(file.text) - countPools(text), 'NodePool');
  const [why, remedy] = isShell
    ? [
        `${outside} of this shell script cannot be read, because scripts are not run`,
        'write the manifests in files of their own, or pass --cluster',
      ]
    : [
        `${outside} of this file cannot be read: the values are known only to Terraform`,
        'write the manifest as YAML, for example in yaml_body of a kubectl_manifest, or pass --cluster',
      ];
  return [
    ...unread(file, blanked(file.text, text), why, remedy),
    ...(API_VERSION.test(text) ? [{ ...file, text, written: file.text, isGenerated: true }] : []),
  ];
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
