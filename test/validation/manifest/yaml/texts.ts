import { readFileSync } from 'fs';
import { join } from 'path';

const ROOT = join(__dirname, '../../../..');

/** Manifests of this project, and every YAML notation for values, keys, scalars, comments and documents. */
export const TEXTS: readonly string[] = [
  ...[
    'examples/resilient-web/nginx-demo.yaml', 'examples/explain/shop.yaml', 'test/conversion/fixtures/first-karpenter.yaml',
    'test/support/api-objects/corpus/node-pool.yaml', 'test/support/api-objects/corpus/ec2-node-class.yaml',
  ].map((path) => readFileSync(join(ROOT, path), 'utf8')),
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web, labels: { app: web, "tier": \'front\' } }\nspec:\n  containers:\n    - name: app\n      args: ["-c", \'it\'\'s\', plain text]\n',
  'a: 1\nb: 0x1F\nc: 0o17\nd: 1e3\ne: .5\nf: -0\ng: +12\nh: .inf\ni: -.INF\nj: .nan\nk: 1_000\nl: 0777\nm: 2001-01-01\nn: 12345678901234567890\no: 1e400\np: 0b11\n',
  'a: true\nb: False\nc: yes\nd: Off\ne: null\nf: ~\ng:\nh: "true"\ni: \'~\'\nj: NULL\nk: nulls\n',
  'list:\n- a\n-   b: 1\n    c: 2\n- - x\n  - y\n-\n  z: 1\nother:\n  - - - deep\n',
  'text: |\n  one\n   two\n\n  three\nstrip: |-\n  end\n\nkeep: |+\n  end\n\nfolded: >\n  a\n  b\n\n  c\n   d\nindented: |2\n   x\nlast: >-\n  e # no comment\n',
  'plain: one\n  two\n  three\nquoted: "one\n  two \\\n  three\\n\\t\\u00e9\\x41"\nsingle: \'a\n\n  b\'\n',
  '# before\na: 1 # behind\n# between\n\nb:\n  # inside\n  c: 2\n  # after\n# end\n',
  'flow: { a: [1, 2, { b: c }], "d": e, \'f\': "g", h, i: , j: [], k: {} }\nlist: [\n  a,\n  b: c,\n  [d], # e\n]\n',
  '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"a","args":["\\"x\\"","\\\\"]}]}}\n',
  'first: 1\n---\nsecond: 2\n---\n---\n# none\n---\n- 3\n...\n--- last\n',
  'url: http://host:80/a#b\ntime: 12:30:45\n"quoted key": 1\nspaced key : 2\na:b: c\n? explicit\n: value\nx: a, b [c] {d}\ny: -z\nw: ?v\n',
  'base: &base\n  a: 1\nuse: *base\nmerged:\n  <<: *base\n  b: 2\ntagged: !!str 1\n',
  'twice: 1\nonce: 2\ntwice: 3\nnone: ~\nnone: 4\n',
  'top level text\n', '"quoted\\ttext"', '- 1\n- two\n', '', '# nothing\n', '|\n  literal\n',
];

/** Fragments that mutations insert. */
export const BITS: readonly string[] = [
  ':', ': ', '- ', '-', '\n', '\n  ', ' ', '  ', '#', ' #', '"', '\'', '[', ']', '{', '}', ',', ', ', '|', '>', '|-', '>+', '|2', '  |\n    a\n', '\\', '\\n', '~', 'null', '1', '0x1F', '.5',
  'true', 'yes', '<<', '? ', '?', '!', '!!str ', '&a ', '*a', '%', '@', '`', '\t', '---\n', '...\n', '\n---', '\n--- ', '\n  --- ', '\n...', '... ', '\r\n', '\r', 'é', '\ud83d\ude00', '\u0085', '\u2028',
  '\u00a0', '\ufeff', '__proto__', 'a: b', '"a": b', '\'a\' : b', '"a"b: c', '}x: y', '{}', '[]: x', '{a}: b', '- "a"', '- - a', '\n- ', '-\n', '- a: b\n  c: d', '# x\n', '\n\n', '\n \n', 'a:b', '::',
];
