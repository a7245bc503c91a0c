import { KubeletExpression } from '../../model';

const known = new Map<string, KubeletExpression | undefined>();

/**
 * What a text says as CEL; undefined where it is none. Names and types that are not there show when it is asked for a
 * value.
 */
export function kubeletExpression(text: string): KubeletExpression | undefined {
  if (!known.has(text)) known.set(text, read(text));
  return known.get(text);
}

function read(text: string): KubeletExpression | undefined {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- for those alone who write expressions
  const { kubeletProgram } = require('./kubelet-program') as typeof import('./kubelet-program');
  try {
    return { text, valueFor: kubeletProgram(text) };
  } catch {
    return undefined;
  }
}
