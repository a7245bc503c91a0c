/** The modules that replace those of Node.js in the playground give the same results. */
import * as crypto from 'node:crypto';
import * as net from 'node:net';
import { posix } from 'node:path';
import * as url from 'node:url';
import * as util from 'node:util';
import fc from 'fast-check';
import { Buffer as PageBuffer } from '../../browser/playground/node/buffer';
import { createHash } from '../../browser/playground/node/crypto';
import * as fs from '../../browser/playground/node/fs';
import { isIPv6 } from '../../browser/playground/node/net';
import * as path from '../../browser/playground/node/path';
import { pathToFileURL } from '../../browser/playground/node/url';
import { isDeepStrictEqual } from '../../browser/playground/node/util';

const paths = fc
  .array(fc.constantFrom('a', 'b.yaml', '.hidden', '..', '.', '', 'c.tar.gz', '/'), { maxLength: 7 })
  .map((steps) => steps.join('/').replaceAll('//', '/'));

test.each(['normalize', 'dirname', 'basename', 'extname', 'isAbsolute'] as const)(
  'path.%s is that of Node.js',
  (name) => {
    fc.assert(
      fc.property(paths, (given) => {
        expect([given, path[name](given)]).toEqual([given, posix[name](given)]);
      }),
      { numRuns: 2000 },
    );
  },
);

test('path.join is that of Node.js', () => {
  fc.assert(
    fc.property(fc.array(paths, { minLength: 1, maxLength: 4 }), (given) => {
      expect(path.join(...given)).toBe(posix.join(...given));
    }),
    { numRuns: 2000 },
  );
});

test('path.relative and path.resolve are those of Node.js in the root folder', () => {
  fc.assert(
    fc.property(paths, paths, (from, to) => {
      const [absoluteFrom, absoluteTo] = [`/${from}`, `/${to}`];
      expect(path.relative(absoluteFrom, absoluteTo)).toBe(posix.relative(absoluteFrom, absoluteTo));
      expect(path.resolve(absoluteFrom, to)).toBe(posix.resolve(absoluteFrom, to));
    }),
    { numRuns: 2000 },
  );
});

test.each(['hex', 'base64'] as const)('SHA-256 as %s is that of Node.js', (encoding) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(createHash('sha256').update(text).digest(encoding)).toBe(
        crypto.createHash('sha256').update(text).digest(encoding),
      );
    }),
    { numRuns: 500 },
  );
});

test('IPv6 addresses are those of Node.js', () => {
  const samples = [
    '::',
    '::1',
    'fe80::1',
    '1::2::3',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7',
    '::ffff:1.2.3.4',
    '::1.2.3',
    '::256.1.1.1',
    '',
    'a',
    '1.2.3.4',
    '12345::',
    'FE80::A',
  ];
  for (const text of samples) expect([text, isIPv6(text)]).toEqual([text, net.isIPv6(text)]);
  fc.assert(
    fc.property(
      fc
        .array(fc.constantFrom('::', ':', '0', 'f', '12ab', '1.2.3.4'), { maxLength: 16 })
        .map((parts) => parts.join('')),
      (text) => {
        expect([text, isIPv6(text)]).toEqual([text, net.isIPv6(text)]);
      },
    ),
    { numRuns: 3000 },
  );
});

test('deep equality of values as in YAML is that of Node.js', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(0, -0, 1, NaN, null, undefined, true, 'a', 1n),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('any')),
    ),
  })).any;
  fc.assert(
    fc.property(fc.clone(value, 2), value, ([left, same], right) => {
      expect(isDeepStrictEqual(left, right)).toBe(util.isDeepStrictEqual(left, right));
      expect(isDeepStrictEqual(left, same)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('the parts of Buffer that the engine uses give the bytes of Node.js', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      (text, long, int) => {
        expect(PageBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
        expect([...PageBuffer.from(text, 'utf8')]).toEqual([...Buffer.from(text, 'utf8')]);
        const bytes = Buffer.from(text, 'utf8');
        expect([...PageBuffer.from(bytes.toString('base64'), 'base64')]).toEqual([...bytes]);
        expect(PageBuffer.from(Uint8Array.from(bytes).buffer, 0, bytes.length).toString('latin1')).toBe(
          bytes.toString('latin1'),
        );
        const [page, node] = [PageBuffer.alloc(13), Buffer.alloc(13)];
        for (const target of [page, node]) {
          target.writeUInt8(200, 0);
          target.writeBigInt64BE(long, 1);
          target.writeInt32BE(int, 9);
        }
        expect([...page]).toEqual([...node]);
      },
    ),
  );
});

test('a page has no files', () => {
  expect(fs.existsSync()).toBe(false);
  expect(() => fs.readFileSync('manifests.yaml')).toThrow('ENOENT: no such file or directory');
});

test('file addresses are those of Node.js', () => {
  expect(pathToFileURL('/a b/c#d.yaml').href).toBe(url.pathToFileURL('/a b/c#d.yaml').href);
});
