class Bytes extends Uint8Array<ArrayBuffer> {
  /** Only Latin-1, in which each byte is a character. */
  public override toString(encoding?: string): string {
    if (encoding !== 'latin1') throw new Error(`encoding ${encoding} is not supported in a browser`);
    let text = '';
    for (const byte of this) text += String.fromCharCode(byte);
    return text;
  }

  public writeUInt8(value: number, offset: number): void {
    this.view.setUint8(offset, value);
  }

  public writeInt32BE(value: number, offset: number): void {
    this.view.setInt32(offset, value);
  }

  public writeBigInt64BE(value: bigint, offset: number): void {
    this.view.setBigInt64(offset, value);
  }

  private get view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.byteLength);
  }
}

/** The parts of Node.js's `Buffer` that the engine uses. The build makes it the global `Buffer`. */
export const Buffer = {
  byteLength: (text: string): number => new TextEncoder().encode(text).length,
  alloc: (size: number): Bytes => new Bytes(new ArrayBuffer(size)),
  /** Copies a text, or makes a view of a buffer. */
  from: (source: ArrayBuffer | string, encodingOrOffset?: 'utf8' | 'base64' | number, length?: number): Bytes => {
    if (typeof source !== 'string') return new Bytes(source, encodingOrOffset as number, length);
    if (encodingOrOffset !== 'base64') return new Bytes(new TextEncoder().encode(source).buffer);
    const binary = atob(source);
    const bytes = new Bytes(new ArrayBuffer(binary.length));
    for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
    return bytes;
  },
};
