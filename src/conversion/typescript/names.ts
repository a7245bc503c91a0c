/** Names for constructs and variables, each once. */
export class Names {
  private readonly taken: Set<string>;

  public constructor(reserved: readonly string[] = []) {
    this.taken = new Set(reserved);
  }

  public unique(base: string): string {
    let name = base;
    for (let i = 2; this.taken.has(name); i += 1) name = `${base}${i}`;
    this.taken.add(name);
    return name;
  }
}

/** `web-1.blue` and `NodePool` as `Web1BlueNodePool`. */
export function pascalCase(...parts: readonly string[]): string {
  const words = parts.flatMap((part) => part.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '');
  const text = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(text) ? text : `The${text}`;
}

export function camelCase(pascal: string): string {
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
}
