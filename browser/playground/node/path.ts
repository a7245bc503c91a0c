/** The parts of `node:path` that the engine uses, with the rules of POSIX. */
export const sep = '/';

export function isAbsolute(path: string): boolean {
  return path.startsWith('/');
}

export function normalize(path: string): string {
  const steps = stepsOf(path).join('/');
  const isFolder = path.endsWith('/') && steps !== '';
  if (isAbsolute(path)) return `/${steps}${isFolder ? '/' : ''}`;
  return steps === '' ? (path.endsWith('/') && path !== '' ? './' : '.') : `${steps}${isFolder ? '/' : ''}`;
}

/** The steps without `.`, and without `..` that can be resolved. */
function stepsOf(path: string): string[] {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue;
    if (step !== '..') steps.push(step);
    else if (steps.length > 0 && steps[steps.length - 1] !== '..') steps.pop();
    else if (!isAbsolute(path)) steps.push('..');
  }
  return steps;
}

export function join(...paths: string[]): string {
  return normalize(paths.filter((path) => path !== '').join('/'));
}

export function dirname(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  const end = trimmed.lastIndexOf('/');
  if (end < 0) return trimmed === '' && isAbsolute(path) ? '/' : '.';
  if (end === 1 && path.startsWith('//')) return '//'; // as in Node.js
  return end === 0 ? '/' : path.slice(0, end);
}

export function basename(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

export function extname(path: string): string {
  return /[^.](\.[^.]*)$/.exec(basename(path))?.[1] ?? '';
}

/** There is no working directory: relative paths start at the root. */
export function resolve(...paths: string[]): string {
  const start = paths.map(isAbsolute).lastIndexOf(true);
  return `/${stepsOf(`/${paths.slice(Math.max(0, start)).join('/')}`).join('/')}`;
}

export function relative(from: string, to: string): string {
  const [start, end] = [stepsOf(resolve(from)), stepsOf(resolve(to))];
  let common = 0;
  while (common < start.length && start[common] === end[common]) common++;
  return [...start.slice(common).map(() => '..'), ...end.slice(common)].join('/');
}
