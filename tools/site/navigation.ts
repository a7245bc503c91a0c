import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './links';
import { addressOf, DOCS, docsPages, isPage, titleOf } from './pages';

export interface Link {
  readonly text: string;
  readonly link: string;
  /** Of a page outside the site's router. */
  readonly target?: string;
}

export interface Section {
  readonly text: string;
  readonly link?: string;
  readonly collapsed: boolean;
  readonly items: ReadonlyArray<Link | Section>;
}

/** Pages of docs/ in an order for readers, with texts that are shorter than their headings. */
const START: ReadonlyArray<readonly [string, string]> = [
  ['start/yaml.md', 'YAML only'],
  ['start/cdk8s.md', 'cdk8s'],
  ['start/cdk.md', 'AWS CDK'],
  ['start/languages.md', 'Python, Java, Go'],
  ['start/install.md', 'Install'],
  ['start/stopwatch.md', 'Stopwatch'],
  ['start/demo.md', 'Demo'],
];
const REFERENCE: ReadonlyArray<readonly [string, string]> = [
  ['validation.md', 'check'],
  ['reports.md', 'Reports'],
  ['explain.md', 'explain'],
  ['scenarios.md', 'Scenarios'],
  ['diff.md', 'diff'],
  ['conversion.md', 'convert'],
  ['instance-types.md', 'instance-types'],
  ['catalog.md', 'catalog'],
  ['plugins.md', 'Verdict at synth'],
  ['assertions.md', 'Assertions in tests'],
  ['nodes.md', 'nodes'],
  ['workloads.md', 'workloads'],
  ['infra.md', 'infra'],
  ['interruption.md', 'interruption'],
  ['permissions.md', 'Permissions'],
  ['languages.md', 'Python, Java, Go, C#'],
  ['glossary.md', 'Glossary'],
];
const HOW_IT_WORKS: ReadonlyArray<readonly [string, string]> = [
  ['how-it-works.md', 'How a verdict is made'],
  ['coverage.md', 'Coverage of the API'],
  ['conformance.md', 'Conformance'],
  ['precision.md', 'Precision'],
  ['robustness.md', 'Robustness'],
  ['performance.md', 'Performance'],
];
const SINGLE: ReadonlyArray<readonly [string, string]> = [
  ['setups.md', 'Setups'],
  ['comparison.md', 'Comparison'],
  ['faq.md', 'FAQ'],
];
/** Folders whose pages are listed by their headings, so that a new page needs no entry here. */
const FOLDERS: ReadonlyArray<readonly [string, string]> = [
  ['how-to', 'How-to'],
  ['coming-from', 'Coming from'],
  ['troubleshooting', 'Troubleshooting'],
  ['decisions', 'Decisions'],
];
/** The playground is built by another task. */
const PLAYGROUND = 'public/playground/index.html';

/** The sections beside each page. A page of docs/ that no list names is listed under Reference. */
export function sidebar(): Section[] {
  const listed = new Set([...START, ...REFERENCE, ...HOW_IT_WORKS, ...SINGLE].map(([path]) => path));
  const others = docsPages()
    .filter((path) => !path.includes('/') && path !== 'index.md' && path !== 'rules.md' && !listed.has(path))
    .map((path) => ({ text: titleOf(path), link: addressOf(path) }));
  return [
    section('Start', links(START), false),
    ...folder('how-to'),
    ...folder('coming-from'),
    ...folder('troubleshooting'),
    ...links([SINGLE[0]]).map((link) => section('Setups', [link])),
    rules(),
    section('Reference', [...links(REFERENCE), ...others]),
    api(),
    section('How it works', links(HOW_IT_WORKS)),
    ...folder('decisions'),
    section('More', links(SINGLE.slice(1)), false),
  ].filter(({ items }) => items.length > 0);
}

/** The bar at the top. */
export function navigationBar(): Array<Link | { readonly text: string; readonly items: Link[] }> {
  const first = (name: string) =>
    folder(name).map(({ text, items, link }) => ({ text, link: link ?? (items[0] as Link).link }));
  return [
    { text: 'Start', link: '/start/yaml' },
    ...first('how-to'),
    ...first('troubleshooting'),
    ...links([SINGLE[0]]),
    { text: 'Rules', link: '/rules' },
    ...(existsSync(join(DOCS, PLAYGROUND))
      ? [{ text: 'Playground', link: '/playground/index.html', target: '_self' }]
      : []),
    {
      text: 'Reference',
      items: [
        { text: 'Command line', link: '/validation' },
        { text: 'API', link: '/api/' },
        { text: 'Glossary', link: '/glossary' },
      ],
    },
    {
      text: 'More',
      items: [
        ...first('coming-from'),
        ...links(HOW_IT_WORKS.slice(0, 1)),
        ...links(SINGLE.slice(1)),
        ...first('decisions'),
        { text: 'Releases', link: `${REPOSITORY}/releases` },
      ],
    },
  ];
}

function links(pages: ReadonlyArray<readonly [string, string]>): Link[] {
  return pages.filter(([path]) => isPage(path)).map(([path, text]) => ({ text, link: addressOf(path) }));
}

function section(text: string, items: ReadonlyArray<Link | Section>, collapsed = true, link?: string): Section {
  return { text, collapsed, items, ...(link === undefined ? {} : { link }) };
}

/** The section of a folder, or none if the folder does not exist. A page index.md or README.md is its own link. */
function folder(name: string): Section[] {
  if (!existsSync(join(DOCS, name))) return [];
  const [, text] = FOLDERS.find(([path]) => path === name)!;
  const pages = docsPages(name);
  const index = pages.find((path) => /\/(index|README)\.md$/.test(path));
  const items = pages.filter((path) => path !== index).map((path) => ({ text: titleOf(path), link: addressOf(path) }));
  return [section(text, items, true, index === undefined ? undefined : addressOf(index))];
}

/** The rules by chapter, as docs/rules.md lists them. */
function rules(): Section {
  const [, ...chapters] = readFileSync(join(DOCS, 'rules.md'), 'utf8').split(/^## /m);
  const items = chapters.map((chapter) =>
    section(
      chapter.split('\n')[0],
      [...chapter.matchAll(/\[(KARP-\d+)\]\((\S+)\.md\) \| (\S+)/g)].map(([, id, path, name]) => ({
        text: `${id} ${name}`,
        link: `/${path}`,
      })),
    ),
  );
  return section('Rules', items, true, '/rules');
}

/** The submodules, which API.md names in its anchors. */
function api(): Section {
  const items = submodules().map((name) => ({ text: name, link: `/api/${name}` }));
  return section('API', items, true, '/api/');
}

export function submodules(): string[] {
  const text = readFileSync(join(DOCS, '../API.md'), 'utf8');
  return [
    ...new Set([...text.matchAll(/^### .* id="karpenter-constructs\.([a-z]\w*)\./gm)].map(([, name]) => name)),
  ].sort();
}
