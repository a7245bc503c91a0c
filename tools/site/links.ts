import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { addressOf, DOCS, isPage } from './pages';

export const REPOSITORY = 'https://github.com/karpenter-constructs/karpenter-constructs';
const ROOT = join(DOCS, '..');

/**
 * The link of a page as the site needs it. Links between pages stay as they are. The API reference has pages in the
 * site, and other files of the repository are shown by GitHub.
 */
export function siteLink(page: string, link: string): string {
  if (/^(\w+:|#|\/)/.test(link) || link === '') return link;
  const [path, anchor] = link.split('#');
  const target = posix.join('docs', posix.dirname(page), path).replace(/\/$/, '');
  const suffix = anchor === undefined ? '' : `#${anchor}`;
  if (target === 'API.md') return '/api/';
  if (target.startsWith('docs/') && !target.startsWith('docs/images/')) {
    if (target.endsWith('.md')) return link;
    const index = ['index.md', 'README.md'].map((name) => posix.join(target.slice('docs/'.length), name)).find(isPage);
    if (index !== undefined) return `${addressOf(index)}${suffix}`;
  }
  const file = join(ROOT, target);
  if (!existsSync(file)) throw new Error(`docs/${page} links to ${link}, which does not exist`);
  return `${REPOSITORY}/${statSync(file).isDirectory() ? 'tree' : 'blob'}/main/${target}${suffix}`;
}
