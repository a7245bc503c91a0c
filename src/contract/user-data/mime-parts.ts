/**
 * Mistakes in the parts of a MIME archive, and in scripts.
 *
 * Sources: NewArchive in pkg/providers/amifamily/bootstrap/mime/mime.go of Karpenter for AWS 1.15.1, which reads
 * headers with net/mail and net/textproto of Go; parseMultipart in nodeadm/internal/configprovider/userdata.go of
 * https://github.com/awslabs/amazon-eks-ami; cloudinit/handlers/shell_script.py of cloud-init 22.4, which executes a
 * part as it is.
 */
import { boundaryOf } from './mime';

/** The kind of a mistake in a part. */
export interface PartProblem {
  /**
   * - `header`: Go refuses a line of a header.
   * - `blank`: the archive begins with blanks, so that it has no header.
   * - `no-archive`: its header has no type of an archive.
   * - `node-config`: nodeadm does not read the NodeConfig, because of its type.
   * - `not-node-config`: nodeadm reads a script.
   * - `script`: the script has no interpreter in its first line.
   */
  readonly kind: 'header' | 'blank' | 'no-archive' | 'node-config' | 'script' | 'not-node-config';
  /** The line, or the content type. */
  readonly written: string;
}

const NODE_CONFIG = 'application/node.eks.aws';
const SCRIPT = 'text/x-shellscript';

interface Part {
  readonly header: readonly string[];
  readonly body: string;
}

/** The first mistake in the parts of a MIME archive whose delimiters are right. */
export function findPartProblem(userData: string): PartProblem | undefined {
  const text = userData.replaceAll('\r', '');
  if (/^\s/.test(text)) return { kind: 'blank', written: '' };
  const header = text.split('\n\n', 1)[0].split('\n');
  const malformed = malformedLine(header);
  if (malformed !== undefined) return { kind: 'header', written: malformed };
  if (!header.some((line) => /^Content-Type:\s*multipart\//i.test(line))) return { kind: 'no-archive', written: '' };
  for (const part of partsOf(userData)) {
    const problem = problemOf(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf({ header, body }: Part): PartProblem | undefined {
  const malformed = malformedLine(header);
  if (malformed !== undefined) return { kind: 'header', written: malformed };
  const type = header.flatMap((line) => /^Content-Type:\s*([^;\s]+)/i.exec(line)?.[1].toLowerCase() ?? []).at(-1);
  const isNodeConfig = /^apiVersion:\s*["']?node\.eks\.aws\//m.test(body);
  if (isNodeConfig && type !== NODE_CONFIG) return { kind: 'node-config', written: type ?? 'no Content-Type' };
  if (type === NODE_CONFIG && /^\s*#!/.test(body)) return { kind: 'not-node-config', written: type };
  return type === SCRIPT && !isEncoded(header) ? scriptProblem(body) : undefined;
}

/** A line without a colon that does not continue the line before it. */
function malformedLine(header: readonly string[]): string | undefined {
  return header.find((line, index) => line !== '' && !line.includes(':') && !(index > 0 && /^[ \t]/.test(line)));
}

/** Undefined if the kernel finds the interpreter, or if the text is a placeholder. */
export function scriptProblem(body: string): PartProblem | undefined {
  const [first = ''] = body.split('\n').filter((line) => line.trim() !== '');
  if (body.startsWith('#!') || first === '' || /^\s*(?:\$\{|\{\{|<)/.test(first)) return undefined;
  return { kind: 'script', written: first.trim() };
}

function isEncoded(header: readonly string[]): boolean {
  return header.some((line) => /^Content-Transfer-Encoding:\s*base64/i.test(line));
}

function partsOf(userData: string): Part[] {
  const text = userData.replaceAll('\r', '').trimStart();
  const boundary = boundaryOf(text);
  if (boundary === undefined) return [];
  const parts = text.split('\n').reduce<string[][]>((all, line) => {
    if (line.trimEnd() === `--${boundary}`) all.push([]);
    else if (line.trimEnd() === `--${boundary}--`) all.push(['']);
    else all.at(-1)?.push(line);
    return all;
  }, []);
  return parts.map((lines) => {
    const end = lines.indexOf('');
    return { header: end < 0 ? [] : lines.slice(0, end), body: end < 0 ? '' : lines.slice(end + 1).join('\n') };
  });
}

/** The text that was encoded, if user data is in base64 already. */
export function decodedUserData(userData: string): string | undefined {
  const text = userData.replaceAll(/\s/g, '');
  if (text.length < 16 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const decoded = atob(text);
  return /^\s*(?:#!|#cloud-config|MIME-Version:|Content-Type:|apiVersion:|\[settings|settings\.|<powershell>)/.test(
    decoded,
  )
    ? decoded
    : undefined;
}
