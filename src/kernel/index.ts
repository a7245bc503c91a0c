export * from './packer';
export * from './packer-problem';
