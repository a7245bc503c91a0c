/**
 * JSON that a template carries as a text, its intrinsic functions evaluated to tokens before. Objects have no prototype and no
 * key with a null, as those that are read from files.
 */
export function parseEmbeddedJson(text: unknown): unknown {
  return plain(parse(text), false);
}

/** As `parseEmbeddedJson`, with nulls: in values of a chart each deletes what the chart has. */
export function parseChartValues(text: unknown): unknown {
  return plain(parse(text), true);
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return parseWithBareTokens(text);
  }
}

/** A number or a list that is known only at deployment stands without quotes. */
function parseWithBareTokens(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|(\$\{Token\[[^\]]*\]\})/g, (whole, token?: string) => token === undefined ? whole : JSON.stringify(token));
  // All of it is one token.
  if (quoted.startsWith('"')) return undefined;
  try {
    return JSON.parse(quoted);
  } catch {
    return undefined;
  }
}

function plain(value: unknown, keepsNull: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, keepsNull));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) if (keepsNull || item !== null) result[key] = plain(item, keepsNull);
  return result;
}
