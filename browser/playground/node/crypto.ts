/* eslint-disable no-bitwise -- hashing works on bits */
/** The part of `node:crypto` that the engine uses: SHA-256 of texts. The browser's own is asynchronous. */

/** The first 32 bits of the fractional part of a root of the first primes (FIPS 180-4, section 4.2.2). */
function constants(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}

const ROUND = constants(64, Math.cbrt);
const START = constants(8, Math.sqrt);

function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = Uint32Array.from(START);
  for (let offset = 0; offset < padded.length; offset += 64) addBlock(state, view, offset);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

/** FIPS 180-4, section 6.2.2. */
function addBlock(state: Uint32Array, block: DataView, offset: number): void {
  const schedule = new Uint32Array(64);
  for (let index = 0; index < 64; index++) {
    if (index < 16) {
      schedule[index] = block.getUint32(offset + index * 4);
      continue;
    }
    const [early, late] = [schedule[index - 15], schedule[index - 2]];
    const sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = schedule[index - 16] + sigma0 + schedule[index - 7] + sigma1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let index = 0; index < 64; index++) {
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[index] + schedule[index];
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] += word;
  });
}

export function createHash(algorithm: 'sha256'): {
  update(text: string): { digest(encoding: 'hex' | 'base64'): string };
} {
  if (algorithm !== 'sha256') throw new Error(`${algorithm} is not supported in a browser`);
  return {
    update: (text) => ({
      digest: (encoding) => {
        const bytes = sha256(new TextEncoder().encode(text));
        if (encoding === 'base64') return btoa(String.fromCharCode(...bytes));
        return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      },
    }),
  };
}
