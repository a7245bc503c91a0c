export * from './internals';
export * from './karpenter-verdict';
export * from './karpenter-verdict-plugin';
export * from './karpenter-verdict-props';
export * from './verdict-options';
