import { bootstrapScriptCalledAgain } from '../../../../../src/validation/rules/api/user-data/bootstrap-script-called-again';
import { judge, nodeClass } from '../../judge';

const rule = bootstrapScriptCalledAgain;
const classWith = (alias: string, userData: string) =>
  nodeClass('default', { amiSelectorTerms: [{ alias }], userData });
const CALL = "#!/bin/bash\n/etc/eks/bootstrap.sh orchard --kubelet-extra-args '--max-pods=110'\n";

describe('KARP-152 bootstrap-script-called-again', () => {
  test('reports a call on AL2023, where the script only fails', () => {
    const { findings } = judge(rule, [classWith('al2023@v20250915', CALL)]);
    expect(findings).toMatchObject([{ path: ['spec', 'userData'], evidence: { amiFamily: 'AL2023' } }]);
    expect(findings[0].message).toContain('which on AL2023 only prints an error and fails');
    expect(findings[0].remedy).toContain('spec.kubelet');
  });

  test('reports a script that edits the bootstrap script on AL2023', () => {
    const edit = "#!/bin/bash\nsed -i 's/a/b/' /etc/eks/bootstrap.sh\n";
    expect(judge(rule, [classWith('al2023@latest', edit)]).findings).toHaveLength(1);
    expect(judge(rule, [classWith('al2@latest', edit)]).findings).toEqual([]);
  });

  test('warns about a call on AL2, where Karpenter calls the script as well', () => {
    const { findings } = judge(rule, [classWith('al2@latest', CALL)]);
    expect(findings).toMatchObject([{ severity: 'warning', evidence: { amiFamily: 'AL2' } }]);
  });

  test.each([
    '#!/bin/bash\nif [ -f /etc/eks/bootstrap.sh ]; then /etc/eks/bootstrap.sh a; fi\n',
    '#!/bin/bash\n# /etc/eks/bootstrap.sh is gone\necho hi\n',
  ])('passes on AL2023: %j', (userData) => {
    expect(judge(rule, [classWith('al2023@latest', userData)]).states).toEqual(['pass EC2NodeClass/default']);
  });

  test('does not apply to Bottlerocket', () => {
    expect(judge(rule, [classWith('bottlerocket@latest', CALL)]).outcomes).toEqual([]);
  });
});
