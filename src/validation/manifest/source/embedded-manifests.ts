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
 * What of such a file can be read: a template as it is, and the here-documents of Terraform with all other lines blank,
 * so that lines keep their numbers. What cannot be read is said if NodePools are in it. Empty for other files.
 */
export function embeddedManifests(file: SourceFile, extension: string): SourceFile[] {
  if (file.unreadable || !API_VERSION.test(file.text) || !JUDGED.test(file.text)) return [];
  if (TEMPLATES.includes(extension)) return [file];
  const pools = countText(countPools(file.text), 'NodePool');
  if (SHELL.includes(extension)) {
    const message = `${pools} of this shell script cannot be read, because scripts are not run`;
    return unread(file, file.text, message, 'write the manifests in files of their own, or pass --cluster');
  }
  const text = hereDocuments(file.text);
  const inHcl = countPools(file.text) - countPools(text);
  return [
    ...unread(
      file,
      blanked(file.text, text),
      `${countText(inHcl, 'NodePool')} of this file cannot be read: the values are known only to Terraform`,
      'write the manifest as YAML, for example in yaml_body of a kubectl_manifest, or pass --cluster',
    ),
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

const HERE_DOCUMENT = /<<(-?)([A-Za-z_]\w*)[ \t]*\r?$/;
/** The first line of a manifest; a script or a policy begins in another way. */
const MANIFEST_LINE = /^\s*(?:apiVersion|kind|metadata|spec)\s*:/;
const OTHER_LINE = /^\s*(?:#.*|---\s*|%\{.*)?$/;

/** The manifests in here-documents. The line that begins one becomes the marker of a YAML document. */
function hereDocuments(text: string): string {
  const lines = text.split('\n');
  const kept = lines.map((line) => ' '.repeat(line.length));
  for (let start = 0; start < lines.length; start++) {
    const [, , marker] = HERE_DOCUMENT.exec(lines[start]) ?? [];
    if (marker === undefined) continue;
    const end = lines.findIndex((line, index) => index > start && line.trim() === marker);
    if (end < 0) break;
    const body = lines.slice(start + 1, end);
    if (MANIFEST_LINE.test(body.find((line) => !OTHER_LINE.test(line)) ?? '')) {
      kept[start] = '---'.padEnd(lines[start].length);
      for (const [index, line] of body.entries())
        kept[start + 1 + index] = line.trim() === '---' ? '---'.padEnd(line.length) : line;
      // An indented document would otherwise go on with the next one.
      kept[end] = ' '.repeat(lines[end].length);
    }
    start = end;
  }
  return kept.join('\n');
}

/** The lines of a text that another text of the same lines lacks. */
function blanked(text: string, other: string): string {
  const others = other.split('\n');
  return text
    .split('\n')
    .map((line, index) => (others[index].trim() === '' ? line : ' '.repeat(line.length)))
    .join('\n');
}
