import { readdirSync } from 'fs';
import { basename, dirname, extname } from 'path';
import { GitIgnore } from './gitignore';

/** Ends of the names of files that a tool decrypts, or that people copy and fill in. */
const SOURCES = [
  'enc',
  'encrypted',
  'decrypted',
  'dec',
  'sops',
  'gpg',
  'age',
  'asc',
  'example',
  'sample',
  'dist',
  'tpl',
  'template',
  'tmpl',
];
/** Names of files that nobody commits. */
const SECRET = /(?:^|[-_.])(?:secrets?|credentials?|passwords?|htpasswd|tokens?|api-?keys?|id_rsa)(?:[-_.]|$)/i;
const SECRET_EXTENSIONS = ['.env', '.key', '.pem', '.crt', '.p12', '.jks'];

/**
 * Whether a file that is not there is no mistake: git ignores it, a tool makes it of a file beside it, or its name says
 * that it has secrets.
 */
export function isMadeLater(path: string, gitIgnore: GitIgnore): boolean {
  const name = basename(path);
  const extension = extname(name);
  if (SECRET.test(name) || SECRET_EXTENSIONS.includes(extension) || name.startsWith('.env')) return true;
  if (gitIgnore.isIgnored(path)) return true;
  const stem = extension === '' ? name : name.slice(0, -extension.length);
  const sources = new Set(SOURCES.flatMap((end) => [`${name}.${end}`, `${stem}.${end}${extension}`]));
  return namesIn(dirname(path)).some((other) => sources.has(other));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
