import { byId, notify } from './dom';
import type { ManifestFile } from './messages';
import { countProblem, MAX_BYTES } from './size-limit';

/** Takes files that are dropped on the page or chosen with its button. */
export function takeFiles(onFiles: (files: readonly ManifestFile[]) => void): void {
  const input = byId<HTMLInputElement>('files');
  byId('open').addEventListener('click', () => input.click());
  const take = (files: readonly File[]) => readFiles(files).then(onFiles, (error: Error) => notify(error.message));
  input.addEventListener('change', () => {
    void take([...(input.files ?? [])]);
    input.value = ''; // so that the same file can be chosen again
  });
  const { body } = document;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  body.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    body.classList.add('dropping');
  });
  body.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) body.classList.remove('dropping');
  });
  body.addEventListener('drop', (event) => {
    body.classList.remove('dropping');
    if (!hasFiles(event)) return;
    event.preventDefault();
    void take([...event.dataTransfer!.files]);
  });
}

/** @throws Error if files are folders, too many, too large or no text, with a sentence for the user */
async function readFiles(files: readonly File[]): Promise<ManifestFile[]> {
  const problem = countProblem(files);
  if (problem !== undefined) throw new Error(problem);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_BYTES)
    throw new Error(
      `The files have ${(size / 1e6).toFixed(1)} MB, and this page checks at most 1 MB. Use the command line for them.`,
    );
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await textOf(file) })));
}

async function textOf(file: File): Promise<string> {
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    throw new Error(`${file.name} cannot be read. Drop files, not folders.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${file.name} is not valid UTF-8 text. Save it as UTF-8.`);
  }
}
