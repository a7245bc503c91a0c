import { betaNodeClass, convert, nodeTemplate, refusals } from '../setup';

function classOf(text: string) {
  const { objects, notes, text: result } = convert(text, { role: 'nodes' });
  expect(refusals(result)).toEqual([]);
  return { spec: objects[0].spec, metadata: objects[0].metadata, notes, text: result };
}

describe('converting an AWSNodeTemplate', () => {
  test.each<[string, string, object[]]>([
    ['tags', '{ a: b, c: d }', [{ tags: { a: 'b', c: 'd' } }]],
    ['ids', '{ aws-ids: "subnet-1, subnet-2" }', [{ id: 'subnet-1' }, { id: 'subnet-2' }]],
    ['ids by their later name', '{ "aws::ids": subnet-1 }', [{ id: 'subnet-1' }]],
    [
      'values with commas',
      '{ Name: "one,two", team: web }',
      [{ tags: { Name: 'one', team: 'web' } }, { tags: { Name: 'two', team: 'web' } }],
    ],
    ['a wildcard', '{ team: "*" }', [{ tags: { team: '*' } }]],
  ])('converts a subnet selector with %s', (_, selector, terms) => {
    expect(classOf(nodeTemplate(`subnetSelector: ${selector}`)).spec.subnetSelectorTerms).toEqual(terms);
  });

  test.each<[string, string, object[]]>([
    [
      'names and owners',
      '{ "aws::name": "a,b", "aws::owners": "self,123456789012" }',
      [
        { name: 'a', owner: 'self' },
        { name: 'a', owner: '123456789012' },
        { name: 'b', owner: 'self' },
        { name: 'b', owner: '123456789012' },
      ],
    ],
    ['an owner only', '{ "aws::owners": self }', [{ name: '*', owner: 'self' }]],
    ['ids', '{ aws-ids: ami-1 }', [{ id: 'ami-1' }]],
  ])('converts an AMI selector with %s and keeps the AMI family', (_, selector, terms) => {
    expect(classOf(nodeTemplate(`amiSelector: ${selector}`)).spec).toMatchObject({
      amiFamily: 'AL2',
      amiSelectorTerms: terms,
    });
  });

  test('omits empty values of stray commas, with a todo note', () => {
    const { spec, text, notes } = classOf(nodeTemplate('subnetSelector: { Name: "one, ,two,", team: web }'));
    expect(spec.subnetSelectorTerms).toEqual([
      { tags: { Name: 'one', team: 'web' } },
      { tags: { Name: 'two', team: 'web' } },
    ]);
    expect(text).toMatch(/# +Name: "one, ,two,"/);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: subnetSelector: tag values cannot be empty/));
  });

  test('writes the ids of an AMI selector with ids and tags, and keeps the tags as a comment', () => {
    const { spec, text, notes } = classOf(nodeTemplate('amiSelector: { aws-ids: ami-1, team: web }'));
    expect(spec.amiSelectorTerms).toEqual([{ id: 'ami-1' }]);
    expect(text).toMatch(/# +team: web/);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: amiSelector: a term with an id/));
  });

  test('writes the alias of AL2 by default', () => {
    const { spec, notes } = classOf(nodeTemplate());
    expect(spec.amiSelectorTerms).toEqual([{ alias: 'al2@latest' }]);
    expect(notes).toContainEqual(
      expect.stringMatching(/^todo: the default amiFamily AL2 becomes the alias al2@latest; EKS publishes no AMI/),
    );
    expect(spec.amiFamily).toBeUndefined();
  });

  test('writes the role option without an instance profile, or a placeholder with a todo note', () => {
    expect(classOf(nodeTemplate()).spec.role).toBe('nodes');
    const { objects, notes } = convert(nodeTemplate());
    expect(objects[0].spec.role).toMatch(/CLUSTER_NAME/);
    expect(notes).toContainEqual(expect.stringMatching(/^todo: no instanceProfile/));
  });

  test('writes the old default hop limit explicitly', () => {
    expect(classOf(nodeTemplate()).spec.metadataOptions).toEqual({
      httpEndpoint: 'enabled',
      httpProtocolIPv6: 'disabled',
      httpPutResponseHopLimit: 2,
      httpTokens: 'required',
    });
    expect(classOf(betaNodeClass('metadataOptions: { httpTokens: optional }')).spec.metadataOptions).toMatchObject({
      httpPutResponseHopLimit: 2,
      httpTokens: 'optional',
    });
  });

  test('keeps partial metadata options and notes the defaults of EC2', () => {
    const { spec, notes } = classOf(nodeTemplate('metadataOptions: { httpEndpoint: enabled }'));
    expect(spec.metadataOptions).toMatchObject({
      httpEndpoint: 'enabled',
      httpPutResponseHopLimit: 1,
      httpTokens: 'required',
    });
    expect(notes).toContainEqual(expect.stringMatching(/^todo: metadataOptions\.httpTokens/));
  });

  test('writes todo notes for a custom launch template', () => {
    const { spec, text, notes } = classOf(
      nodeTemplate('launchTemplate: mine').replace('  securityGroupSelector: { team: web }\n', ''),
    );
    expect(spec).toMatchObject({ amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-placeholder' }] });
    expect(text).toMatch(/^ *# launchTemplate: mine$/m);
    expect(notes.filter((note) => note.startsWith('todo'))).toHaveLength(3);
  });

  test.each([
    ['30Gi', '30Gi'],
    ['100Mi', '1Gi'],
    ['1.5Ti', '1536Gi'],
    ['32212254720', '30Gi'],
    ['20G', '20G'],
  ])('writes a volume size of %s as %s', (size, expected) => {
    const { spec } = classOf(
      nodeTemplate(`blockDeviceMappings: [{ deviceName: /dev/xvda, ebs: { volumeType: gp3, volumeSize: ${size} } }]`),
    );
    expect(spec.blockDeviceMappings[0].ebs.volumeSize).toBe(expected);
  });

  test('keeps tags that Karpenter sets itself as comments', () => {
    const { spec, text } = classOf(
      nodeTemplate('tags: { team: web, karpenter.sh/nodepool: x, kubernetes.io/cluster/main: owned }'),
    );
    expect(spec.tags).toEqual({ team: 'web' });
    expect(text).toMatch(/# kubernetes\.io\/cluster\/main: owned/);
  });
});

describe('converting an EC2NodeClass of v1beta1', () => {
  test.each(['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022'])(
    'writes an alias for AMI family %s without amiSelectorTerms',
    (family) => {
      const { spec } = classOf(betaNodeClass(`amiFamily: ${family}`));
      expect(spec.amiSelectorTerms).toEqual([{ alias: `${family.toLowerCase()}@latest` }]);
      expect(spec.amiFamily).toBeUndefined();
    },
  );

  test('keeps amiFamily and amiSelectorTerms if it has both', () => {
    expect(classOf(betaNodeClass('amiSelectorTerms: [{ tags: { a: b } }]')).spec).toMatchObject({
      amiFamily: 'AL2023',
      amiSelectorTerms: [{ tags: { a: 'b' } }],
    });
  });

  test('writes AL2 and the Ubuntu root volume for AMI family Ubuntu', () => {
    const { spec, notes } = classOf(betaNodeClass('amiFamily: Ubuntu\namiSelectorTerms: [{ name: ubuntu-* }]'));
    expect(spec).toMatchObject({
      amiFamily: 'AL2',
      amiSelectorTerms: [{ name: 'ubuntu-*' }],
      blockDeviceMappings: [
        { deviceName: '/dev/sda1', rootVolume: true, ebs: { volumeSize: '20Gi', encrypted: true } },
      ],
    });
    expect(notes).toContainEqual(expect.stringMatching(/^changed: amiFamily: v1 has no family Ubuntu/));
  });

  test('writes a placeholder AMI for AMI family Ubuntu without amiSelectorTerms', () => {
    const { spec, notes } = classOf(betaNodeClass('amiFamily: Ubuntu'));
    expect(spec.amiSelectorTerms).toEqual([{ id: 'ami-placeholder' }]);
    expect(notes.filter((note) => note.startsWith('todo: ami'))).toHaveLength(2);
  });

  test('keeps every other field', () => {
    const fields = {
      instanceStorePolicy: 'RAID0',
      userData: 'x',
      tags: { a: 'b' },
      detailedMonitoring: true,
      associatePublicIPAddress: false,
      context: 'c',
      metadataOptions: { httpTokens: 'optional', httpPutResponseHopLimit: 3 },
    };
    const text = Object.entries(fields)
      .map(([field, value]) => `${field}: ${JSON.stringify(value)}\n`)
      .join('');
    expect(classOf(betaNodeClass(text)).spec).toMatchObject(fields);
  });

  test('keeps labels and annotations, and keeps fields of the API server as comments', () => {
    const { metadata, text } = classOf(
      betaNodeClass().replace(
        'name: default',
        'name: default\n  labels: { a: b }\n  uid: 1234\n  annotations: { karpenter.k8s.aws/ec2nodeclass-hash: "12" }',
      ),
    );
    expect(metadata).toEqual({ name: 'default', labels: { a: 'b' } });
    expect(text).toMatch(/^# uid: 1234$/m);
  });
});
