/**
 * Mistakes in the delimiters of a MIME archive.
 *
 * Sources: NewArchive in pkg/providers/amifamily/bootstrap/mime/mime.go of Karpenter for AWS 1.15.1, which reads the
 * archive with mime/multipart of Go: text between two delimiters is one part, and a part without an end is an error.
 */
export interface MimeProblem {
  /** `launch-fails`: Karpenter cannot read the archive. `lost`: Karpenter reads it without some parts. */
  readonly kind: 'launch-fails' | 'lost';
  /** The boundary of the header. */
  readonly boundary: string;
  /** A line that looks like a delimiter and is none. */
  readonly written?: string;
  /** The boundary of all delimiters, if none has that of the header. */
  readonly meant?: string;
}

const BOUNDARY = /^Content-Type:\s*multipart\/[^\n]*?;\s*boundary=(?:"([^"\n]+)"|([^\s;"]+))/im;

/** Undefined if the archive can be read, or if its header does not show the boundary. */
export function findMimeProblem(userData: string): MimeProblem | undefined {
  const text = userData.replaceAll('\r', '').trimStart();
  const [header] = text.split('\n\n', 1);
  const boundary = boundaryOf(text);
  if (boundary === undefined) return undefined;
  const lines = text
    .slice(header.length)
    .split('\n')
    .map((line) => line.trimEnd());
  const end = lines.indexOf(`--${boundary}--`);
  const archive = end < 0 ? lines : lines.slice(0, end);
  const written = archive.find((line, index) => isOtherDelimiter(line, archive[index + 1], boundary));
  const named = { boundary, ...(written === undefined ? {} : { written }) };
  const last = archive.lastIndexOf(`--${boundary}`);
  if (last < 0 && written !== undefined) {
    const isOfAll = end < 0 && written.startsWith('--') && archive.includes(`${written}--`);
    return { kind: 'lost', ...named, ...(isOfAll ? { meant: written.slice('--'.length) } : {}) };
  }
  if (last < 0) return undefined;
  // Go ignores a last part whose header does not end.
  if (end < 0 && archive.slice(last + 1, -1).includes('')) return { kind: 'launch-fails', ...named };
  return written === undefined ? undefined : { kind: 'lost', ...named };
}

/** The boundary in the header of an archive; undefined if the header does not show it. */
export function boundaryOf(text: string): string | undefined {
  const [header] = text.split('\n\n', 1);
  const [, quoted, bare] = BOUNDARY.exec(header) ?? [];
  return quoted ?? bare;
}

/** Whether a line begins a part with another boundary. */
function isOtherDelimiter(line: string, next: string | undefined, boundary: string): boolean {
  return /^--?\S+$/.test(line) && line !== `--${boundary}` && /^(Content-[\w-]+|MIME-Version):/i.test(next ?? '');
}
