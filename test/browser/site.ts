import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(__dirname, '../..');
export const BUILT = join(ROOT, 'docs/.vitepress/dist');

/** Builds the documentation site. */
export function buildSite(): void {
  const { status, stdout, stderr } = spawnSync('npx', ['projen', 'docs:build'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`docs:build ended with ${status}:\n${stdout}${stderr}`);
}

/** Paths of the HTML files of the site, from its root. The playground has no pages of the site. */
export function builtPages(): string[] {
  return readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && !file.startsWith('playground/'))
    .map((file) => `/${file}`);
}

/** Links within the site that lead to no file, or to no element of the page. */
export function deadLinks(): string[] {
  const ids = new Map(
    builtPages().map((page) => [
      page,
      new Set([...readFileSync(join(BUILT, page), 'utf8').matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  return builtPages().flatMap((page) =>
    [...readFileSync(join(BUILT, page), 'utf8').matchAll(/<a\b[^>]*\bhref="([^"]+)"/g)]
      .map(([, link]) => link)
      .filter((link) => {
        if (/^\w+:/.test(link)) return false;
        const [path, anchor] = link.split('#');
        const absolute =
          path === ''
            ? page
            : posix.join(
                posix.dirname(page),
                path.startsWith('/') ? posix.relative(posix.dirname(page), path) || '.' : path,
              );
        const target = path.endsWith('/') ? `${absolute.replace(/\/?$/, '/')}index.html` : absolute;
        const exists = existsSync(join(BUILT, target));
        return (
          !exists ||
          (anchor !== undefined &&
            anchor !== '' &&
            ids.has(target) &&
            !ids.get(target)!.has(decodeURIComponent(anchor)))
        );
      })
      .map((link) => `${page}: ${link}`),
  );
}
