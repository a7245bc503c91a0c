import { Evaluator } from './hcl/evaluate';
import { bodyAttribute, Block, HclExpression } from './hcl/syntax';
import { asRecord } from '../../../../contract';
import { helmParameterPath } from '../../helm-values';
import { FieldPath } from '../../object';
import { readDocuments } from '../../yaml/documents';
import { SourceText } from '../source-text';

/** Where a value is: its path among the values, and its offset in the file. */
type Place = readonly [path: FieldPath, offset: number];

/**
 * Where the values of a `helm_release` are written: in here-documents, in arguments of `yamlencode`, and in settings.
 * Of several places of a path, the last one counts.
 */
export function valuePlaces({ body }: Block, text: string, evaluator: Evaluator): Place[] {
  const values = bodyAttribute(body, 'values');
  const settings = body.blocks.filter(({ type }) => type === 'set' || type === 'set_list');
  const listed = bodyAttribute(body, 'set');
  return [
    ...(values ? placesIn(values) : []),
    ...settings.flatMap((block) => settingPlace(...['name', 'value'].map((name) => bodyAttribute(block.body, name)))),
    ...(listed?.kind === 'list' ? listed.items : []).flatMap((item) =>
      item.kind === 'object' ? settingPlace(...['name', 'value'].map((name) => memberOf(item, name))) : [],
    ),
  ];

  function placesIn(expression: HclExpression): Place[] {
    if (expression.kind === 'list') return expression.items.flatMap(placesIn);
    if (expression.kind === 'call')
      return expression.name === 'yamlencode' ? expression.args.flatMap((arg) => placesOf(arg, [])) : [];
    return text.startsWith('<<', expression.start) ? placesOfDocument(expression) : [];
  }

  function placesOf(expression: HclExpression, path: FieldPath): Place[] {
    if (expression.kind === 'list') return expression.items.flatMap((item, index) => placesOf(item, [...path, index]));
    if (expression.kind !== 'object') return [];
    return expression.items.flatMap(({ key, value }) => {
      const own = [...path, String(evaluator.valueOf({ expression: key, text }))];
      return [[own, key.start] as const, ...placesOf(value, own)];
    });
  }

  function placesOfDocument({ start, end }: HclExpression): Place[] {
    const begin = text.indexOf('\n', start) + 1;
    const inner = text.slice(begin, text.lastIndexOf('\n', end - 1) + 1);
    const [document] = readDocuments(new SourceText({ path: '', text: inner })).documents;
    return document ? pathsIn(document.value).map((path) => [path, begin + document.offsetOf(path)]) : [];
  }

  function settingPlace(name?: HclExpression, value?: HclExpression): Place[] {
    const known = name && evaluator.valueOf({ expression: name, text });
    return typeof known === 'string' && value ? [[helmParameterPath(known), value.start]] : [];
  }
}

function memberOf({ items }: HclExpression & { readonly kind: 'object' }, name: string): HclExpression | undefined {
  return items.find(({ key }) => key.kind === 'literal' && key.value === name)?.value;
}

function pathsIn(value: unknown, path: FieldPath = []): FieldPath[] {
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(asRecord(value) ?? {});
  return entries.flatMap(([key, item]) => [[...path, key], ...pathsIn(item, [...path, key])]);
}
