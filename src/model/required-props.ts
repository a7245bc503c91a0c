import { errorWithoutStack } from './stack-traces';

interface Located {
  readonly node: { readonly path: string };
}

/**
 * Rejects missing required properties. TypeScript and jsii reject them too, but plain JavaScript does not.
 *
 * @param construct construct whose path begins the message
 * @param examples an example of each required property
 * @throws Error with a line for each missing property
 */
export function requireProps<T extends object>(
  construct: Located,
  props: T,
  examples: { readonly [name in keyof T]?: string },
): void {
  const given = (props as T | undefined) ?? ({} as Partial<T>);
  const missing = (Object.keys(examples) as Array<keyof T & string>).filter(
    (name) => given[name] === undefined || given[name] === null,
  );
  if (missing.length === 0) return;
  throw errorWithoutStack(
    missing
      .map((name) => `${construct.node.path}/${name}: must be set, got nothing; write for example ${examples[name]}`)
      .join('\n'),
  );
}
