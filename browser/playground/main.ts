/**
 * The playground: manifests on one side, the verdict on the other. A worker checks them with the engine of the command
 * line, so they never leave the browser. `tools/build/build-playground.ts` builds the page.
 */
import { Checker } from './checker';
import { byId, element, notify } from './dom';
import { takeFiles } from './dropped-files';
import { Editor } from './editor';
import { EXAMPLES } from './examples';
import { DEFAULT_NAME, FileTabs } from './file-tabs';
import type { CheckAnswer, Problem } from './messages';
import { showProblems } from './problem-list';
import { fragmentOf, SharedState, stateOf } from './share-link';
import { sizeProblem } from './size-limit';
import { startTheme } from './theme';
import { VerdictPane } from './verdict-pane';
import { countText } from '../../src/model/text';

/** Set by the build. The newest version of Karpenter comes first. */
declare const REGIONS: readonly string[];
declare const VERSIONS: readonly string[];

/** The time between the last key and the check. */
const DELAY_MILLISECONDS = 350;
/** Some programs cut longer links off. */
const LONG_LINK = 8000;
const KEPT = 'karpenter-constructs-playground';

const example = byId<HTMLSelectElement>('example');
const region = byId<HTMLSelectElement>('region');
const version = byId<HTMLSelectElement>('version');
const assets = new URL(document.querySelector<HTMLScriptElement>('script[data-assets]')!.dataset.assets!, location.href)
  .href;

let root = 0;
let answer: CheckAnswer | undefined;
/** Set while the editor has text that is not yet checked. Answers that arrive meanwhile are about older text. */
let typing: ReturnType<typeof setTimeout> | undefined;

const editor = new Editor(() => {
  tabs.edit(editor.text);
  example.value = '';
  pane.showWorking();
  allowSaving(false);
  clearTimeout(typing);
  typing = setTimeout(check, DELAY_MILLISECONDS);
});
const tabs = new FileTabs(
  ({ name, text }) => {
    editor.show(text, name);
    mark();
  },
  () => check(),
);
const pane = new VerdictPane((chosen) => {
  root = chosen;
  check();
});
const checker = new Checker(assets, {
  started: () => pane.showWorking(),
  answered: (result) => {
    if (typing !== undefined) return;
    answer = result;
    pane.showAnswer(result, root);
    finish(result.problems);
  },
  failed: (problem) => {
    if (typing !== undefined) return;
    answer = undefined;
    pane.showFailure(problem);
    finish([]);
  },
});

function check(): void {
  clearTimeout(typing);
  typing = undefined;
  keep();
  const files = tabs.all;
  const problem = sizeProblem(files);
  const isEmpty = files.every(({ text }) => text.trim() === '');
  if (problem === undefined && !isEmpty) {
    pane.showWorking();
    allowSaving(false);
    checker.check({
      files,
      root,
      ...(region.value ? { region: region.value } : {}),
      ...(version.value ? { version: version.value } : {}),
    });
    return;
  }
  checker.cancel();
  answer = undefined;
  if (problem !== undefined) pane.showFailure(problem);
  else pane.showNothing();
  finish([]);
}

function finish(problems: readonly Problem[]): void {
  allowSaving(answer !== undefined);
  showProblems(problems, tabs.all.length > 1, (problem) => {
    show('manifests');
    tabs.selectFile(problem.file);
    editor.goTo(problem.line, problem.column);
  });
  mark();
}

function allowSaving(isAllowed: boolean): void {
  for (const id of ['save-html', 'save-json']) byId<HTMLButtonElement>(id).disabled = !isAllowed;
}

function mark(): void {
  editor.mark((answer?.problems ?? []).filter(({ file }) => file === tabs.selected.name));
}

/** Replaces everything in the editor, and checks it. */
function openState(state: SharedState): void {
  root = 0;
  region.value = REGIONS.includes(state.region ?? '') ? state.region! : '';
  version.value = VERSIONS.includes(state.version ?? '') ? state.version! : '';
  answer = undefined;
  tabs.replace(state.files);
  check();
}

function openExample(id: string): void {
  const chosen = EXAMPLES.find((candidate) => candidate.id === id) ?? EXAMPLES[0];
  example.value = chosen.id;
  openState({ files: [{ name: DEFAULT_NAME, text: chosen.text }], region: region.value, version: version.value });
}

/** Opens what the address names: manifests, or an example. Otherwise what this tab had before it was loaded again. */
async function openAddress(): Promise<void> {
  try {
    const state = await stateOf(location.hash);
    if (state) {
      example.value = '';
      return openState(state);
    }
  } catch (error) {
    notify((error as Error).message, 30);
  }
  const named = /^#example=([\w-]+)$/.exec(location.hash)?.[1];
  const kept = named === undefined ? keptState() : undefined;
  if (kept) openState(kept);
  else openExample(named ?? EXAMPLES[0].id);
}

/** Keeps the manifests for this tab only, so that loading the page again loses nothing. */
function keep(): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ files: tabs.all, region: region.value, version: version.value }));
  } catch {
    // Without storage, the page works all the same.
  }
}

function keptState(): SharedState | undefined {
  try {
    const state = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as SharedState | null;
    return state?.files.some(({ text }) => text.trim() !== '') ? state : undefined;
  } catch {
    return undefined;
  }
}

async function copyLink(): Promise<void> {
  const problem = sizeProblem(tabs.all);
  if (problem !== undefined) return notify('These manifests are too large for a link.');
  const fragment = await fragmentOf({ files: tabs.all, region: region.value, version: version.value });
  history.replaceState(null, '', fragment);
  const { href } = location;
  const length =
    href.length > LONG_LINK ? ` It has ${countText(href.length, 'character')}; some programs cut such links off.` : '';
  try {
    await navigator.clipboard.writeText(href);
    notify(`Link copied. It contains the manifests: share it only with people who may read them.${length}`);
  } catch {
    notify(`The address of this page is now the link. It contains the manifests.${length}`);
  }
}

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** On narrow screens, one side is visible at a time. */
function show(view: string): void {
  document.querySelector('main')!.dataset.view = view;
  for (const button of document.querySelectorAll<HTMLElement>('.views button'))
    button.setAttribute('aria-pressed', String(button.dataset.view === view));
}

startTheme();
example.append(...EXAMPLES.map(({ id, title }) => element('option', { value: id }, title)));
region.append(...REGIONS.map((name) => element('option', { value: name }, name)));
version.append(
  ...VERSIONS.map((name, index) =>
    element('option', { value: index === 0 ? '' : name }, index === 0 ? `${name} (newest)` : name),
  ),
);
example.addEventListener('change', () => {
  if (example.value) openExample(example.value);
});
for (const choice of [region, version]) choice.addEventListener('change', check);
for (const button of document.querySelectorAll<HTMLElement>('.views button'))
  button.addEventListener('click', () => show(button.dataset.view!));
byId('link').addEventListener('click', () => void copyLink());
byId('save-json').addEventListener('click', () => {
  if (answer) save('verdict.json', 'application/json', answer.json);
});
byId('save-html').addEventListener('click', () => {
  if (answer) save('verdict.html', 'text/html', answer.html);
});
takeFiles((files) => {
  if (files.length === 0) return;
  example.value = '';
  root = 0;
  tabs.add(files);
  check();
});
addEventListener('hashchange', () => void openAddress());
void openAddress();
