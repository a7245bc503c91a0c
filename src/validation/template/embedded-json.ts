/**
 * Parses JSON text in a template whose intrinsic functions were already replaced by tokens. Like objects that are read
 * from files, the result has no prototypes and no keys with null.
 */
export function parseEmbeddedJson(text: unknown): unknown {
  return plain(parse(text), false);
}

/** Like `parseEmbeddedJson`, but keeps nulls: in Helm values a null deletes the chart's default. */
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

/** Parses JSON with tokens outside quotes, which stand for numbers or lists known only at deployment. */
function parseWithBareTokens(text: string): unknown {
  // A string that is not closed matches up to the end of the text, because the next search would scan it again.
  const quoted = text.replace(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|(\$\{Token\[[^[\]]*\]\})/g, (whole, token?: string) =>
    token === undefined ? whole : JSON.stringify(token),
  );
  // The whole text is one token.
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
