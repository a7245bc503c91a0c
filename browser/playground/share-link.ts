/** Links that contain the manifests. They are in the fragment, which browsers do not send to the server. */
import type { ManifestFile } from './messages';
import { MAX_BYTES, sizeProblem } from './size-limit';

/** What a link contains. */
export interface SharedState {
  readonly files: readonly ManifestFile[];
  readonly region?: string;
  readonly version?: string;
}

const PREFIX = '#m=';
/** The texts as JSON take more bytes than as they are. */
const MAX_JSON_BYTES = 3 * MAX_BYTES;

export async function fragmentOf({ files, region, version }: SharedState): Promise<string> {
  const state = {
    f: files.map(({ name, text }) => [name, text]),
    ...(region ? { r: region } : {}),
    ...(version ? { k: version } : {}),
  };
  const packed = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return PREFIX + toBase64Url(new Uint8Array(await new Response(packed).arrayBuffer()));
}

/**
 * Undefined if the fragment is not that of a link.
 *
 * @throws Error if the link is damaged, or contains more than the page checks
 */
export async function stateOf(fragment: string): Promise<SharedState | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  try {
    return parsed(await unpacked(fromBase64Url(fragment.slice(PREFIX.length))));
  } catch {
    throw new Error('This link is damaged or too long, so its manifests cannot be shown. Ask for a new one.');
  }
}

/** Stops early: a small text can be the compressed form of a huge one. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MAX_JSON_BYTES) throw new Error('too large');
    chunks.push(part.value as Uint8Array<ArrayBuffer>);
  }
  return new Blob(chunks).text();
}

function parsed(json: string): SharedState {
  const { f: pairs, r: region, k: version } = JSON.parse(json) as { f: unknown; r?: unknown; k?: unknown };
  if (!Array.isArray(pairs)) throw new Error('no files');
  const files = pairs.map((pair: unknown): ManifestFile => {
    if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string')
      throw new Error('not a file');
    return { name: pair[0], text: pair[1] };
  });
  // Before names are made unique, which takes quadratic time.
  if (sizeProblem(files) !== undefined) throw new Error('too much');
  return {
    files,
    ...(typeof region === 'string' ? { region } : {}),
    ...(typeof version === 'string' ? { version } : {}),
  };
}

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
}
