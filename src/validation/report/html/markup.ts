/** Text that is markup already. */
export class Markup {
  public constructor(public readonly text: string) {}
}

type Part = Markup | string | number | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' };

/** Markup with values in it: what is no markup is escaped, in text and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, part, at) => text + textOf(values[at - 1]) + part));
}

export const NOTHING = new Markup('');

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** Markup only where there is something. */
export function when(condition: boolean, make: () => Markup): Markup {
  return condition ? make() : NOTHING;
}
