export * from './packer';
export * from './packer-problem';
export { PackerLimitError } from './wasm-instance';
export type { PackerBounds } from './wasm-instance';
