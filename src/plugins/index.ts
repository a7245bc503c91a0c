export * from './karpenter-verdict';
export * from './karpenter-verdict-props';
