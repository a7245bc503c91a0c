import { byId, element } from './dom';
import type { ManifestFile } from './messages';

/** The name of pasted text. The command line prints it if the text is in a file of this name. */
export const DEFAULT_NAME = 'manifests.yaml';

/** The files of the page. The editor has the selected one. */
export class FileTabs {
  private files: ManifestFile[] = [{ name: DEFAULT_NAME, text: '' }];
  private current = 0;

  /** @param onSelect called with the file to show in the editor */
  public constructor(
    private readonly onSelect: (file: ManifestFile) => void,
    private readonly onRemove: () => void,
  ) {}

  public get all(): readonly ManifestFile[] {
    return this.files;
  }

  public get selected(): ManifestFile {
    return this.files[this.current];
  }

  /** Replaces all files. */
  public replace(files: readonly ManifestFile[]): void {
    this.files = files.length === 0 ? [{ name: DEFAULT_NAME, text: '' }] : withUniqueNames(files);
    this.select(0);
  }

  /** Adds files, in place of an empty editor. A file of the same name is replaced. */
  public add(files: readonly ManifestFile[]): void {
    const names = new Set(files.map(({ name }) => name));
    const kept = this.files.filter(({ name, text }) => !names.has(name) && text.trim() !== '');
    this.files = withUniqueNames([...kept, ...files]);
    this.select(Math.min(kept.length, this.files.length - 1));
  }

  /** Takes the text of the editor over. */
  public edit(text: string): void {
    this.files[this.current] = { ...this.selected, text };
  }

  public selectFile(name: string): void {
    const index = this.files.findIndex((file) => file.name === name);
    if (index >= 0 && index !== this.current) this.select(index);
  }

  private select(index: number): void {
    this.current = index;
    this.draw();
    this.onSelect(this.selected);
  }

  private remove(index: number): void {
    this.files.splice(index, 1);
    if (this.files.length === 0) this.files.push({ name: DEFAULT_NAME, text: '' });
    this.select(Math.min(this.current > index ? this.current - 1 : this.current, this.files.length - 1));
    byId('editor').focus();
    this.onRemove();
  }

  private draw(): void {
    byId('tabs').replaceChildren(
      ...this.files.map(({ name }, index) => {
        const select = element('button', { type: 'button', 'aria-pressed': String(index === this.current) }, name);
        select.addEventListener('click', () => {
          this.select(index);
          byId('tabs').querySelectorAll<HTMLElement>('[aria-pressed]')[index].focus();
        });
        const remove = element('button', { type: 'button', class: 'remove', 'aria-label': `Remove ${name}` }, '×');
        remove.addEventListener('click', () => this.remove(index));
        return element('span', { class: 'tab' }, select, ...(this.files.length > 1 ? [remove] : []));
      }),
    );
  }
}

/** Two files of one name would look the same in findings. */
function withUniqueNames(files: readonly ManifestFile[]): ManifestFile[] {
  const used = new Set<string>();
  return files.map(({ name, text }) => {
    let unique = name;
    for (let count = 2; used.has(unique); count++) unique = name.replace(/(\.[^.]*)?$/, `-${count}$1`);
    used.add(unique);
    return { name: unique, text };
  });
}
