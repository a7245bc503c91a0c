export * from './assertions';
export * from './karpenter-validation';
export * from './karpenter-verdict';
export * from './verdict-options';
