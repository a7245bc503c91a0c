export * from './karpenter-validation';
export * from './karpenter-validation-props';
export * from './karpenter-verdict';
export * from './karpenter-verdict-props';
export * from './verdict-options';
