export * from './packer';
