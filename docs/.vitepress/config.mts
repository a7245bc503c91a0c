import { defineConfig, type MarkdownRenderer } from 'vitepress';
import { anchorOf } from '../../tools/site/headings';
import { REPOSITORY, siteLink } from '../../tools/site/links';
import { navigationBar, sidebar } from '../../tools/site/navigation';

const DESCRIPTION = 'See what Karpenter will do with your manifests before you apply them: nodes, pods, cost, and errors with a remedy.';
/** The folder of the site on its host, such as /karpenter-constructs/. */
const base = process.env.DOCS_BASE ?? '/';

/**
 * Corrects two components of the theme for screen readers. A section without a page of its own is one button, and has
 * a second one in it for the caret. The label of the search button lacks the key that the button shows.
 */
const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (id.endsWith('/VPSidebarItem.vue')) {
      return replaced(replaced(code, /role="button"\s+aria-label="toggle section"/, ':role="item.link && \'button\'" :aria-label="item.link && \'toggle section\'"'),
        /(?<=@keydown\.enter="onCaretClick"\s+)tabindex="0"/, ':tabindex="item.link && 0"');
    }
    if (id.endsWith('/VPNavBarSearchButton.vue')) return replaced(code, /:aria-label="translate/, ':title="translate');
    return undefined;
  },
};

/** The table of considered rules names every id a second time, and would be found before the page of a rule. */
const NOT_SEARCHED = '\n## Rules that were considered\n';

function searchedHtml(source: string, env: { readonly relativePath: string }, md: MarkdownRenderer): string {
  const end = env.relativePath === 'rules.md' ? source.indexOf(NOT_SEARCHED) : source.length;
  if (end < 0) throw new Error('docs/rules.md has no table of the rules that were considered');
  return md.render(source.slice(0, end), env);
}

function replaced(code: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(code)) throw new Error(`VitePress has changed: its theme has no ${pattern.source}`);
  return code.replace(pattern, replacement);
}

export default defineConfig({
  title: 'karpenter-constructs',
  description: DESCRIPTION,
  lang: 'en',
  base,
  cleanUrls: false,
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: ['public/**'],
  // GitHub shows README.md of a folder, and the site needs index.md.
  rewrites: { 'how-to/README.md': 'how-to/index.md', 'coming-from/README.md': 'coming-from/index.md', 'troubleshooting/README.md': 'troubleshooting/index.md' },
  // The playground is no page of VitePress.
  ignoreDeadLinks: [/\/playground\//],
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}logo.svg` }],
    ['meta', { name: 'theme-color', content: '#2355c4' }],
    ['meta', { property: 'og:title', content: 'karpenter-constructs' }],
    ['meta', { property: 'og:description', content: DESCRIPTION }],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (md) => {
      md.core.ruler.push('site-links', ({ tokens, env }) => {
        const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open');
        links.forEach((link) => link.attrSet('href', siteLink(env.relativePath, link.attrGet('href') ?? '')));
      });
    },
  },
  vite: { plugins: [accessibleTheme] },
  themeConfig: {
    logo: '/logo.svg',
    nav: navigationBar() as never,
    sidebar: sidebar() as never,
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: searchedHtml } },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page on GitHub' },
    footer: { message: 'Apache-2.0. Decisions follow Karpenter 1.15.1.' },
  },
});
