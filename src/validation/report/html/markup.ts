/** Text that is already markup, and is not escaped. */
export class Markup {
  public constructor(public readonly text: string) {}
}

type Part = Markup | string | number | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of markup. Values that are not `Markup` are escaped, both in text and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part));
}

export const NOTHING = new Markup('');

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** Markup that is made only if the condition holds. */
export function when(condition: boolean, make: () => Markup): Markup {
  return condition ? make() : NOTHING;
}

/**
 * The id of an element about an object: letters, digits, `-`, `_` and `.` of the name stay, others are written as
 * their code. Different names have different ids.
 *
 * @param kind distinguishes objects of different kinds with the same name
 */
export function anchor(kind: 'node' | 'pool' | 'workload' | 'rule' | 'scenario', name: string): string {
  return `${kind}-${name.replace(/[^A-Za-z0-9_.-]/g, (character) => `~${character.charCodeAt(0).toString(16)}`)}`;
}
