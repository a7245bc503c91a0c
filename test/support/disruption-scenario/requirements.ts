import { Json } from '../schedule-scenario/draft';

/** Whether labels satisfy the requirements of a pool; for keys that instance types do not define, any value does. */
export function fits(labels: Readonly<Record<string, string>>, requirements: readonly Json[]): boolean {
  return requirements.every(({ key, operator, values = [] }) => {
    const value = labels[key];
    switch (operator) {
      case 'In':
        return value === undefined ? !key.startsWith('karpenter.k8s.aws/') : values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined || !key.startsWith('karpenter.k8s.aws/');
      case 'DoesNotExist':
        return value === undefined;
      case 'Gt':
        return Number(value) > Number(values[0]);
      case 'Gte':
        return Number(value) >= Number(values[0]);
      case 'Lt':
        return Number(value) < Number(values[0]);
      default:
        return Number(value) <= Number(values[0]);
    }
  });
}
